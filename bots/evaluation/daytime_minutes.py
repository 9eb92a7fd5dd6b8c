"""Daytime Minutes: the tokens that every seat is expected to have when the hand is over, and how near the end is.

From minutes, plan, the daytime left and the cards in hand: the chances to go over the plan, and to have the
fewest minutes. Tokens count the more the closer a seat is to its last one.
"""

from __future__ import annotations

import sys
from enum import IntEnum

import numpy as np

from bots.evaluation.logit import fill_shares, register
from bots.rule_based.daytime_minutes_outlook import DAYTIME_LEFT, HOUR, chance_below, minutes_of
from engine import bits
from engine.compiling import rule
from engine.daytime_minutes import (
    CALLER,
    HIDDEN,
    MINUTES,
    NO_CARD,
    NO_PLAN,
    PLANS,
    STATE,
    SUITS,
    Phase,
    is_evening,
)

MIDDLE_PLAN = sum(PLANS) / len(PLANS)
AVERAGE_CARD = float(MINUTES.mean())
DAYTIME_TRICKS = 6.0
DECIDED = 20.0  # to the seat with a token more, when the game is as good as over


class Weight(IntEnum):
    RATE = 0
    NEAR_END = 1
    LAST_TOKEN = 2
    OVER = 3
    OVER_LEFT = 4
    OVER_ROOM = 5
    OVER_POWER = 6
    FEWEST = 7
    FEWEST_LEFT = 8
    FEWEST_AHEAD = 9
    FEWEST_POWER = 10


WEIGHTS = np.array(
    [
        [0.65, 0.8, 0.9, -0.6, 0.06, -1.0, 3.7, -2.0, 0.16, -3.0, -6.5],
        [0.65, 0.8, 0.9, -0.6, 0.06, -1.0, 3.7, -2.0, 0.16, -3.0, -6.5],
        [0.65, 0.8, 0.9, -0.6, 0.06, -1.0, 3.7, -2.0, 0.16, -3.0, -6.5],
    ]
)


@rule
def row_of(state):
    """The row of `WEIGHTS`: 3 players and up."""
    return state.players - 3


@rule
def expected_returns(state, returns):
    fill_strengths(state, WEIGHTS[row_of(state)], returns)
    fill_shares(state, returns)


@rule
def fill_strengths(state, weights, strengths):
    left = daytime_left(state)
    if left == 0.0:
        settle(state, weights, strengths)
    else:
        foresee(state, left, weights, strengths)
    rate = weights[Weight.RATE]
    for seat in range(state.players):
        if strengths[seat] <= 0.0:
            rate = DECIDED
            break
        near = 1.0 / (strengths[seat] + weights[Weight.LAST_TOKEN])
        rate += weights[Weight.NEAR_END] * near * near
    for seat in range(state.players):
        strengths[seat] *= rate


@rule
def settle(state, weights, tokens):
    """Writes what is sure when nobody can collect any more, and the change that the next hand is expected to bring."""
    fewest = state.minutes[0]
    for seat in range(1, state.players):
        fewest = min(fewest, state.minutes[seat])
    over = False
    for seat in range(state.players):
        tokens[seat] = state.tokens[seat] + (state.minutes[seat] == state.plan) - (state.minutes[seat] == fewest)
        over = over or tokens[seat] == 0.0
    if not over:
        change = expected_change(weights, DAYTIME_TRICKS, MIDDLE_PLAN, 0.0, 0.0)
        for seat in range(state.players):
            tokens[seat] += change


@rule
def foresee(state, left, weights, tokens):
    """Writes the tokens that each seat is expected to have after the hand, with `left` daytime tricks to come."""
    plan = MIDDLE_PLAN if state.plan == NO_PLAN or state.phase == Phase.DEAL else 1.0 * state.plan
    fill_minutes(state, tokens)
    lowest, second = two_lowest(tokens, state.players)
    for seat in range(state.players):
        minutes = tokens[seat]
        ahead = minutes - (second if minutes == lowest else lowest)
        tokens[seat] = state.tokens[seat] + expected_change(weights, left, plan - minutes, ahead, power_of(state, seat))


@rule
def expected_change(weights, left, room, ahead, power):
    """Tokens won or lost by a seat with `room` minutes to the plan, `ahead` of the lowest other seat."""
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


@rule
def fraction_played(state):
    return state.on_table / (state.players + (state.players == 3))


@rule
def daytime_left(state):
    if state.phase != Phase.PLAY:
        return DAYTIME_TRICKS
    if is_evening(state):
        return 1.0 * DAYTIME_LEFT[state.trick]
    return DAYTIME_LEFT[state.trick] + 1.0 - fraction_played(state)


@rule
def fill_minutes(state, minutes):
    if state.phase != Phase.PLAY:
        for seat in range(state.players):
            minutes[seat] = 0.0
        return
    for seat in range(state.players):
        minutes[seat] = state.minutes[seat]
    if state.on_table > 0 and not is_evening(state):
        stays = fraction_played(state)
        for suit in range(SUITS):
            if state.best_card[suit] != NO_CARD and state.best_player[suit] != CALLER:
                minutes[state.best_player[suit]] += stays * state.trick_minutes[suit]


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
    """Hours, above the average, of an average card in hand."""
    hand = state.hand[seat]
    if state.phase == Phase.DEAL or hand == HIDDEN or hand == 0:
        return 0.0
    return (minutes_of(hand) / bits.count(hand) - AVERAGE_CARD) / HOUR


register(STATE, sys.modules[__name__])
