"""Trick or Repeat as an experienced player plays it: features of the cards to place and of the bids.

What lies in the timelines is a guess from the hands that the seat has seen: all place the cards that win
in this slot or would win for the neighbour in the next, and in round 2 they like to repeat themselves.

* `trick`: the chance that the card wins the trick of this slot, against all that may lie there, given
  who may lead.
* `neighbour`: the chance that the left neighbour wins this trick.
* `passed`: what the left neighbour can make of the cards passed on, in tricks.
* `returns`: what the seat itself can make of those of them that come round to it again, in tricks.
* `bid`: the chance that the left neighbour wins exactly that many tricks. Most of its cards passed through
  the seat's own hands; the last card is what it passed on.
* `many`: the same times the number bid, as neighbours win more tricks than they seem to.
"""

from __future__ import annotations

import sys

import numpy as np

from bots.rule_based.scoring import register
from bots.rule_based.trick_or_repeat_timelines import (
    chance_of_seat,
    choose,
    fill_appeal,
    fill_other_ranks,
    fill_placements,
    fill_promise,
    fill_set,
    resolve,
    slot_of,
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
    "trick": 4.0,
    "neighbour": -1.8,
    "passed": -3.3,
    "returns": 1.2,
    "bid": 4.0,
    "many": 1.0,
}
FEATURES = tuple(WEIGHTS)
TRICK, NEIGHBOUR, PASSED, RETURNS, BID, MANY = range(len(FEATURES))

FIRST_LEADER = 1  # left of the dealer, seat 0


@rule
def score_actions(state, seat, actions, count, weights, scores):
    promise = np.empty((MAX_HAND, MAX_CARDS))
    appeal = np.empty((MAX_HAND, MAX_CARDS))
    placements = np.zeros((MAX_HAND, MAX_PLAYERS, MAX_CARDS))
    placing = state.phase == Phase.PLACE
    last = state.stage if placing and not state.reverse else state.hand_size - 1
    fill_promise(state, promise)
    fill_appeal(state, promise, appeal)
    fill_placements(state, seat, last, appeal, placements)

    tricks = np.zeros((MAX_PLAYERS, MAX_HAND + 1))  # [who leads, tricks of the left neighbour]
    tricks[FIRST_LEADER, 0] = 1.0
    trick = 0
    while trick < state.hand_size and not (placing and slot_of(state, trick) == state.stage):
        left = holder_of(state, seat, 1)
        resolve(state, trump_of(state, trick), left, placements[slot_of(state, trick)], tricks)
        trick += 1

    if placing:
        score_cards(state, seat, actions, count, weights, scores, trick, tricks, promise, appeal, placements)
    else:
        score_bids(state, actions, count, weights, scores, tricks)


@rule
def score_bids(state, actions, count, weights, scores, tricks):
    for i in range(count):
        bid = actions[i] - first_bid_action(state)
        chance = 0.0
        for leader in range(state.players):
            chance += tricks[leader, bid]
        scores[i] = (weights[BID] + weights[MANY] * bid) * chance


@rule
def score_cards(state, seat, actions, count, weights, scores, trick, tricks, promise, appeal, placements):
    hand = hand_of(state, seat, state.stage)
    left = holder_of(state, seat, 1)
    trump = trump_of(state, trick)
    placed = placements[state.stage]
    above = np.empty((MAX_PLAYERS, MAX_CARDS))
    below = np.empty((MAX_PLAYERS, MAX_CARDS))
    for other in range(state.players):
        fill_other_ranks(state, placed[other], above[other], below[other])
    held = np.zeros(MAX_CARDS)
    chances = np.zeros(MAX_CARDS)
    for i in range(count):
        placed[seat] = 0.0
        placed[seat, actions[i]] = 1.0
        fill_other_ranks(state, placed[seat], above[seat], below[seat])
        scores[i] = 0.0
        for leader in range(state.players):
            leads = 0.0
            for n in range(state.hand_size):
                leads += tricks[leader, n]
            for weight, winner in ((weights[TRICK], seat), (weights[NEIGHBOUR], left)):
                if leads > 0.0:
                    winning = chance_of_seat(state, trump, above, below, placed, leader, winner)
                    scores[i] += weight * leads * winning

        cards = state.hand_at[hand, state.stage] & ~(1 << actions[i])
        fill_set(held, cards, 1.0)
        for stage in range(state.stage + 1, state.hand_size):
            owner = holder_of(state, hand, stage)
            choose(state, hand, stage, cards, cards, appeal, held, chances)
            tricks_of_owner = 0.0
            for j in range(count):
                if j != i:
                    tricks_of_owner += chances[actions[j]] * promise[stage, actions[j]]
            if owner == left:
                scores[i] += weights[PASSED] * tricks_of_owner
            elif owner == seat:
                scores[i] += weights[RETURNS] * tricks_of_owner


register(STATE, sys.modules[__name__])
