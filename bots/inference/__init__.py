"""Beliefs from actions: worlds weighed by how likely the others were to act in them as they were seen to.

Policy-based inference (Rebstock, Solinas, Buro and Sturtevant, 2019, "Policy based inference in trick-taking
card games", CoG). `determinize` draws worlds by the rules alone; here each is weighed by the product, over the
actions of the other seats in this deal, of the probability of the action under a model of how they choose: a
softmax of the scores of the game's rule-based policy, in the position as that seat saw it in that world, mixed
with a little of any action. An action that is still hidden is part of the world and counts as well, over
the probability with which `determinize` draws it: the weighted worlds follow the posterior under the model.

>>> belief = believe(info, model_for(game), 200, rng)  # info from a game, not from a sampled world
>>> world = belief.worlds[pick(belief.table, rng)]
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from types import ModuleType
from typing import NamedTuple

import numpy as np

from bots.inference.past import HIDDEN_ACTION
from bots.inference.weighing import (
    Evidence,
    Model,
    draw_worlds,
    effective_sample_size,
    pick,
    pick_table,
    scratch,
    weigh,
)
from bots.rule_based import weights_for
from engine import Game, InformationSet

__all__ = [
    "Belief",
    "Evidence",
    "Model",
    "believe",
    "effective_sample_size",
    "evidence_of",
    "model_for",
    "past_of",
    "pick",
    "pick_table",
    "weigh",
]

DEFAULT_WORLDS = 200
DEFAULT_FLOOR = 0.1
_ALL = 1 << 30  # more actions than a deal has


class Belief(NamedTuple):
    """Worlds and how plausible each is."""

    worlds: np.ndarray  # (worlds,) records
    weights: np.ndarray  # (worlds,) float, sum 1
    table: np.ndarray  # (worlds,) int64, for `pick`


def model_for(
    game: Game,
    weights: Mapping[str, float] = {},
    temperature: float | None = None,
    floor: float = DEFAULT_FLOOR,
    last: int | None = None,
) -> Model:
    """A model of the other seats, by default the one fitted to the game.

    `weights` are those of the rule-based policy that differ from the tuned ones, `temperature` is in units of its
    scores, `floor` is the chance of any action at all, and `last` is how many of their actions in the deal count,
    the latest ones (None: all of them). Raises ValueError for a game that lacks a policy or a module in this
    package, and for wrong numbers.
    """
    temperature = past_of(game).TEMPERATURE if temperature is None else temperature
    if not temperature > 0 or not 0 < floor <= 1 or (last is not None and last < 0):
        raise ValueError(
            f"temperature = {temperature}, floor = {floor}, last = {last}: expected a temperature above 0, "
            "a floor above 0 and up to 1, and None or a number from 0"
        )
    return Model(weights_for(game, weights), float(temperature), float(floor), _ALL if last is None else last)


def past_of(game: Game) -> ModuleType:
    """The module that retraces a game's past. Raises ValueError if there is none."""
    try:
        return importlib.import_module(f"{__name__}.{game.name}")
    except ModuleNotFoundError:
        raise ValueError(f"there is no inference from actions for {game.name}") from None


def evidence_of(info: InformationSet) -> Evidence:
    """What was done since the last deal as `info` shows it.

    Raises ValueError where the history is not known, and for a game without a module in this package.
    """
    past_of(info.game)
    if info.history is None:
        raise ValueError("a world drawn by determinize has no history to learn from")
    done = [(seat, HIDDEN_ACTION if action is None else action) for seat, action in info.history[info.deal_start :]]
    return Evidence(
        seat=info.seat,
        moves=np.array(done, np.int64).reshape(-1, 2),
        is_first_deal=info.deal_start == 0,
        first=info.game.empty_record(),
    )


def believe(info: InformationSet, model: Model, count: int, rng: np.ndarray) -> Belief:
    """Draws `count` worlds for the seat of `info` and weighs them; `rng` is a compiled stream."""
    worlds = np.repeat(info.records, count)
    log_weights = np.empty(count)
    draw_worlds(worlds, info.seat, rng)
    weigh(worlds, evidence_of(info), model, scratch(info.game), rng, log_weights)
    weights = np.exp(log_weights - log_weights.max())
    weights /= weights.sum()
    return Belief(worlds, weights, pick_table(weights))
