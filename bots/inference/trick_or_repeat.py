"""The past of Trick or Repeat, from a world in the middle of it."""

from __future__ import annotations

import sys

from bots.inference.past import register
from engine import bits
from engine.compiling import rule
from engine.trick_or_repeat import STATE, first_bid_action, hand_of

TEMPERATURE = 1.5


@rule
def fill_past(world, moves, deck, rng):
    for hand in range(world.players):
        bits.fill(world.hand_at[hand, 0], deck[world.hand_size * hand :])
    for i in range(world.hand_size):
        deck[world.hand_size * world.players + i] = world.rabbit[i]
    moves_of_round = world.hand_size * world.players  # each seat places all cards but the last, and bids
    first = world.rounds_over * moves_of_round
    for i in range(first, len(moves)):
        seat = moves[i, 0]
        stage = (i - first) // world.players
        if stage < world.hand_size - 1:
            moves[i, 1] = world.placed[hand_of(world, seat, stage), stage]
        else:
            moves[i, 1] = first_bid_action(world) + world.bid[seat]


register(STATE, sys.modules[__name__])
