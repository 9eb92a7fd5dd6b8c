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
    "over", "fewest_now", "exact_now", "others_over", "end", "over_later", "fewest_later", "lead",
    "rid", "others_fewest", "lead_evening", "collect", "collect_behind", "rid_room", "plan_hand", "plan_size",
    "p_soft", "p_avg", "p_avoid", "p_meet", "p_need",
)  # fmt: skip
WEIGHTS = {
    "over": -3.99, "fewest_now": -3.07, "exact_now": 1.86, "others_over": 0.6, "end": -0.13, "over_later": -2.97,
    "fewest_later": -3.22, "lead": -0.5, "rid": 1.1, "others_fewest": 0.43, "lead_evening": -0.76, "collect": 0.4, "collect_behind": 0.74, "rid_room": -0.42, "plan_hand": 2.6, "plan_size": -1.1,
    "p_soft": 12.0, "p_avg": 37.5, "p_avoid": 1.5, "p_meet": 0.9, "p_need": 60.0,
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
def hope(state, seat, loser):
    """Win share, roughly, if `loser` loses a token (or nobody, if it is -1)."""
    least = TOP
    most = 0
    for j in range(state.players):
        t = state.tokens[j] - (j == loser)
        least = min(least, t)
        most = max(most, t)
    own = state.tokens[seat] - (seat == loser)
    if least == 0:
        if own < most:
            return 0.0
        ties = 0
        for j in range(state.players):
            if state.tokens[j] - (j == loser) == most:
                ties += 1
        return 1.0 / ties
    row = min(least, 7)
    total = 0.0
    for j in range(state.players):
        total += WORTH[row, min(state.tokens[j] - (j == loser), TOP)]
    return WORTH[row, min(own, TOP)] / total


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
def staying(state, seat, unseen, allowed, card, suit, to_come, meet):
    """(chance that `card` stays the highest of its suit, minutes that are still added to it)"""
    pool = unseen & allowed
    size = bits.count(pool)
    if to_come == 0 or size == 0:
        return 1.0, 0.0
    in_suit = pool & SUIT_CARDS[suit]
    lower = in_suit & ((1 << card) - 1)
    below = 1.0 - min(1.0, meet * (bits.count(in_suit) - bits.count(lower)) / size)
    stays = 1.0
    for _ in range(to_come):
        stays *= below
    return stays, to_come * minutes_of(lower) / size


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
    soft, avg, avoid, meet, need = weights[16], weights[17], weights[18], weights[19], weights[20]
    players = state.players
    unseen = ALL_CARDS & ~state.played & ~state.hand[seat]
    size = bits.count(unseen)
    to_come = players + (players == 3) - state.on_table - 1
    now = hope(state, seat, -1)
    cost = 10.0 * (now - hope(state, seat, seat))
    gains = np.empty(MAX_PLAYERS)
    least_other = 1000
    for j in range(players):
        gains[j] = 10.0 * (hope(state, seat, j) - now)
        if j != seat:
            least_other = min(least_other, state.minutes[j])
    total = 0.0
    hand = state.hand[seat]
    held = bits.count(hand)
    while hand:
        card = bits.lowest(hand)
        hand &= hand - 1
        total += power(unseen, size, players - 1, card, 0.0)
    left = DAYTIME_LEFT[state.trick]
    evening = is_evening(state)
    for i in range(count):
        card = actions[i]
        suit = SUIT[card]
        suits = state.suits | 1 << suit
        allowed = CARDS_OF_SUITS[suits] if bits.count(suits) == 2 else ALL_CARDS
        x = (total - power(unseen, size, players - 1, card, 0.0)) / max(held - 1, 1) / 60.0
        best = card > state.best_card[suit]
        stays, added = 0.0, 0.0
        if best:
            stays, added = staying(state, seat, unseen, allowed, card, suit, to_come, meet)
        mine = state.trick_minutes[suit] + MINUTES[card] + added
        nobody = 1.0
        lowest = 1000.0
        second = 1000.0
        others_over = 0.0
        others_gain = 0.0
        for j in range(players):
            if j == seat:
                continue
            expected = 1.0 * state.minutes[j]
            if not evening:
                theirs = state.table[j]
                over = 0.0
                if theirs != NO_CARD:
                    s = SUIT[theirs]
                    if state.best_card[s] == theirs and not (s == suit and best):
                        p, more = staying(state, seat, unseen, allowed, theirs, s, to_come, meet)
                        pile = state.trick_minutes[s] + more
                        if s == suit:
                            pile += MINUTES[card]
                        expected += p * pile
                        excess = state.minutes[j] + pile - state.plan
                        if to_come == 0:
                            over = 1.0 if excess > 0 else 0.0
                        else:
                            over = p * chance_above(excess / soft)
                else:
                    expected += avg
                    over = avoid * 0.5 * chance_above((state.minutes[j] + need - state.plan) / 35.0)
                nobody *= 1.0 - over
                others_over += over * gains[j]
            second = min(second, max(lowest, expected))
            lowest = min(lowest, expected)
            others_gain += gains[j]
        lead = 0.0
        if state.led_suit == NO_SUIT or suit == state.led_suit:
            lead = stays
        p_over = 0.0
        p_end = 1.0 - nobody
        exact = 0.0
        fewest_now = 0.0
        over_later = 0.0
        fewest_later = 0.0
        last = state.trick >= 7
        for take in range(2):
            p = stays if take else 1.0 - stays
            if evening:
                p = 0.0 if take else 1.0
            if p == 0.0:
                continue
            m = state.minutes[seat] + (mine if take else 0.0)
            excess = m - state.plan
            over = 0.0
            if take:
                if to_come == 0:
                    over = 1.0 if excess > 0 else 0.0
                else:
                    over = chance_above(excess / soft)
            p_over += p * over
            p *= 1.0 - over
            ends = 1.0 if last else p_end
            if to_come == 0:
                few = 1.0 if m <= lowest else 0.0
            else:
                few = chance_above((lowest - m) / soft)
            fewest_now += p * ends * few
            if excess == 0:
                exact += p * ends + 0.3 * p * (1 - ends)
            p *= 1.0 - ends
            room = (state.plan - m) / 60.0
            o = OVER_LATER[left]
            f = FEWEST_LATER[left]
            over_later += p * chance_above(o[0] + o[1] * room + o[2] * x + o[3] * lead)
            fewest_later += p * chance_above(
                f[0] + (f[1] * (lowest - m) + f[2] * (second - m)) / 60.0 + f[3] * x + f[4] * lead
            )
        score = weights[0] * cost * p_over
        score += weights[1] * cost * fewest_now
        score += weights[2] * cost * exact
        score += weights[3] * others_over
        score += weights[4] * p_end
        score += weights[5] * cost * over_later
        score += weights[6] * cost * fewest_later
        score += weights[7] * lead
        score += weights[8] * TALK[card] / 15.0
        score += weights[9] * (1.0 - fewest_now) * p_end * others_gain / (players - 1)
        if evening:
            score += weights[10] * lead
        else:
            collected = stays * mine / 60.0
            behind = max(-1.0, min(1.0, (least_other - state.minutes[seat]) / 45.0))
            score += (weights[11] + weights[12] * behind) * collected
        score += weights[13] * TALK[card] / 15.0 * max(-1.0, min(2.0, (state.plan - state.minutes[seat]) / 60.0))
        scores[i] = score


register(STATE, sys.modules[__name__])
