"""The rules as functions of any game's record: what search, playouts and the `State` face are written against.

Each game module writes these functions for its own record type and registers them. They are the
unchecked core: they never look whether an action is legal or a deal is due. `State` does.
"""

from __future__ import annotations

import numpy as np

from engine.compiling import dispatched, rule

_RULES: dict[np.dtype, dict] = {}

NAMES = (
    "deal", "awaits_deal", "is_terminal", "current_seat", "legal_actions", "apply_action",
    "num_seats", "score", "rank_key", "hide", "determinize",
)  # fmt: skip


@rule
def holds_no_secrets(state):
    """`holds_secrets` of a game in which every action is seen by all when it is taken."""
    return False


OPTIONAL = {"holds_secrets": holds_no_secrets}  # what a module that says nothing else gets


def register(dtype: np.dtype, module, also_needed: tuple[str, ...] = ()) -> None:
    """Makes the functions called `NAMES` in `module` the rules of records of type `dtype`.

    Those in `OPTIONAL` may be left out. Raises TypeError if another, or one of `also_needed`, is missing.
    """
    missing = [name for name in (*NAMES, *also_needed) if not hasattr(module, name)]
    if missing:
        raise TypeError(f"{module.__name__} lacks the functions {', '.join(missing)}")
    optional = {name: getattr(module, name, default) for name, default in OPTIONAL.items()}
    _RULES[dtype] = {name: getattr(module, name) for name in NAMES} | optional


@dispatched(_RULES)
def deal(state, deck):
    """Deals `deck`, an int64 permutation of the card numbers, first card on top. `state` must await a deal."""


@dispatched(_RULES)
def awaits_deal(state):
    """Whether the next thing to happen is a deal."""


@dispatched(_RULES)
def is_terminal(state):
    """Whether the game is over."""


@dispatched(_RULES)
def current_seat(state):
    """The seat to move. Means nothing while a deal is due or when the game is over."""


@dispatched(_RULES)
def legal_actions(state, actions):
    """Writes the ids of the legal actions, ascending, to `actions` and returns how many there are."""


@dispatched(_RULES)
def apply_action(state, action):
    """Plays `action`, which must be legal, for the seat to move."""


@dispatched(_RULES)
def num_seats(state):
    """The number of seats at the table."""


@dispatched(_RULES)
def score(state, seat):
    """The game points of `seat`; before the end the running total."""


@dispatched(_RULES)
def rank_key(state, seat):
    """An integer that orders the seats by present scores and tie-breaks, higher is better."""


@dispatched(_RULES)
def holds_secrets(state):
    """Whether an action taken so far is still hidden from other seats. Once it is False, all know all of them."""


@dispatched(_RULES)
def hide(state, seat):
    """Erases all that `seat` may not know. What is left is the information set of `seat`."""


@dispatched(_RULES)
def determinize(state, seat, rng):
    """Fills in what `hide` erased for `seat`, drawn from the consistent worlds with the weights of the rules."""


@rule
def fill_ranks(state, ranks):
    """Writes the rank of each seat at present: 1 is best, ties are equal and count 1, 1, 3."""
    for seat in range(num_seats(state)):
        rank = 1
        for other in range(num_seats(state)):
            if rank_key(state, other) > rank_key(state, seat):
                rank += 1
        ranks[seat] = rank


@rule
def fill_returns(ranks, players, returns):
    """Writes the win share of each seat: 1.0 split equally among the seats of rank 1."""
    winners = 0
    for seat in range(players):
        if ranks[seat] == 1:
            winners += 1
    for seat in range(players):
        returns[seat] = 1.0 / winners if ranks[seat] == 1 else 0.0


# --- Entries from plain Python ---------------------------------------------------------------------
# They take an array of one record: Numba looks at the type of an array ten times faster than at a record's.


@rule
def status(states):
    """(a deal is due, the game is over, the seat to move) of ``states[0]``."""
    return awaits_deal(states[0]), is_terminal(states[0]), current_seat(states[0])


@rule
def fill_legal(states, actions):
    """`legal_actions` of ``states[0]``."""
    return legal_actions(states[0], actions)


@rule
def advance(states, action):
    """Applies `action` to ``states[0]``: (who took it, whether a deal is due then, whether a secret is held then)."""
    seat = current_seat(states[0])
    apply_action(states[0], action)
    return seat, awaits_deal(states[0]), holds_secrets(states[0])


@rule
def make_deal(states, deck):
    """Deals `deck` to ``states[0]``, and says whether another deal is due then."""
    deal(states[0], deck)
    return awaits_deal(states[0])


@rule
def conceal(states, seat):
    """Hides from `seat` what it may not know of ``states[0]``."""
    hide(states[0], seat)


@rule
def draw_world(states, seat, rng):
    """Determinizes ``states[0]``, an information set of `seat`."""
    determinize(states[0], seat, rng)


@rule
def fill_scores(states, scores):
    """Writes the game points of each seat."""
    for seat in range(num_seats(states[0])):
        scores[seat] = score(states[0], seat)
