"""Tricky Time Crisis by rules of thumb.

Points are what the cards of a pile are worth to expect: their score, less the fear that a full suit is
spoilt by one card more, plus the hope for a suit with room, both the less the later in the round.

* *own*, *rivals*: what the trick adds to the own pile and to those of the rivals, who count by their
  chance to win the game. When playing, the rest of the trick is not known: the next seats play any
  unseen card of an open suit, the last one the best for it that it is likely to hold; then all take
  what suits them, and the forced take what harms them least.
* *ending*: the chance that a seat to come is stuck, times what ending the round now is worth: much with
  a full pile among empty ones.
* *shield*: who plays the villain is not forced, so play it to guard a villain in the own pile;
  *villain*: without one, leave it to others.
* *high_villain*, *high_hero*, *kid*, *infinity*: strength that is spent is missing later, the more so
  the more tricks are to come.
"""

from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np

from bots.rule_based.scoring import register
from bots.rule_based.tricky_time_crisis_tricks import (
    AVERAGE_VILLAIN,
    fill_gains,
    fill_stakes,
    judge,
    limit,
    prospect,
    take_forced,
    take_freely,
)
from engine import bits
from engine.compiling import rule
from engine.multisets import LEVELS
from engine.tricky_time_crisis.cards import (
    HAND_SIZE,
    MAX_CARDS,
    MAX_PLAYERS,
    NO_CARD,
    OPTIONAL_TAKES,
    VILLAIN_KINDS,
    Phase,
    Suit,
)
from engine.tricky_time_crisis.play import accept_action, pass_action, stop_action, take_action
from engine.tricky_time_crisis.scoring import num_in_pile
from engine.tricky_time_crisis.state import (
    STATE,
    cards_of_slot,
    next_seat,
    power_card,
    slot_of,
    value_of,
    villain_slot,
)

FEATURES = ("own", "rivals", "ending", "shield", "villain", "high_villain", "high_hero", "kid", "infinity")
WEIGHTS = {
    "own": 0.75,
    "rivals": -0.35,
    "ending": 1.0,
    "shield": 0.2,
    "villain": -0.07,
    "high_villain": -0.1,
    "high_hero": -0.09,
    "kid": -0.16,
    "infinity": -0.16,
}

POINTS = 8.0  # that make a score of 1
SAMPLES = 4  # ways in which the trick may go on before its last card
GRUDGE = 0.4  # of a point of another, what the last seat cares for the average of them
STEPS = np.array([0.0, 0.6180339887, 0.7548776662, 0.5698402910])  # spread the samples of the seats to come evenly
AVERAGE_HERO = 6.0  # in hand
DOUBLE_STRENGTH = 10.0  # of D+2 and Mhalf in a trick


class Look(NamedTuple):
    """What a seat thinks of the trick: scratch space."""

    stakes: np.ndarray  # (players,) what a point of each seat is worth
    gains: np.ndarray  # (players, cards) what a card adds to a pile
    stops: np.ndarray  # (players,) what spending T10 loses
    changes: np.ndarray  # (players,) what a trick adds to the piles
    trick: np.ndarray  # (players,) card of each slot
    who: np.ndarray  # (players,) who played it
    copies: np.ndarray  # (cards,) unseen
    unseen: np.ndarray  # (players,) cards of each slot
    options: np.ndarray  # (4, cards of a suit) of the last seat: its liking, own, rivals, chance not to hold it


@rule
def score_actions(state, seat, actions, count, weights, scores):
    look = Look(
        np.empty(MAX_PLAYERS),
        np.empty((MAX_PLAYERS, MAX_CARDS)),
        np.empty(MAX_PLAYERS),
        np.zeros(MAX_PLAYERS),
        np.empty(MAX_PLAYERS, np.int64),
        np.empty(MAX_PLAYERS, np.int64),
        np.zeros(MAX_CARDS, np.int64),
        np.zeros(MAX_PLAYERS, np.int64),
        np.empty((4, VILLAIN_KINDS)),
    )
    fill_stakes(state, seat, look.stakes)
    if state.phase == Phase.PLAY:
        score_plays(state, seat, actions, count, weights, scores, look)
    else:
        score_takes(state, seat, actions, count, weights, scores, look)


# --- Playing a card -------------------------------------------------------------------------------


