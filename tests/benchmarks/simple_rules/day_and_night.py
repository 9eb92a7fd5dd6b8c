"""Day & Night by rules of thumb.

* *Choosing.* For each card, see which colour would win with what lies on the table now, at the time that
  the card leaves behind; before the second cards the time may still turn, so both times count. If it is
  a colour of one's own, hope for the best stars on the table, the more the earlier one would take; if
  not, expect to lose the stars that one lays down.
* *Taking.* The most stars.
"""

from __future__ import annotations

from engine import bits
from engine.compiling import rule
from engine.day_and_night import (
    FIRST_TAKE_ACTION,
    NO_CARD,
    NO_COLOUR,
    STARS,
    TURNS_TIME,
    Phase,
    colour_sum,
    packed_value,
    table_totals,
    value_of_colour,
    winning_colour,
)

TURNING = 0.35  # how likely the time is to turn while the others play
LOSING = 0.3  # of the stars on an own card that wins nothing, how many go to others


@rule
def policy(state, seat):
    best = NO_CARD
    best_score = -1e9
    cards = state.table[0] if state.phase == Phase.TAKE else state.hand[seat, 0]
    while cards:
        card = bits.lowest(cards)
        cards &= cards - 1
        score = float(STARS[card]) if state.phase == Phase.TAKE else score_card(state, seat, card)
        if score > best_score:
            best_score = score
            best = card
    return FIRST_TAKE_ACTION + best if state.phase == Phase.TAKE else best


@rule
def score_card(state, seat, card):
    night = state.night ^ TURNS_TIME[card]
    now = prospect(state, seat, card, night)
    return (1.0 - TURNING) * now + TURNING * prospect(state, seat, card, 1 - night)


@rule
def prospect(state, seat, card, night):
    """Stars to expect if nothing is played after `card`."""
    colour = winning_colour(table_totals(state) + packed_value(card), night)
    own = 0 if colour == NO_COLOUR else colour_sum(state, seat, colour) + value_of_colour(card, colour)
    if own == 0:
        return -LOSING * STARS[card]
    ahead = 0
    for other in range(state.players):
        theirs = colour_sum(state, other, colour)
        if other != seat and theirs > 0 and (theirs <= own if night else theirs >= own):
            ahead += 1
    return most_stars(state.table[0] | 1 << card) / (1.0 + ahead)


@rule
def most_stars(cards):
    most = 0
    while cards:
        most = max(most, STARS[bits.lowest(cards)])
        cards &= cards - 1
    return most
