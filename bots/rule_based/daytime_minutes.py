"""Daytime Minutes as an experienced player sees it: every card by how the trick, the hand and the game may end.

* *Settled, over, ends.* If the hand may end with this trick, count everybody's tokens as they would be then:
  for the last to play that is certain; else by the chance that one's card stays the highest of its suit and
  what may still be added to it, and by the chance that another seat is taken over the plan.
* *Fewest now.* The chance to have the fewest minutes when it ends. *Exact.* To stand at exactly the plan.
* *Over later, fewest later.* If the hand goes on: the chance to lose a token in one way or the other, by the
  room to the plan, the minutes of the others, and how much the cards left in hand are likely to collect.
  *Others fewest later* is what one gains when it happens to somebody else.
* *Lead.* To lead the next trick is a burden: those who play later choose what to take.
* *Rid, rid with room.* To be rid of high cards is good, less so the more minutes are still wanted.
  *Collect.* Minutes now are better than minutes later.
* *Plan power, plan size.* A weak hand wants a low plan, a strong one a high plan.

Chances count by what they do to the chance to win with everybody's tokens, in tenths.
"""

from __future__ import annotations

import sys
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from bots.rule_based.daytime_minutes_outlook import (
    DAYTIME_LEFT,
    HOUR,
    Note,
    chance_below,
    fewest_later,
    hope_settled,
    hope_without,
    over_later,
    power_of,
    power_of_hand,
    staying,
)
from bots.rule_based.scoring import register
from engine import bits
from engine.compiling import rule
from engine.daytime_minutes import (
    ALL_CARDS,
    CARDS_OF_SUITS,
    FIRST_PLAN_ACTION,
    HAND_SIZE,
    MINUTES,
    NO_CARD,
    NO_SUIT,
    PLANS,
    STATE,
    SUIT,
    TALK,
    TALK_VALUES,
    Phase,
    is_evening,
    num_held,
)

SPREAD = 9.75  # of the minutes that are added to a suit
YET_TO_PLAY = 9.0  # minutes that a seat yet to play collects in a trick, about
NEED = 60.0  # minutes that may take such a seat over the plan, about
NEED_SPREAD = 35.0
FORCED = 0.75  # how often such a seat then goes over
TYPICAL_POWER = 0.2  # of the average card of another seat
MIDDLE_PLAN = sum(PLANS) / len(PLANS)
TENTHS = 10.0
NOBODY = -1
NOTES = len(Note)


class Feature(IntEnum):
    SETTLED = 0
    OVER = 1
    ENDS = 2
    FEWEST_NOW = 3
    EXACT = 4
    OVER_LATER = 5
    FEWEST_LATER = 6
    OTHERS_FEWEST_LATER = 7
    LEAD = 8
    RID = 9
    RID_WITH_ROOM = 10
    COLLECT = 11
    PLAN_POWER = 12
    PLAN_SIZE = 13


FEATURES = tuple(feature.name.lower() for feature in Feature)
WEIGHTS = {
    "settled": 3.5,
    "over": 3.1,
    "ends": 1.7,
    "fewest_now": -0.9,
    "exact": 1.35,
    "over_later": -0.95,
    "fewest_later": -1.7,
    "others_fewest_later": 0.85,
    "lead": -0.3,
    "rid": 1.0,
    "rid_with_room": -0.55,
    "collect": 0.2,
    "plan_power": 2.6,
    "plan_size": -1.1,
}


@rule
def score_actions(state, seat, actions, count, weights, scores):
    view = look(state, seat)
    for i in range(count):
        for f in range(len(FEATURES)):
            view.notes[Note.FEATURES, f] = 0.0
        if state.phase == Phase.PLAN:
            describe_plan(PLANS[actions[i] - FIRST_PLAN_ACTION], view)
        else:
            describe_card(state, seat, actions[i], view)
        scores[i] = 0.0
        for f in range(len(FEATURES)):
            scores[i] += weights[f] * view.notes[Note.FEATURES, f]


# --- What is the same for all actions -------------------------------------------------------------


class View(NamedTuple):
    """What a seat thinks before it looks at its choices, and scratch space."""

    unseen: int  # set of cards
    to_come: int  # players that are yet to play to the trick after this seat
    power: float  # hours that the hand is likely to collect
    hope: float  # win share with the tokens of now
    notes: np.ndarray  # (notes, features) scratch, see Note: one array, as each costs time in every call


