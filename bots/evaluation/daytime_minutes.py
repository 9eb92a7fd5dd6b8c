"""Daytime Minutes: the tokens that every seat is expected to have when the hand is over, and how near the end is.

Minutes, plan, the daytime left and the cards in hand give the chances to go over the plan and to have the fewest
minutes. Between deals, and when only an evening is left, all are as good as at the start of the next hand. A
token counts the more the more seats are close to their last one. (Between deals this formula predicts about as
well as a table of the tokens: the fitting program prints both.)
"""

from __future__ import annotations

import sys
from enum import IntEnum

import numpy as np

from bots.evaluation.win_shares import register, softmax
from bots.rule_based.daytime_minutes_outlook import DAYTIME_LEFT, HOUR, chance_below, minutes_of
from engine import bits
from engine.compiling import rule
from engine.daytime_minutes import (
    CALLER,
    HIDDEN,
    MINUTES,
    NO_CARD,
    PLANS,
    STATE,
    SUITS,
    Phase,
    is_evening,
)

MIDDLE_PLAN = sum(PLANS) / len(PLANS)
AVERAGE_CARD = float(MINUTES.mean())
DAYTIME_TRICKS = 6.0  # of a hand
DECIDED = 20.0  # the rate when it is sure that the game ends with this hand


class Weight(IntEnum):
    RATE = 0  # log-odds of a token while nobody is close to the last one
    NEAR_END = 1  # more, for every seat, over the square of its expected tokens and LAST_TOKEN
    LAST_TOKEN = 2
    OVER = 3  # probits, roughly, of going over the plan
    OVER_LEFT = 4  # ... for every daytime trick left
    OVER_ROOM = 5  # ... for every hour to the plan, shared among these tricks
    OVER_POWER = 6  # ... for every hour that an average card of the hand has more than one of the deck
    FEWEST = 7  # the same for the fewest minutes
    FEWEST_LEFT = 8
    FEWEST_AHEAD = 9  # ... for every hour ahead of the lowest other seat, shared among the tricks left
    FEWEST_POWER = 10


# 3, 4 and 5 players. Printed by tests/benchmarks/evaluation.py
WEIGHTS = np.array(
    [
        [0.401, 2.32, 1.7, -0.0341, 0.0138, -2.08, 4.55, -1.8, 0.172, -2.05, -5.42],
        [0.723, 0.604, 0.744, -0.594, 0.0701, -1.17, 4.11, -1.79, 0.15, -2.92, -5.8],
        [0.948, 0.485, 0.607, -0.922, 0.0583, -0.499, 3.46, -1.14, 0.0358, -2.44, -4.83],
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
    left = daytime_left(state)
    if left == 0.0:
        settle(state, weights, strengths)
    else:
        foresee(state, left, weights, strengths)
    rate = token_rate(state, weights, strengths)
    for seat in range(state.players):
        strengths[seat] *= rate


@rule
def token_rate(state, weights, tokens):
    """The log-odds of one more of the expected `tokens`."""
    rate = weights[Weight.RATE]
    for seat in range(state.players):
        if tokens[seat] == 0.0:
            return DECIDED
        near = 1.0 / (tokens[seat] + weights[Weight.LAST_TOKEN])
        rate += weights[Weight.NEAR_END] * near * near
    return rate


# --- This hand ------------------------------------------------------------------------------------


@rule
def daytime_left(state):
    """Daytime tricks to come in the hand, of the present one the part that is to be played."""
    if state.phase != Phase.PLAY:
        return DAYTIME_TRICKS
    if is_evening(state):
        return 1.0 * DAYTIME_LEFT[state.trick]
    return DAYTIME_LEFT[state.trick] + 1.0 - part_played(state)


@rule
def part_played(state):
    """Of the open trick."""
    return state.on_table / (state.players + (state.players == 3))  # three play with the unknown caller


@rule
def settle(state, weights, tokens):
    """Writes the tokens that are sure when nobody can collect any more, less those that the next hand will cost."""
    fewest = state.minutes[0]
    for seat in range(1, state.players):
        fewest = min(fewest, state.minutes[seat])
    game_ends = False
    for seat in range(state.players):
        exact, lowest = state.minutes[seat] == state.plan, state.minutes[seat] == fewest
        tokens[seat] = state.tokens[seat] + 1.0 * exact - 1.0 * lowest
        game_ends = game_ends or tokens[seat] == 0.0
    if not game_ends:
        change = expected_change(weights, DAYTIME_TRICKS, MIDDLE_PLAN, 0.0, 0.0)
        for seat in range(state.players):
            tokens[seat] += change


@rule
def foresee(state, left, weights, tokens):
    """Writes the tokens that each seat is expected to have after the hand, with `left` daytime tricks to come."""
    plan = 1.0 * state.plan if state.phase == Phase.PLAY else MIDDLE_PLAN
    fill_minutes(state, tokens)
    lowest, second = two_lowest(tokens, state.players)
    for seat in range(state.players):
        room = plan - tokens[seat]
        ahead = tokens[seat] - (second if tokens[seat] == lowest else lowest)
        tokens[seat] = state.tokens[seat] + expected_change(weights, left, room, ahead, power_of(state, seat))


@rule
def fill_minutes(state, minutes):
    """Writes the minutes of each seat, and of those in the trick a part to the seat that would collect them now."""
    playing = state.phase == Phase.PLAY
    for seat in range(state.players):
        minutes[seat] = 1.0 * state.minutes[seat] if playing else 0.0  # else they are those of the last hand
    if playing and state.on_table > 0 and not is_evening(state):
        part = part_played(state)
        for suit in range(SUITS):
            if state.best_card[suit] != NO_CARD and state.best_player[suit] != CALLER:
                minutes[state.best_player[suit]] += part * state.trick_minutes[suit]


@rule
def two_lowest(values, count):
    lowest, second = np.inf, np.inf
    for i in range(count):
        if values[i] < lowest:
            lowest, second = values[i], lowest
        else:
            second = min(second, values[i])
    return lowest, second


@rule
def power_of(state, seat):
    """Hours that an average card in hand has more than one of the deck; 0 for a hand that is not known."""
    hand = state.hand[seat]
    if state.phase == Phase.DEAL or hand == HIDDEN or hand == 0:
        return 0.0
    return (minutes_of(hand) / bits.count(hand) - AVERAGE_CARD) / HOUR


@rule
def expected_change(weights, left, room, ahead, power):
    """Tokens won or lost by a seat with `room` minutes to the plan and `ahead` of the lowest other seat."""
    over = chance_below(
        weights[Weight.OVER]
        + weights[Weight.OVER_LEFT] * left
        + weights[Weight.OVER_ROOM] * room / HOUR / left
        + weights[Weight.OVER_POWER] * power
    )
    fewest = chance_below(
        weights[Weight.FEWEST]
        + weights[Weight.FEWEST_LEFT] * left
        + weights[Weight.FEWEST_AHEAD] * ahead / HOUR / left
        + weights[Weight.FEWEST_POWER] * power
    )
    exact = 1.0 if room == 0.0 else 0.0
    return (1.0 - over) * (exact - fewest) - over


register(STATE, sys.modules[__name__])
