"""The policy of Daytime Minutes: plain positions, blindness, symmetry, and play far better than chance."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import engine
from bots.arena import chance, play_blocks, rules
from bots.rule_based import weights_for
from bots.rule_based.daytime_minutes import FEATURES
from bots.rule_based.scoring import score_actions
from tests.bots import daytime_minutes_positions as positions
from tests.cases import random_game

GAMES = [engine.load("daytime_minutes", players=players) for players in (3, 4, 5)]
every_game = pytest.mark.parametrize("game", GAMES, ids=[game.label for game in GAMES])
WORLDS = 3


def scores_of(game, record, seat, actions, weights=None):
    weights = weights_for(game) if weights is None else weights
    scores = np.full(len(game.actions), np.nan)
    score_actions(record, seat, np.array(actions), len(actions), weights, scores)
    return scores[: len(actions)]


def choice(state):
    """The name of the action of the highest score."""
    scores = scores_of(state.game, state.records[0], state.seat, state.legal_actions)
    return state.legal_names[int(np.argmax(scores))]


# Seat 1 has the fewest minutes whatever happens. Under F10 the F9 takes seat 0 to 195 minutes, more than the plan.
PUSHING = positions.last_daytime_trick(
    ["F10 W7", "A4 W8", "A5 W9", "F9 A1"], ["F10", "A4", "A5"], minutes=[120, 60, 90, 100]
)
# F10 and F2 take seat 3 to 190 minutes, and seat 0 loses its last token for the fewest: seats 1 and 2 win. With A1
# the same happens and seat 3 keeps its third token: it wins alone.
LAST_HAND = positions.last_daytime_trick(
    positions.HANDS, positions.PLAYED, minutes=[60, 100, 90, 140], tokens=[1, 2, 2, 3]
)


@pytest.mark.parametrize(
    ("state", "card"),
    [
        pytest.param(positions.EXACT, "F10", id="a sure card makes exactly the plan"),
        pytest.param(positions.OVER, "A1", id="a taking card would go over"),
        pytest.param(positions.FEWEST, "F10", id="a sure card saves from the fewest minutes"),
        pytest.param(positions.WIN_BY_TAKING, "F10", id="the token for exactly the plan wins the game alone"),
        pytest.param(positions.WIN_BY_DUCKING, "F1", id="the dumped card ends the game while one leads"),
        pytest.param(PUSHING, "F9", id="a card under the highest takes another seat over the plan"),
        pytest.param(LAST_HAND, "A1", id="the game ends anyway: keep the most tokens"),
    ],
)
def test_positions_on_which_all_good_players_agree(state, card):
    assert choice(state) == card


@pytest.mark.parametrize(
    ("hand", "plan"), [("F1-3 A1-3 W1-3", "plan150"), ("F13-15 A13-15 W13-15", "plan240")], ids=["low", "high"]
)
def test_a_plan_for_a_hand_of_the_lowest_or_highest_cards(hand, plan):
    assert choice(positions.choosing_a_plan(hand)) == plan


@every_game
def test_what_the_seat_cannot_see_does_not_matter(game):
    """The same scores on what the seat sees, on the true state, and on worlds that look the same to the seat."""
    rng = np.random.default_rng(3)
    for seed in range(3):
        *states, _ = random_game(game, seed)
        for state in states:
            info = state.information_set()
            expected = scores_of(game, info.records[0], info.seat, info.legal_actions)
            assert np.isfinite(expected).all()
            for world in (state, *(info.determinize(rng) for _ in range(WORLDS))):
                assert np.array_equal(scores_of(game, world.records[0], info.seat, info.legal_actions), expected)


@every_game
def test_the_state_stays_as_it_was(game):
    *states, _ = random_game(game, 4)
    for state in states:
        before = state.records.tobytes()
        scores_of(game, state.records[0], state.seat, state.legal_actions)
        assert state.records.tobytes() == before


@every_game
def test_scores_are_sums_of_weights_times_features(game):
    rng = np.random.default_rng(5)
    a, b = rng.normal(size=(2, len(FEATURES)))
    *states, _ = random_game(game, 6)
    for state in states:
        position = (game, state.records[0], state.seat, state.legal_actions)
        assert not scores_of(*position, np.zeros(len(FEATURES))).any()
        combined = scores_of(*position, a) + 2 * scores_of(*position, b)
        assert np.allclose(scores_of(*position, a + 2 * b), combined, rtol=0, atol=1e-9)


@every_game
@pytest.mark.parametrize("suits", list(itertools.permutations("FAW"))[1:], ids="".join)
def test_the_names_of_the_suits_do_not_matter(game, suits):
    """Suits have no order: the same game with suits exchanged has the same scores card by card."""
    renamed = dict(zip("FAW", suits, strict=True))

    def twin_of(name):
        return name if name.startswith("plan") else renamed[name[0]] + name[1:]

    rng = np.random.default_rng(8)
    decks = [[game.deck[card] for card in game.shuffled_deck(9, number)] for number in range(2)]
    state = game.new(seed=1, decks=decks)
    twin = game.new(seed=1, decks=[[twin_of(name) for name in deck] for deck in decks])
    while not state.is_terminal and state.facts()["hand_number"] <= len(decks):
        names = [twin_of(name) for name in state.legal_names]
        scores = scores_of(game, state.records[0], state.seat, state.legal_actions)
        twins = scores_of(game, twin.records[0], twin.seat, [game.action_ids[name] for name in names])
        assert np.allclose(scores, twins, rtol=0, atol=1e-9)
        action = int(rng.integers(len(names)))
        state, twin = state.apply(state.legal_names[action]), twin.apply(names[action])


@every_game
def test_wins_more_than_twice_its_share_against_random_bots(game):
    """1000 deal blocks. The standard error is under 0.01; the bound is the target that was set for the policy."""
    returns = play_blocks(game, [rules(game)] + [chance(game)] * (game.players - 1), np.arange(1000))
    assert returns[:, 0].mean() > 2 / game.players
