"""Experimental."""

from __future__ import annotations

import sys

import numpy as np

from bots.rule_based.scoring import register
from engine import bits, multisets
from engine.compiling import rule
from engine.day_and_night import (
    ALL_CARDS,
    CARDS,
    CARD_IN_DECK,
    COLOUR,
    FIRST_TAKE_ACTION,
    LARGEST_TOTAL,
    MAX_PLAYERS,
    NO_CARD,
    NO_COLOUR,
    STARS,
    STATE,
    TOTAL_BITS,
    TURNS_TIME,
    VALUE,
    HAND_SIZE,
    Phase,
    packed_value,
    table_totals,
    winning_colour,
)

FEATURES = ("stars", "flip", "edge", "partner", "threat", "simple", "foresight", "model", "pairing", "match", "high")
WEIGHTS = dict(zip(FEATURES, (1.0, 0.1, 0.05, 0.0, 2.0, 0.0, 0.5, 1.0, 1.0, 1.0, 0.0)))

import os
SLOTS = int(os.environ.get("SLOTS",64))
OUTER = int(os.environ.get("OUTER",8))
INNER = int(os.environ.get("INNER",8))
SAMPLES = OUTER * INNER
STEPS = np.array([1, 27, 25, 35, 19])
STEPS2 = np.array([43, 9, 53, 21, 37])
STARS_BITS = 4
ROW = 5 * SLOTS
PACKED = VALUE << TOTAL_BITS * COLOUR
STAR_COUNT = np.int64(1) << (STARS * STARS_BITS)
EDGE = np.abs(VALUE - 7)


