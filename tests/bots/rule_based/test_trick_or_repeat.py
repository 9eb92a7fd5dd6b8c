"""Trick or Repeat by rules: what it makes of positions, and its chances against all ways the cards may lie."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import bots
import engine
from bots.arena import chance, play_blocks, rules
from bots.rule_based import weights_for
from bots.rule_based.scoring import score_actions
from bots.rule_based.trick_or_repeat_timelines import resolve
from tests.cases import CASES, random_game

GAMES = [engine.load(name, players=players, **options) for name, players, options in CASES if name == "trick_or_repeat"]
every_game = pytest.mark.parametrize("game", GAMES, ids=[game.label for game in GAMES])
DEFAULT = engine.load("trick_or_repeat")
TINY = engine.load("trick_or_repeat", players=2, suits=2, ranks=4, hand_size=2)


def scores_of(record, seat, actions, weights):
    scores = np.full(len(actions), np.nan)
    score_actions(record, seat, np.array(actions), len(actions), weights, scores)
    return scores


def only(game, **weights):
    """Weights of zero but for these."""
    everything = dict.fromkeys(bots.rule_based.policy_of(game).WEIGHTS, 0.0)
    return weights_for(game, everything | weights)


def dealt(game, cards, plays=""):
    """The position after `plays` when the hands, by seat, and then the Rabbit, bottom first, are `cards`."""
    front = cards.split()
    state = game.new(decks=[front + [card for card in game.deck if card not in front]])
    for action in plays.split():
        state = state.apply(action)
    return state


def decision(state):
    bot = bots.load("rules")
    bot.new_game(state.game, state.seat, np.random.default_rng(0))
    return state.game.actions[bot.act(state.information_set())]


# --- Positions on which all good players agree ---

OTHERS = "B1 B2 B3 C3 D3  B4 B5 C4 C5 D4  A1 A2 C6 D5 D6"
# Seat 0 gets the cards A9 B1 of the hand of seat 1 as the last two, the Rabbit shows B C D A C.
TWO_CARDS_LEFT = dealt(
    DEFAULT,
    "D1 D2 C1 C2 A1  B8 C8 D8 A9 B1  B3 C3 D3 A3 A2  B4 C4 D4 A4 A5  C7 A6 D7 C6 B7",
    "C1 B8 B3 B4  C4 C2 C8 C3  D3 D4 D1 D8",
)
# Two players, the Rabbit all A: seat 1 placed A8 in slot 2 and, all but surely, A6 in slot 4, and leads trick 5.
TRUMPS_HALF_AND_HALF = dealt(
    engine.load("trick_or_repeat", players=2),
    "A9 A8 A7 A6 B1  C1 C2 C3 C4 C5  A1 A2 A3 A4 A5",
    "A9 C5  C4 A8  A7 C3  C2 A6",
)
# Round 2: seat 0 placed A4 in slot 1, as seat 1 expects, and leads B2, which seat 1 passed to it, to B1.
BEHIND_THE_HIGHEST_TRUMP = dealt(TINY, "A4 B1  A3 B2  A1 A2", "A4 A3 bid0 bid0  A4 A3 bid0")


@pytest.mark.parametrize(
    ("state", "action"),
    [
        pytest.param(
            dealt(DEFAULT, f"A9 C1 C2 D1 D2  {OTHERS}  B9 B8 B7 B6 A8"), "A9", id="the highest trump wins for sure"
        ),
        pytest.param(
            dealt(DEFAULT, f"B9 C1 C2 D1 D2  {OTHERS}  D9 D8 D7 B6 A8"), "B9", id="never pass on a sure next trick"
        ),
        pytest.param(
            dealt(DEFAULT, f"A9 A3 C1 C2 D1  {OTHERS}  C9 C8 D8 D7 A8"), "A9", id="of two trumps the one that wins"
        ),
        pytest.param(TWO_CARDS_LEFT, "A9", id="the last trump where it counts"),
        pytest.param(
            BEHIND_THE_HIGHEST_TRUMP, "bid2", id="who places the highest trump leads the last trick and wins it"
        ),
        pytest.param(TRUMPS_HALF_AND_HALF, "bid3", id="trumps passed to the neighbour are its tricks"),
    ],
)
def test_positions_on_which_all_good_players_agree(state, action):
    assert decision(state) == action


@pytest.mark.parametrize("round_number", [1, 2])
def test_a_neighbour_that_cannot_win_is_bid_nothing(round_number):
    """Seat 0 placed A4, the highest trump, and passed B1, the lowest card: it leads trick 2, where B1 wins nothing."""
    first = "A4 A3 bid0 bid0"
    state = dealt(TINY, "A4 B1  A3 B2  A1 A2", f"{first if round_number == 2 else ''} A4 A3")
    scores = scores_of(state.records[0], 0, state.legal_actions, only(TINY, bid=1.0))
    assert scores == pytest.approx([1, 0, 0])


# --- Chances ---


def winner(cards, leader, trump, ranks):
    """The index of the card that takes the trick, by the words of the rules."""
    suits = [card // ranks for card in cards]
    suit = trump if trump in suits else suits[leader]
    return max((card, seat) for seat, card in enumerate(cards) if card // ranks == suit)[1]


@pytest.mark.parametrize("trump", range(4))
@pytest.mark.parametrize("seed", range(5))
def test_the_chance_of_a_trick_is_that_of_all_ways_the_cards_may_lie(seed, trump):
    """Each of four seats holds one of five cards, none of which another may hold, by chances of its own."""
    rng = np.random.default_rng(seed)
    state = dealt(DEFAULT, "").records[0]
    chances = np.zeros((6, 36))
    hands = rng.permutation(36)[:20].reshape(4, 5)
    for seat, hand in enumerate(hands):
        chances[seat, hand] = rng.dirichlet(np.ones(5))
    leads = rng.dirichlet(np.ones(4))
    expected = np.zeros((6, 6))
    for leader, *cards in itertools.product(range(4), *hands):
        seat = winner(cards, leader, trump, 9)
        way = leads[leader] * np.prod([chances[i, card] for i, card in enumerate(cards)])
        expected[seat, 1 if seat == 2 else 0] += way
    tricks = np.zeros((6, 6))
    tricks[:4, 0] = leads
    resolve(state, trump, 2, chances, tricks)
    assert tricks == pytest.approx(expected)


@every_game
def test_the_bids_are_a_distribution_and_winning_is_a_chance(game):
    for seed in range(4):
        *states, _ = random_game(game, seed)
        for state in states:
            weights = only(game, trick=1.0, bid=1.0)
            scores = scores_of(state.records[0], state.seat, state.legal_actions, weights)
            assert scores.min() >= -1e-9
            assert scores.max() <= 1 + 1e-9
            if game.actions[state.legal_actions[0]] == "bid0":
                assert sum(scores) == pytest.approx(1)


@every_game
def test_weights_of_zero_tell_nothing_apart(game):
    for state in list(random_game(game, 5))[:-1]:
        assert not scores_of(state.records[0], state.seat, state.legal_actions, only(game)).any()


# --- What a seat sees ---


@every_game
def test_the_scores_are_the_same_in_all_worlds_and_leave_them_as_they_were(game):
    rng = np.random.default_rng(1)
    for seed in range(3):
        for state in list(random_game(game, seed))[:-1]:
            info = state.information_set()
            worlds = [info, state, *(info.determinize(rng) for _ in range(3))]
            before = [world.records.tobytes() for world in worlds]
            scores = {
                scores_of(world.records[0], info.seat, state.legal_actions, weights_for(game)).tobytes()
                for world in worlds
            }
            assert len(scores) == 1
            assert [world.records.tobytes() for world in worlds] == before


# --- Strength ---


@pytest.mark.parametrize(("players", "bound"), [(2, 0.75), (3, 2 / 3), (4, 1 / 2), (5, 2 / 5), (6, 1 / 3)])
def test_wins_twice_its_share_against_chance(players, bound):
    """200 deals from every seat; with two players half as much again. The standard error is below 0.02.

    Measured: 0.96, 0.83, 0.75, 0.70, 0.67 with 2 to 6 players.
    """
    game = engine.load("trick_or_repeat", players=players)
    table = [rules(game), *[chance(game)] * (players - 1)]
    assert play_blocks(game, table, np.arange(200))[:, 0].mean() > bound
