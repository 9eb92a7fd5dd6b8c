from __future__ import annotations

import math
import sys

import numpy as np

from bots.rule_based.scoring import register
from engine import bits
from engine.compiling import rule
from engine.daytime_minutes import (
    ALL_CARDS,
    CALLER,
    CARDS_OF_SUITS,
    FIRST_PLAN_ACTION,
    MAX_PLAYERS,
    MINUTES,
    NO_CARD,
    NO_SUIT,
    PLANS,
    STATE,
    SUIT,
    SUIT_CARDS,
    SUITS,
    TALK,
    TRICKS,
    Phase,
    is_evening,
)

FEATURES = (
    "settled", "over", "ends", "fewest_now", "exact", "over_later", "fewest_later",
    "others_over_later", "others_fewest_later", "lead", "lead_evening", "rid", "rid_room", "collect",
    "plan_hand", "plan_size",
    "p_soft", "p_avg", "p_avoid", "p_meet", "p_need", "p_typ",
)  # fmt: skip
WEIGHTS = {
    "settled": 3.0, "over": 3.0, "ends": 3.0, "fewest_now": -1.0, "exact": 1.5, "over_later": -3.0, "fewest_later": -3.0,
    "others_over_later": 1.0, "others_fewest_later": 1.0, "lead": -0.4, "lead_evening": 0.0, "rid": 0.8, "rid_room": -0.4, "collect": 0.3,
    "plan_hand": 2.6, "plan_size": -1.1,
    "p_soft": 15.0, "p_avg": 14.0, "p_avoid": 1.0, "p_meet": 0.9, "p_need": 60.0, "p_typ": 0.3,
}  # fmt: skip

# By daytime tricks left: constant, room, power, lead
OVER_LATER = np.array([[0, 0, 0, 0], [-1.0, -4.0, 5.5, 0.2], [-1.3, -1.9, 5.7, 0.35], [-1.5, -0.85, 5.7, 0.5],
    [-1.6, -0.55, 5.6, 0.45], [-1.85, -0.45, 6.0, 0.45]])
# constant, lowest, second, power, lead
FEWEST_LATER = np.array([[0, 0, 0, 0, 0], [0.65, 2.35, 0.5, -5.05, -0.05], [1.0, 1.45, 0.35, -5.35, -0.05],
    [1.2, 0.9, 0.3, -6.5, -0.05], [1.4, 0.7, 0.2, -6.1, -0.05], [1.7, 0.9, 0.1, -5.8, 0.0]])

DAYTIME_LEFT = np.array([5, 4, 4, 3, 2, 2, 1, 0, 0, 0])  # daytime tricks after this one, by trick
RATE = np.array([1.0, 1.75, 1.3, 1.1, 1.1, 1.0, 1.0, 1.0])
WORTH = np.exp(RATE[:, None] * np.arange(32) / 2.0)  # (fewest tokens, tokens)
WORTH = np.exp(RATE[:, None] * np.minimum(np.arange(32), 12))
TOP = 31


@rule
def chance_above(x):
    """The chance that a bell-shaped variable of spread about 1 lies under x."""
    return 0.5 + 0.5 * x / math.sqrt(1.0 + x * x)


@rule
def hope(tokens, players, seat):
    """The win share of `seat` with these tokens, roughly; exact when the game is over."""
    least = TOP
    most = 0
    for j in range(players):
        least = min(least, tokens[j])
        most = max(most, tokens[j])
    if least == 0:
        ties = 0
        for j in range(players):
            if tokens[j] == most:
                ties += 1
        return 1.0 / ties if tokens[seat] == most else 0.0
    row = min(least, 7)
    total = 0.0
    for j in range(players):
        total += WORTH[row, min(tokens[j], TOP)]
    return WORTH[row, min(tokens[seat], TOP)] / total


@rule
def hope_less(state, seat, loser, tokens):
    """Hope if `loser` alone loses a token (-1: nobody)."""
    for j in range(state.players):
        tokens[j] = state.tokens[j] - (j == loser)
    return hope(tokens, state.players, seat)


@rule
def settle(state, seat, after, forced, tokens):
    """Hope if the hand ends with the minutes `after`, where `forced` (-1: nobody) is over in any case."""
    plan = state.plan
    fewest = 10000.0
    candidates = 0
    for j in range(state.players):
        if after[j] <= plan and j != forced:
            candidates += 1
            fewest = min(fewest, after[j])
    for j in range(state.players):
        tokens[j] = state.tokens[j]
        if after[j] > plan or j == forced:
            tokens[j] -= 1
        elif candidates >= 2 and after[j] == fewest:
            tokens[j] -= 1
        if after[j] == plan and j != forced:
            tokens[j] += 1
    return hope(tokens, state.players, seat)


