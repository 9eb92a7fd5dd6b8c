"""High Card, a complete game outside the engine: test_own_game.py copies this file to a package of its own.

Six cards, two for each of two seats, two out unseen. Seat 0 plays a card, then seat 1; the higher one
scores a point. `rounds` deals; most points win.
"""

from __future__ import annotations

import sys

import numpy as np

from engine import bits
from engine.compiling import record, rule
from engine.game import Option, Rules, register
from engine.rng import below

CARD_NAMES = tuple(f"c{number}" for number in range(1, 7))
ALL_CARDS = 0b111111
HAND_SIZE = 2
NO_CARD = -1
HIDDEN = -2

STATE = record(
    [
        ("rounds", np.int64),  # deals to play
        ("rounds_over", np.int64),
        ("due", np.int64),  # 1 while a deal is due
        ("hand", np.int64, (2,)),  # set of cards, or HIDDEN
        ("table", np.int64),  # card of seat 0, or NO_CARD
        ("points", np.int64, (2,)),
    ],
    __file__,
)


def setup(state, players, options):
    state.rounds = options["rounds"]
    state.due = 1
    state.table = NO_CARD


@rule
def deal(state, deck):
    for seat in range(2):
        state.hand[seat] = 1 << deck[HAND_SIZE * seat] | 1 << deck[HAND_SIZE * seat + 1]
    state.due = 0


@rule
def awaits_deal(state):
    return state.due == 1


@rule
def is_terminal(state):
    return state.rounds_over == state.rounds


@rule
def current_seat(state):
    return 0 if state.table == NO_CARD else 1


@rule
def legal_actions(state, actions):
    return 0 if is_terminal(state) else bits.fill(state.hand[current_seat(state)], actions)


@rule
def beats(card, other):
    return card > other


@rule
def apply_action(state, action):
    if state.table == NO_CARD:
        state.hand[0] ^= 1 << action
        state.table = action
        return
    state.points[1 if beats(action, state.table) else 0] += 1
    state.table = NO_CARD
    state.rounds_over += 1
    state.hand[0] = 0
    state.hand[1] = 0
    state.due = 1 if state.rounds_over < state.rounds else 0


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
    if state.hand[1 - seat] != 0:
        state.hand[1 - seat] = HIDDEN


@rule
def determinize(state, seat, rng):
    if state.hand[1 - seat] != HIDDEN:
        return
    unseen = ALL_CARDS & ~state.hand[seat]
    if state.table != NO_CARD:
        unseen &= ~(1 << state.table)
    hand = 0
    for _ in range(HAND_SIZE - (1 if seat == 1 and state.table != NO_CARD else 0)):
        card = bits.nth(unseen, below(rng, bits.count(unseen)))
        hand |= 1 << card
        unseen ^= 1 << card
    state.hand[1 - seat] = hand


def deck_names(players, options):
    return CARD_NAMES


def action_names(players, options):
    return CARD_NAMES


def facts(state):
    hands = []
    for seat in range(2):
        held = HAND_SIZE - (seat == 0 and state.table != NO_CARD)
        mask = int(state.hand[seat])
        hands.append(
            ["?"] * held if mask == HIDDEN else [name for card, name in enumerate(CARD_NAMES) if mask >> card & 1]
        )
    table = None if state.table == NO_CARD else CARD_NAMES[state.table]
    return {"hands": hands, "table": table, "points": state.points.tolist()}


def events(before, action, after):
    return [] if before.table == NO_CARD else [f"{action} against {CARD_NAMES[before.table]}: {after.points.tolist()}"]


def text(facts):
    return f"on the table: {facts['table']}; hands {facts['hands']}; points {facts['points']}"


RULES = register(
    Rules(
        title="High Card",
        players=range(2, 3),
        default_players=2,
        options=(Option("rounds", 2, range(1, 4), "deals to play"),),
        state=STATE,
        module=sys.modules[__name__],
    )
)
