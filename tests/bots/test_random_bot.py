"""The random bot is uniform over the legal actions, and a function of its generator."""

from __future__ import annotations

import numpy as np
from scipy.stats import chisquare

import bots
import engine
from tests.bots.table import played
from tests.cases import every_case

SMALLEST_P = 1e-4  # fixed seeds: a correct bot fails once in 10 000 choices of seed


def choices(info, seed, count):
    bot = bots.load("random")
    bot.new_game(info.game, info.seat, np.random.default_rng(seed))
    return [bot.act(info) for _ in range(count)]


@every_case()
def test_every_legal_action_is_equally_likely(game):
    info = game.new(seed=1).information_set()
    legal = info.legal_actions
    assert len(legal) > 1
    chosen = choices(info, 2, 300 * len(legal))
    assert set(chosen) == set(legal)
    assert chisquare([chosen.count(action) for action in legal]).pvalue > SMALLEST_P


def test_the_generator_alone_decides():
    info = engine.load("daytime_minutes").new(seed=1).information_set()
    assert choices(info, 3, 50) == choices(info, 3, 50) != choices(info, 4, 50)


@every_case()
def test_whole_games(game):
    assert played(game, [bots.load("random") for _ in range(game.players)], seed=1).is_terminal
