"""Day & Night by what the round may still bring."""

from __future__ import annotations

import sys

import numpy as np

from bots.rule_based.day_and_night_rounds import ENDS, GROUP, GROUPS, expected_ends, round_worth
from bots.rule_based.scoring import register
from engine import bits
from engine.compiling import rule
from engine.day_and_night import (
    COLOUR,
    FIRST_TAKE_ACTION,
    HAND_SIZE,
    PLAYS,
    STARS,
    STATE,
    TURNS_TIME,
    VALUE,
    VALUES,
    Phase,
)
from engine.multisets import LEVELS

FEATURES = ("own", "others", "symbol", "edge", "high", "mates", "take")
WEIGHTS = {"own": 2.0, "others": -2.0, "symbol": -0.2, "edge": 0.0, "high": 0.06, "mates": 0.2, "take": 1.0}
OWN, OTHERS, SYMBOL, EDGE, HIGH, MATES, TAKE = range(len(FEATURES))

MIDDLE = (VALUES + 1) // 2
HORIZON = 3  # rounds before the end, from which on what is kept in hand is worth less and less


@rule
def score_actions(state, seat, actions, count, weights, scores):
    if state.phase == Phase.TAKE:
        for i in range(count):
            scores[i] = weights[TAKE] * STARS[actions[i] - FIRST_TAKE_ACTION]
        return
    freed = np.empty(HAND_SIZE)  # what it does to the hand to play each card
    for i in range(count):
        freed[i] = worth_to_hand(state, seat, actions[i], weights)
    score_cards(state, seat, actions, count, expected_ends(state, seat), weights, freed, scores)
    for i in range(count):
        scores[i] += freed[i]


@rule
def rounds_left(state):
    """Rounds after this one."""
    cards = 1 + PLAYS * state.players
    return (state.pile_size + cards - 1) // cards


@rule
def worth_to_hand(state, seat, card, weights):
    """The weighted features of a card that leaves the hand; 0 in the last round."""
    mates = -1
    for level in range(LEVELS):
        mates += bits.count(state.hand[seat, level] >> VALUES * COLOUR[card] & (1 << VALUES) - 1)
    value = weights[SYMBOL] * TURNS_TIME[card] + weights[EDGE] * abs(VALUE[card] - MIDDLE)
    value += weights[HIGH] * (VALUE[card] - MIDDLE) + weights[MATES] * mates
    return value * min(rounds_left(state), HORIZON) / HORIZON


@rule
def score_cards(state, seat, actions, count, ends, weights, freed, scores):
    """A second card by the mean over all ends; a first card with that second one which will then suit best."""
    own, others = weights[OWN], weights[OTHERS] / (state.players - 1)
    best = np.empty(HAND_SIZE)
    first = state.play == 0
    groups, size = (GROUPS, GROUP) if first else (1, ENDS)
    for i in range(count):
        scores[i] = 0.0
    for group in range(groups):
        for i in range(count):
            best[i] = -np.inf
        for i in range(count):
            for j in range(i + 1 if first else 1):
                if first and j == i and not state.hand[seat, 1] >> actions[i] & 1:
                    continue  # there is one copy only
                mate = actions[j] if first else state.played[seat, 0]
                value = 0.0
                for end in range(group * size, (group + 1) * size):
                    value += round_worth(state, seat, ends, end, mate, actions[i], own, others)
                value /= size
                best[i] = max(best[i], value + freed[j] if first else value)
                best[j] = max(best[j], value + freed[i] if first else best[j])
        for i in range(count):
            scores[i] += best[i] / groups


register(STATE, sys.modules[__name__])
