"""Tricky Time Crisis: what piles are worth."""

from __future__ import annotations

from engine import bits
from engine.compiling import rule
from engine.multisets import LEVELS
from engine.tricky_time_crisis.cards import DOUBLE_BONUS, NO_SUIT, Suit
from engine.tricky_time_crisis.state import cards_of_slot, is_hero, power_card, slot_of, value_of, villain_slot


@rule
def pile_score(state, seat):
    """The points of a pile: villain, Mid-Knight, the other heroes, then Double Take, which looks at them."""
    villain = suit_score(state, seat, villain_slot(state))
    total = villain
    best_hero_suit = 0
    for slot in range(villain_slot(state)):
        if state.suit_of_slot[slot] != Suit.DOUBLE:
            points = suit_score(state, seat, slot)
            if state.suit_of_slot[slot] == Suit.MID_KNIGHT and counts(state, seat, power_card(state, Suit.MID_KNIGHT)):
                points += villain // 2
            total += points
            if is_hero(state, slot):
                best_hero_suit = max(best_hero_suit, points)
    slot = state.slot_of_suit[Suit.DOUBLE]
    if slot != NO_SUIT:
        points = suit_score(state, seat, slot)
        if counts(state, seat, power_card(state, Suit.DOUBLE)):
            other_card = points  # the only other card that can count beside D+2
            has_other = num_in_pile(state, seat, slot) > 1
            points += DOUBLE_BONUS + (other_card if has_other else best_hero_suit)
        total += points
    return total


@rule
def num_in_pile(state, seat, slot):
    cards = cards_of_slot(state, slot)
    count = 0
    for level in range(LEVELS):
        count += bits.count(state.pile[seat, level] & cards)
    return count


@rule
def within_limit(state, seat, slot):
    """Whether the pile holds no more cards of a suit than score."""
    return num_in_pile(state, seat, slot) <= (2 if state.players == 3 else 1)


@rule
def counts(state, seat, card):
    """Whether `card` is in the pile and its suit within the limit."""
    return state.pile[seat, 0] >> card & 1 == 1 and within_limit(state, seat, slot_of(state, card))


@rule
def suit_score(state, seat, slot):
    """The sum of the plain values of a suit in the pile; 0 over the limit."""
    if not within_limit(state, seat, slot):
        return 0
    total = 0
    for level in range(LEVELS):
        cards = state.pile[seat, level] & cards_of_slot(state, slot)
        while cards:
            total += value_of(state, bits.lowest(cards))
            cards &= cards - 1
    return total


@rule
def score(state, seat):
    return state.points[seat]


@rule
def rank_key(state, seat):
    return state.points[seat]
