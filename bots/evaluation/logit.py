"""What an evaluation is: a strength for every seat, of which a multinomial logit makes win shares.

The module of a game writes ``fill_strengths(state, weights, strengths)`` and ``expected_returns(state, returns)``,
which gives it the weights that fit and calls `fill_shares`. It registers with `register`.
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
    """Makes `module` the evaluation of records of type `dtype`. Raises TypeError if it lacks `expected_returns`."""
    if not hasattr(module, "expected_returns"):
        raise TypeError(f"{module.__name__} lacks the function expected_returns")
    _MODULES[dtype] = module
    _EVALUATIONS[dtype] = vars(module)


def registered(dtype: np.dtype) -> ModuleType | None:
    """The evaluation of records of type `dtype`, or None."""
    return _MODULES.get(dtype)


@dispatched(_EVALUATIONS)
def expected_returns(state, returns):
    """Writes to ``returns[seat]`` the expected win share of each seat: in [0, 1], the sum 1.

    `state` is any position: in a deal, while one is due, or at the end of the game, where these are the win shares.
    It may be a full state, a world or an information set, whose hidden cards count as average ones.
    """


@dispatched(_EVALUATIONS)
def fill_strengths(state, weights, strengths):
    """Writes to ``strengths[seat]`` the log-odds of each seat, up to a constant. The game must not be over.

    `weights` is a float array in the order of the game's `Weight`. For fitting: see tests/benchmarks/evaluation.py.
    """


@rule
def fill_shares(state, shares):
    """Turns ``shares[seat]``, strengths, into win shares; at the end of the game into those of the rules."""
    players = num_seats(state)
    if is_terminal(state):
        fill_ranks(state, shares)
        fill_returns(shares, players, shares)
        return
    strongest = shares[0]
    for seat in range(1, players):
        strongest = max(strongest, shares[seat])
    total = 0.0
    for seat in range(players):
        shares[seat] = math.exp(shares[seat] - strongest)
        total += shares[seat]
    for seat in range(players):
        shares[seat] /= total