@rule
def look(state, seat):
    unseen = ALL_CARDS & ~state.played & ~state.hand[seat]
    to_come = state.players + (state.players == 3) - state.on_table - 1  # three play with the unknown caller
    notes = np.empty((NOTES, len(FEATURES)))
    hope = 0.0
    for loser in range(NOBODY, state.players):
        change = hope_without(state, seat, loser, notes) - hope
        if loser == NOBODY:
            hope = change
        else:
            notes[Note.STAKES, loser] = TENTHS * change
    power = power_of_hand(state.hand[seat], unseen, state.players - 1)
    return View(unseen, to_come, power, hope, notes)


# --- Plans ----------------------------------------------------------------------------------------


@rule
def describe_plan(plan, view):
    steps = (plan - MIDDLE_PLAN) / 30.0
    view.notes[Note.FEATURES, Feature.PLAN_POWER] = steps * view.power / HAND_SIZE
    view.notes[Note.FEATURES, Feature.PLAN_SIZE] = steps


# --- Cards ----------------------------------------------------------------------------------------


class Taking(NamedTuple):
    """What becomes of a card in the trick, and of the suit it is in."""

    pool: int  # unseen cards that may be played after it
    is_highest: bool  # so far
    stays: float  # the chance that it stays the highest of its suit and collects it
    alone: float  # the chance that no card of the suit is added then
    added: float  # minutes that are added else
    minutes: float  # of the suit in the trick with it
    lead: float  # the chance that it gets the lead


class Others(NamedTuple):
    """Where the other seats stand after the trick."""

    lowest: float  # minutes
    second: float
    is_lowest: int  # seat
    nobody_over: float  # chance
    sum_over: float  # of the chances of each


@rule
def describe_card(state, seat, card, view):
    taking = look_at_card(state, card, view)
    others = look_at_others(state, seat, card, taking, view)
    rest = (view.power - power_of(card, view.unseen, state.players - 1)) / max(num_held(state, seat) - 1, 1)
    height = TALK[card] / TALK_VALUES
    room = (state.plan - state.minutes[seat]) / HOUR
    view.notes[Note.FEATURES, Feature.LEAD] = taking.lead
    view.notes[Note.FEATURES, Feature.RID] = height
    view.notes[Note.FEATURES, Feature.RID_WITH_ROOM] = height * max(-1.0, min(2.0, room))
    minutes = 1.0 * state.minutes[seat]
    view.notes[Note.FEATURES, Feature.COLLECT] = taking.stays * taking.minutes / HOUR
    for case in range(3):  # another seat collects the suit; this one does, as it is; with more cards added to it
        chance = 1.0 - taking.stays
        if case == 1:
            chance = taking.stays * taking.alone
            minutes += taking.minutes
        elif case == 2:
            chance = taking.stays * (1.0 - taking.alone)
            minutes += taking.added
        if chance > 0.001:
            chance = settle(state, seat, chance, minutes, case == 2, others, view)
        if chance > 0.0:
            foresee(state, seat, chance, minutes, rest, taking, others, view)


@rule
def look_at_card(state, card, view):
    suit = SUIT[card]
    suits = state.suits | 1 << suit
    pool = view.unseen & CARDS_OF_SUITS[suits] if bits.count(suits) == 2 else view.unseen
    is_highest = card > state.best_card[suit]
    stays, alone, added = 0.0, 1.0, 0.0
    if is_highest:
        stays, alone, added = staying(card, pool, view.to_come)
    lead = stays if state.led_suit == NO_SUIT or suit == state.led_suit else 0.0
    if is_evening(state):
        stays = 0.0
    return Taking(pool, is_highest, stays, alone, added, 1.0 * state.trick_minutes[suit] + MINUTES[card], lead)


@rule
def look_at_others(state, seat, card, taking, view):
    """Notes AFTER and GOES_OVER of the other seats."""
    lowest, second, is_lowest = np.inf, np.inf, NOBODY
    nobody_over, sum_over = 1.0, 0.0
    for other in range(state.players):
        if other == seat:
            continue
        collected, over = 0.0, 0.0
        if not is_evening(state):
            collected, over = look_at_other(state, other, card, taking, view)
        after = state.minutes[other] + collected
        # what is not certain is looked at case by case: here the seat is not over
        view.notes[Note.AFTER, other] = after if view.to_come == 0 else min(after, state.plan - 0.5)
        view.notes[Note.GOES_OVER, other] = over
        nobody_over *= 1.0 - over
        sum_over += over
        if after < lowest:
            lowest, second, is_lowest = after, lowest, other
        else:
            second = min(second, after)
    return Others(lowest, second, is_lowest, nobody_over, sum_over)


