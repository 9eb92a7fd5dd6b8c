"""Tricky Time Crisis by rules of thumb."""

from __future__ import annotations

import sys

import numpy as np

from bots.rule_based.scoring import register
from bots.rule_based.tricky_time_crisis_worth import (
    fill_gains,
    fill_stakes,
    judge,
    prospect,
    take_forced,
)
from engine import bits
from engine.compiling import rule
from engine.multisets import LEVELS
from engine.tricky_time_crisis.cards import HAND_SIZE, MAX_CARDS, MAX_PLAYERS, NO_CARD, Phase, Suit
from engine.tricky_time_crisis.play import pass_action, stop_action, take_action
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

SAMPLES = 8
STEPS = np.array([0.6180339887, 0.7548776662, 0.5698402910, 0.8191725134])
MAX_COPIES = 14

FEATURES = ("own", "rivals", "ending", "thin", "lead", "hero", "villain", "kid", "infinity",
            "p_hope", "p_vhope", "p_fear", "p_vfear", "p_spread", "p_grudge", "p_vtilt", "p_htilt")
WEIGHTS = dict(zip(FEATURES, (1.0, 0.7, 1.0, 0.5, 0.0, -0.2, -0.2, -0.3, -0.3,
               0.3, 0.5, 0.5, 0.3, 10.0, 0.5, 0.0, 0.0)))


@rule
def score_actions(state, seat, actions, count, weights, scores):
    params = weights[9:]
    gains = np.empty((MAX_PLAYERS, MAX_CARDS))
    stakes = np.empty(MAX_PLAYERS)
    spare = np.empty(MAX_PLAYERS)
    delta = np.zeros(MAX_PLAYERS)
    fill_stakes(state, seat, params[4], stakes)
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
    params = weights[9:]
    trick = np.empty(MAX_PLAYERS, np.int64)
    who = np.empty(MAX_PLAYERS, np.int64)
    options = np.empty(MAX_COPIES, np.int64)
    misses = np.empty(MAX_COPIES)
    liked = np.empty(MAX_COPIES)
    own = np.empty(MAX_COPIES)
    rivals = np.empty(MAX_COPIES)
    leads = np.empty(MAX_COPIES)
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
        f_lead = 0.0
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
                        total += in_slot[slot] * (1.0 + params[6] * (slot == villain_slot(state)))
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
                        factor = (1.0 + params[6] * (slot == villain_slot(state)))
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
                leads[k] = 1.0 * (judge(state, trick, who, gains, spare, delta) == seat)
                own[k] = delta[seat]
                rivals[k] = 0.0
                others = 0.0
                for other in range(state.players):
                    if other != seat:
                        rivals[k] -= stakes[other] * delta[other]
                    if other != mover:
                        others += delta[other]
                liked[k] = delta[mover] - params[5] * others / (state.players - 1)
            left = alive / samples
            for _ in range(number):
                best = 0
                for k in range(1, number):
                    if liked[k] > liked[best]:
                        best = k
                chance = left * (1.0 - misses[best])
                f_own += chance * own[best]
                f_rivals += chance * rivals[best]
                f_lead += chance * leads[best]
                left *= misses[best]
                liked[best] = -1e9
                if left < 0.002:
                    break
            f_end += left
        thin = 0.0
        for slot in range(state.players):
            if held[slot] - (slot == my_slot) == 0:
                thin += 1.0
            elif held[slot] - (slot == my_slot) == 1:
                thin += 0.4
        score = weights[0] * f_own / 8.0 - weights[1] * f_rivals / 8.0 + weights[2] * f_end * stop_now / 8.0
        score += weights[3] * thin * stop_now / 40.0 + weights[4] * f_lead
        if card == power_card(state, Suit.KID):
            score += weights[7]
        elif card == power_card(state, Suit.VILLAIN):
            score += weights[8]
        elif is_hero(state, my_slot):
            score += weights[5] * (value_of(state, card) - 6) / 7.0 if value_of(state, card) > 0 else weights[5] * 0.5
        else:
            score += weights[6] * (value_of(state, card) - state.lowest_villain - 6) / 7.0
        scores[i] = score


@rule
def score_takes(state, seat, actions, count, weights, scores, gains, stakes, spare, delta):
    villain = state.seat_of_slot[villain_slot(state)]
    until = villain
    if state.team_up:
        until = state.seat_of_slot[state.slot_of_suit[Suit.MID_KNIGHT]]
    offer = 0
    for slot in range(state.players):
        if state.offer >> state.card_of_slot[slot] & 1:
            offer |= 1 << slot
    for i in range(count):
        action = actions[i]
        first = 0.0
        left = offer
        passes = action >= pass_action(state)
        if not passes:
            first = gains[seat, action - take_action(state, 0)]
            left ^= 1 << slot_of(state, action - take_action(state, 0))
        best = -1e9
        for second in range(-1, state.players):  # a card to take then, or none
            if second >= 0 and (passes or state.takes_left < 2 or not left >> second & 1):
                continue
            for other in range(state.players):
                delta[other] = 0.0
            delta[seat] = first
            rest = left
            if second >= 0:
                delta[seat] += gains[seat, state.card_of_slot[second]]
                rest ^= 1 << second
            if state.phase == Phase.STOP_ALL or action == stop_action(state):
                if action == stop_action(state):
                    delta[seat] = -spare[seat]
                else:
                    for slot in range(state.players):
                        if rest >> slot & 1:
                            delta[seat] += gains[seat, state.card_of_slot[slot]]
            previous = seat
            if state.phase == Phase.STOP_ONE and action != stop_action(state):
                previous = previous_seat(state, seat)
            if state.phase != Phase.HERO_TAKES and state.phase != Phase.STOP_ALL:
                stop = until
                if state.phase == Phase.VILLAIN_TAKES and state.team_up:
                    stop = until
                take_forced(state, state.card_of_slot, rest, previous, villain, stop, gains, spare, delta)
            total = 0.0
            for other in range(state.players):
                if other == seat:
                    total += weights[0] * delta[other]
                else:
                    total += weights[1] * stakes[other] * delta[other]
            best = max(best, total)
        scores[i] = best / 8.0


@rule
def previous_seat(state, seat):
    return seat - 1 if seat > 0 else state.players - 1


@rule
def policy(state, seat):
    return -1


register(STATE, sys.modules[__name__])
