"""The games' own evaluations: the expected win share of every seat from any position, for searches that stop there.

One module per game, of the game's name. A game from elsewhere may `register` its own, and else has `generic`.
Ask `evaluation_of` once per game, before anything that calls `expected_returns` is compiled.
"""

from __future__ import annotations

import importlib
from types import ModuleType

import engine
from bots.evaluation import generic
from bots.evaluation.win_shares import expected_returns, register, registered
from engine import Game

__all__ = ["evaluation_of", "expected_returns", "register"]


def evaluation_of(game: Game) -> ModuleType:
    """The module by which `expected_returns` judges positions of `game`, now registered."""
    dtype = game.empty_record().dtype
    if game.name in engine.names():
        return importlib.import_module(f"{__name__}.{game.name}")
    if registered(dtype) is None:
        register(dtype, generic)
    return registered(dtype)
