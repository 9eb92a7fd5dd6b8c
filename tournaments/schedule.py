"""Who plays whom: a pure function from the index of a deal block to the block.

A *deal block* is one table of bots, one deal seed, and all cyclic seat rotations of the table: every
bot holds every seat's cards once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, combinations_with_replacement

import numpy as np

from engine.rng import shuffle, stream
from tournaments.config import Config

MOST_EVENED = 5000  # tables whose order is evened out; beyond, finding it would take too long


@dataclass(frozen=True)
class Block:
    """The unit of scheduling, of resuming and of the statistics."""

    id: str
    game: int  # index in the config
    table: tuple[str, ...]  # names of bots; rotation r puts table[(seat + r) % players] at a seat
    seed: int  # of the deals, the same in every rotation

    def seatings(self) -> Iterator[tuple[str, ...]]:
        """The bots by seat, rotation by rotation."""
        for rotation in range(len(self.table)):
            yield self.table[rotation:] + self.table[:rotation]


class Schedule:
    """`all_tables`: every combination of bots meets once a round, in every game, on a fresh deal.

    When there are fewer bots than seats every table seats all of them, and the seats left over go
    round every combination. Each round is in an order of its own, in which no bot gets far ahead of
    another (at random where there are more than `MOST_EVENED` tables).
    """

    def __init__(self, config: Config):
        self._seed = config.seed
        self._rounds = config.blocks_per_table
        games = [entry.load() for entry in config.games]
        self._labels = [game.label for game in games]
        self._tables = [
            (number, table) for number, game in enumerate(games) for table in _tables(config.bot_names, game.players)
        ]

    def __len__(self) -> int:
        return self._rounds * len(self._tables)

    def __getitem__(self, index: int) -> Block:
        if not 0 <= index < len(self):
            raise IndexError(f"block {index} of {len(self)}")
        number, position = divmod(index, len(self._tables))
        game, table = self._tables[self._order(number)[position]]
        block_id = f"{self._labels[game]} {json.dumps(table, ensure_ascii=False)} #{number}"
        seed = derive_seed(self._seed, block_id)
        return Block(block_id, game, tuple(table[i] for i in _permutation(seed, len(table))), seed)

    @lru_cache(maxsize=2)  # noqa: B019  a schedule lives as long as the run
    def _order(self, number: int) -> list[int]:
        """The order of the tables in round `number`: at random, but bots that have sat least come first."""
        order = _permutation(derive_seed(self._seed, "round", number), len(self._tables))
        return _evened(order, self._tables) if len(order) <= MOST_EVENED else order

    def __iter__(self) -> Iterator[Block]:
        return (self[index] for index in range(len(self)))


def derive_seed(seed: int, *parts: object) -> int:
    """A seed from 0 to 2**63 - 1 for a part of an experiment: of the experiment's seed and the part's name alone."""
    digest = hashlib.sha256("\0".join(str(part) for part in (seed, *parts)).encode()).digest()
    return int.from_bytes(digest[:8]) >> 1


def _tables(names: Sequence[str], players: int) -> list[tuple[str, ...]]:
    """Every table, bots in the order of the config."""
    if len(names) >= players:
        return list(combinations(names, players))
    extra = combinations_with_replacement(names, players - len(names))
    return [tuple(sorted([*names, *seats], key=list(names).index)) for seats in extra]


def _permutation(seed: int, size: int) -> list[int]:
    items = np.arange(size)
    shuffle(stream(seed), items, size)
    return items.tolist()


def _evened(order: list[int], tables: Sequence[tuple[int, tuple[str, ...]]]) -> list[int]:
    """The same tables, always going on with the one whose bots have sat least so far; ties as in `order`."""
    names = sorted({name for _, table in tables for name in table})
    seats = np.array([[table.count(name) for name in names] for _, table in tables])
    left, sat, evened = np.array(order), np.zeros(len(names), np.int64), []
    while len(left):
        choice = np.argmin(seats[left] @ (2 * sat) + (seats[left] ** 2).sum(axis=1))
        evened.append(int(left[choice]))
        sat += seats[left[choice]]
        left = np.delete(left, choice)
    return evened
