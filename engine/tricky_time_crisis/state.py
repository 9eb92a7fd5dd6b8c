"""Tricky Time Crisis: the record, and what can be read off it at a glance."""

from __future__ import annotations

import numpy as np

from engine import multisets
from engine.compiling import record, rule
from engine.multisets import LEVELS
from engine.tricky_time_crisis.cards import (
    HERO_KINDS,
    INFINITY,
    MAX_CARDS,
    MAX_PLAYERS,
    NO_CARD,
    NO_SUIT,
    POWER,
    SUIT_LETTERS,
    VILLAIN_KINDS,
    Phase,
    Suit,
    card_names,
    deck_names,
    first_of_slot,
    suits_in_play,
    villain_ranks,
)

# Suits in play have slots 0, 1, ... in canonical order, the villain's the last. Card numbers count the
# different cards through the slots, 8 for each and 14 for the villain's: at most 54.
STATE = record(
    [
        ("players", np.int64),  # number of seats, of suits and of cards in a trick; public, as are the options
        ("rounds", np.int64),
        ("team_up", np.int64),  # 1 if Mid-Knight sides with the villain
        ("lowest_villain", np.int64),  # lowest rank of the villain's suit
        ("suit_of_slot", np.int64, (MAX_PLAYERS,)),  # Suit, or NO_SUIT
        ("slot_of_suit", np.int64, (len(Suit.__members__),)),  # slot, or NO_SUIT
        ("phase", np.int64),  # Phase; public
        ("turn", np.int64),  # seat to move; public
        ("rounds_over", np.int64),  # public
        ("leader", np.int64),  # seat that led the trick; public
        ("next_leader", np.int64),  # seat that leads the next one, once the trick is complete; public
        ("on_table", np.int64),  # cards in the trick; public
        ("card_of_slot", np.int64, (MAX_PLAYERS,)),  # card of each suit in the trick, or NO_CARD; public
        ("seat_of_slot", np.int64, (MAX_PLAYERS,)),  # who played it, or NO_SEAT; public
        ("open_cards", np.int64),  # set of all cards of suits that are not yet in the trick; public
        ("offer", np.int64),  # set of cards of the complete trick that are left to take; public
        ("takes_left", np.int64),  # cards that the seat to move may still take of its own will; public
        ("forced_from", np.int64),  # seat from which the forced takings go round; public
        ("all_cards", np.int64, (LEVELS,)),  # multiset of the cards of the deck; public
        ("points", np.int64, (MAX_PLAYERS,)),  # of finished rounds; public
        ("seen", np.int64, (LEVELS,)),  # multiset of the cards played in this round; public
        ("hand", np.int64, (MAX_PLAYERS, LEVELS)),  # multiset, or HIDDEN; private to its seat
        ("hand_size", np.int64, (MAX_PLAYERS,)),  # public
        ("pile", np.int64, (MAX_PLAYERS, LEVELS)),  # multiset of the cards taken in this round; public
        ("value", np.int8, (MAX_CARDS,)),  # of each card alone: 0 for D+2, Mhalf, K0 and Vinf; public
    ],
    __file__,
)


def setup(state, players, options):
    """Writes the position before the first deal to a record of zeros."""
    suits = suits_in_play(players, options)
    state.players = players
    state.rounds = options["rounds"]
    state.team_up = options["mid_knight"] == "team_up"
    state.lowest_villain = villain_ranks(players, options)[0]
    state.suit_of_slot[:] = NO_SUIT
    state.slot_of_suit[:] = NO_SUIT
    for slot, suit in enumerate(suits):
        state.suit_of_slot[slot] = SUIT_LETTERS.index(suit)
        state.slot_of_suit[SUIT_LETTERS.index(suit)] = slot
    for card, name in enumerate(card_names(players, options)):
        state.value[card] = int(name[1:]) if name[1:].isdigit() else 0
    state.all_cards[:] = multisets.levels_of(card_names(players, options), deck_names(players, options))
    state.phase = Phase.DEAL


# --- Turn and end ---------------------------------------------------------------------------------


@rule
def num_seats(state):
    return state.players


@rule
def current_seat(state):
    return state.turn


@rule
def awaits_deal(state):
    return state.phase == Phase.DEAL


@rule
def is_terminal(state):
    return state.phase == Phase.OVER


@rule
def next_seat(state, seat):
    return seat + 1 if seat + 1 < state.players else 0


# --- Cards ----------------------------------------------------------------------------------------


@rule
def villain_slot(state):
    return state.players - 1


@rule
def num_cards(state):
    """The number of different cards: also the first `take` action, and half the number of `pass`."""
    return first_of_slot(villain_slot(state)) + VILLAIN_KINDS


@rule
def slot_of(state, card):
    return min(card // HERO_KINDS, villain_slot(state))


@rule
def cards_of_slot(state, slot):
    """The set of all cards of a suit."""
    kinds = VILLAIN_KINDS if slot == villain_slot(state) else HERO_KINDS
    return ((1 << kinds) - 1) << first_of_slot(slot)


@rule
def power_card(state, suit):
    """The power card of a suit; NO_CARD if the suit is not in play."""
    slot = state.slot_of_suit[suit]
    if slot == NO_SUIT:
        return NO_CARD
    return first_of_slot(slot) + (INFINITY if suit == Suit.VILLAIN else POWER)


@rule
def in_trick(state, card):
    return card != NO_CARD and state.card_of_slot[slot_of(state, card)] == card


@rule
def player_of(state, suit):
    """The seat that played `suit`, which is in play, to the complete trick."""
    return state.seat_of_slot[state.slot_of_suit[suit]]


@rule
def value_of(state, card):
    """The value of a card alone."""
    return int(state.value[card])


@rule
def is_hero(state, slot):
    """Whether the suit of `slot` counts for the heroes."""
    if slot == villain_slot(state):
        return False
    return not (state.team_up and state.suit_of_slot[slot] == Suit.MID_KNIGHT)
