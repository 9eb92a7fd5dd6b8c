"""The first rule-based bots, kept as a yardstick for those that came after them: version 0.1.

They go by a few fixed rules of thumb and have nothing that could be tuned.
"""

from __future__ import annotations

import importlib

import numpy as np

from engine import Game, InformationSet


class SimpleRulesBot:
    """Plays as `rules` did in version 0.1."""

    def new_game(self, game: Game, seat: int, rng: np.random.Generator) -> None:
        self._policy = importlib.import_module(f"{__name__}.{game.name}").policy

    def act(self, info: InformationSet) -> int:
        return int(self._policy(info.records[0], info.seat))
