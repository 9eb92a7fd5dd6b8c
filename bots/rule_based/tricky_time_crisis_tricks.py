"""Tricky Time Crisis: what cards are worth to a pile, and what a complete trick brings to whom.

The shape of `worth` is what became of the piles of 700 games of self-play with four players.
"""

from __future__ import annotations

import math

import numpy as np

from engine.compiling import rule
from engine.tricky_time_crisis.cards import (
    DOUBLE_BONUS,
    HAND_SIZE,
    NO_CARD,
    NO_SEAT,
    NO_SUIT,
    OPTIONAL_TAKES,
    Suit,
    first_of_slot,
)
from engine.tricky_time_crisis.scoring import counts, num_in_pile, pile_score, suit_score
from engine.tricky_time_crisis.state import is_hero, next_seat, num_cards, power_card, value_of, villain_slot

SPREAD = 10.0  # points by which piles differ in a round, about
LEAST_RIVAL = 0.02  # of the leader's weight, for one who is far behind
AVERAGE_HERO = 7.0
AVERAGE_VILLAIN = 6.0  # above the lowest
# By the number of players, from none on: with five or more the heroes win often, so few are forced.
HERO_HOPE = np.array([0.0, 0.0, 0.0, 0.4, 0.4, 0.4, 0.3])  # of the average card, for room, while there is time
VILLAIN_HOPE = np.array([0.0, 0.0, 0.0, 0.7, 0.7, 0.4, 0.25])
HERO_FEAR = np.array([0.0, 0.0, 0.0, 0.7, 0.7, 0.3, 0.15])  # how likely a full suit is to be spoilt, at first
VILLAIN_FEAR = np.array([0.0, 0.0, 0.0, 0.55, 0.55, 0.12, 0.06])
EARLY_FEAR = 0.3  # of that, while there is room
DOUBLE_VALUE = 3.5  # of D+2 in a pile without heroes
HALF_VALUE = 0.3  # of Mhalf in a pile without a villain, of the average villain
NO_STOP = 1e6


# --- Piles ----------------------------------------------------------------------------------------


@rule
def fill_stakes(state, seat, stakes):
    """What a point of each seat is worth to `seat`: 1 for its own, -1 in all for its rivals.

    A rival counts by its chance to win the game, going by points and piles so far.
    """
    best = 0.0
    for other in range(state.players):
        stakes[other] = 1.0 * (state.points[other] + pile_score(state, other))
        best = max(best, stakes[other])
    spread = SPREAD * math.sqrt(1.0 * max(1, state.rounds - state.rounds_over))
    total = 0.0
    for other in range(state.players):
        if other != seat:
            stakes[other] = math.exp((stakes[other] - best) / spread) + LEAST_RIVAL
            total += stakes[other]
    for other in range(state.players):
        stakes[other] = 1.0 if other == seat else -stakes[other] / total


@rule
def fill_gains(state, tricks, gains, stops):
    """``gains[seat, card]``: what `card` adds to the worth of a pile with `tricks` to come in the round.

    ``stops[seat]``: what spending the T10 in the pile loses; NO_STOP without one.
    """
    tock = power_card(state, Suit.TOCK)
    for seat in range(state.players):
        stops[seat] = NO_STOP
        if tock != NO_CARD and state.pile[seat, 0] >> tock & 1 == 1:
            stops[seat] = 1.0 * value_of(state, tock) * counts(state, seat, tock)
        half = 0.5 * suit_score(state, seat, villain_slot(state))
        half = max(half, HALF_VALUE * (state.lowest_villain + AVERAGE_VILLAIN))
        double = max(DOUBLE_VALUE, best_hero_suit(state, seat))
        for slot in range(state.players):
            number = num_in_pile(state, seat, slot)
            score = points_of_suit(state, seat, slot)
            before = worth(state, slot, number, score, tricks)
            last = num_cards(state) if slot == villain_slot(state) else first_of_slot(slot + 1)
            for card in range(first_of_slot(slot), last):
                value = 1.0 * value_of(state, card)
                if card == power_card(state, Suit.DOUBLE):
                    value = DOUBLE_BONUS + (score if number > 0 else double)
                elif card == power_card(state, Suit.MID_KNIGHT):
                    value = half
                gains[seat, card] = worth(state, slot, number + 1, score + value, tricks) - before


@rule
def points_of_suit(state, seat, slot):
    """What a suit of a pile scores, D+2 and Mhalf included."""
    score = 1.0 * suit_score(state, seat, slot)
    suit = state.suit_of_slot[slot]
    if suit == Suit.DOUBLE and counts(state, seat, power_card(state, Suit.DOUBLE)):
        score += DOUBLE_BONUS + (score if num_in_pile(state, seat, slot) > 1 else best_hero_suit(state, seat))
    elif suit == Suit.MID_KNIGHT and counts(state, seat, power_card(state, Suit.MID_KNIGHT)):
        score += suit_score(state, seat, villain_slot(state)) // 2
    return score


@rule
def best_hero_suit(state, seat):
    """What the best suit scores that D+2 looks at, about."""
    best = 0
    for slot in range(villain_slot(state)):
        if is_hero(state, slot) and state.suit_of_slot[slot] != Suit.DOUBLE:
            best = max(best, suit_score(state, seat, slot))
    return 1.0 * best


