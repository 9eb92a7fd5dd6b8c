"""Tricky Time Crisis: what a seat may not know, and worlds that agree with what it does."""

from __future__ import annotations

import numpy as np

from engine import multisets
from engine.compiling import rule
from engine.multisets import LEVELS
from engine.rng import chance, shuffle
from engine.tricky_time_crisis.cards import HIDDEN, MAX_PLAYERS, NO_SEAT, SUIT_CARDS, Phase

NOTHING = np.zeros(LEVELS, np.int64)


@rule
def holds_secrets(state):
    return False


@rule
def hide(state, seat):
    for other in range(state.players):
        if other != seat:
            multisets.clear(state.hand[other], HIDDEN)


@rule
def determinize(state, seat, rng):
    """The unseen cards are exchangeable but for one fact: a seat that is to play holds a card that it may play."""
    known = np.empty(LEVELS, np.int64)
    for level in range(LEVELS):
        known[level] = state.seen[level]
    pool = np.empty(MAX_PLAYERS * SUIT_CARDS, np.int64)
    for i in range(multisets.fill_missing(state.hand[seat], NOTHING, pool)):
        multisets.add(known, pool[i])
    size = multisets.fill_missing(state.all_cards, known, pool)
    shuffle(rng, pool, size)
    position = 0
    to_play = state.turn if state.phase == Phase.PLAY else NO_SEAT
    if to_play not in (seat, NO_SEAT):
        position = state.hand_size[to_play]
        draw_with_one_of(state.open_cards, position, pool, size, rng)
        deal_from_pool(state, to_play, pool, 0)
    for other in range(state.players):
        if other not in (seat, to_play):
            deal_from_pool(state, other, pool, position)
            position += state.hand_size[other]


@rule
def deal_from_pool(state, seat, pool, position):
    multisets.clear(state.hand[seat], 0)
    for i in range(state.hand_size[seat]):
        multisets.add(state.hand[seat], pool[position + i])


@rule
def draw_with_one_of(wanted, draws, pool, size, rng):
    """Reorders the shuffled `pool`: uniform among the orders whose first `draws` cards hold one of the set `wanted`.

    Card by card: while none is drawn yet, the next is a wanted one with the probability that it has
    given that one comes at all.
    """
    num_wanted = 0
    for i in range(size):
        num_wanted += wanted >> pool[i] & 1
    for i in range(draws):
        left = size - i
        none = 1.0  # probability that all further draws miss
        for j in range(draws - i):
            none *= max(0.0, (left - num_wanted - j) / (left - j))
        is_wanted = chance(rng, num_wanted / left / (1.0 - none))
        for j in range(i, size):
            if (wanted >> pool[j] & 1 == 1) == is_wanted:
                pool[i], pool[j] = pool[j], pool[i]
                break
        if is_wanted:
            shuffle(rng, pool[i + 1 :], left - 1)  # the search above moved wanted cards to the back
            return
