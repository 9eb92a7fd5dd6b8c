"""Multisets of up to three copies of each card, as bit masks by level: level k holds the cards with more than k copies.

A multiset is an int64 array of shape (3,), usually a field of a record. Cards are numbered 0 to 62, copies
of a card share its number.
"""

from __future__ import annotations

from engine import bits
from engine.compiling import rule

LEVELS = 3


@rule
def add(levels, card):
    bit = 1 << card
    levels[2] |= levels[1] & bit
    levels[1] |= levels[0] & bit
    levels[0] |= bit


@rule
def remove(levels, card):
    """Takes one copy of `card` away; there must be one."""
    bit = 1 << card
    levels[0] &= ~bit | levels[1]
    levels[1] &= ~bit | levels[2]
    levels[2] &= ~bit


@rule
def clear(levels, value):
    """Sets all levels to `value`: 0 for the empty multiset, or a sentinel."""
    for level in range(LEVELS):
        levels[level] = value


@rule
def fill_missing(full, levels, cards):
    """Writes the cards of the multiset `full` that are not in `levels`, copies one by one; returns how many.

    `levels` must be part of `full`.
    """
    count = 0
    for level in range(LEVELS):
        # A card with k copies in `full` and j in `levels` is missing at levels j .. k - 1.
        missing = full[level] & ~levels[level]
        while missing:
            cards[count] = bits.lowest(missing)
            missing &= missing - 1
            count += 1
    return count


def names_in(levels, names) -> list[str]:
    """The names of the cards, copies one by one, in canonical order."""
    return [name for card, name in enumerate(names) for level in levels if int(level) >> card & 1]


def levels_of(names, deck) -> list[int]:
    """The multiset of all cards of `deck`, a list of names with copies, numbered as in `names`."""
    return [sum(1 << card for card, name in enumerate(names) if deck.count(name) > level) for level in range(LEVELS)]
