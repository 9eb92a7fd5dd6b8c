"""Tricky Time Crisis: what piles, and cards added to them, are worth to expect, and what a complete trick brings."""

from __future__ import annotations

import math

from engine.compiling import rule
from engine.tricky_time_crisis.cards import HERO_KINDS, NO_CARD, NO_SEAT, OPTIONAL_TAKES, POWER, SUIT_CARDS, Suit
from engine.tricky_time_crisis.scoring import counts, num_in_pile, pile_score, suit_score
from engine.tricky_time_crisis.state import first_of_slot, is_hero, next_seat, num_cards, power_card, slot_of, value_of, villain_slot

NEVER = -1e6


@rule
def limit(state):
    """How many cards of a suit score."""
    return 2 if state.players == 3 else 1


@rule
def fill_stakes(state, seat, spread, stakes):
    """What a point of each seat is worth to `seat`: 1 its own, less than 0 those of its rivals, -1 in all.

    A rival counts by its chance to win the game, by points and piles so far.
    """
    best = NEVER
    for other in range(state.players):
        stakes[other] = state.points[other] + pile_score(state, other)
        best = max(best, stakes[other])
    scale = spread * math.sqrt(1.0 * max(1, state.rounds - state.rounds_over))
    total = 0.0
    for other in range(state.players):
        if other != seat:
            stakes[other] = math.exp((stakes[other] - best) / scale) + 0.02
            total += stakes[other]
    for other in range(state.players):
        stakes[other] = 1.0 if other == seat else -stakes[other] / total


@rule
def fill_gains(state, time, params, gains, spare):
    """``gains[seat, card]``: what `card` adds to the worth of a pile; returns nothing.

    ``spare[seat]``: what T10 in the pile is worth, or a lot without one. The worth of a suit is its
    score, less the fear to be forced over the limit, plus the hope for more while there is room, each
    by the `time` that is left in the round.
    """
    top = limit(state)
    for seat in range(state.players):
        card = power_card(state, Suit.TOCK)
        spare[seat] = -NEVER
        if card != NO_CARD and state.pile[seat, 0] >> card & 1 == 1:
            spare[seat] = 1.0 * value_of(state, card) * counts(state, seat, card)
        villain_score = suit_score(state, seat, villain_slot(state))
        best_hero = 0
        for slot in range(villain_slot(state)):
            best_hero = max(best_hero, suit_score(state, seat, slot))
        for slot in range(state.players):
            number = num_in_pile(state, seat, slot)
            score = 1.0 * suit_score(state, seat, slot)
            first = first_of_slot(slot)
            last = num_cards(state) if slot == villain_slot(state) else first + HERO_KINDS
            before = worth(state, slot, number, score, time, params)
            for card in range(first, last):
                value = 1.0 * value_of(state, card)
                if card == power_card(state, Suit.DOUBLE):
                    value = 2.0 + max(1.0 * best_hero, params[8])
                elif card == power_card(state, Suit.MID_KNIGHT):
                    value = max(0.5 * villain_score, 0.3 * (state.lowest_villain + 6.0))
                gains[seat, card] = worth(state, slot, number + 1, score + value, time, params) - before


@rule
def worth(state, slot, number, score, time, params):
    """The points to expect in the end of `number` cards of a suit that score `score` now."""
    room = limit(state) - number
    if room < 0:
        return 0.0
    if slot == villain_slot(state):
        hope = params[4] * (state.lowest_villain + 6.0) * min(1.0, params[5] * time)
        fear = min(1.0, params[6] * min(1.0, params[7] * time))
    else:
        hope = params[0] * 7.0 * min(1.0, params[1] * time)
        fear = min(1.0, params[2] * min(1.0, params[3] * time))
    if room > 0:
        fear *= 0.3
    return score * (1.0 - fear) + hope * room


@rule
def prospect(state, seat, time, params):
    """What the rest of the round is worth to a pile: the hopes less the fears."""
    total = 0.0
    for slot in range(state.players):
        score = 1.0 * suit_score(state, seat, slot)
        total += worth(state, slot, num_in_pile(state, seat, slot), score, time, params) - score
    return total


@rule
def trick_value(state, trick, slot):
    """The value of the card of `slot` in a complete trick."""
    card = trick[slot]
    half = value_of(state, trick[villain_slot(state)]) // 2
    if card == power_card(state, Suit.MID_KNIGHT):
        return half
    if card != power_card(state, Suit.DOUBLE):
        return value_of(state, card)
    best = 0
    for other in range(villain_slot(state)):
        if other != slot and is_hero(state, other):
            value = half if trick[other] == power_card(state, Suit.MID_KNIGHT) else value_of(state, trick[other])
            best = max(best, value)
    return best + 2


@rule
def judge(state, trick, who, gains, spare, delta):
    """Adds what each seat gains by the complete `trick` to `delta`, if all take what suits them.

    Returns the seat that leads next.
    """
    for seat in range(state.players):
        delta[seat] = 0.0
    kid = power_card(state, Suit.KID)
    if kid != NO_CARD and trick[state.slot_of_suit[Suit.KID]] == kid:
        return who[state.slot_of_suit[Suit.KID]]
    villain = who[villain_slot(state)]
    if trick[villain_slot(state)] == power_card(state, Suit.VILLAIN):
        for slot in range(villain_slot(state)):
            delta[villain] += gains[villain, trick[slot]]
        delta[villain] = max(delta[villain], -spare[villain])
        return villain
    lead = 0
    best_key = -1
    best = NO_SEAT
    for slot in range(state.players):
        value = trick_value(state, trick, slot)
        if is_hero(state, slot):
            lead += value
            order = who[slot] - state.leader if who[slot] >= state.leader else who[slot] - state.leader + state.players
            if value * state.players + order > best_key:
                best_key = value * state.players + order
                best = who[slot]
        else:
            lead -= value
    left = (1 << state.players) - 1
    if lead >= 0:
        take_freely(state, trick, left, best, 1, gains, delta)
        return best
    mid_knight = villain
    left = take_freely(state, trick, left, villain, OPTIONAL_TAKES, gains, delta)
    if state.team_up:
        mid_knight = who[state.slot_of_suit[Suit.MID_KNIGHT]]
        left = take_freely(state, trick, left, mid_knight, OPTIONAL_TAKES, gains, delta)
    take_forced(state, trick, left, mid_knight, villain, mid_knight, gains, spare, delta)
    return villain


@rule
def take_freely(state, trick, left, seat, most, gains, delta):
    """Lets `seat` take up to `most` cards that it likes from the slots `left`; returns those left then."""
    for _ in range(most):
        best = -1
        for slot in range(state.players):
            if left >> slot & 1 and gains[seat, trick[slot]] > 0.0:
                if best < 0 or gains[seat, trick[slot]] > gains[seat, trick[best]]:
                    best = slot
        if best < 0:
            return left
        delta[seat] += gains[seat, trick[best]]
        left ^= 1 << best
    return left


@rule
def take_forced(state, trick, left, previous, villain, until, gains, spare, delta):
    """Lets the seats from the left of `previous` to before `until` take a card each, the villain's not."""
    seat = next_seat(state, previous)
    while seat != until and left:
        if seat != villain:
            best = -1
            for slot in range(state.players):
                if left >> slot & 1 and (best < 0 or gains[seat, trick[slot]] > gains[seat, trick[best]]):
                    best = slot
            if gains[seat, trick[best]] < -spare[seat]:
                delta[seat] -= spare[seat]
            else:
                delta[seat] += gains[seat, trick[best]]
                left ^= 1 << best
        seat = next_seat(state, seat)
