"""UCT on the true state: it sees what is hidden, and finds what backward induction finds."""

from __future__ import annotations

import numpy as np
import pytest

import bots
import engine
from bots.bot import cheats
from tests.bots import guess
from tests.bots.search.hand_made import TINY
from tests.cases import every_case

GUESS = engine.load(guess.__name__)
CARDS = guess.CARD_NAMES


def decided(state, seed=1, **options):
    """The name of the action that it takes, and the value of each."""
    bot = bots.load("cheater", **options)
    bot.new_game(state.game, state.seat, np.random.default_rng(seed))
    action = state.game.actions[bot.act(state)]
    return action, {row.name: row.value for row in bot.explain().actions}


@pytest.mark.parametrize("card", CARDS)
def test_it_knows_the_card_and_guesses(card):
    state = GUESS.new(decks=[[card, *(other for other in CARDS if other != card)]])
    action, values = decided(state, iterations=2000)
    assert action == "guess"
    assert values["guess"] > 0.9
    action, values = decided(state.apply("guess"))
    assert action == card
    assert values == {name: float(name == card) for name in CARDS}


def test_who_does_not_see_the_card_names_any():
    info = GUESS.new(decks=[CARDS]).apply("guess").information_set()
    named = set()
    for seed in range(20):
        bot = bots.load("ismcts", iterations=30)
        bot.new_game(GUESS, 0, np.random.default_rng(seed))
        named.add(GUESS.actions[bot.act(info)])
    assert named == set(CARDS)


def value_of(state):
    """The returns under best play with all cards open, by backward induction."""
    if state.is_terminal:
        return state.returns
    return max((value_of(state.apply(action)) for action in state.legal_actions), key=lambda value: value[state.seat])


@pytest.mark.parametrize("seed", range(6))
def test_it_plays_as_well_as_can_be_in_a_small_game(seed):
    """Two cards each: everything can be looked at. Along a whole game, with values near the true ones."""
    state = TINY.new(seed=seed)
    while not state.is_terminal:
        if len(state.legal_actions) > 1:
            best = {name: value_of(state.apply(name))[state.seat] for name in state.legal_names}
            action, values = decided(state, iterations=5000)
            assert best[action] == max(best.values())
            assert values[action] == pytest.approx(best[action], abs=0.1)
            state = state.apply(action)
        else:
            state = state.apply(state.legal_actions[0])


@every_case()
def test_all_that_it_considers_is_legal(game):
    state = game.new(seed=3)
    action, values = decided(state, iterations=50)
    assert action in state.legal_names
    assert values.keys() == set(state.legal_names)


def test_it_is_known_for_what_it_is():
    assert [name for name in bots.names() if cheats(name)] == ["cheater"]
