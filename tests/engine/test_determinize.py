"""Sampled worlds: they replay, and they are drawn with exactly the weights of the rules."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from scipy.stats import chisquare

import engine
from tests.cases import random_game, referee
from tests.engine import daytime_minutes_worlds as worlds

DRAWS_PER_WORLD = 40
SMALLEST_P = 1e-4  # fixed seeds: a correct sampler fails once in 10 000 choices of seed


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
