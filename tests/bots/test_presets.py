"""`ismcts-strong`: its options are ones that `ismcts` has, and it plays as `ismcts` does with them."""

from __future__ import annotations

import numpy as np
import pytest

import bots
import engine
from bots.presets import STRONG


def test_there_are_options_for_every_game():
    assert set(STRONG) == set(engine.names())


@pytest.mark.parametrize("name", engine.names())
def test_it_plays_as_ismcts_with_these_options(name):
    game = engine.load(name)
    info = game.new(seed=8).information_set()
    found = []
    for bot in (bots.load("ismcts-strong", iterations=20), bots.load("ismcts", iterations=20, **STRONG[name])):
        bot.new_game(game, info.seat, np.random.default_rng(3))
        found.append(([bot.act(info) for _ in range(3)], bot.explain()))
    assert found[0] == found[1]


def test_two_budgets_are_refused():
    with pytest.raises(ValueError, match="expected iterations or milliseconds, not both"):
        bots.load("ismcts-strong", iterations=5, milliseconds=5)