@rule
def minutes_of(cards):
    total = 0
    for c in range(5):
        total += CLASS_MINUTES[c] * bits.count(cards & CLASS_CARDS[c])
    return total


CLASS_MINUTES = np.array([5, 15, 30, 45, 60])
CLASS_CARDS = np.array([sum(1 << c for c in range(45) if MINUTES[c] == m) for m in CLASS_MINUTES])


@rule
def power(unseen, size, others, card, bonus):
    higher = unseen & SUIT_CARDS[SUIT[card]] & ~((2 << card) - 1)
    below = 1.0 - bits.count(higher) / max(size, 1)
    stays = 1.0
    for _ in range(others):
        stays *= below
    return stays * (MINUTES[card] + bonus)


@rule
def staying(unseen, allowed, card, suit, to_come, meet):
    """(chance that `card` stays the highest of its suit, that none is added to it then, minutes added else)"""
    pool = unseen & allowed
    size = bits.count(pool)
    if to_come == 0 or size == 0:
        return 1.0, 1.0, 0.0
    in_suit = pool & SUIT_CARDS[suit]
    lower = in_suit & ((1 << card) - 1)
    num_lower = bits.count(lower)
    num_higher = bits.count(in_suit) - num_lower
    below = 1.0 - min(1.0, meet * num_higher / size)
    other = 1.0 - num_lower / max(size - num_higher, 1)
    stays = 1.0
    none = 1.0
    for _ in range(to_come):
        stays *= below
        none *= other
    if num_lower == 0:
        return stays, 1.0, 0.0
    return stays, none, minutes_of(lower) / num_lower * (1.0 + 0.33 * (to_come - 1))


@rule
def score_plan(state, seat, actions, count, weights, scores):
    unseen = ALL_CARDS & ~state.hand[seat]
    size = bits.count(unseen)
    total = 0.0
    hand = state.hand[seat]
    while hand:
        card = bits.lowest(hand)
        hand &= hand - 1
        total += power(unseen, size, state.players - 1, card, 0.0)
    for i in range(count):
        plan = PLANS[actions[i] - FIRST_PLAN_ACTION]
        step = (plan - 195) / 30.0
        scores[i] = (weights[14] * total / 540.0 + weights[15]) * step


