"""Any game without an evaluation of its own: the present scores, by their own spread.

A seat that is ahead by a standard deviation of the present scores has e times the share. That is the best that
can be said of scores whose unit and whose changes to come are unknown; it makes much of the first points.
"""

from __future__ import annotations

import math

from bots.evaluation.win_shares import softmax
from engine.compiling import rule
from engine.rules import num_seats, score


@rule
def estimate_returns(state, returns):
    fill_standard_scores(state, returns)
    softmax(returns, num_seats(state))


@rule
def fill_standard_scores(state, scores):
    """Writes how many standard deviations the present score of each seat is above their mean."""
    players = num_seats(state)
    total = 0.0
    for seat in range(players):
        scores[seat] = score(state, seat)
        total += scores[seat]
    variance = 0.0
    for seat in range(players):
        scores[seat] -= total / players
        variance += scores[seat] * scores[seat] / players
    for seat in range(players):
        scores[seat] /= math.sqrt(variance) if variance > 0.0 else 1.0
