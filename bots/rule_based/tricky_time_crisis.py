"""Tricky Time Crisis by rules of thumb."""

from __future__ import annotations

import sys

import numpy as np

from bots.rule_based.scoring import register
from bots.rule_based.tricky_time_crisis_worth import (
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
from engine.tricky_time_crisis.cards import HAND_SIZE, MAX_CARDS, MAX_PLAYERS, NO_CARD, OPTIONAL_TAKES, Phase, Suit
from engine.tricky_time_crisis.play import accept_action, pass_action, stop_action, take_action
from engine.tricky_time_crisis.scoring import num_in_pile
from engine.tricky_time_crisis.state import (
    STATE,
    cards_of_slot,
    is_hero,
    next_seat,
    power_card,
    slot_of,
    value_of,
    villain_slot,
)

SAMPLES = 4
STEPS = np.array([0.6180339887, 0.7548776662, 0.5698402910, 0.8191725134])
MAX_COPIES = 14

FEATURES = ("own", "rivals", "ending", "shield", "villain", "high_villain", "infinity", "high_hero", "kid", "long",
            "p_hope", "p_th", "p_fear", "p_tf", "p_vhope", "p_vth", "p_vfear", "p_vtf", "p_double", "p_grudge", "p_vtilt", "p_spread")
WEIGHTS = dict(zip(FEATURES, (0.65, 0.4, 1.25, 0.37, -0.14, -0.12, -0.2, -0.17, -0.19, -0.05,
               0.40, 2.57, 0.6, 1.15, 0.70, 1.5, 0.51, 1.11, 3.4, 0.42, -0.1, 10.0)))


@rule
def score_actions(state, seat, actions, count, weights, scores):
    params = weights[10:]
    gains = np.empty((MAX_PLAYERS, MAX_CARDS))
    stakes = np.empty(MAX_PLAYERS)
    spare = np.empty(MAX_PLAYERS)
    delta = np.zeros(MAX_PLAYERS)
    fill_stakes(state, seat, params[11], stakes)
    if state.phase == Phase.PLAY:
        time = (state.hand_size[seat] - 1) / HAND_SIZE
        fill_gains(state, time, params, gains, spare)
        stop_now = 0.0
        for other in range(state.players):
            stop_now -= stakes[other] * prospect(state, other, time, params)
        score_plays(state, seat, actions, count, weights, scores, gains, stakes, spare, delta, stop_now)
    else:
        time = state.hand_size[seat] / HAND_SIZE
        fill_gains(state, time, params, gains, spare)
        score_takes(state, seat, actions, count, weights, scores, gains, stakes, spare, delta)


@rule
def score_plays(state, seat, actions, count, weights, scores, gains, stakes, spare, delta, stop_now):
    params = weights[10:]
    trick = np.empty(MAX_PLAYERS, np.int64)
    who = np.empty(MAX_PLAYERS, np.int64)
    options = np.empty(MAX_COPIES, np.int64)
    misses = np.empty(MAX_COPIES)
    liked = np.empty(MAX_COPIES)
    own = np.empty(MAX_COPIES)
    rivals = np.empty(MAX_COPIES)
    copies = np.zeros(MAX_CARDS, np.int64)
    in_slot = np.zeros(MAX_PLAYERS, np.int64)
    held = np.zeros(MAX_PLAYERS, np.int64)
    size = 0
    for level in range(LEVELS):
        for slot in range(state.players):
            held[slot] += bits.count(state.hand[seat, level] & cards_of_slot(state, slot))
        cards = state.all_cards[level]
        while cards:
            copies[bits.lowest(cards)] += 1
            cards &= cards - 1
        cards = state.seen[level]
        while cards:
            copies[bits.lowest(cards)] -= 1
            cards &= cards - 1
        cards = state.hand[seat, level]
        while cards:
            copies[bits.lowest(cards)] -= 1
            cards &= cards - 1
    cards = state.all_cards[0]
    while cards:
        card = bits.lowest(cards)
        cards &= cards - 1
        in_slot[slot_of(state, card)] += copies[card]
        size += copies[card]
    miss = 1.0 - state.hand_size[seat] / size
    to_come = state.players - state.on_table - 1
    for i in range(count):
        card = actions[i]
        my_slot = slot_of(state, card)
        samples = SAMPLES if to_come > 1 else 1
        f_own = 0.0
        f_rivals = 0.0
        f_end = 0.0
        for sample in range(samples):
            open_slots = 0
            for slot in range(state.players):
                trick[slot] = state.card_of_slot[slot]
                who[slot] = state.seat_of_slot[slot]
                if trick[slot] == NO_CARD:
                    open_slots |= 1 << slot
            trick[my_slot] = card
            who[my_slot] = seat
            open_slots &= ~(1 << my_slot)
            alive = 1.0
            mover = seat
            for step in range(to_come - 1):
                mover = next_seat(state, mover)
                total = 0.0
                stuck = 1.0
                for slot in range(state.players):
                    if open_slots >> slot & 1:
                        total += in_slot[slot] * (1.0 + params[10] * (slot == villain_slot(state)))
                        for _ in range(in_slot[slot]):
                            stuck *= miss
                if total == 0.0:
                    alive = 0.0
                    break
                alive *= 1.0 - stuck
                where = (sample + 0.5) / samples if step == 0 else (sample + 0.5) * STEPS[step] % 1.0
                where *= total
                chosen = NO_CARD
                for slot in range(state.players):
                    if open_slots >> slot & 1 and where >= 0.0:
                        factor = (1.0 + params[10] * (slot == villain_slot(state)))
                        if where >= in_slot[slot] * factor:
                            where -= in_slot[slot] * factor
                        elif in_slot[slot] > 0:
                            cards = cards_of_slot(state, slot)
                            while cards and where >= 0.0:
                                chosen = bits.lowest(cards)
                                cards &= cards - 1
                                where -= copies[chosen] * factor
                            where = -1.0
                slot = slot_of(state, chosen)
                trick[slot] = chosen
                who[slot] = mover
                open_slots &= ~(1 << slot)
            f_end += (1.0 - alive) / samples
            if alive == 0.0:
                continue
            number = 0
            last_slot = my_slot
            if to_come == 0:
                options[0] = card
                misses[0] = 0.0
                number = 1
            else:
                mover = next_seat(state, mover)
                last_slot = bits.lowest(open_slots)
                who[last_slot] = mover
                cards = cards_of_slot(state, last_slot) & state.all_cards[0]
                while cards:
                    option = bits.lowest(cards)
                    cards &= cards - 1
                    if copies[option] > 0:
                        options[number] = option
                        misses[number] = 1.0
                        for _ in range(copies[option]):
                            misses[number] *= miss
                        number += 1
            for k in range(number):
                trick[last_slot] = options[k]
                judge(state, trick, who, gains, spare, delta)
                own[k] = delta[seat]
                rivals[k] = 0.0
                others = 0.0
                for other in range(state.players):
                    if other != seat:
                        rivals[k] -= stakes[other] * delta[other]
                    if other != mover:
                        others += delta[other]
                liked[k] = delta[mover] - params[9] * others / (state.players - 1)
            left = alive / samples
            for _ in range(number):
                best = 0
                for k in range(1, number):
                    if liked[k] > liked[best]:
                        best = k
                chance = left * (1.0 - misses[best])
                f_own += chance * own[best]
                f_rivals += chance * rivals[best]
                left *= misses[best]
                liked[best] = -1e9
                if left < 0.002:
                    break
            f_end += left
        score = weights[0] * f_own / 8.0 - weights[1] * f_rivals / 8.0 + weights[2] * f_end * stop_now / 8.0
        time = state.hand_size[seat] / HAND_SIZE
        if my_slot == villain_slot(state):
            score += weights[4]
            if num_in_pile(state, seat, my_slot) == limit(state):
                score += weights[3]
            if card == power_card(state, Suit.VILLAIN):
                score += weights[6] * time
            else:
                score += weights[5] * time * (value_of(state, card) - state.lowest_villain - 6) / 6.0
        elif card == power_card(state, Suit.KID):
            score += weights[8] * time
        else:
            value = value_of(state, card)
            if value == 0:
                value = 10
            score += weights[7] * time * (value - 6) / 7.0
        score += weights[9] * held[my_slot] / state.hand_size[seat]
        scores[i] = score


@rule
def score_takes(state, seat, actions, count, weights, scores, gains, stakes, spare, delta):
    """Takes each card, or none, in turn, and lets the others take what suits them."""
    trick = state.card_of_slot
    villain = state.seat_of_slot[villain_slot(state)]
    offer = 0
    for slot in range(state.players):
        if state.offer >> trick[slot] & 1:
            offer |= 1 << slot
    for i in range(count):
        action = actions[i]
        accepts = action == accept_action(state)
        left = offer
        first = 0.0
        if action == stop_action(state):
            first = -spare[seat]
        elif action < pass_action(state):
            first = gains[seat, action - take_action(state, 0)]
            left ^= 1 << slot_of(state, action - take_action(state, 0))
        elif accepts and state.phase == Phase.STOP_ALL:
            for slot in range(state.players):
                first += gains[seat, trick[slot]] if left >> slot & 1 else 0.0
        takes_second = action < pass_action(state) and state.takes_left == 2
        takes_second |= accepts and state.phase == Phase.STOP_ONE
        scores[i] = -1e9
        for second in range(-1, state.players if takes_second else 0):
            if (second < 0 and accepts and takes_second) or (second >= 0 and not left >> second & 1):
                continue
            for other in range(state.players):
                delta[other] = 0.0
            delta[seat] = first
            rest = left
            if second >= 0:
                delta[seat] += gains[seat, trick[second]]
                rest ^= 1 << second
            if state.phase != Phase.HERO_TAKES and state.phase != Phase.STOP_ALL:
                previous = seat
                until = seat
                if state.phase == Phase.FORCED or state.phase == Phase.STOP_ONE:
                    until = state.forced_from
                elif state.phase == Phase.VILLAIN_TAKES and state.team_up:
                    previous = state.seat_of_slot[state.slot_of_suit[Suit.MID_KNIGHT]]
                    until = previous
                    rest = take_freely(state, trick, rest, previous, OPTIONAL_TAKES, gains, delta)
                take_forced(state, trick, rest, previous, villain, until, gains, spare, delta)
            score = weights[0] * delta[seat]
            for other in range(state.players):
                if other != seat:
                    score += weights[1] * stakes[other] * delta[other]
            scores[i] = max(scores[i], score / 8.0)


@rule
def policy(state, seat):
    return -1


register(STATE, sys.modules[__name__])
