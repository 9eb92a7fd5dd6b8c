"""Trick or Repeat by rules of thumb."""

from __future__ import annotations

import sys

import numpy as np

from bots.rule_based.scoring import register
from bots.rule_based.trick_or_repeat_timelines import (
    seat_wins,
    choose,
    eagerness,
    fill_above,
    fill_placements,
    fill_promise,
    resolve,
    slot_of,
    spread,
    trump_of,
)
from engine.compiling import rule
from engine.trick_or_repeat import (
    MAX_CARDS,
    MAX_HAND,
    MAX_PLAYERS,
    STATE,
    Phase,
    first_bid_action,
    hand_of,
    holder_of,
)

WEIGHTS = {
    "trick": 6.69,
    "lead": 2.0,
    "neighbour": -4.8,
    "others": -0.34,
    "returns": 0.8,
    "risk": -2.0,
    "bid": 8.0,
    "generous": 0.7,
    "p_share": 0.56,
    "p_lead": 0.8,
    "p_sharp": 1.74,
    "p_repeat": 5.7,
    "obvious": 1.0,
    "left_now": 0.0,
    "risk_now": 0.0,
    "p_deny": 0.0,
}
FEATURES = tuple(WEIGHTS)


@rule
def score_actions(state, seat, actions, count, weights, scores):
    promise = np.zeros((MAX_HAND, MAX_CARDS))
    eager = np.zeros((MAX_HAND, MAX_CARDS))
    held = np.zeros(MAX_CARDS)
    placements = np.zeros((MAX_HAND, MAX_PLAYERS, MAX_CARDS))
    above = np.zeros((MAX_PLAYERS, MAX_CARDS))
    below = np.zeros((MAX_PLAYERS, MAX_CARDS))
    tricks = np.zeros((MAX_PLAYERS, MAX_HAND + 1))
    after = np.zeros((MAX_PLAYERS, MAX_HAND + 1))
    fill_promise(state, weights[8], weights[9], promise)
    for stage in range(state.hand_size):
        for card in range(state.suits * state.ranks):
            worth = promise[stage, card]
            if stage + 1 < state.hand_size:
                worth += weights[15] * promise[stage + 1, card]
            eager[stage, card] = eagerness(worth, weights[10])
    placing = state.phase == Phase.PLACE
    last = state.stage if placing and not state.reverse else state.hand_size - 1
    fill_placements(state, seat, last, eager, weights[11], held, placements)
    left = holder_of(state, seat, 1)
    tricks[1, 0] = 1.0
    trump = 0
    trick = 0
    while trick < state.hand_size:
        slot = slot_of(state, trick)
        trump = trump_of(state, trick)
        for other in range(state.players):
            fill_above(state, placements[slot, other], above[other], below[other])
        if placing and slot == state.stage:
            break
        resolve(state, trump, left, above, below, placements[slot], tricks, after)
        trick += 1
    if not placing:
        for i in range(count):
            bid = actions[i] - first_bid_action(state)
            chance = 0.0
            for leader in range(state.players):
                chance += tricks[leader, bid]
            scores[i] = weights[6] * chance + weights[7] * chance * bid
        return
    stage = state.stage
    hand = hand_of(state, seat, stage)
    follows = 0.0
    if trick + 1 < state.hand_size:
        plain = 0 if trump_of(state, trick + 1) > 0 else state.ranks
        follows = promise[slot_of(state, trick + 1), plain + state.ranks - 1]
    chances = np.zeros(MAX_CARDS)
    usual = np.zeros(MAX_CARDS)
    cards = state.hand_at[hand, stage]
    spread(cards, 1.0, held)
    familiar = state.earlier_placed[hand, stage] if state.rounds_over > 0 else -1
    choose(cards, cards, eager[stage], familiar, weights[11], held, usual)
    for i in range(count):
        card = actions[i]
        winning = left_now = 0.0
        placements[stage, seat] = 0.0
        placements[stage, seat, card] = 1.0
        fill_above(state, placements[stage, seat], above[seat], below[seat])
        for leader in range(state.players):
            leads = 0.0
            for n in range(state.hand_size):
                leads += tricks[leader, n]
            if leads > 0.0:
                winning += leads * seat_wins(state, trump, above, below, placements[stage], leader, seat)
                left_now += leads * seat_wins(state, trump, above, below, placements[stage], leader, left)
        cards = state.hand_at[hand, stage] & ~(1 << card)
        spread(cards, 1.0, held)
        neighbour = others = returns = 0.0
        for later in range(stage + 1, state.hand_size):
            familiar = state.earlier_placed[hand, later] if state.rounds_over > 0 else -1
            choose(cards, cards, eager[later], familiar, weights[11], held, chances)
            worth = 0.0
            for j in range(count):
                if j != i:
                    worth += chances[actions[j]] * promise[later, actions[j]]
            holder = holder_of(state, hand, later)
            if holder == seat:
                returns += worth
            elif holder == left:
                neighbour += worth
            else:
                others += worth
        scores[i] = (
            weights[0] * winning
            + weights[1] * winning * follows
            + weights[2] * neighbour
            + weights[3] * others
            + weights[4] * returns
            + weights[5] * neighbour * (1.0 - neighbour)
            + weights[12] * usual[card]
            + weights[13] * left_now
            + weights[14] * left_now * (1.0 - left_now)
        )


register(STATE, sys.modules[__name__])
