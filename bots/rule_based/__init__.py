"""Rule-based bots: one compiled policy per game, in the module of the game's name.

A policy is ``policy(state, seat, rng) -> action``: it reads only what `seat` sees, so that it can sit
at a table, play out a search, and serve as a prior.
"""

from __future__ import annotations

import importlib

import numpy as np

from bots.bot import configurable
from engine import Game, InformationSet
from engine.rng import stream


@configurable
class RulesBot:
    """Plays by rules of thumb, a policy written for each game."""

    def new_game(self, game: Game, seat: int, rng: np.random.Generator) -> None:
        try:
            self._policy = importlib.import_module(f"{__name__}.{game.name}").policy
        except ModuleNotFoundError:
            raise ValueError(f"there is no rule-based bot for {game.name}") from None
        self._rng = stream(int(rng.integers(1 << 62)))

    def act(self, info: InformationSet) -> int:
        return int(self._policy(info.records[0], info.seat, self._rng))