@rule
def limit(state):
    """How many cards of a suit score."""
    return 2 if state.players == 3 else 1


@rule
def worth(state, slot, number, score, tricks):
    """The points to expect at the end of the round of a suit of which `number` cards score `score` now."""
    room = limit(state) - number
    if room < 0:
        return 0.0
    time = tricks / HAND_SIZE
    if slot == villain_slot(state):
        hope = VILLAIN_HOPE[state.players] * (state.lowest_villain + AVERAGE_VILLAIN) * min(1.0, 1.5 * time)
        fear = VILLAIN_FEAR[state.players] * min(1.0, 1.1 * time)
    else:
        hope = HERO_HOPE[state.players] * AVERAGE_HERO * min(1.0, 2.5 * time)
        fear = HERO_FEAR[state.players] * time
    if room > 0:
        fear *= EARLY_FEAR
    return score * (1.0 - fear) + hope * room


@rule
def prospect(state, seat, tricks):
    """What the rest of the round is worth to a pile: its hopes less its fears."""
    total = 0.0
    for slot in range(state.players):
        score = points_of_suit(state, seat, slot)
        total += worth(state, slot, num_in_pile(state, seat, slot), score, tricks) - score
    return total


# --- Tricks ---------------------------------------------------------------------------------------


@rule
def judge(state, trick, who, gains, stops, changes):
    """Writes what each seat gains by a complete trick to `changes`, if all take what suits them.

    `trick` and `who` are cards and seats by slot.
    """
    for seat in range(state.players):
        changes[seat] = 0.0
    kid = state.slot_of_suit[Suit.KID]
    if kid != NO_SUIT and trick[kid] == power_card(state, Suit.KID):
        return
    villain = who[villain_slot(state)]
    if trick[villain_slot(state)] == power_card(state, Suit.VILLAIN):
        for slot in range(villain_slot(state)):
            changes[villain] += gains[villain, trick[slot]]
        changes[villain] = max(changes[villain], -stops[villain])
        return
    left = (1 << state.players) - 1
    hero = winning_hero(state, trick, who)
    if hero != NO_SEAT:
        take_freely(state, trick, left, hero, 1, gains, changes)
        return
    left = take_freely(state, trick, left, villain, OPTIONAL_TAKES, gains, changes)
    start = villain
    if state.team_up:
        start = who[state.slot_of_suit[Suit.MID_KNIGHT]]
        left = take_freely(state, trick, left, start, OPTIONAL_TAKES, gains, changes)
    take_forced(state, trick, left, start, start, villain, gains, stops, changes)


@rule
def winning_hero(state, trick, who):
    """The seat that wins a complete trick for the heroes; NO_SEAT if the villain wins."""
    lead = 0
    best = NO_SEAT
    best_key = -1
    for slot in range(state.players):
        value = trick_value(state, trick, slot)
        if not is_hero(state, slot):
            lead -= value
            continue
        lead += value
        order = who[slot] - state.leader if who[slot] >= state.leader else who[slot] - state.leader + state.players
        if value * state.players + order > best_key:
            best_key = value * state.players + order
            best = who[slot]
    return best if lead >= 0 else NO_SEAT


@rule
def trick_value(state, trick, slot):
    """The value of the card of `slot` in a complete trick."""
    if trick[slot] != power_card(state, Suit.DOUBLE):
        return value_beside(state, trick, slot)
    best = 0
    for other in range(villain_slot(state)):
        if other != slot and is_hero(state, other):
            best = max(best, value_beside(state, trick, other))
    return best + DOUBLE_BONUS


@rule
def value_beside(state, trick, slot):
    """The value of a card that is not D+2."""
    if trick[slot] == power_card(state, Suit.MID_KNIGHT):
        return value_of(state, trick[villain_slot(state)]) // 2
    return value_of(state, trick[slot])


@rule
def best_slot(state, trick, left, seat, gains):
    """The slot among the set `left`, not empty, whose card adds most to the pile of `seat`."""
    best = -1
    for slot in range(state.players):
        if left >> slot & 1 and (best < 0 or gains[seat, trick[slot]] > gains[seat, trick[best]]):
            best = slot
    return best


@rule
def take_freely(state, trick, left, seat, most, gains, changes):
    """Lets `seat` take up to `most` cards that it likes from the slots `left`; returns those left then."""
    for _ in range(most):
        if left:
            slot = best_slot(state, trick, left, seat, gains)
            if gains[seat, trick[slot]] > 0.0:
                changes[seat] += gains[seat, trick[slot]]
                left ^= 1 << slot
    return left


@rule
def take_forced(state, trick, left, after, until, villain, gains, stops, changes):
    """Forces seats clockwise from behind `after` to before `until` to take a card each; not the `villain`'s."""
    seat = next_seat(state, after)
    while seat != until and left:
        if seat != villain:
            slot = best_slot(state, trick, left, seat, gains)
            if gains[seat, trick[slot]] < -stops[seat]:
                changes[seat] -= stops[seat]
            else:
                changes[seat] += gains[seat, trick[slot]]
                left ^= 1 << slot
        seat = next_seat(state, seat)
