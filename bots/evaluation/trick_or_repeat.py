"""Trick or Repeat: points, tricks that lie settled in the timelines, bids that are right, and what is left.

As far as all cards of a trick are placed, and known, it is resolved ahead. In round 2 the winners of round 1 are
expected to win again a little. A lead counts by the spread of what is still to be won: the temperature is the root
of a sum over the tricks left.
"""

from __future__ import annotations

import math
import sys
from enum import IntEnum

import numpy as np

from bots.evaluation.win_shares import register, softmax
from engine.compiling import rule
from engine.trick_or_repeat import POINTS_FOR_BID, STATE, holder_of, winner_of_trick

FIRST_LEADER = 1  # left of the dealer, seat 0
TRICK_BITS = 4  # for the tricks of a seat


class Weight(IntEnum):
    SPREAD_NOW = 0  # variance, in points squared, with nothing left
    SPREAD_TRICK = 1  # variance of a trick
    HOPE = 2  # points of a bid that is not known to be right or wrong
    AGAIN = 3  # points of a trick won last round, until this round's is settled: the hands are the same


# 2 to 6 players. Printed by tests/benchmarks/evaluation.py
WEIGHTS = np.array(
    [
        [0.745, 0.255, 1.52, 0.218],
        [0.742, 0.112, 1.22, 0.22],
        [0.532, 0.0988, 1.31, 0.251],
        [0.488, 0.0735, 1.42, 0.302],
        [0.417, 0.0541, 1.51, 0.301],
    ]
)


@rule
def row_of(state):
    """The row of `WEIGHTS`."""
    return state.players - 2


@rule
def estimate_returns(state, returns):
    fill_strengths(state, WEIGHTS[row_of(state)], returns)
    softmax(returns, state.players)


@rule
def fill_strengths(state, weights, strengths):
    leader = FIRST_LEADER
    tricks = 0  # won by each seat in this round, as far as settled
    trick = 0
    while trick < state.hand_size and is_settled(state, slot_of(state, trick)):
        leader = winner_of_trick(state, trick, slot_of(state, trick), leader)
        tricks += 1 << TRICK_BITS * leader
        trick += 1
    for seat in range(state.players):
        strengths[seat] = state.points[seat] + tricks_of(tricks, seat)
        if trick < state.hand_size or state.bid[seat] < 0:
            strengths[seat] += weights[Weight.HOPE]
        elif state.bid[seat] == tricks_of(tricks, holder_of(state, seat, 1)):
            strengths[seat] += POINTS_FOR_BID
    if state.rounds_over > 0:
        for again in range(trick, state.hand_size):
            strengths[state.earlier_winner[again]] += weights[Weight.AGAIN]
    tricks_left = state.hand_size * (state.rounds - state.rounds_over) - trick
    scale = 1.0 / math.sqrt(weights[Weight.SPREAD_NOW] + weights[Weight.SPREAD_TRICK] * tricks_left)
    for seat in range(state.players):
        strengths[seat] *= scale


@rule
def slot_of(state, trick):
    return state.hand_size - 1 - trick if state.reverse else trick


@rule
def tricks_of(tricks, seat):
    return tricks >> TRICK_BITS * seat & (1 << TRICK_BITS) - 1


@rule
def is_settled(state, slot):
    """Whether every seat has a card in `slot`, and it is known."""
    known = 0
    for hand in range(state.players):
        known += state.placed[hand, slot] >= 0
    return known == state.players


register(STATE, sys.modules[__name__])
