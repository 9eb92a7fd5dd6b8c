"""What a seat of Trick or Repeat makes of the timelines: who placed which card where, and who will win the tricks.

Everything is a chance, and the slots of a trick are taken as independent: that a card can lie in one of them
only, and that what is left of a hand depends on what was taken, is forgotten. Sets of cards are bit masks.
"""

from __future__ import annotations

import numpy as np

from engine import bits
from engine.compiling import rule
from engine.trick_or_repeat import MAX_CARDS, MAX_HAND, MAX_PLAYERS, NO_CARD, holder_of

# What a seat is thought to go by, tuned by self-play with the weights.
AGAINST = 0.55  # the chance that a card which another seat holds is placed against one
LED = 0.6  # the chance that the highest card of a suit wins where nobody has the Rabbit's suit
DENIAL = 0.8  # a chance to win the next trick, which the left neighbour would have, to one to win this
SHARPNESS = 3.3  # how surely the better card is placed
HABIT = 5.0  # how many times as likely a card is placed again where its seat placed it last round


# --- Tricks and slots -----------------------------------------------------------------------------


@rule
def slot_of(state, trick):
    return state.hand_size - 1 - trick if state.reverse else trick


@rule
def trump_of(state, trick):
    """The suit that the Rabbit shows."""
    return state.rabbit[state.hand_size - 1 - trick] // state.ranks


# --- What a card is worth -------------------------------------------------------------------------


@rule
def fill_promise(state, promise):
    """Writes to ``promise[slot, card]`` the chance to win that a card has in a slot at first sight.

    Each of the cards that would beat it lies against it with the same chance. What all have seen is known.
    """
    possible = cards_in_play(state)
    for trick in range(state.hand_size):
        slot = slot_of(state, trick)
        trump = trump_of(state, trick)
        safe = 1.0 - AGAINST * (state.players - 1) * (state.hand_size - slot) / bits.count(possible)
        lowest = trump * state.ranks
        plain = LED
        for card in range(lowest, lowest + state.ranks):
            if possible >> card & 1:
                plain *= safe
        for suit in range(state.suits):
            chance = 1.0 if suit == trump else plain
            for rank in range(state.ranks - 1, -1, -1):
                card = suit * state.ranks + rank
                promise[slot, card] = chance
                if possible >> card & 1:
                    chance *= safe


@rule
def cards_in_play(state):
    """The set of the cards that may be in a hand, as everybody knows: in round 2 those that were dealt."""
    cards = 0
    if state.rounds_over > 0:
        for hand in range(state.players):
            cards |= state.hand_at[hand, 0]
    else:
        cards = (1 << state.suits * state.ranks) - 1
        for i in range(state.hand_size):
            cards &= ~(1 << state.rabbit[i])
    return cards


@rule
def fill_appeal(state, promise, appeal):
    """Writes to ``appeal[slot, card]`` how likely a card is placed there, relative to others of the hand."""
    for slot in range(state.hand_size):
        for card in range(state.suits * state.ranks):
            worth = promise[slot, card]
            if slot + 1 < state.hand_size:
                worth += DENIAL * promise[slot + 1, card]
            root = 1.0 + SHARPNESS * worth
            appeal[slot, card] = root * root * root * root


# --- What is placed -------------------------------------------------------------------------------


@rule
def fill_placements(state, seat, last, appeal, placements):
    """Writes to ``placements[slot, owner, card]`` the chance that this card is or will be there, for slots to `last`.

    `placements` must be zero. A hand is followed from look to look: what `seat` saw of it is certain,
    what was taken in between is a guess by `appeal`.
    """
    held = np.zeros(MAX_CARDS)
    unseen = unseen_by(state, seat)
    for hand in range(state.players):
        seen = False
        cards = unseen  # that may be in the hand at this stage
        for stage in range(last + 1):
            owner = holder_of(state, hand, stage)
            if looks(state, seat, hand, stage):
                seen = True
                cards = state.hand_at[hand, stage]
                fill_set(held, cards, 1.0)
                placed = state.placed[hand, stage]
                if owner == seat and placed != NO_CARD:
                    cards &= ~(1 << placed)
                    placements[stage, owner, placed] = 1.0
                    continue
            look = next_look(state, seat, hand, stage)
            kept = state.hand_at[hand, look] if look < state.hand_size else 0
            if not seen and stage == 0:
                fill_set(held, cards, look / bits.count(cards))
                fill_set(held, kept, 1.0)
            choose(state, hand, stage, cards & ~kept, cards | kept, appeal, held, placements[stage, owner])


