"""Rule-based bots: one compiled policy per game, in the module of the game's name (see `scoring`)."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from types import ModuleType

import numpy as np
from pydantic import Field

from bots.bot import configurable
from bots.rule_based.scoring import choose_action
from engine import Game, InformationSet
from engine.game import unknown
from engine.rng import stream


@configurable
class RulesBot:
    """Plays by rules of thumb: the action of the highest score, a weighted sum of features written for each game."""

    weights: dict[str, float] = Field({}, description="weights of features that differ from the tuned ones")
    epsilon: float = Field(0.0, ge=0, le=1, description="chance of a random action")

    def new_game(self, game: Game, seat: int, rng: np.random.Generator) -> None:
        self._weights = weights_for(game, self.weights)
        self._actions = np.empty(len(game.actions), np.int64)
        self._scores = np.empty(len(game.actions))
        self._rng = stream(int(rng.integers(1 << 62)))

    def act(self, info: InformationSet) -> int:
        count = len(info.legal_actions)
        self._actions[:count] = info.legal_actions
        arguments = (self._actions, count, self._weights, self._scores, self.epsilon, self._rng)
        return int(choose_action(info.records[0], info.seat, *arguments))


def policy_of(game: Game) -> ModuleType:
    """The module with the policy of a game, with FEATURES and WEIGHTS. Raises ValueError if there is none."""
    try:
        return importlib.import_module(f"{__name__}.{game.name}")
    except ModuleNotFoundError:
        raise ValueError(f"there is no rule-based bot for {game.name}") from None


def weights_for(game: Game, changed: Mapping[str, float] = {}) -> np.ndarray:
    """Shape (features,): the tuned weights with some changed. Raises ValueError for the name of no feature."""
    policy = policy_of(game)
    for name in changed:
        if name not in policy.WEIGHTS:
            raise ValueError(unknown("feature", name, policy.FEATURES))
    return np.array([float(changed.get(name, weight)) for name, weight in policy.WEIGHTS.items()])
