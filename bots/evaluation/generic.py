"""Any game without an evaluation of its own: the present scores, by their own spread.

A seat that is ahead by a standard deviation of the present scores has e times the share. That is the best that
can be said of scores whose unit and whose changes to come are unknown; it makes much of the first points.
"""

from __future__ import annotations

import math

from bots.evaluation.logit import fill_shares
from engine.compiling import rule
from engine.rules import num_seats, score


@rule
def expected_returns(state, returns):
    fill_strengths(state, returns)
    fill_shares(state, returns)


@rule
def fill_strengths(state, strengths):
    """Writes the present scores as standard scores."""
    players = num_seats(state)
    mean = 0.0
    for seat in range(players):
        strengths[seat] = score(state, seat)
        mean += strengths[seat] / players
    variance = 0.0
    for seat in range(players):
        strengths[seat] -= mean
        variance += strengths[seat] * strengths[seat] / players
    for seat in range(players):
        strengths[seat] /= math.sqrt(variance) if variance > 0.0 else 1.0
