"""Guess, a game in which it pays to know what one cannot know.

One of three cards lies before seat 1, face down to seat 0. Seat 0 stays, which is a draw, or guesses and then names a
card: a win if it is this one, else a loss. Guessing wins one time in three; to who sees the card it wins always, and
so it seems to a search that takes each world for the true one (strategy fusion: Frank and Basin, 1998).
"""

from __future__ import annotations

import sys

import numpy as np

from engine.compiling import record, rule
from engine.game import Rules, register
from engine.rng import below

CARD_NAMES = ("cA", "cB", "cC")
ACTION_NAMES = (*CARD_NAMES, "stay", "guess")
STAY = 3
GUESS = 4
NO_CARD = -1  # before the deal
HIDDEN = -2

STATE = record(
    [
        ("card", np.int64),  # number of the card, HIDDEN or NO_CARD
        ("guessing", np.int64),  # 1 once seat 0 has decided to guess
        ("over", np.int64),  # 1 at the end
        ("points", np.int64, (2,)),
    ],
    __file__,
)


def setup(state, players, options):
    state.card = NO_CARD


@rule
def deal(state, deck):
    state.card = deck[0]


@rule
def awaits_deal(state):
    return state.card == NO_CARD


@rule
def is_terminal(state):
    return state.over == 1


@rule
def current_seat(state):
    return 0


@rule
def legal_actions(state, actions):
    if state.over == 1:
        return 0
    first, count = (0, len(CARD_NAMES)) if state.guessing == 1 else (STAY, 2)
    for i in range(count):
        actions[i] = first + i
    return count


@rule
def apply_action(state, action):
    if action == GUESS:
        state.guessing = 1
        return
    state.over = 1
    if action != STAY:
        state.points[0 if action == state.card else 1] = 1


@rule
def num_seats(state):
    return 2


@rule
def score(state, seat):
    return state.points[seat]


@rule
def rank_key(state, seat):
    return state.points[seat]


@rule
def hide(state, seat):
    if seat == 0 and state.over == 0:
        state.card = HIDDEN


@rule
def determinize(state, seat, rng):
    if state.card == HIDDEN:
        state.card = below(rng, len(CARD_NAMES))


def deck_names(players, options):
    return CARD_NAMES


def action_names(players, options):
    return ACTION_NAMES


def facts(state):
    card = "?" if state.card == HIDDEN else CARD_NAMES[state.card]
    return {"hands": [[], [card]], "guessing": bool(state.guessing), "points": state.points.tolist()}


def events(before, action, after):
    return []


def text(facts):
    return f"hands {facts['hands']}; points {facts['points']}"


RULES = register(
    Rules(
        title="Guess",
        players=range(2, 3),
        default_players=2,
        options=(),
        state=STATE,
        module=sys.modules[__name__],
    )
)
