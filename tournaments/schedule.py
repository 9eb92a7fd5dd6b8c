"""Who plays whom: a pure function from the index of a deal block to the block.

A *deal block* is one table of bots, one deal seed, and all cyclic seat rotations of the table: every
bot holds every seat's cards once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from engine.rng import shuffle, stream
from tournaments import designs
from tournaments.config import Config
from tournaments.designs import Round

MOST_EVENED = 5000  # tables whose order is evened out one by one; that takes the square of their number
MOST_TIED = 200  # tables among which the pairs of bots decide


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
    """The deal blocks of an experiment: `blocks_per_table` rounds of tables, each on a fresh deal, in every game.

    `all_tables`: a round is every combination of bots. When there are fewer bots than seats every table
    seats all of them, and the seats left over go round every combination.

    `balanced`: a round is as many tables as there are bots; each sits at as many of them as a table has
    seats, and all pairs meet equally often, see `cyclic.CyclicDesign` for how nearly. Where all tables
    are few (`designs.are_few`) they are the round.

    `pairs`: a round is every two bots in every balanced split of the seats and every arrangement round
    the table.

    `gauntlet`: a round is every challenger with every combination of the others.

    A block depends on its game, its table, the number of its round and the seed of the config alone,
    so blocks that were played count when there are more rounds or more bots, or bots in another order.
    More rounds go on where fewer ended. One more bot leaves all blocks of the others in the schedule
    (where all of them were few enough to fill up seats, or in `balanced`, it makes other tables).

    Each round is in an order of its own. Wherever it stops, no bot has sat much oftener than another
    (of its kind in `gauntlet`): up to `MOST_EVENED` tables the next table is always one whose bots
    have sat least, and of these one whose pairs have met least; beyond, tables go orbit by orbit (see
    `designs`), and no bot is ahead by more seats than one orbit gives it.
    """

    def __init__(self, config: Config):
        self._seed = config.seed
        self._rounds = config.blocks_per_table
        self._names = sorted(config.bot_names)
        self._is_arranged = config.schedule == "pairs"
        games = [entry.load() for entry in config.games]
        self._labels = [game.label for game in games]
        self._designs = [_design(config, game.players, game.label) for game in games]
        self._starts = np.cumsum([0, *(len(design(0).tables) for design in self._designs)])

    def __len__(self) -> int:
        return self._rounds * int(self._starts[-1])

    def __getitem__(self, index: int) -> Block:
        if not 0 <= index < len(self):
            raise IndexError(f"block {index} of {len(self)}")
        number, position = divmod(index, int(self._starts[-1]))
        rounds, order = self._round(number)
        game = int(np.searchsorted(self._starts, order[position], "right")) - 1
        row = rounds[game].tables[order[position] - self._starts[game]]
        return self._block(game, tuple(self._names[bot] for bot in row), number)

    def __iter__(self) -> Iterator[Block]:
        return (self[index] for index in range(len(self)))

    def _block(self, game: int, table: tuple[str, ...], number: int) -> Block:
        kind = "ring " if self._is_arranged else ""  # the same bots in another arrangement are another table
        block_id = f"{self._labels[game]} {kind}{json.dumps(table, ensure_ascii=False)} #{number}"
        seed = derive_seed(self._seed, block_id)
        if not self._is_arranged:
            table = tuple(table[place] for place in _permutation(seed, len(table)))
        return Block(block_id, game, table, seed)

    @lru_cache(maxsize=2)  # noqa: B019  a schedule lives as long as the run
    def _round(self, number: int) -> tuple[list[Round], np.ndarray]:
        """The tables of round `number` by game, and their order."""
        rounds = [design(number) for design in self._designs]
        seed = derive_seed(self._seed, "round", number)
        size = int(self._starts[-1])
        ordered = _evened if size <= MOST_EVENED else _by_orbits
        return rounds, ordered(rounds, _permutation(seed, size))


def derive_seed(seed: int, *parts: object) -> int:
    """A seed for a part of an experiment: of the experiment's seed and the part's name alone.

    From 0 to 2**53 - 1, which every reader of JSON holds exactly.
    """
    digest = hashlib.sha256("\0".join(str(part) for part in (seed, *parts)).encode()).digest()
    return int.from_bytes(digest[:8]) >> 11


def _design(config: Config, players: int, label: str) -> Callable[[int], Round]:
    """The tables of a game by the number of the round; bots are numbered by their names in order."""
    names = sorted(config.bot_names)
    bots = len(names)
    if config.schedule == "balanced" and not designs.are_few(bots, players):

        def balanced(number: int) -> Round:
            again, drawn = designs.balanced(bots, players, number)
            bot_of = _permutation(derive_seed(config.seed, "balanced", label, again), bots)
            return replace(drawn, tables=np.sort(bot_of[drawn.tables]))

        return balanced
    if config.schedule == "gauntlet":
        fixed = designs.gauntlet(bots, players, sorted(map(names.index, config.challengers)))
    elif config.schedule == "pairs":
        fixed = designs.pairs(bots, players)
    else:
        fixed = designs.all_tables(bots, players)
    return lambda number: fixed


def _permutation(seed: int, size: int) -> np.ndarray:
    items = np.arange(size)
    shuffle(stream(seed), items, size)
    return items


def _by_orbits(rounds: list[Round], order: np.ndarray) -> np.ndarray:
    """The same tables, orbit after orbit; the orbits by where `order` has the first of their tables."""
    before = np.cumsum([0, *(drawn.orbits.max(initial=-1) + 1 for drawn in rounds)])
    orbits = np.concatenate([drawn.orbits + start for drawn, start in zip(rounds, before, strict=False)])
    first = np.empty(before[-1], np.int64)
    first[orbits[order[::-1]]] = np.arange(len(order))[::-1]  # of places given to one orbit the last is kept
    return np.argsort(first[orbits], kind="stable")


def _evened(rounds: list[Round], order: np.ndarray) -> np.ndarray:
    """The same tables, always going on with one whose bots have sat least, then met least; ties as in `order`."""
    nobody = 1 + max(int(drawn.tables.max()) for drawn in rounds)
    tables = _joined(rounds, nobody)[order]
    seats = np.array([(tables == bot).sum(axis=1) for bot in range(nobody)])  # (bots, tables)
    one, other = np.triu_indices(tables.shape[1], 1)
    met = np.zeros((nobody + 1, nobody + 1), np.int64)
    load = (seats**2).sum(axis=0)  # what each table would add to the sum of squares of the seats held
    evened = []
    for _ in order:
        least = np.flatnonzero(load == load.min())[:MOST_TIED]
        choice = least[met[tables[least][:, one], tables[least][:, other]].sum(axis=1).argmin()]
        evened.append(order[choice])
        for bot in tables[choice][tables[choice] < nobody]:
            load += 2 * seats[bot]
        load[choice] = np.iinfo(np.int64).max // 2  # out of the choice
        np.add.at(met, (tables[choice, one], tables[choice, other]), 1)
        met[:, nobody] = 0
    return np.array(evened)


def _joined(rounds: list[Round], nobody: int) -> np.ndarray:
    """The tables of all games, each ascending and with `nobody` on the seats that the widest has more."""
    widest = max(drawn.tables.shape[1] for drawn in rounds)
    joined = np.full((sum(len(drawn.tables) for drawn in rounds), widest), nobody)
    start = 0
    for drawn in rounds:
        size, players = drawn.tables.shape
        joined[start : start + size, :players] = np.sort(drawn.tables)
        start += size
    return joined
