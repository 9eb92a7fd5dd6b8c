"""`ismcts-strong`: information-set search with the options that measured best in each game.

How they were chosen, and what they are worth: configs/research/RESULTS.md.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bots.bot import configurable
from bots.ismcts import ISMCTSBot
from bots.search.explanation import Explanation
from bots.search.options import Budget
from engine import Game, InformationSet

STRONG: dict[str, dict[str, Any]] = {
    "daytime_minutes": {
        "prior": "puct",
        "exploration": 1.0,
        "playout": "deal",
        "playout_policy": "rules",
        "epsilon": 0.05,
        "reward": "equity",
    },
    "day_and_night": {
        "prior": "puct",
        "prior_depth": 1,
        "temperature": 0.5,
        "exploration": 2.0,
        "cut": 4,
        "reward": "equity",
    },
    "trick_or_repeat": {
        "prior": "puct",
        "temperature": 0.5,
        "exploration": 3.0,
        "playout_policy": "rules",
        "epsilon": 0.05,
    },
    "tricky_time_crisis": {
        "prior": "puct",
        "prior_depth": 1,
        "temperature": 0.5,
        "exploration": 2.0,
        "playout": "deal",
        "reward": "equity",
    },
}
"""Options of `ismcts` by game. A game from elsewhere gets the defaults."""


@configurable
class StrongBot(Budget):
    """`ismcts` with the options that measured best in each game."""

    def new_game(self, game: Game, seat: int, rng: np.random.Generator) -> None:
        budget = {name: getattr(self, name) for name in ("iterations", "milliseconds", "threads")}
        self._bot = ISMCTSBot(**budget, **STRONG.get(game.name, {}))
        self._bot.new_game(game, seat, rng)

    def act(self, info: InformationSet) -> int:
        return self._bot.act(info)

    def explain(self) -> Explanation | None:
        """What the search found for the last action; None if there was no choice."""
        return self._bot.explain()
