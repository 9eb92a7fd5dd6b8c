"""The past of a round of Tricky Time Crisis, from a world in the middle of it."""

from __future__ import annotations

import sys

import numpy as np

from bots.inference.past import register
from engine import multisets
from engine.compiling import rule
from engine.multisets import LEVELS
from engine.tricky_time_crisis.cards import HAND_SIZE, HERO_DECK, HERO_KINDS, SUIT_CARDS, first_of_slot
from engine.tricky_time_crisis.state import STATE, num_cards, slot_of, villain_slot

PLACE_OF_HERO = np.array([HERO_DECK.index(kind) for kind in range(HERO_KINDS)])  # of a copy in its suit of the deck
NOTHING = np.zeros(LEVELS, np.int64)
TEMPERATURE = 0.5


@rule
def fill_past(world, moves, deck, rng):
    for seat in range(world.players):
        hand = deck[HAND_SIZE * seat :]
        size = multisets.fill_missing(world.hand[seat], NOTHING, hand)
        for i in range(len(moves)):
            if moves[i, 0] == seat and moves[i, 1] < num_cards(world):  # else a card was taken, or not
                hand[size] = moves[i, 1]
                size += 1
        for i in range(size):
            hand[i] = place_in_deck(world, hand[i])


@rule
def place_in_deck(world, card):
    """A position of `card` in the deck in canonical order; of copies the first, for they are the same to the rules."""
    slot = slot_of(world, card)
    kind = card - first_of_slot(slot)
    return SUIT_CARDS * slot + (kind if slot == villain_slot(world) else PLACE_OF_HERO[kind])


register(STATE, sys.modules[__name__])
