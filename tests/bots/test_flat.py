"""Flat Monte Carlo: one move deep, and worth what random play is worth."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

import bots
import engine
from tests.bots import guess
from tests.cases import every_case

GUESS = engine.load(guess.__name__)


def explained(position, seed=1, **options):
    bot = bots.load("flat", **options)
    bot.new_game(position.game, position.seat, np.random.default_rng(seed))
    action = bot.act(position)
    return action, bot.explain()


@every_case()
def test_the_tree_is_one_move_deep(game):
    info = game.new(seed=3).information_set()
    _, found = explained(info, iterations=200)
    assert (found.mean_depth, found.max_depth) == (1.0, 1)
    assert found.nodes == 1 + len(info.legal_actions)
    assert sum(row.visits for row in found.actions) == found.iterations == 200


@pytest.mark.parametrize(
    ("state", "values"),
    [
        (GUESS.new(seed=1), {"stay": 1 / 2, "guess": 1 / 3}),
        (GUESS.new(seed=1).apply("guess"), {"cA": 1 / 3, "cB": 1 / 3, "cC": 1 / 3}),
    ],
    ids=["stay or guess", "which card"],
)
def test_an_action_is_worth_what_random_play_makes_of_it(state, values):
    """Guess: a random name is right one time in three. Within four standard errors."""
    _, found = explained(state.information_set(), iterations=4000, exploration=2.0)
    assert {row.name for row in found.actions} == values.keys()
    for row in found.actions:
        assert abs(row.value - values[row.name]) <= 4 * row.standard_error + 1e-12


def test_every_iteration_takes_the_action_of_the_highest_bound():
    """Mean + c sqrt(ln n / visits), n the iterations in which it was available, this one included.

    A search of one iteration more shows which action that was.
    """
    info = engine.load("trick_or_repeat", players=3).new(seed=2).information_set()
    searches = [explained(info, iterations=number)[1] for number in range(5, 120)]
    for before, after in pairwise(searches):
        bounds = {}
        for row in before.actions:
            available = round(row.legal_share * before.iterations) + 1
            bounds[row.name] = row.value + 0.7 * math.sqrt(math.log(available) / row.visits)
        visits = {row.name: row.visits for row in before.actions}
        (taken,) = [row.name for row in after.actions if row.visits != visits[row.name]]
        assert bounds[taken] == pytest.approx(max(bounds.values()), abs=1e-12)
