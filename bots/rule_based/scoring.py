"""What a rule-based policy is: a score for every legal action, and what is made of the scores.

The module of a game names its features in order in `FEATURES`, gives each a weight in `WEIGHTS`, and
writes ``score_actions(state, seat, actions, count, weights, scores)``, which registers with `register`.
The highest score is the bot's move; with a little chance mixed in the policy plays out a search; a
softmax over the scores is a prior.
"""

from __future__ import annotations

import math

import numpy as np

from engine.compiling import dispatched, rule
from engine.rng import below, chance

_POLICIES: dict[np.dtype, dict] = {}


def register(dtype: np.dtype, module) -> None:
    """Makes `module` the policy for records of type `dtype`. Raises TypeError if features and weights differ."""
    if tuple(module.WEIGHTS) != tuple(module.FEATURES):
        raise TypeError(f"{module.__name__}: WEIGHTS names {list(module.WEIGHTS)}; expected {list(module.FEATURES)}")
    _POLICIES[dtype] = {"score_actions": module.score_actions}


@dispatched(_POLICIES)
def score_actions(state, seat, actions, count, weights, scores):
    """Writes to ``scores[:count]`` how good each of ``actions[:count]``, legal ones of `seat`, looks to it.

    Reads nothing that `seat` does not see: `state` may be a full state or an information set. `weights`
    is a float array in the order of the game's features.
    """


@rule
def choose_action(state, seat, actions, count, weights, scores, epsilon, rng):
    """The action of the highest score, the first of several; with a chance of `epsilon` any of them."""
    if count == 1:
        return actions[0]
    if epsilon > 0.0 and chance(rng, epsilon):
        return actions[below(rng, count)]
    score_actions(state, seat, actions, count, weights, scores)
    best = 0
    for i in range(1, count):
        if scores[i] > scores[best]:
            best = i
    return actions[best]


@rule
def fill_policy(state, seat, actions, count, weights, temperature, chances):
    """Writes to ``chances[:count]`` the chance of each action under a softmax of the scores, Boltzmann's policy."""
    score_actions(state, seat, actions, count, weights, chances)
    highest = -np.inf
    for i in range(count):
        highest = max(highest, chances[i])
    total = 0.0
    for i in range(count):
        chances[i] = math.exp((chances[i] - highest) / temperature)
        total += chances[i]
    for i in range(count):
        chances[i] /= total
