"""Random playouts: where they end, and that they are uniform. Perft: test_perft.py."""

from __future__ import annotations

from collections import Counter

import numpy as np
from scipy.stats import chisquare

import engine
from engine.playout import playout, playouts
from engine.rng import stream
from tests.cases import every_case

SMALLEST_P = 1e-4  # fixed seeds: a correct playout fails once in 10 000 choices of seed


def scratch(game):
    return np.arange(len(game.deck)), np.empty(len(game.actions), np.int64)


@every_case()
def test_a_playout_ends_with_the_deal_or_with_the_game(game):
    for seed in range(5):
        records = game.new(seed=seed).records.copy()
        moves = playout(records[0], False, *scratch(game), stream(seed))
        assert bool(game.rules.is_terminal(records[0])) != bool(game.rules.awaits_deal(records[0]))
        assert moves > 0
        playout(records[0], True, *scratch(game), stream(seed))
        assert game.rules.is_terminal(records[0])


@every_case()
def test_playouts_leave_the_first_record_and_shuffle_the_deck(game):
    state = game.new(seed=1)
    states = np.repeat(state.records, 2)
    deck, actions = scratch(game)
    assert playouts(states, 5, deck, actions, stream(1)) > 5
    assert states[:1].tobytes() == state.records.tobytes()
    assert game.rules.is_terminal(states[1])
    assert sorted(deck.tolist()) == list(range(len(game.deck)))


def test_the_first_action_of_a_playout_is_any_legal_one_with_equal_chance():
    """The choice of the plan of a second hand of Daytime Minutes, which can be read off when the hand is over."""
    game = engine.load("daytime_minutes")
    states = np.repeat(game.empty_record(), 2)
    states[0].hands_scored = 1
    deck, actions = scratch(game)
    game.rules.deal(states[0], deck)
    rng, plans = stream(5), Counter()
    for _ in range(2000):
        states[1] = states[0]
        playout(states[1], False, deck, actions, rng)
        plans[int(states[1].plan)] += 1
    assert set(plans) == {150, 180, 210, 240}
    assert chisquare(list(plans.values())).pvalue > SMALLEST_P
