"""The bot that plays any legal action."""

from __future__ import annotations

import numpy as np

from bots.bot import configurable
from engine import Game, InformationSet


@configurable
class RandomBot:
    """Plays a uniformly random legal action."""

    def new_game(self, game: Game, seat: int, rng: np.random.Generator) -> None:
        self._rng = rng

    def act(self, info: InformationSet) -> int:
        return info.legal_actions[self._rng.integers(len(info.legal_actions))]
