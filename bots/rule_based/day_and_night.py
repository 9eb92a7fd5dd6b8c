"""Day & Night by rules of thumb: see what the others may play, and count the stars that come of it.

* ``own``: the stars that the card is expected to take in this round. Imagine the cards that the others may still
  play, rather those with which they would win; each time see which colour wins at the time that all the cards
  leave behind, who takes before you, and which stars are still there. A first card goes with the second card
  that will suit best once the first cards of the others are seen: a time symbol in hand counts here.
* ``others``: the stars that each of the others is expected to take: what you feed them with your own stars.
* ``mates``: how many cards of its colour stay behind in the hand: play from long colours and keep a choice. This
  counts less towards the end and nothing in the last round.
* ``take``: the stars of a card to take. Take the most.
"""

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
    VALUES,
    Phase,
)
from engine.multisets import LEVELS

FEATURES = ("own", "others", "mates", "take")
WEIGHTS = {"own": 2.0, "others": -2.0, "mates": 0.25, "take": 1.0}
OWN, OTHERS, MATES, TAKE = range(len(FEATURES))

HORIZON = 3  # with fewer rounds to come than this, what stays in hand is worth less and less


@rule
def score_actions(state, seat, actions, count, weights, scores):
    if state.phase == Phase.TAKE:
        for i in range(count):
            scores[i] = weights[TAKE] * STARS[actions[i] - FIRST_TAKE_ACTION]
        return
    kept = np.empty(HAND_SIZE)
    for i in range(count):
        kept[i] = worth_of_mates(state, seat, actions[i], weights)
    score_cards(state, seat, actions, count, expected_ends(state, seat), weights, kept, scores)
    for i in range(count):
        scores[i] += kept[i]


@rule
def rounds_left(state):
    """Rounds after this one."""
    cards = 1 + PLAYS * state.players
    return (state.pile_size + cards - 1) // cards


@rule
def worth_of_mates(state, seat, card, weights):
    """The weighted number of other cards of the colour of `card` in the hand of `seat`."""
    mates = -1
    for level in range(LEVELS):
        mates += bits.count(state.hand[seat, level] >> VALUES * COLOUR[card] & (1 << VALUES) - 1)
    return weights[MATES] * mates * min(rounds_left(state), HORIZON) / HORIZON


@rule
def score_cards(state, seat, actions, count, ends, weights, kept, scores):
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
                best[i] = max(best[i], value + kept[j] if first else value)
                best[j] = max(best[j], value + kept[i] if first else best[j])
        for i in range(count):
            scores[i] += best[i] / groups


register(STATE, sys.modules[__name__])
