"""The past of a hand of Daytime Minutes, from a world in the middle of it."""

from __future__ import annotations

import sys

from bots.inference.past import register
from engine import bits
from engine.compiling import rule
from engine.daytime_minutes import CARDS, HAND_SIZE, NO_CARD, STATE, TRICKS

TEMPERATURE = 0.5


@rule
def fill_past(world, moves, deck, rng):
    for seat in range(world.players):
        hand = world.hand[seat]
        for i in range(len(moves)):
            if moves[i, 0] == seat and moves[i, 1] < CARDS:  # else it is a plan
                hand |= 1 << moves[i, 1]
        bits.fill(hand, deck[HAND_SIZE * seat :])
    if world.players == 3:
        for i in range(TRICKS):
            card = world.flipped[i] if world.flipped[i] != NO_CARD else world.caller_deck[i]
            deck[HAND_SIZE * world.players + i] = card


register(STATE, sys.modules[__name__])