@rule
def score_plays(state, seat, actions, count, weights, scores, look):
    tricks = state.hand_size[seat] - 1
    fill_gains(state, tricks, look.gains, look.stops)
    ending = 0.0
    for other in range(state.players):
        ending -= look.stakes[other] * prospect(state, other, tricks)
    miss = 1.0 - state.hand_size[seat] / count_unseen(state, seat, look)
    for i in range(count):
        own, rivals, ends = look_ahead(state, seat, actions[i], miss, look)
        scores[i] = (weights[0] * own + weights[1] * rivals + weights[2] * ends * ending) / POINTS
        scores[i] += spent(state, seat, actions[i], weights)


@rule
def spent(state, seat, card, weights):
    """The features of what is missing in the hand, and of the role that one plays."""
    time = state.hand_size[seat] / HAND_SIZE
    slot = slot_of(state, card)
    value = 1.0 * value_of(state, card)
    if slot == villain_slot(state):
        score = weights[4]
        if num_in_pile(state, seat, slot) == limit(state):
            score += weights[3]
        if card == power_card(state, Suit.VILLAIN):
            return score + weights[8] * time
        return score + weights[5] * time * (value - state.lowest_villain - AVERAGE_VILLAIN) / AVERAGE_VILLAIN
    if card == power_card(state, Suit.KID):
        return weights[7] * time
    if value == 0.0:
        value = DOUBLE_STRENGTH
    return weights[6] * time * (value - AVERAGE_HERO) / AVERAGE_HERO


@rule
def count_unseen(state, seat, look):
    """Counts the unseen cards; returns how many there are."""
    total = 0
    for slot in range(state.players):
        cards = cards_of_slot(state, slot) & state.all_cards[0]
        while cards:
            card = bits.lowest(cards)
            cards &= cards - 1
            for level in range(LEVELS):
                look.copies[card] += state.all_cards[level] >> card & 1
                look.copies[card] -= state.seen[level] >> card & 1
                look.copies[card] -= state.hand[seat, level] >> card & 1
            look.unseen[slot] += look.copies[card]
        total += look.unseen[slot]
    return total


@rule
def look_ahead(state, seat, card, miss, look):
    """What the trick is likely to add to the own pile and to the rivals', and the chance that the round ends.

    `miss` is the chance that a seat to come does not hold a certain unseen card.
    """
    to_come = state.players - state.on_table - 1
    samples = SAMPLES if to_come > 1 else 1
    total_own = 0.0
    total_rivals = 0.0
    ends = 0.0
    for sample in range(samples):
        for slot in range(state.players):
            look.trick[slot] = state.card_of_slot[slot]
            look.who[slot] = state.seat_of_slot[slot]
        look.trick[slot_of(state, card)] = card
        look.who[slot_of(state, card)] = seat
        going_on = 1.0
        last = seat
        for step in range(to_come - 1):
            last = next_seat(state, last)
            place = ((sample + 0.5) / samples + sample * STEPS[step]) % 1.0
            going_on *= play_any(state, last, place, miss, look)
        if going_on > 0.0:
            if to_come > 0:
                last = next_seat(state, last)
            own, rivals, stuck = play_best(state, seat, last, card, miss, look)
            total_own += going_on * own
            total_rivals += going_on * rivals
            going_on *= 1.0 - stuck
        ends += 1.0 - going_on
    return total_own / samples, total_rivals / samples, ends / samples


@rule
def play_any(state, mover, place, miss, look):
    """Lets `mover` play the unseen card at `place`, from 0 to 1, of the open suits; the chance that it has any."""
    total = 0
    for slot in range(state.players):
        if look.trick[slot] == NO_CARD:
            total += look.unseen[slot]
    stuck = 1.0
    for _ in range(total):
        stuck *= miss
    index = int(place * total)
    for slot in range(state.players):
        if look.trick[slot] == NO_CARD and index >= 0:
            cards = cards_of_slot(state, slot) & state.all_cards[0]
            while cards and index >= 0:
                card = bits.lowest(cards)
                cards &= cards - 1
                index -= look.copies[card]
                if index < 0:
                    look.trick[slot] = card
                    look.who[slot] = mover
    return 1.0 - stuck


