"""Sampled worlds: they replay, and they are drawn with exactly the weights of the rules."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from scipy.stats import chisquare

import engine
from tests.cases import random_game, referee
from tests.engine import day_and_night_worlds as dan_worlds
from tests.engine import daytime_minutes_worlds as worlds
from tests.engine import trick_or_repeat_worlds as tor_worlds
from tests.engine import tricky_time_crisis_worlds as ttc_worlds

DRAWS_PER_WORLD = 40
SMALLEST_P = 1e-6  # of about a hundred tests here; a correct sampler fails for one choice of seeds in 10 000


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_world_of_daytime_minutes_replays_and_looks_the_same(players):
    """By the independent referee: every past action is legal in the world and shows the seat the same."""
    game = engine.load("daytime_minutes", players=players)
    rng = np.random.default_rng(8)
    for seed in range(3):
        states = [s for s in random_game(game, seed) if not s.is_terminal]
        for state in states[::5]:
            past = worlds.Past.of(state)
            for seat in range(players):
                world = state.information_set(seat).determinize(rng)
                replayed = past.in_world(worlds.hands(world), worlds.caller_deck(world))
                assert replayed is not None
                assert referee(replayed).knowledge(seat) == referee(state).knowledge(seat)
                assert replayed.facts()["hands"] == world.facts()["hands"]


@pytest.mark.parametrize(("players", "seed"), [(3, 0), (3, 2), (4, 1), (4, 2), (5, 0), (5, 1)])
def test_worlds_of_daytime_minutes_are_uniform_over_those_found_by_enumeration(players, seed):
    """Late in a hand in which a seat has shown that it holds a single suit, where there is one."""
    game = engine.load("daytime_minutes", players=players)
    state = worlds.late_position(game, seed)
    seat = state.seat
    expected = worlds.enumerate_worlds(state, seat)
    assert len(expected) > 10
    rng = np.random.default_rng(seed)
    info = state.information_set(seat)
    drawn = Counter(worlds.key(info.determinize(rng)) for _ in range(DRAWS_PER_WORLD * len(expected)))
    assert set(drawn) <= expected
    assert chisquare([drawn[world] for world in expected]).pvalue > SMALLEST_P


def test_enumeration_itself_counts_what_combinatorics_says():
    """Without a shown suit all ways to deal the unseen cards are consistent: a multinomial coefficient."""
    ways = {tuple(map(frozenset, (order[:2], order[2:4], order[4:]))) for order in permutations(range(6))}
    assert len(ways) == 90 == len(set(worlds.ways_to_deal(list("abcdef"), [2, 2, 2])))


@pytest.mark.parametrize(
    ("players", "options", "least_tested"),
    [
        (2, {"suits": 2, "ranks": 4, "hand_size": 2}, 12),
        (3, {"suits": 2, "ranks": 4, "hand_size": 2}, 24),
        (2, {"suits": 3, "ranks": 3, "hand_size": 3, "resolve_order": "reverse"}, 12),
        (3, {"suits": 3, "ranks": 4, "hand_size": 3}, 20),
        (2, {"suits": 3, "ranks": 4, "hand_size": 4}, 12),
    ],
)
def test_worlds_of_trick_or_repeat_are_uniform_over_those_found_by_enumeration(players, options, least_tested):
    """At every decision of a whole game, for every seat, where there are not too many worlds."""
    game = engine.load("trick_or_repeat", players=players, **options)
    rng = np.random.default_rng(3)
    tested = 0
    for state in random_game(game, 5):
        for seat in range(players):
            expected = tor_worlds.enumerate_worlds(state, seat, most=150)
            if expected is None or len(expected) < 2:
                continue
            info = state.information_set(seat)
            drawn = Counter(tor_worlds.key(info.determinize(rng)) for _ in range(400 + DRAWS_PER_WORLD * len(expected)))
            assert set(drawn) <= expected
            assert chisquare([drawn[world] for world in expected]).pvalue > SMALLEST_P
            tested += 1
    assert tested >= least_tested


@pytest.mark.parametrize(
    ("players", "mode", "seed"), [(3, "off", 0), (3, "replace:S", 1), (4, "off", 2), (4, "off", 3)]
)
def test_worlds_of_tricky_time_crisis_have_the_weights_found_by_enumeration(players, mode, seed):
    """Late in a round, for a seat that knows only that the seat to play holds a legal card."""
    game = engine.load("tricky_time_crisis", players=players, mid_knight=mode)
    state, seat = ttc_worlds.late_position(game, seed, most_unseen=8)
    expected = ttc_worlds.enumerate_worlds(state, seat)
    assert len(expected) > 10
    rng = np.random.default_rng(seed)
    info = state.information_set(seat)
    draws = DRAWS_PER_WORLD * len(expected)
    drawn = Counter(ttc_worlds.key(info.determinize(rng)) for _ in range(draws))
    assert set(drawn) <= set(expected)
    total = sum(expected.values())
    frequencies = [draws * expected[world] / total for world in expected]
    assert chisquare([drawn[world] for world in expected], frequencies).pvalue > SMALLEST_P


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_world_of_day_and_night_replays_and_looks_the_same(players):
    """Dealt as the world says, every past action is legal, and by the independent referee the seat knows the same."""
    game = engine.load("day_and_night", players=players)
    rng = np.random.default_rng(8)
    for state in list(random_game(game, 3))[:-1:7]:
        for seat in range(players):
            world = state.information_set(seat).determinize(rng)
            replayed = game.new(decks=[dan_worlds.deck_of(state, world, seat)])
            for number, action in enumerate(state.record()["actions"]):
                hidden = world.facts()["committed"][replayed.seat] if number >= first_hidden(state) else None
                replayed = replayed.apply(hidden or action)
            assert referee(replayed).knowledge(seat) == referee(state).knowledge(seat)
            assert replayed.facts()["hands"] == world.facts()["hands"]


def first_hidden(state):
    """The number of the first action that is not shown yet."""
    return len(state.record()["actions"]) - sum(card is not None for card in state.facts()["committed"])


@pytest.mark.parametrize("players", [3, 4, 5])
def test_unseen_cards_of_day_and_night_are_exchangeable(players):
    """A hidden choice and the top of the pile are an ordered pair drawn from the unseen physical cards.

    Hands are never small enough to enumerate whole worlds, but all places are exchangeable by the same
    shuffle; the weight of a pair of cards follows from the number of unseen copies.
    """
    game = engine.load("day_and_night", players=players)
    states = [s for s in random_game(game, 4) if s.facts()["committed"][0] and s.facts()["pile"]]
    state, seat = states[-1], players - 1
    facts = state.facts()
    own = facts["hands"][seat] + [card for card in [facts["committed"][seat]] if card]
    unseen = Counter(game.deck) - Counter(facts["seen"]) - Counter(own)
    pairs = [(one, other) for one in unseen for other in unseen]
    weights = np.array([unseen[one] * (unseen[other] - (one == other)) for one, other in pairs], float)
    pairs = [pair for pair, weight in zip(pairs, weights, strict=True) if weight]
    weights = weights[weights > 0]
    info, rng = state.information_set(seat), np.random.default_rng(1)
    draws = 10 * len(pairs)
    drawn = Counter(chosen_and_top(info.determinize(rng)) for _ in range(draws))
    assert set(drawn) <= set(pairs)
    assert chisquare([drawn[pair] for pair in pairs], draws * weights / weights.sum()).pvalue > SMALLEST_P


def chosen_and_top(world):
    """The card that seat 0 has chosen, and the card on top of the pile: the next one to be revealed or drawn."""
    top = int(world.records[0].pile[world.records[0].pile_size - 1])
    return world.facts()["committed"][0], world.game.actions[top]


@pytest.mark.parametrize("players", [3, 5])
def test_every_hidden_hand_of_day_and_night_is_a_fair_share(players):
    """The mean number of unseen stars in a hand is its size times the mean of the unseen cards."""
    game = engine.load("day_and_night", players=players)
    state = list(random_game(game, 2))[-12]
    seat = state.seat
    facts = state.facts()
    unseen = Counter(game.deck) - Counter(facts["seen"]) - Counter(facts["hands"][seat])
    values = np.array([int(card[1:]) for card in unseen.elements()])
    info, rng, draws = state.information_set(seat), np.random.default_rng(2), 4000
    for other in set(range(players)) - {seat}:
        hands = [info.determinize(rng).facts()["hands"][other] for _ in range(draws)]
        sums = [sum(int(card[1:]) for card in hand) for hand in hands]
        size, population = len(hands[0]), len(values)
        variance = size * values.var() * (population - size) / (population - 1)
        assert abs(np.mean(sums) - size * values.mean()) < 4 * np.sqrt(variance / draws)
        assert abs(np.var(sums) / variance - 1) < 0.12