@rule
def looks(state, seat, hand, stage):
    """Whether `seat` knows the cards of `hand` at `stage` of this round. Nobody sees the last card."""
    if stage == 0 and state.rounds_over > 0:
        return True
    return stage <= state.stage and stage < state.hand_size - 1 and holder_of(state, hand, stage) == seat


@rule
def next_look(state, seat, hand, stage):
    """The stage at which `seat` next knows the cards of `hand`; the size of a hand if it does not."""
    for later in range(stage + 1, state.stage + 1):
        if looks(state, seat, hand, later):
            return later
    return state.hand_size


@rule
def unseen_by(state, seat):
    """The set of the cards that `seat` has not seen, nor the Rabbit."""
    unseen = (1 << state.suits * state.ranks) - 1
    for i in range(state.hand_size):
        unseen &= ~(1 << state.rabbit[i])
    for hand in range(state.players):
        for stage in range(state.stage + 1):
            if looks(state, seat, hand, stage):
                unseen &= ~state.hand_at[hand, stage]
    return unseen


@rule
def fill_set(values, cards, value):
    while cards:
        values[bits.lowest(cards)] = value
        cards &= cards - 1


@rule
def choose(state, hand, stage, candidates, cards, appeal, held, chances):
    """Writes to ``chances[card]`` for each of `candidates` the chance that it is placed from `hand` at `stage`.

    `cards` are in the hand with the chances `held`; takes from these what is placed.
    """
    familiar = state.earlier_placed[hand, stage] if state.rounds_over > 0 else NO_CARD
    total = 0.0
    rest = cards
    while rest:
        card = bits.lowest(rest)
        rest &= rest - 1
        total += held[card] * appeal[stage, card] * (HABIT if card == familiar else 1.0)
    chosen = 0.0
    rest = candidates
    while rest:
        card = bits.lowest(rest)
        rest &= rest - 1
        pull = appeal[stage, card] * (HABIT if card == familiar else 1.0)
        chances[card] = held[card] * pull / (pull + total - held[card] * pull)  # beside the others, given it is there
        chosen += chances[card]
    rest = candidates
    while rest:
        card = bits.lowest(rest)
        rest &= rest - 1
        chances[card] /= chosen
        held[card] = max(0.0, held[card] - chances[card])


# --- Who wins -------------------------------------------------------------------------------------


@rule
def resolve(state, trump, counted, chances, tricks):
    """Plays a trick of ``chances[seat, card]``.

    ``tricks[leader, n]`` is the chance that this seat leads and that seat `counted` has won n so far.
    """
    above = np.empty((MAX_PLAYERS, MAX_CARDS))
    below = np.empty((MAX_PLAYERS, MAX_CARDS))
    for seat in range(state.players):
        fill_other_ranks(state, chances[seat], above[seat], below[seat])
    after = np.zeros((MAX_PLAYERS, MAX_HAND + 1))
    winning = np.empty(MAX_PLAYERS)
    for leader in range(state.players):
        total = 0.0  # more than 1 where the same unseen card may be with several seats
        for seat in range(state.players):
            winning[seat] = chance_of_seat(state, trump, above, below, chances, leader, seat)
            total += winning[seat]
        for seat in range(state.players):
            more = 1 if seat == counted else 0
            for n in range(state.hand_size):
                after[seat, n + more] += winning[seat] / total * tricks[leader, n]
    tricks[:] = after


@rule
def fill_other_ranks(state, chances, above, below):
    """Writes for each card the chance that a seat places a higher and a lower one of its suit."""
    for suit in range(state.suits):
        total = 0.0
        for rank in range(state.ranks - 1, -1, -1):
            card = suit * state.ranks + rank
            above[card] = total
            total += chances[card]
        for rank in range(state.ranks):
            card = suit * state.ranks + rank
            below[card] = total - above[card] - chances[card]


@rule
def chance_of_seat(state, trump, above, below, chances, leader, seat):
    """The chance that `seat` wins a trick that `leader` leads."""
    winning = 0.0
    lowest = trump * state.ranks
    for card in range(state.suits * state.ranks):
        if chances[seat, card] == 0.0:
            continue
        chance = chances[seat, card]
        for other in range(state.players):
            if other == seat:
                continue
            if card // state.ranks == trump:
                chance *= 1.0 - above[other, card]
            elif other == leader:
                chance *= below[other, card]
            else:
                chance *= 1.0 - above[other, card] - above[other, lowest] - chances[other, lowest]
        winning += chance
    return winning
