"""Trick or Repeat by rules of thumb.

* *Placing.* The card that is most likely to win the trick of its slot: high cards of the Rabbit's suit
  first, then high cards.
* *Bidding.* The left neighbour is expected to place by the same rule from the hands that one passed to
  it; what is not known of a slot counts as an average share of the trick.
"""

from __future__ import annotations

from engine import bits
from engine.compiling import rule
from engine.trick_or_repeat import (
    NO_CARD,
    Phase,
    first_bid_action,
    hand_of,
    holder_of,
)

TRUMP = 0.35  # the chance that the lowest card of the Rabbit's suit wins, about
TRUMP_RANK = 0.6  # what the highest adds
PLAIN_RANK = 0.2  # the chance that the highest card of another suit wins


@rule
def policy(state, seat):
    if state.phase == Phase.BID:
        return first_bid_action(state) + bid(state, seat)
    hand = state.hand_at[hand_of(state, seat, state.stage), state.stage]
    return best_card(state, hand, state.stage)


@rule
def best_card(state, cards, slot):
    """The card most likely to win from `slot`."""
    best = NO_CARD
    best_chance = -1.0
    while cards:
        card = bits.lowest(cards)
        cards &= cards - 1
        winning = chance_to_win(state, card, slot)
        if winning > best_chance:
            best_chance = winning
            best = card
    return best


@rule
def chance_to_win(state, card, slot):
    trick = state.hand_size - 1 - slot if state.reverse else slot
    trump = state.rabbit[state.hand_size - 1 - trick] // state.ranks
    rank = (card % state.ranks + 1) / state.ranks
    return TRUMP + TRUMP_RANK * rank if card // state.ranks == trump else PLAIN_RANK * rank


@rule
def bid(state, seat):
    """The number of tricks to expect of the left neighbour."""
    neighbour = holder_of(state, seat, 1)
    expected = 0.5  # rounds to the nearest
    for slot in range(state.hand_size):
        cards = known_choice(state, seat, hand_of(state, neighbour, slot), slot)
        if cards == 0:
            expected += 1.0 / state.players
        else:
            expected += chance_to_win(state, best_card(state, cards, slot), slot)
    return min(state.hand_size, int(expected))


@rule
def known_choice(state, seat, hand, stage):
    """The cards of `hand` at `stage` if `seat` knows them, as it passed that hand on or saw it dealt; else 0."""
    if stage == 0:
        return state.hand_at[hand, 0] if state.rounds_over > 0 else 0
    if holder_of(state, hand, stage - 1) != seat:
        return 0
    return state.hand_at[hand, stage - 1] & ~(1 << state.placed[hand, stage - 1])
