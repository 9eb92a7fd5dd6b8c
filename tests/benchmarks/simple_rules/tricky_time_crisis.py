"""Tricky Time Crisis by rules of thumb.

* *Gain.* What a card would add to one's own pile: its value while its suit stays within the limit, the
  loss of the whole suit once it does not.
* *Playing.* Guess from the cards in the trick who will win it. The highest hero of a winning side and the
  villain's player of a winning villain choose, the heroes of a losing one are forced: the fuller the
  own pile, the worse. ``K0`` calls it all off, ``Vinf`` takes everything.
* *Taking.* The greatest gain, or pass; forced, the least harm. ``T10`` is spent when the harm is greater
  than what it is worth.
"""

from __future__ import annotations

import math

from engine import bits
from engine.compiling import rule
from engine.tricky_time_crisis.cards import NO_CARD, Phase, Suit
from engine.tricky_time_crisis.play import accept_action, half_of_villain, pass_action, stop_action, take_action
from engine.tricky_time_crisis.scoring import counts, num_in_pile, suit_score
from engine.tricky_time_crisis.state import is_hero, power_card, slot_of, value_of, villain_slot

AVERAGE_HERO = 6.0
AVERAGE_VILLAIN = 6.0  # above the lowest
SPREAD = 4.0  # of the difference of the totals around the guess
CHOICE = 5.0  # points that choosing a card is worth
VILLAINS_CHOICE = 8.0
HARM_PER_SUIT = 1.5  # of being forced, for each suit that is full in the own pile
HALF_VALUE = 8  # of Mhalf, before the villain of the pile is known
DOUBLE_VALUE = 8  # of D+2


@rule
def policy(state, seat):
    if state.phase == Phase.PLAY:
        return best_play(state, seat)
    if state.phase == Phase.STOP_ALL:
        return answer(state, -gain_of_all(state, seat, state.offer) > value_of_stop(state, seat))
    card = best_take(state, seat)
    harm = -gain(state, seat, card)
    if state.phase == Phase.STOP_ONE:
        return answer(state, harm > value_of_stop(state, seat))
    if state.phase != Phase.FORCED and harm >= 0:
        return pass_action(state)
    return take_action(state, card)


@rule
def answer(state, stops):
    return stop_action(state) if stops else accept_action(state)


@rule
def value_of_stop(state, seat):
    """What T10, which is in the pile, scores there."""
    card = power_card(state, Suit.TOCK)
    return value_of(state, card) if counts(state, seat, card) else 0


@rule
def limit(state):
    return 2 if state.players == 3 else 1


@rule
def gain(state, seat, card):
    """What taking `card` adds to the score of the pile, about."""
    slot = slot_of(state, card)
    if num_in_pile(state, seat, slot) >= limit(state):
        return -suit_score(state, seat, slot)
    if card == power_card(state, Suit.DOUBLE):
        return DOUBLE_VALUE
    if card == power_card(state, Suit.MID_KNIGHT):
        return HALF_VALUE
    return value_of(state, card)


@rule
def gain_of_all(state, seat, cards):
    total = 0
    while cards:
        total += gain(state, seat, bits.lowest(cards))
        cards &= cards - 1
    return total


@rule
def best_take(state, seat):
    cards = state.offer
    best = bits.lowest(cards)
    while cards:
        card = bits.lowest(cards)
        cards &= cards - 1
        if gain(state, seat, card) > gain(state, seat, best):
            best = card
    return best


@rule
def best_play(state, seat):
    cards = state.hand[seat, 0] & state.open_cards
    best = NO_CARD
    best_score = -1e9
    while cards:
        card = bits.lowest(cards)
        cards &= cards - 1
        score = score_play(state, seat, card)
        if score > best_score:
            best_score = score
            best = card
    return best


@rule
def score_play(state, seat, card):
    """Points to expect from playing `card` to the trick."""
    if card == power_card(state, Suit.KID):
        return 0.0
    if card == power_card(state, Suit.VILLAIN):
        return 1.0 * gain_of_all(state, seat, cards_in_trick(state))
    slot = slot_of(state, card)
    heroes_win = 1.0 / (1.0 + math.exp(-expected_lead(state, slot, card) / SPREAD))
    if not is_hero(state, slot):
        return (1.0 - heroes_win) * VILLAINS_CHOICE
    highest = 1.0
    for other in range(state.players):
        if is_hero(state, other) and other != slot:
            if state.card_of_slot[other] == NO_CARD:
                highest *= 0.5
            elif value_in_trick(state, state.card_of_slot[other]) > value_in_trick(state, card):
                highest = 0.0
    return heroes_win * highest * CHOICE - (1.0 - heroes_win) * HARM_PER_SUIT * full_suits(state, seat)


@rule
def cards_in_trick(state):
    cards = 0
    for slot in range(state.players):
        if state.card_of_slot[slot] != NO_CARD:
            cards |= 1 << state.card_of_slot[slot]
    return cards


@rule
def expected_lead(state, slot, card):
    """By how much the heroes' total will exceed the villain's, about, with `card` played to `slot`."""
    lead = 0.0
    for other in range(state.players):
        if other == slot:
            value = value_in_trick(state, card)
        elif state.card_of_slot[other] != NO_CARD:
            value = value_in_trick(state, state.card_of_slot[other])
        elif other == villain_slot(state):
            value = state.lowest_villain + AVERAGE_VILLAIN
        else:
            value = AVERAGE_HERO
        lead += value if is_hero(state, other) else -value
    return lead


@rule
def value_in_trick(state, card):
    """The value of a card in the trick so far."""
    if card == power_card(state, Suit.DOUBLE):
        return AVERAGE_HERO + 4.0
    if card == power_card(state, Suit.MID_KNIGHT):
        if state.card_of_slot[villain_slot(state)] == NO_CARD:
            return (state.lowest_villain + AVERAGE_VILLAIN) / 2.0
        return 1.0 * half_of_villain(state)
    return 1.0 * value_of(state, card)


@rule
def full_suits(state, seat):
    full = 0
    for slot in range(state.players):
        if num_in_pile(state, seat, slot) == limit(state):
            full += 1
    return full
