"""Ends of a round of Day & Night that a seat may expect, and what each of them would bring it.

What the others still play is spread evenly over what they may hold: as a point set of low discrepancy (Roberts,
2018, "The unreasonable effectiveness of quasirandom sequences") and not at random, so a position has one score.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine import bits
from engine.compiling import rule
from engine.day_and_night import (
    ALL_CARDS,
    CARDS,
    COLOUR,
    COLOURS,
    LARGEST_TOTAL,
    MAX_PLAYERS,
    NO_COLOUR,
    STARS,
    TOTAL_BITS,
    TURNS_TIME,
    VALUE,
    packed_value,
    table_totals,
)
from engine.multisets import LEVELS

GROUPS = 8  # ways in which the others may play their first cards
GROUP = 8  # second cards of theirs for each of these ways
ENDS = 256  # second cards of theirs once the first ones are known
SLOTS = 256  # of a wheel: each card has as many as it is likely

# A card in one number, so that cards add up: its value in the bits of its colour; one in each lane up to its stars,
# so that the lanes count the cards with at least 1, 2, 3 and 4 stars.
PACKED = VALUE << TOTAL_BITS * COLOUR
LANE_BITS = 8
LANE_TOP = 1 << LANE_BITS - 1
ALL_LANES = sum(1 << LANE_BITS * stars for stars in range(int(STARS.max())))
STAR_LANES = ALL_LANES & (1 << LANE_BITS * STARS) - 1

# How much likelier than another a second card is that wins for its seat if nothing else is played: at the time
# that it leaves behind, and at the other one.
HOPE = np.array([5.0, 2.0])


def _points(count):
    """Slots of the wheels of all seats, (count, seats), evenly spread in all dimensions together."""
    root = 2.0
    for _ in range(64):
        root = (1.0 + root) ** (1.0 / (MAX_PLAYERS + 1))
    steps = np.cumprod(np.full(MAX_PLAYERS, 1.0 / root))
    return ((0.5 + np.outer(np.arange(1, count + 1), steps)) % 1.0 * SLOTS).astype(np.int64)


POINTS = _points(max(GROUPS * GROUP, ENDS))


class Ends(NamedTuple):
    """Ways in which the round may end, without the cards that the seat itself has still to play."""

    totals: np.ndarray  # (ends,) of the colours, packed
    night: np.ndarray  # (ends,)
    stars: np.ndarray  # (ends,) how many cards have at least so many stars, in lanes
    played: np.ndarray  # (ends, players) the cards of each other seat, packed; 0 for the seat itself


@rule
def expected_ends(state, seat):
    """The ends of the round that `seat` expects: groups of GROUP by first cards, or ENDS by second cards."""
    first = state.play == 0
    number = GROUPS * GROUP if first else ENDS
    ends = Ends(
        np.full(number, table_totals(state)),
        np.full(number, state.night),
        np.full(number, stars_on_table(state)),
        np.zeros((number, state.players), np.int64),
    )
    share = np.empty(CARDS)
    wheel = np.empty(SLOTS, np.int64)
    for other in range(state.players):
        if other != seat:
            if not first or other == int(seat == 0):  # all first cards are equally unknown
                fill_shares(state, seat, other, share)
                fill_wheel(share, wheel)
            for end in range(number):
                ends.played[end, other] = packed_value(state.played[other, 0])
                add_card(ends, end, other, wheel[POINTS[end, other]])
                if first:
                    add_card(ends, end, other, wheel[POINTS[end // GROUP, other]])
    return ends


@rule
def add_card(ends, end, other, card):
    ends.played[end, other] += PACKED[card]
    ends.totals[end] += PACKED[card]
    ends.night[end] ^= TURNS_TIME[card]
    ends.stars[end] += STAR_LANES[card]


@rule
def stars_on_table(state):
    lanes = 0
    for level in range(LEVELS):
        cards = state.table[level]
        while cards:
            lanes += STAR_LANES[bits.lowest(cards)]
            cards &= cards - 1
    return lanes


@rule
def fill_shares(state, seat, other, share):
    """How likely `other` plays each card next: by the copies that `seat` has not seen, and by what it may win."""
    totals = table_totals(state)
    mate = state.played[other, 0]
    for card in range(CARDS):
        unseen = 0
        for level in range(LEVELS):
            unseen += ALL_CARDS[level] >> card & 1
            unseen -= (state.seen[level] >> card & 1) + (state.hand[seat, level] >> card & 1)
        share[card] = unseen
        if state.play > 0 and unseen > 0:
            for turned in range(2):
                colour = colour_ahead(totals + PACKED[card], state.night ^ TURNS_TIME[card] ^ turned)
                if colour != NO_COLOUR and (colour == COLOUR[card] or colour == COLOUR[mate]):
                    share[card] += HOPE[turned] * unseen


@rule
def fill_wheel(share, wheel):
    """Gives each card slots of the wheel by its share, in canonical order."""
    whole = 0.0
    for card in range(CARDS):
        whole += share[card]
    card = 0
    reach = share[0]
    for slot in range(SLOTS):
        while reach * SLOTS < (slot + 0.5) * whole and card < CARDS - 1:
            card += 1
            reach += share[card]
        wheel[slot] = card


@rule
def round_worth(state, seat, ends, end, first, second, own, others):
    """What one end of the round is worth to `seat`: `own` for each star that it takes, `others` for theirs.

    `first` and `second` are the two cards of `seat`; the first is on the table if all have played one. Ties of
    others with each other are left out of account.
    """
    totals = ends.totals[end] + PACKED[second]
    night = ends.night[end] ^ TURNS_TIME[second]
    lanes = ends.stars[end] + STAR_LANES[second]
    if state.play == 0:
        totals += PACKED[first]
        night ^= TURNS_TIME[first]
        lanes += STAR_LANES[first]
    colour = colour_ahead(totals, night)
    if colour == NO_COLOUR:
        return 0.0
    flip = 0 if night else LARGEST_TOTAL  # so that the lowest place is the first
    shift = TOTAL_BITS * colour
    total = PACKED[first] + PACKED[second] >> shift & LARGEST_TOTAL
    mine = ((total ^ flip) << TOTAL_BITS) + state.stars[seat]
    takers = 0
    ahead = 0
    tied = 0
    for other in range(state.players):
        theirs = ends.played[end, other] >> shift & LARGEST_TOTAL
        place = ((theirs ^ flip) << TOTAL_BITS) + state.stars[other]
        takes = int(theirs > 0)
        takers += takes
        ahead += takes & int(place < mine)
        tied += takes & int(place == mine)
    value = 0.0
    if total > 0 and tied == 0:
        stars = stars_at(lanes, ahead)
        value = (own - others) * stars
        takers += 1
    for place in range(takers - tied):
        value += others * stars_at(lanes, place)
    return value


@rule
def colour_ahead(totals, night):
    """The winning colour, or NO_COLOUR: `winning_colour` without branches, twice as fast where results vary."""
    flip = 0 if night else LARGEST_TOTAL
    ahead = NO_COLOUR
    best = LARGEST_TOTAL + 1
    for colour in range(COLOURS):
        total = totals >> TOTAL_BITS * colour & LARGEST_TOTAL
        rank = total ^ flip if total > 0 else LARGEST_TOTAL + 1
        ahead = colour if rank < best else NO_COLOUR if rank == best else ahead
        best = min(best, rank)
    return ahead


@rule
def stars_at(lanes, place):
    """The stars of the card that is left when `place` seats have taken the most stars that they could."""
    return bits.count(lanes + (LANE_TOP - 1 - place) * ALL_LANES & LANE_TOP * ALL_LANES)
