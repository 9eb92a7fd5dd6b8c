"""Day & Night: stars, those about to be taken, and how many rounds are left to catch up.

A seat that is to take is counted the best card that will be left for it. While the second cards are chosen it
helps to have shown the colour that is winning. A lead counts by the spread of what is still to be taken: the
temperature grows with the square root of the rounds left.
"""

from __future__ import annotations

import math
import sys
from enum import IntEnum

import numpy as np

from bots.evaluation.win_shares import register, softmax
from engine import bits
from engine.compiling import rule
from engine.day_and_night import (
    CARDS,
    DRAWS,
    PLAYS,
    STARS,
    STATE,
    Phase,
    colour_sum,
    table_totals,
    winning_colour,
)
from engine.multisets import LEVELS

MOST_STARS = 4
CARDS_WITH = np.array([sum(1 << c for c in range(CARDS) if STARS[c] == stars) for stars in range(MOST_STARS + 1)])


class Weight(IntEnum):
    SPREAD_NOW = 0  # variance, in stars squared, with no round left
    SPREAD = 1  # variance of a round
    TAKEN = 2  # of a card taken, which breaks ties, in stars
    SHOWN = 3  # of having shown the colour that is winning, in stars


# 3, 4 and 5 players. Printed by tests/benchmarks/evaluation.py
WEIGHTS = np.array(
    [
        [0.28, 3.08, 0.527, 0.0062],
        [0.316, 2.8, 0.771, 0.351],
        [0.575, 2.13, 0.714, 0.417],
    ]
)


@rule
def row_of(state):
    """The row of `WEIGHTS`."""
    return state.players - 3


@rule
def estimate_returns(state, returns):
    fill_strengths(state, WEIGHTS[row_of(state)], returns)
    softmax(returns, state.players)


@rule
def fill_strengths(state, weights, strengths):
    for seat in range(state.players):
        strengths[seat] = state.stars[seat] + weights[Weight.TAKEN] * state.taken[seat]
    if state.phase == Phase.TAKE:
        for i in range(state.next_taker, state.takers):
            strengths[state.taking_order[i]] += stars_left(state, i - state.next_taker) + weights[Weight.TAKEN]
    elif state.play == 1:
        colour = winning_colour(table_totals(state), state.night)
        for seat in range(state.players):
            if colour_sum(state, seat, colour) > 0:
                strengths[seat] += weights[Weight.SHOWN]
    scale = 1.0 / math.sqrt(weights[Weight.SPREAD_NOW] + weights[Weight.SPREAD] * rounds_left(state))
    for seat in range(state.players):
        strengths[seat] *= scale


@rule
def rounds_left(state):
    """Rounds to come, and the part of the present one in which cards are yet to be chosen."""
    cards_of_round = DRAWS * state.players + 1
    to_come = (state.pile_size + cards_of_round - 1) // cards_of_round
    return to_come + 1.0 - state.play / PLAYS


@rule
def stars_left(state, takers_before):
    """The stars of the best card on the table after so many seats have taken the best one."""
    for stars in range(MOST_STARS, 0, -1):
        for level in range(LEVELS):
            takers_before -= bits.count(state.table[level] & CARDS_WITH[stars])
        if takers_before < 0:
            return stars
    return 0


register(STATE, sys.modules[__name__])
