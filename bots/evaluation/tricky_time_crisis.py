"""Tricky Time Crisis: points, what the piles are worth at present, and what may still happen to them.

A pile counts for less than it scores while cards are left that may be forced on it; cards that a seat may take
of its own will count for something. A lead counts by the spread of what is still to be won: the temperature is
the root of a sum over the rounds and the cards left.
"""

from __future__ import annotations

import math
import sys
from enum import IntEnum

import numpy as np

from bots.evaluation.win_shares import register, softmax
from engine.compiling import rule
from engine.tricky_time_crisis import STATE
from engine.tricky_time_crisis.cards import HAND_SIZE, Phase
from engine.tricky_time_crisis.scoring import pile_score


class Weight(IntEnum):
    SPREAD_NOW = 0  # variance, in points squared, with nothing left
    SPREAD_ROUND = 1  # variance of a round to come
    SPREAD_HAND = 2  # variance of a hand of 13 cards yet to be played
    SPOILS = 3  # how much less of a pile will count than it scores, with 13 cards left
    TAKES = 4  # points of a card that the villain's or Mid-Knight's player may take


# 3, 4 and 5 players; 5 and 6 with Mid-Knight teamed up with the villain. Printed by tests/benchmarks/evaluation.py
WEIGHTS = np.array(
    [
        [59.5, 246.0, 252.0, 5.22, 2.17],
        [0.02, 134.0, 196.0, 4.08, 1.61],
        [0.02, 249.0, 195.0, 3.04, 2.39],
        [0.02, 140.0, 98.0, 1.49, 2.99],
        [0.981, 209.0, 146.0, 1.34, 4.57],
    ]
)


@rule
def row_of(state):
    """The row of `WEIGHTS`."""
    return state.players - 3 + state.team_up


@rule
def estimate_returns(state, returns):
    fill_strengths(state, WEIGHTS[row_of(state)], returns)
    softmax(returns, state.players)


@rule
def fill_strengths(state, weights, strengths):
    rounds_to_come = state.rounds - state.rounds_over
    cards = 0.0  # left in a hand, as a share of the 13
    for seat in range(state.players):
        strengths[seat] = state.points[seat]
    if state.phase != Phase.DEAL:  # else the piles lie there still, but are scored
        rounds_to_come -= 1
        cards = state.hand_size[state.turn] / HAND_SIZE
        share = 1.0 / (1.0 + weights[Weight.SPOILS] * cards)
        for seat in range(state.players):
            strengths[seat] += share * pile_score(state, seat)
        if state.phase == Phase.VILLAIN_TAKES or state.phase == Phase.MID_KNIGHT_TAKES:
            strengths[state.turn] += weights[Weight.TAKES] * state.takes_left
    variance = weights[Weight.SPREAD_NOW] + weights[Weight.SPREAD_ROUND] * rounds_to_come
    scale = 1.0 / math.sqrt(variance + weights[Weight.SPREAD_HAND] * cards)
    for seat in range(state.players):
        strengths[seat] *= scale


register(STATE, sys.modules[__name__])