@rule
def play_best(state, seat, last, card, miss, look):
    """Lets `last` complete the trick with the best card for it that it holds: own, rivals' and chance to be stuck.

    If that is `seat` itself it plays `card`.
    """
    open_slot = slot_of(state, card)
    for slot in range(state.players):
        if look.trick[slot] == NO_CARD:
            open_slot = slot
    look.who[open_slot] = last
    cards = 1 << card if last == seat else cards_of_slot(state, open_slot) & state.all_cards[0]
    number = 0
    while cards:
        option = bits.lowest(cards)
        cards &= cards - 1
        if last == seat or look.copies[option] > 0:
            look.trick[open_slot] = option
            judge(state, look.trick, look.who, look.gains, look.stops, look.changes)
            judge_option(state, seat, last, number, look)
            look.options[3, number] = 0.0 if last == seat else 1.0
            for _ in range(look.copies[option]):
                look.options[3, number] *= miss
            number += 1
    own = 0.0
    rivals = 0.0
    left = 1.0
    for _ in range(number):
        best = 0
        for k in range(1, number):
            if look.options[0, k] > look.options[0, best]:
                best = k
        chance = left * (1.0 - look.options[3, best])
        own += chance * look.options[1, best]
        rivals += chance * look.options[2, best]
        left *= look.options[3, best]
        look.options[0, best] = -np.inf
    return own, rivals, left


@rule
def judge_option(state, seat, last, number, look):
    """Writes how much `last` likes what the trick brings, and what it means to `seat` and its rivals."""
    liking = look.changes[last]
    rivals = 0.0
    for other in range(state.players):
        if other != last:
            liking -= GRUDGE * look.changes[other] / (state.players - 1)
        if other != seat:
            rivals -= look.stakes[other] * look.changes[other]
    look.options[0, number] = liking
    look.options[1, number] = look.changes[seat]
    look.options[2, number] = rivals


# --- Taking cards ---------------------------------------------------------------------------------


@rule
def score_takes(state, seat, actions, count, weights, scores, look):
    """Takes a card, then perhaps a second, and lets the others take what suits them."""
    fill_gains(state, state.hand_size[seat], look.gains, look.stops)
    trick = state.card_of_slot
    offer = 0
    for slot in range(state.players):
        if state.offer >> trick[slot] & 1:
            offer |= 1 << slot
    for i in range(count):
        takes = take_action(state, 0) <= actions[i] < pass_action(state)
        first, left = take_first(state, seat, actions[i], offer, look)
        must = actions[i] == accept_action(state) and state.phase == Phase.STOP_ONE
        may = must or (takes and state.takes_left == OPTIONAL_TAKES)
        scores[i] = -np.inf
        for second in range(-1, state.players):
            if (second < 0 and must) or (second >= 0 and not (may and left >> second & 1)):
                continue
            look.changes[:] = 0.0
            look.changes[seat] = first
            rest = left
            if second >= 0:
                look.changes[seat] += look.gains[seat, trick[second]]
                rest ^= 1 << second
            others_take(state, seat, rest, look)
            scores[i] = max(scores[i], score_changes(state, seat, weights, look))


@rule
def take_first(state, seat, action, offer, look):
    """What `action` itself adds to the pile, and which slots of `offer` it leaves."""
    if action == stop_action(state):
        return -look.stops[seat], offer
    if action == accept_action(state):
        gain = 0.0
        for slot in range(state.players):
            if state.phase == Phase.STOP_ALL and offer >> slot & 1:
                gain += look.gains[seat, state.card_of_slot[slot]]
        return gain, offer
    if action == pass_action(state):
        return 0.0, offer
    card = action - take_action(state, 0)
    return look.gains[seat, card], offer ^ 1 << slot_of(state, card)


@rule
def others_take(state, seat, left, look):
    """Lets the seats behind `seat` take from the slots `left`."""
    if state.phase == Phase.HERO_TAKES or state.phase == Phase.STOP_ALL:
        return
    trick = state.card_of_slot
    start = seat
    until = seat
    if state.phase == Phase.FORCED or state.phase == Phase.STOP_ONE:
        until = state.forced_from
    elif state.phase == Phase.VILLAIN_TAKES and state.team_up:
        start = state.seat_of_slot[state.slot_of_suit[Suit.MID_KNIGHT]]
        until = start
        left = take_freely(state, trick, left, start, OPTIONAL_TAKES, look.gains, look.changes)
    villain = state.seat_of_slot[villain_slot(state)]
    take_forced(state, trick, left, start, until, villain, look.gains, look.stops, look.changes)


@rule
def score_changes(state, seat, weights, look):
    score = weights[0] * look.changes[seat]
    for other in range(state.players):
        if other != seat:
            score -= weights[1] * look.stakes[other] * look.changes[other]
    return score / POINTS


register(STATE, sys.modules[__name__])