@rule
def score_actions(state, seat, actions, count, weights, scores):
    if state.phase == Phase.TAKE:
        for i in range(count):
            scores[i] = STARS[actions[i] - FIRST_TAKE_ACTION]
        return
    players = state.players
    first = state.play == 0
    totals = table_totals(state)
    night = state.night
    rounds_left = (state.pile_size + 2 * players) // (2 * players + 1)
    stars = 0
    for level in range(3):
        cards = state.table[level]
        while cards:
            stars += STAR_COUNT[bits.lowest(cards)]
            cards &= cards - 1
    # threats
    threat = np.empty(MAX_PLAYERS)
    top = 0
    for other in range(players):
        if other != seat:
            top = max(top, state.stars[other])
    spread = weights[4] * (1 + rounds_left)
    whole = 0.0
    for other in range(players):
        threat[other] = 0.0
        if other != seat:
            gap = (top - state.stars[other]) / spread
            threat[other] = 1.0 / (1.0 + gap * gap)
            whole += threat[other]
    for other in range(players):
        threat[other] /= whole
    # wheels
    wheel = np.empty((MAX_PLAYERS, SLOTS), np.int64)
    share = np.empty(CARDS)
    last = 0
    for other in range(players):
        if other == seat:
            continue
        if first and last > 0:
            for slot in range(SLOTS):
                wheel[other, slot] = wheel[0 if seat != 0 else 1, slot]
            continue
        last = 1
        whole = 0.0
        for card in range(CARDS):
            copies = 0
            for level in range(3):
                copies += (ALL_CARDS[level] >> card & 1) - (state.seen[level] >> card & 1) - (state.hand[seat, level] >> card & 1)
            likely = 1.0
            if not first:
                # a card of a colour that may win
                mate = state.played[other, 0]
                hopeful = 0.0
                for turned in range(2):
                    colour = winning_colour(totals + PACKED[card], night ^ TURNS_TIME[card] ^ turned)
                    if colour != NO_COLOUR and (COLOUR[card] == colour or COLOUR[mate] == colour):
                        hopeful += weights[7] if turned == 0 else weights[8]
                if COLOUR[mate] == COLOUR[card]:
                    hopeful += weights[9]
                likely = 1.0 + hopeful
            share[card] = copies * likely
            whole += share[card]
        card = 0
        reach = share[0]
        for slot in range(SLOTS):
            aim = (slot + 0.5) * whole / SLOTS
            while reach < aim and card < CARDS - 1:
                card += 1
                reach += share[card]
            wheel[other, slot] = card
    # samples
    packed = np.empty((SAMPLES, MAX_PLAYERS), np.int64)
    sample_totals = np.empty(SAMPLES, np.int64)
    sample_night = np.empty(SAMPLES, np.int64)
    sample_stars = np.empty(SAMPLES, np.int64)
    for s in range(SAMPLES):
        sample_totals[s] = totals
        sample_night[s] = night
        sample_stars[s] = stars
        k = 0
        for other in range(players):
            packed[s, other] = 0
            if other == seat:
                continue
            card = wheel[other, (s * STEPS[k] + 13 * k) % SLOTS]
            packed[s, other] = PACKED[card]
            sample_totals[s] += PACKED[card]
            sample_night[s] ^= TURNS_TIME[card]
            sample_stars[s] += STAR_COUNT[card]
            if first:
                card = wheel[other, ((s // INNER) * max(1, SLOTS // OUTER) * STEPS[k] + STEPS2[k]) % SLOTS]
                sample_totals[s] += PACKED[card]
                sample_night[s] ^= TURNS_TIME[card]
                sample_stars[s] += STAR_COUNT[card]
                packed[s, other] += PACKED[card]
            else:
                packed[s, other] += packed_value(state.played[other, 0])
            k += 1
    # what a card is worth in the hand
    cost = np.empty(HAND_SIZE)
    for i in range(count):
        card = actions[i]
        cost[i] = 0.0
        scores[i] = 0.0
        if not state.last_round:
            mates = 0
            for level in range(3):
                mates += bits.count(state.hand[seat, level] >> 13 * COLOUR[card] & 8191)
            cost[i] = (weights[1] * TURNS_TIME[card] + weights[2] * EDGE[card] + weights[3] * (mates - 1) + weights[10] * (VALUE[card] - 7)) * min(rounds_left, 3) / 3.0
    best = np.empty(HAND_SIZE)
    mean = np.zeros((HAND_SIZE, HAND_SIZE))
    key = np.empty(MAX_PLAYERS, np.int64)
    for outer in range(OUTER):
        for i in range(count):
            best[i] = -1e9
        for i in range(count):
            for j in range(i + 1 if first else 1):
                if first:
                    if i == j and state.hand[seat, 1] >> actions[i] & 1 == 0:
                        continue
                    other_card = actions[j]
                    mine = PACKED[actions[i]] + PACKED[other_card]
                    more = mine
                    turn = TURNS_TIME[actions[i]] ^ TURNS_TIME[other_card]
                    more_stars = STAR_COUNT[actions[i]] + STAR_COUNT[other_card]
                else:
                    more = PACKED[actions[i]]
                    mine = more + packed_value(state.played[seat, 0])
                    turn = TURNS_TIME[actions[i]]
                    more_stars = STAR_COUNT[actions[i]]
                value = 0.0
                for s in range(outer * INNER, outer * INNER + INNER):
                    dark = sample_night[s] ^ turn
                    colour = winning_colour(sample_totals[s] + more, dark)
                    if colour == NO_COLOUR:
                        continue
                    packed[s, seat] = mine
                    for other in range(players):
                        total = packed[s, other] >> TOTAL_BITS * colour & LARGEST_TOTAL
                        if total == 0:
                            key[other] = 1 << 40
                        else:
                            key[other] = (total if dark else 255 - total) * 256 + state.stars[other]
                    counts = sample_stars[s] + more_stars
                    # takers in order: find the lowest key again and again
                    bound = -1
                    level = 4
                    left = counts >> 16 & 15
                    while True:
                        low = 1 << 40
                        who = -1
                        for other in range(players):
                            if bound < key[other] < low:
                                low = key[other]
                                who = other
                            elif key[other] == low:
                                who = -1
                        if low == 1 << 40:
                            break
                        bound = low
                        if who >= 0:
                            while left == 0 and level > 0:
                                level -= 1
                                left = counts >> STARS_BITS * level & 15
                            left -= 1
                            if who == seat:
                                value += level
                            else:
                                value -= threat[who] * level
                value *= weights[0] / INNER
                if first:
                    best[i] = max(best[i], value - cost[j])
                    best[j] = max(best[j], value - cost[i])
                    mean[i, j] += value / OUTER
                else:
                    best[i] = value
        for i in range(count):
            scores[i] += best[i] * (weights[6] if first else 1.0) / OUTER
    for i in range(count):
        if first:
            top_mean = -1e9
            for j in range(count):
                if i != j or state.hand[seat, 1] >> actions[i] & 1:
                    top_mean = max(top_mean, mean[max(i, j), min(i, j)] - cost[j])
            scores[i] += (1.0 - weights[6]) * top_mean
        scores[i] -= cost[i]


register(STATE, sys.modules[__name__])