@rule
def score_actions(state, seat, actions, count, weights, scores):
    if state.phase == Phase.PLAN:
        score_plan(state, seat, actions, count, weights, scores)
        return
    soft, avg, avoid, meet, need, typ = weights[16], weights[17], weights[18], weights[19], weights[20], weights[21]
    players = state.players
    plan = state.plan
    unseen = ALL_CARDS & ~state.played & ~state.hand[seat]
    size = bits.count(unseen)
    to_come = players + (players == 3) - state.on_table - 1
    tokens = np.empty(MAX_PLAYERS, np.int64)
    after = np.empty(MAX_PLAYERS)
    over_chance = np.empty(MAX_PLAYERS)
    gains = np.empty(MAX_PLAYERS)
    now = hope_less(state, seat, -1, tokens)
    for j in range(players):
        gains[j] = 10.0 * (hope_less(state, seat, j, tokens) - now)
    cost = -gains[seat]
    own = state.minutes[seat]
    total = 0.0
    hand = state.hand[seat]
    held = bits.count(hand)
    while hand:
        card = bits.lowest(hand)
        hand &= hand - 1
        total += power(unseen, size, players - 1, card, 0.0)
    left = DAYTIME_LEFT[state.trick]
    later = OVER_LATER[left]
    later_few = FEWEST_LATER[left]
    evening = is_evening(state)
    last = state.trick >= 7
    for i in range(count):
        card = actions[i]
        suit = SUIT[card]
        suits = state.suits | 1 << suit
        allowed = CARDS_OF_SUITS[suits] if bits.count(suits) == 2 else ALL_CARDS
        x = (total - power(unseen, size, players - 1, card, 0.0)) / max(held - 1, 1) / 60.0
        best = card > state.best_card[suit]
        stays, none, added = 0.0, 1.0, 0.0
        if best:
            stays, none, added = staying(unseen, allowed, card, suit, to_come, meet)
        mine = 1.0 * state.trick_minutes[suit] + MINUTES[card]
        nobody = 1.0
        sum_over = 0.0
        lowest = 1000.0
        second = 1000.0
        lowest_other = -1
        for j in range(players):
            if j == seat:
                continue
            expected = 1.0 * state.minutes[j]
            over = 0.0
            if not evening:
                theirs = state.table[j]
                if theirs != NO_CARD:
                    s = SUIT[theirs]
                    if state.best_card[s] == theirs and not (s == suit and best):
                        p, alone, more = staying(unseen, allowed, theirs, s, to_come, meet)
                        pile = 1.0 * state.trick_minutes[s]
                        if s == suit:
                            pile += MINUTES[card]
                        expected += p * (pile + (1.0 - alone) * more)
                        excess = state.minutes[j] + pile - plan
                        over = p if excess > 0 else p * (1.0 - alone) * chance_above((excess + more) / soft)
                else:
                    expected += avg
                    over = min(0.9, avoid * 0.5 * chance_above((state.minutes[j] + need - plan) / 35.0))
            nobody *= 1.0 - over
            sum_over += over
            over_chance[j] = over
            after[j] = expected if to_come == 0 else min(expected, 1.0 * plan - 0.5)
            if expected < lowest:
                second = lowest
                lowest = expected
                lowest_other = j
            else:
                second = min(second, expected)
        lead = 0.0
        if state.led_suit == NO_SUIT or suit == state.led_suit:
            lead = stays
        p_end = 1.0 - nobody
        settled = 0.0
        over_value = 0.0
        ends = 0.0
        exact = 0.0
        fewest_now = 0.0
        over_later = 0.0
        fewest_later = 0.0
        goes_on = 0.0
        for take in range(3):  # no; alone; with cards added
            p = 1.0 - stays
            m = 1.0 * own
            if evening:
                p = 1.0 if take == 0 else 0.0
            elif take == 1:
                p = stays * none
                m += mine
            elif take == 2:
                p = stays * (1.0 - none)
                m += mine + added
            if p < 0.001:
                continue
            after[seat] = m
            excess = m - plan
            if to_come == 0:
                if last or p_end > 0.0 or excess > 0:
                    if not evening:
                        settled += p * (settle(state, seat, after, -1, tokens) - now)
                        continue
            else:
                if take:
                    over = chance_above(excess / soft) if take == 2 else (1.0 if excess > 0 else 0.0)
                    over_value += p * over * (settle(state, seat, after, seat, tokens) - now)
                    p *= 1.0 - over
                    after[seat] = min(m, plan - 0.5) if take == 2 else m
                if not evening:
                    if last:
                        ends += p * nobody * (settle(state, seat, after, -1, tokens) - now)
                    if p_end > 0.02:
                        for j in range(players):
                            if j != seat and over_chance[j] > 0.01:
                                share = p * p_end * over_chance[j] / sum_over
                                ends += share * (settle(state, seat, after, j, tokens) - now)
                    fewest_now += p * (1.0 if last else p_end) * chance_above((lowest - m) / soft)
                    p *= 0.0 if last else nobody
            if excess == 0:
                exact += p
            goes_on += p
            room = (plan - m) / 60.0
            over_later += p * chance_above(later[0] + later[1] * room + later[2] * x + later[3] * lead)
            fewest_later += p * chance_above(
                later_few[0] + (later_few[1] * (lowest - m) + later_few[2] * (second - m)) / 60.0
                + later_few[3] * x + later_few[4] * lead
            )
        others_over_later = 0.0
        others_fewest_later = 0.0
        if goes_on > 0.0:
            m = own + stays * (mine + (1.0 - none) * added) * (not evening)
            for j in range(players):
                if j != seat:
                    low = second if j == lowest_other else lowest
                    next_low = min(max(low, m), second)
                    low = min(low, m)
                    others_over_later += gains[j] * chance_above(later[0] + later[1] * (plan - after[j]) / 60.0 + later[2] * typ)
                    others_fewest_later += gains[j] * chance_above(
                        later_few[0] + (later_few[1] * (low - after[j]) + later_few[2] * (next_low - after[j])) / 60.0
                        + later_few[3] * typ)
        score = weights[0] * 10.0 * settled
        score += weights[1] * 10.0 * over_value
        score += weights[2] * 10.0 * ends
        score += weights[3] * cost * fewest_now
        score += weights[4] * cost * exact
        score += weights[5] * cost * over_later
        score += weights[6] * cost * fewest_later
        score += weights[7] * goes_on * others_over_later
        score += weights[8] * goes_on * others_fewest_later
        score += weights[10 if evening else 9] * lead
        score += weights[11] * TALK[card] / 15.0
        score += weights[12] * TALK[card] / 15.0 * max(-1.0, min(2.0, (plan - own) / 60.0))
        if not evening:
            score += weights[13] * stays * mine / 60.0
        scores[i] = score


register(STATE, sys.modules[__name__])
