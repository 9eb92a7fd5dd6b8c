"""What an evaluation is: an estimate of the win shares of all seats, exact at the end of the game.

The module of a game writes ``estimate_returns(state, returns)`` and registers with `register`. Those of the games
here write ``fill_strengths(state, weights, strengths)``, of which `softmax` makes shares: a multinomial logit.
"""

from __future__ import annotations

import math
from types import ModuleType

import numpy as np

from engine.compiling import dispatched, rule
from engine.rules import fill_ranks, fill_returns, is_terminal, num_seats

_EVALUATIONS: dict[np.dtype, dict] = {}
_MODULES: dict[np.dtype, ModuleType] = {}


def register(dtype: np.dtype, module) -> None:
    """Makes `module` the evaluation of records of type `dtype`. Raises TypeError if it lacks `estimate_returns`."""
    if not hasattr(module, "estimate_returns"):
        raise TypeError(f"{module.__name__} lacks the function estimate_returns")
    _MODULES[dtype] = module
    _EVALUATIONS[dtype] = vars(module)


def registered(dtype: np.dtype) -> ModuleType | None:
    """The evaluation of records of type `dtype`, or None."""
    return _MODULES.get(dtype)


@rule
def expected_returns(state, returns):
    """Writes to ``returns[seat]`` the expected win share of each seat: in [0, 1], the sum 1.

    `state` is any position: in a deal, while one is due, or at the end of the game, where these are the win shares.
    It may be a full state, a world or an information set, whose hidden cards count as average ones.
    """
    if is_terminal(state):
        fill_ranks(state, returns)
        fill_returns(returns, num_seats(state), returns)
    else:
        estimate_returns(state, returns)


@dispatched(_EVALUATIONS)
def estimate_returns(state, returns):
    """`expected_returns` of a position before the end."""


@dispatched(_EVALUATIONS)
def fill_strengths(state, weights, strengths):
    """Writes to ``strengths[seat]`` the log-odds of each seat, up to a constant, in a position before the end.

    `weights` is a float array in the order of the game's `Weight`. For fitting: see tests/benchmarks/evaluation.py.
    """


@rule
def softmax(strengths, players):
    """Turns the first `players` of `strengths` into shares of 1 in proportion to their exponentials."""
    strongest = strengths[0]
    for seat in range(1, players):
        strongest = max(strongest, strengths[seat])
    total = 0.0
    for seat in range(players):
        strengths[seat] = math.exp(strengths[seat] - strongest)
        total += strengths[seat]
    for seat in range(players):
        strengths[seat] /= total
