"""Cyclic designs: few tables of many bots, at which every two bots meet about equally often.

A round is a *base block* of k different residues modulo n, shifted n times: {0, 1, 3} modulo 7 gives
013 124 235 346 450 561 602. Every bot sits at exactly k tables of it, and how often two bots meet
hangs on their *difference* alone, the shorter way round from one to the other (David, 1967, "Paired
comparison designs"; John and Williams, 1995, "Cyclic and computer generated designs").
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, combinations, count
from math import comb, gcd

import numpy as np

from engine.rng import below, next_word, stream

MOST_ENUMERATED = 600_000  # base blocks; where there are more, a sample is looked at
SAMPLE = 60_000
MOST_CELLS = 1_000_000  # of the matrix of candidates: a step of the search takes under a millisecond
MOST_WORK, LEAST_STEPS, MOST_STEPS = 250_000_000, 600, 10_000  # of one search, in cells and in steps
WIDTH = 3  # candidates that are tried where one must do


class CyclicDesign:
    """The base blocks of `players` out of `bots`, round by round, chosen so that all pairs meet equally often.

    After every round the most and the least frequent pair are as few meetings apart as a search finds.
    Measured for 7 to 40 bots: with 3 to 6 players never more than two, and once in a period none. An
    odd number of bots is never more than one apart, but for 25 bots with 4 players and 17, 21, 29 and
    33 bots with 6; an even number is two apart after some rounds in 31 of 67 cases, since bots half the
    circle apart meet by twos. Of 60 to 100 bots, in 300 rounds: up to two, with 6 players up to three.

    A design is a function of `bots` and `players` alone. When all have met equally often the blocks
    begin again; let residues be other bots then.
    """

    def __init__(self, bots: int, players: int):
        self._bots = bots
        self._blocks, self._differences = _candidates(bots, players)
        self._horizon = (bots - 1) // gcd(bots - 1, players * (players - 1))  # rounds until all can be equal
        self._rng = stream(0)
        self._chosen: list[int] = []
        self._met = np.zeros(len(self._differences), np.int16)  # by difference, less the least
        self._is_closed = False

    def block(self, number: int) -> tuple[int, np.ndarray]:
        """The base block of round `number`, and how often the blocks have begun again before."""
        while number >= len(self._chosen) and not self._is_closed:
            self._extend()
        again, place = divmod(number, len(self._chosen)) if self._is_closed else (0, number)
        return again, self._blocks[self._chosen[place]]

    def _extend(self) -> None:
        """Chooses the blocks of the next rounds, at best to where all have met equally often."""
        # Twice the horizon, since parity can forbid it: the differences of 3 of 10 bots add up to an even number.
        for apart in count(1):
            for rounds, last in ((self._horizon, 0), (2 * self._horizon, 0), (self._horizon, apart)):
                if path := self._search(rounds, apart, last):
                    self._chosen += path
                    self._met = self._after(self._met, path)
                    self._is_closed = not self._met.any()
                    return

    def _search(self, rounds: int, apart: int, last: int) -> list[int]:
        """Blocks that leave all pairs within `apart` of each other, after the last round `last`; none if not found.

        Depth first over few choices, which are drawn afresh when they all have failed.
        """
        path: list[int] = []
        met, choices = [self._met], [iter(())]
        for _ in range(rounds + max(LEAST_STEPS, min(MOST_STEPS, MOST_WORK // self._differences.size))):
            choice = next(choices[-1], None)
            if choice is not None:
                path.append(choice)
                if len(path) == rounds:
                    return path
                met.append(self._after(met[-1], [choice]))
            elif path:
                choices.pop(), met.pop(), path.pop()
                continue
            else:
                choices.pop()
            choices.append(self._choices(met[-1], apart if len(path) < rounds - 1 else last))
        return []

    def _choices(self, met: np.ndarray, apart: int) -> Iterator[int]:
        """A few candidates that leave all pairs within `apart`, the most even ones first, else at random."""
        after = self._differences + met[:, None]
        spread = np.maximum(after.max(axis=0) - after.min(axis=0), min(apart, 1))
        wanted = WIDTH
        for even in range(int(spread.min()), apart + 1):
            fitting = np.flatnonzero(spread == even)
            drawn = dict.fromkeys(below(self._rng, len(fitting)) for _ in range(wanted if len(fitting) else 0))
            yield from fitting[list(drawn)].tolist()
            wanted -= len(drawn)

    def _after(self, met: np.ndarray, path: list[int]) -> np.ndarray:
        after = met + self._differences[:, path].sum(axis=1, dtype=np.int16)
        return after - after.min()


@lru_cache
def cyclic_design(bots: int, players: int) -> CyclicDesign:
    return CyclicDesign(bots, players)


def orbit_sizes(blocks: np.ndarray, bots: int) -> np.ndarray:
    """How many different tables each base block gives when shifted: `bots`, or a part of them where it repeats itself.

    Blocks are rows of ascending residues.
    """
    gaps = np.diff(blocks, axis=1, append=blocks[:, :1] + bots)
    sizes = np.full(len(blocks), bots)
    for turn in range(gaps.shape[1] - 1, 0, -1):
        repeats = (gaps == np.roll(gaps, -turn, axis=1)).all(axis=1)
        sizes[repeats] = gaps[repeats, :turn].sum(axis=1)
    return sizes


def blocks_with_zero(bots: int, players: int) -> np.ndarray:
    """Every set of `players` residues that holds 0, a row of ascending numbers each."""
    numbers = chain.from_iterable(combinations(range(1, bots), players - 1))
    size = comb(bots - 1, players - 1)
    others = np.fromiter(numbers, np.int16, size * (players - 1)).reshape(size, players - 1)
    return np.hstack([np.zeros((size, 1), np.int16), others])


def _candidates(bots: int, players: int) -> tuple[np.ndarray, np.ndarray]:
    """Base blocks, one a row, and how often bots of each difference meet in a round of it, one block a column."""
    if comb(bots - 1, players - 1) <= MOST_ENUMERATED:
        blocks = blocks_with_zero(bots, players)
    else:
        blocks = _sample(bots, players)
    blocks = blocks[orbit_sizes(blocks, bots) == bots]  # no table twice in a round
    met = np.zeros((bots // 2 + 1, len(blocks)), np.int16)
    for one, other in combinations(range(players), 2):
        apart = blocks[:, other] - blocks[:, one]
        met[np.minimum(apart, bots - apart), np.arange(len(blocks))] += 1
    met = met[1:]
    if bots % 2 == 0:
        met[-1] *= 2  # half the circle apart: half as many pairs
    rng = stream(1)
    words = np.array([next_word(rng) for _ in met])  # a sum of random words, one for each meeting, tells rows apart
    _, different = np.unique(sum(word * row.astype(np.int64) for word, row in zip(words, met, strict=True)), True)
    different = different[:: -(-len(different) * len(met) // MOST_CELLS)]
    return blocks[different], np.ascontiguousarray(met[:, different])


def _sample(bots: int, players: int) -> np.ndarray:
    rng = stream(2)
    drawn = np.array([[0, *(1 + below(rng, bots - 1) for _ in range(players - 1))] for _ in range(SAMPLE)], np.int16)
    drawn.sort(axis=1)
    return drawn[(np.diff(drawn, axis=1) > 0).all(axis=1)]
