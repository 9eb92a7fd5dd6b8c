"""Which tables a round holds, as arrays of bot numbers.

Tables come in *orbits*: those that one table becomes when all bot numbers are shifted round the circle
of bots (in a gauntlet, of the others; in pairs, with all arrangements). An orbit seats everybody
equally often, so a round that goes orbit by orbit is nearly balanced wherever it stops, however long it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np

from tournaments.cyclic import blocks_with_zero, cyclic_design, orbit_sizes


@dataclass(frozen=True)
class Round:
    """Tables to be played once."""

    tables: np.ndarray  # (tables, players), bot numbers; a set ascends, an arrangement goes round the table
    orbits: np.ndarray  # (tables,), the number of the orbit that each belongs to; tables of an orbit are in good order


def all_tables(bots: int, players: int) -> Round:
    """Every set of `players` bots.

    With fewer bots than players every table seats them all, and the seats left over go round every
    combination.
    """
    if bots < players:
        extras = combinations_with_replacement(range(bots), players - bots)
        filled = np.array([sorted((*range(bots), *extra)) for extra in extras], np.int16)
        return Round(filled, np.arange(len(filled)))
    blocks = blocks_with_zero(bots, players)
    blocks = blocks[_is_first_of_its_shifts(blocks, bots)]
    sizes = orbit_sizes(blocks, bots)
    shifts = np.arange(bots, dtype=np.int16)
    shifted = (blocks[:, None, :] + shifts[:, None]) % np.int16(bots)
    return Round(np.sort(shifted[shifts < sizes[:, None]]), np.repeat(np.arange(len(blocks)), sizes))


def gauntlet(bots: int, players: int, challengers: Sequence[int]) -> Round:
    """Every challenger with every set of the others, who all sit there, some repeatedly, when they are too few."""
    others = np.array([bot for bot in range(bots) if bot not in challengers], np.int16)
    company = all_tables(len(others), players - 1)
    sizes = np.bincount(company.orbits)
    size = sizes[company.orbits]
    place = np.arange(len(size)) - (np.cumsum(sizes) - sizes)[company.orbits]
    # Every orbit is gone through once for each challenger; who challenges goes on in turn from table to
    # table, and slips by one where all would else meet the same company again.
    number = len(challengers)
    time = np.arange(number)[:, None]
    turn = (place + time * size + time // (number // np.gcd(size, number))) % number
    order = np.lexsort([np.broadcast_to(key, turn.shape).ravel() for key in (place, time, company.orbits)])
    seats = np.array(challengers, np.int16)[turn.ravel()[order]]
    tables = np.column_stack([seats, others[company.tables[order % len(size)]]])
    return Round(np.sort(tables), company.orbits[order % len(size)])


def pairs(bots: int, players: int) -> Round:
    """For every two bots every arrangement of both round a table, with as many seats for each as can be.

    Where the number of players is odd, each has the seat more at half of the tables. Arrangements that
    are rotations of each other count once, since a deal block plays all rotations.
    """
    couples = all_tables(bots, 2) if bots > 1 else Round(np.zeros((0, 2), np.int16), np.zeros(0, np.int64))
    arrangements = np.array(necklaces(players))
    return Round(couples.tables[:, arrangements].reshape(-1, players), np.repeat(couples.orbits, len(arrangements)))


def necklaces(players: int) -> list[tuple[int, ...]]:
    """The ways to set two bots, 0 and 1, round a table in halves (of odd numbers: both ways), up to rotation."""
    found = set()
    for seats in {players // 2, players - players // 2}:
        for held in combinations(range(players), seats):
            ring = tuple(int(seat in held) for seat in range(players))
            found.add(min(ring[turn:] + ring[:turn] for turn in range(players)))
    return sorted(found)


def are_few(bots: int, players: int) -> bool:
    """Whether `balanced` plays all tables: there are at most one and a half times as many as pairs of bots.

    So it is with two players, with up to two bots more than players, and with 6 bots at 3 seats, where
    tables of a cyclic design meet unequally or not at all.
    """
    return bots <= players or 2 * comb(bots, players) <= 3 * comb(bots, 2)


def balanced(bots: int, players: int, number: int) -> tuple[int, Round]:
    """Round `number` of a cyclic design, and how often the design has begun again before it; not where `are_few`."""
    again, block = cyclic_design(bots, players).block(number)
    tables = (block + np.arange(bots, dtype=np.int16)[:, None]) % np.int16(bots)
    return again, Round(tables, np.zeros(bots, np.int64))


def _is_first_of_its_shifts(blocks: np.ndarray, bots: int) -> np.ndarray:
    """Picks one of those blocks that are shifts of each other: the one whose gaps come first in lexical order."""
    gaps = np.diff(blocks, axis=1, append=blocks[:, :1] + np.int16(bots))
    is_first = np.ones(len(blocks), bool)
    for turn in range(1, gaps.shape[1]):
        change = np.roll(gaps, -turn, axis=1) - gaps
        where = (change != 0).argmax(axis=1)
        is_first &= np.take_along_axis(change, where[:, None], axis=1)[:, 0] >= 0
    return is_first