@rule
def look_at_other(state, other, card, taking, view):
    """(minutes that `other` is expected to collect in the trick, the chance that they take it over the plan)"""
    theirs = state.table[other]
    room = state.plan - state.minutes[other]
    if theirs == NO_CARD:
        return YET_TO_PLAY, FORCED * chance_below((NEED - room) / NEED_SPREAD)
    suit = SUIT[theirs]
    if state.best_card[suit] != theirs or (suit == SUIT[card] and taking.is_highest):
        return 0.0, 0.0
    stays, alone, added = staying(theirs, taking.pool, view.to_come)
    minutes = taking.minutes if suit == SUIT[card] else 1.0 * state.trick_minutes[suit]
    over = stays
    if minutes <= room:
        over = stays * (1.0 - alone) * chance_below((minutes + added - room) / SPREAD)
    return stays * (minutes + (1.0 - alone) * added), over


@rule
def settle(state, seat, chance, minutes, is_guess, others, view):
    """Adds what it means if the hand ends with this trick, and returns the chance that it goes on.

    The case that the seat has `minutes`, about if `is_guess`, has this `chance`.
    """
    if is_evening(state):
        return chance
    is_last = DAYTIME_LEFT[state.trick] == 0
    excess = minutes - state.plan
    over = chance_below(excess / SPREAD) if is_guess else 1.0 * (excess > 0)
    ends = 1.0 if is_last else 1.0 - others.nobody_over
    if view.to_come == 0:
        over, ends = 0.0, 1.0 * (is_last or over > 0.0 or others.nobody_over == 0.0)
    under = chance * (1.0 - over)
    for goes_over in range(NOBODY, state.players):
        share = 0.0
        if goes_over == seat:
            share = chance * over
        elif goes_over == NOBODY:
            share = under * (ends if view.to_come == 0 else others.nobody_over * is_last)
        elif view.to_come > 0 and view.notes[Note.GOES_OVER, goes_over] > 0.01:
            share = under * (1.0 - others.nobody_over) * view.notes[Note.GOES_OVER, goes_over] / others.sum_over
        if share > 0.0:
            view.notes[Note.AFTER, seat] = (
                minutes if goes_over == seat or not is_guess else min(minutes, state.plan - 0.5)
            )
            kind = Feature.SETTLED if view.to_come == 0 else (Feature.OVER if goes_over == seat else Feature.ENDS)
            change = hope_settled(state, seat, goes_over, view.notes) - view.hope
            view.notes[Note.FEATURES, kind] += TENTHS * share * change
    if view.to_come > 0:
        fewest = under * ends * chance_below((others.lowest - minutes) / SPREAD)
        view.notes[Note.FEATURES, Feature.FEWEST_NOW] -= view.notes[Note.STAKES, seat] * fewest
    return under * (1.0 - ends)


@rule
def foresee(state, seat, chance, minutes, power, taking, others, view):
    """Adds what to expect of the rest of the hand with `minutes` and cards of `power` on the average."""
    left = DAYTIME_LEFT[state.trick]
    cost = -view.notes[Note.STAKES, seat] * chance
    if minutes == state.plan:
        view.notes[Note.FEATURES, Feature.EXACT] += cost
    view.notes[Note.FEATURES, Feature.OVER_LATER] += cost * over_later(left, state.plan - minutes, power, taking.lead)
    lowest, second = others.lowest - minutes, others.second - minutes
    view.notes[Note.FEATURES, Feature.FEWEST_LATER] += cost * fewest_later(left, lowest, second, power, taking.lead)
    for other in range(state.players):
        if other != seat:
            next_other = others.second if other == others.is_lowest else others.lowest
            lowest = min(next_other, minutes) - view.notes[Note.AFTER, other]
            second = min(max(next_other, minutes), others.second) - view.notes[Note.AFTER, other]
            fewest = fewest_later(left, lowest, second, TYPICAL_POWER, 0.0)
            view.notes[Note.FEATURES, Feature.OTHERS_FEWEST_LATER] += view.notes[Note.STAKES, other] * chance * fewest


register(STATE, sys.modules[__name__])
