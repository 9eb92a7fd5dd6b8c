"""The compiled whole-game loop plays what a tournament plays."""

from __future__ import annotations

import numpy as np
import pytest

import bots
import engine
from bots import arena
from tests.bots.table import played
from tests.cases import every_case


@every_case()
def test_rules_against_rules_is_what_the_bots_play(game):
    """The deals of `Game.new(seed)`, and with no chance in it the very same games: the returns of every seat."""
    seeds = np.arange(2)
    returns = arena.play_blocks(game, [arena.rules(game)] * game.players, seeds)
    for seed in seeds.tolist():
        ended = played(game, [bots.load("rules") for _ in range(game.players)], seed)
        assert returns[seed].tolist() == pytest.approx([1 / game.players] * game.players)  # each held every seat once
        assert ended.is_terminal


def test_each_policy_sits_in_every_seat_once():
    """One that plays by the rules among random ones gets what the seats of four single games give it."""
    game = engine.load("day_and_night", players=4)
    table = [arena.rules(game), *[arena.chance(game)] * 3]
    returns = arena.play_blocks(game, table, np.arange(50))
    assert returns.shape == (50, 4)
    assert returns.sum(axis=1) == pytest.approx(np.ones(50))
    turned = arena.play_blocks(game, table[1:] + table[:1], np.arange(50))
    assert turned[:, 3].mean() == pytest.approx(returns[:, 0].mean(), abs=0.15)


def test_the_same_seeds_the_same_returns():
    game = engine.load("trick_or_repeat", players=3)
    table = [arena.rules(game), arena.chance(game), arena.Policy(arena.rules(game).weights, epsilon=0.3)]
    once, again = (arena.play_blocks(game, table, np.arange(20)) for _ in range(2))
    assert (once == again).all()
    assert (once[10:] == arena.play_blocks(game, table, np.arange(10, 20))).all()


def test_a_table_has_as_many_policies_as_seats():
    game = engine.load("daytime_minutes", players=4)
    with pytest.raises(ValueError, match="3 policies; expected one for each of the 4 seats"):
        arena.play_blocks(game, [arena.chance(game)] * 3, np.arange(2))
