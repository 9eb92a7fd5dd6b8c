"""The past of Day & Night, from a world in the middle of it.

The world says which cards each seat has had, not when it drew them: that is drawn here. A card that was
played was there by then; nothing else is known, so the cards that a seat drew last are any of those that it held
after drawing, whatever came before: going back in time, round by round, draws all orders with equal chances.
"""

from __future__ import annotations

import sys

import numpy as np

from bots.inference.past import HIDDEN_ACTION, register
from engine import multisets
from engine.compiling import rule
from engine.day_and_night import (
    CARD_IN_DECK,
    CARDS,
    DRAWS,
    HAND_SIZE,
    MAX_ROUNDS,
    NO_CARD,
    NOTHING,
    PLAYS,
    REMOVED,
    STATE,
)
from engine.multisets import LEVELS
from engine.rng import below

PLACE_IN_DECK = np.array([CARD_IN_DECK.tolist().index(card) for card in range(CARDS)])  # of copies the first
TEMPERATURE = 0.8


@rule
def fill_past(world, moves, deck, rng):
    players = world.players
    played = np.empty((players, MAX_ROUNDS * PLAYS), np.int64)
    plays = np.zeros(players, np.int64)
    for i in range(len(moves)):
        seat = moves[i, 0]
        if moves[i, 1] == HIDDEN_ACTION:
            moves[i, 1] = world.chosen[seat]
        if moves[i, 1] < CARDS:  # else a card was taken
            played[seat, plays[seat]] = moves[i, 1]
            plays[seat] += 1
    held = np.empty((players, HAND_SIZE), np.int64)
    size = np.empty(players, np.int64)
    for seat in range(players):
        size[seat] = multisets.fill_missing(world.hand[seat], NOTHING, held[seat])
    end = len(deck) - world.pile_size  # deck[end:] has been written
    for i in range(world.pile_size):
        deck[len(deck) - 1 - i] = PLACE_IN_DECK[world.pile[i]]
    for rounds in range(world.rounds_over, -1, -1):
        take_back(played, plays, PLAYS * rounds, held, size)
        if world.reveals[rounds] != NO_CARD:
            end -= 1
            deck[end] = PLACE_IN_DECK[world.reveals[rounds]]
        if rounds > 0:
            start = first_draw(players, rounds - 1)
            undraw(held, size, deck[start:end], rng)
            end = start
    for seat in range(players):
        for i in range(HAND_SIZE):
            deck[REMOVED[players] + HAND_SIZE * seat + i] = PLACE_IN_DECK[held[seat, i]]


@rule
def first_draw(players, rounds):
    """The place in the deck of the first card drawn after `rounds` rounds and one more, in all of which all drew."""
    return REMOVED[players] + HAND_SIZE * players + rounds * (1 + DRAWS * players) + 1


@rule
def take_back(played, plays, remaining, held, size):
    """Takes cards back to the hands until each seat has played no more than `remaining`."""
    for seat in range(len(plays)):
        while plays[seat] > remaining:
            plays[seat] -= 1
            held[seat, size[seat]] = played[seat, plays[seat]]
            size[seat] += 1


@rule
def undraw(held, size, drawn, rng):
    """Takes any cards out of the hands to be the ones that were `drawn`, by the seats in turn."""
    for i in range(len(drawn)):
        seat = i % len(size)
        pick = below(rng, size[seat])
        size[seat] -= 1
        drawn[i] = PLACE_IN_DECK[held[seat, pick]]
        held[seat, pick] = held[seat, size[seat]]


@rule
def copies(state, seat, action):
    """How many copies of the chosen card the seat holds: a sampled choice is any of its cards."""
    count = 0
    for level in range(LEVELS):
        count += state.hand[seat, level] >> action & 1
    return count


register(STATE, sys.modules[__name__])
