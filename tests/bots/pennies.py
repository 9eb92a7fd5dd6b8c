"""Pennies, a game of one simultaneous choice: seat 0 shows A or B, and so does seat 1, neither seeing the other's.

Seat 0 wins with A against A, and B against B is a draw; else seat 1 wins. In win shares of seat 0:

          A    B
    A     1    0
    B     0    1/2

The only equilibrium: either seat shows A with chance 1/3 (then whatever the other shows is worth 1/3 to seat 0:
1/3 * 1 = 2/3 * 1/2).
"""

from __future__ import annotations

import sys

import numpy as np

from engine.compiling import record, rule
from engine.game import Rules, register
from engine.rng import below

NO_SIDE = -1
HIDDEN = -2
SIDES = ("A", "B")

STATE = record([("turn", np.int64), ("shown", np.int64, (2,))], __file__)


def setup(state, players, options):
    state.shown[:] = NO_SIDE


@rule
def deal(state, deck):
    pass


@rule
def awaits_deal(state):
    return False


@rule
def is_terminal(state):
    return state.turn == 2


@rule
def current_seat(state):
    return state.turn


@rule
def legal_actions(state, actions):
    if is_terminal(state):
        return 0
    actions[0], actions[1] = 0, 1
    return 2


@rule
def apply_action(state, action):
    state.shown[state.turn] = action
    state.turn += 1


@rule
def num_seats(state):
    return 2


@rule
def score(state, seat):
    if not is_terminal(state) or (state.shown[0] == 1 and state.shown[1] == 1):
        return 0
    return 1 if (seat == 0) == (state.shown[0] == state.shown[1]) else 0


@rule
def rank_key(state, seat):
    return score(state, seat)


@rule
def holds_secrets(state):
    return state.turn == 1


@rule
def hide(state, seat):
    if state.turn == 1 and seat == 1:
        state.shown[0] = HIDDEN


@rule
def determinize(state, seat, rng):
    if state.shown[0] == HIDDEN:
        state.shown[0] = below(rng, 2)


def deck_names(players, options):
    return SIDES


def action_names(players, options):
    return SIDES


def facts(state):
    return {"hands": [[], []], "shown": state.shown.tolist()}


def events(before, action, after):
    return []


def text(facts):
    return str(facts["shown"])


RULES = register(
    Rules(
        title="Pennies",
        players=range(2, 3),
        default_players=2,
        options=(),
        state=STATE,
        module=sys.modules[__name__],
    )
)
