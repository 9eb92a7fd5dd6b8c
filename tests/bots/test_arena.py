"""The compiled whole-game loop plays what a tournament plays."""

from __future__ import annotations

import numpy as np
import pytest

import bots
import engine
from bots import arena
from bots.rule_based import policy_of
from tests.bots.table import played
from tests.cases import every_case


@every_case()
def test_a_block_is_the_games_that_the_bots_play(game):
    """Without chance, the very games of a tournament: the deals of `Game.new(seed)`, in all rotations.

    One policy plays by the rules; the others, without weights, play the first legal action.
    """
    nothing = dict.fromkeys(policy_of(game).FEATURES, 0.0)
    table = [bots.load("rules"), *(bots.load("rules", weights=nothing) for _ in range(game.players - 1))]
    policies = [arena.rules(game), *[arena.rules(game, **nothing)] * (game.players - 1)]
    for seed, returns in enumerate(arena.play_blocks(game, policies, np.arange(2))):
        expected = np.zeros(game.players)
        for rotation in range(game.players):
            ended = played(game, table[rotation:] + table[:rotation], seed)
            for seat, share in enumerate(ended.returns):
                expected[(seat + rotation) % game.players] += share / game.players
        assert returns == pytest.approx(expected)


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
