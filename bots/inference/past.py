"""How the deal began in a world: the positions in which the others chose what they were seen to do.

The module of a game writes ``fill_past(world, moves, deck, rng)`` and registers with `register`; if worlds of
the game draw hidden choices from copies of a card, ``copies(state, seat, action)`` too. All else follows by the
rules: the deck is dealt and the moves are played. Its `TEMPERATURE` is the one at which the softmax of the game's
policy fits the play of ``ismcts`` best (by likelihood, 1000 iterations a move, a dozen games).
"""

from __future__ import annotations

import numpy as np

from engine.compiling import dispatched, rule

HIDDEN_ACTION = -1  # in place of an action that the searching seat has not seen

_PASTS: dict[np.dtype, dict] = {}


@rule
def one_copy(state, seat, action):
    """`copies` in a game whose hidden choices are all different."""
    return 1


def register(dtype: np.dtype, module) -> None:
    """Makes `module` the past of records of type `dtype`."""
    _PASTS[dtype] = {"fill_past": module.fill_past, "copies": getattr(module, "copies", one_copy)}


@dispatched(_PASTS)
def fill_past(world, moves, deck, rng):
    """Writes to `deck` one that led to `world`, and to `moves` the actions that are hidden.

    `moves` are the rows (seat, action or HIDDEN_ACTION) since the last deal. What `world` leaves open is drawn
    uniformly. In `deck` one copy of a card may stand for all, and places that the deal does not read are left alone.
    """


@dispatched(_PASTS)
def copies(state, seat, action):
    """How many physical cards (or bids) of `seat` a hidden `action` stands for: its weight in a sampled world."""
