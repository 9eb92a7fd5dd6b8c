"""What a seat knows as a vector of numbers, for learners: one layout for every game, documented field by field.

>>> import engine
>>> state = engine.load("daytime_minutes", players=4).new(seed=7)
>>> layout = engine.observation_layout(state.game)
>>> layout.encode(state.information_set()).shape
(511,)
>>> layout.fields[0]  # print(layout) lists them all
ObservedField(name='observer', start=0, stop=4, shape=(4,), meaning='absolute seat, one-hot')

A vector is made from the record of an information set, so from nothing that `hide` has erased. It begins with
the absolute seat of the observer, one-hot. Then come the fields that the game's module names in
``observed(players, options)``, a dict from field to `Encoding`: sets and single cards as zeros and ones,
counts in a handy unit. Seats are counted from the observer: itself first, then to the left. A game without
that function gets every field of its record bit by bit, which loses nothing either but is long.

Cards, copies alike, have the numbers of the actions that play them, the index into ``game.actions``. A multiset is
three sets: the cards of which it holds at least one, two and three.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.compiling import record, rule

if TYPE_CHECKING:
    from engine.game import Game
    from engine.state import InformationSet

NO_SEAT = -1
WIDTHS = (np.int8, np.int16, np.int32, np.int64)


class Kind(IntEnum):
    WORD = 0
    SET = 1
    ONE_OF = 2
    SEAT = 3
    NUMBER = 4


class Rows(IntEnum):
    """Which parts along the first axis of a field are observed."""

    ALL = 0
    BY_SEAT = 1
    OWN = 2


# --- How fields are encoded -----------------------------------------------------------------------


@dataclass(frozen=True)
class Encoding:
    """How an element of a field becomes numbers. Made by the functions below."""

    kind: Kind
    meaning: str
    size: int = 1  # numbers for an element
    low: int = 0  # value that the first of them stands for
    unit: float = 1.0  # what a number is divided by
    most: float = 1.0  # largest number, after the division; the smallest is 0
    rows: Rows = Rows.ALL
    columns: int | None = None  # how many along the last axis are observed, None for all


def set_of(size: int) -> Encoding:
    """A set as a bit mask: number k is 1 if element k is in it. A negative value, an erased set, is all zeros."""
    return Encoding(Kind.SET, f"which of 0 to {size - 1} are in the set", size)


def one_of(size: int, low: int = 0) -> Encoding:
    """One-hot, a value from `low` to ``low + size - 1``. Any other, such as a sentinel, is all zeros."""
    return Encoding(Kind.ONE_OF, f"one-hot, {low} to {low + size - 1}", size, low)


def seat_of(players: int) -> Encoding:
    """A seat, one-hot, counted from the observer to the left. A value that is no seat is all zeros."""
    return Encoding(Kind.SEAT, "seat, one-hot from the observer to the left", players)


def number(unit: float, most: float) -> Encoding:
    """A number from 0 to `most`, divided by `unit`."""
    return Encoding(Kind.NUMBER, "number" if unit == 1 else f"number in units of {unit}", unit=unit, most=most / unit)


def by_seat(encoding: Encoding) -> Encoding:
    """For an array by seat: from the observer to the left, without the places of seats that are not there."""
    return replace(encoding, rows=Rows.BY_SEAT, meaning=f"{encoding.meaning}; by seat from the observer to the left")


def own(encoding: Encoding) -> Encoding:
    """For an array by seat: what the observer has of it, nothing of the others."""
    return replace(encoding, rows=Rows.OWN, meaning=f"{encoding.meaning}; of the observer")


def first(columns: int, encoding: Encoding) -> Encoding:
    """For an array: the first `columns` along its last axis, where the rest is not in use."""
    return replace(encoding, columns=columns)


# --- The layout -----------------------------------------------------------------------------------

# One element of a field for one observer. `offset` and `stride` count items of the element's width.
ENTRY = record(
    [
        ("start", np.int64),  # where its numbers begin in the vector
        ("kind", np.int64),  # Kind
        ("width", np.int64),  # index into WIDTHS
        ("offset", np.int64),  # of the element, of seat 0 if it is by seat, in the record
        ("stride", np.int64),  # from a seat to the next, 0 if it is not by seat
        ("seat", np.int64),  # whose it is, counted from the observer
        ("length", np.int64),  # how many numbers it becomes
        ("low", np.int64),  # as in Encoding, and so is `unit`
        ("unit", np.float64),
    ],
    __file__,
)


class ObservedField(NamedTuple):
    """Where a field stands: ``vector[start:stop].reshape(shape)``, the last axis being one value's zeros and ones."""

    name: str
    start: int
    stop: int
    shape: tuple[int, ...]
    meaning: str


class ObservationLayout:
    """The layout of the observation vectors of a game: float32, shape (size,).

    `fields` in the order of the vector; `high` is the largest value by position, the smallest is 0.
    """

    def __init__(self, game: Game):
        self.game = game
        self.fields = (ObservedField("observer", 0, game.players, (game.players,), "absolute seat, one-hot"),)
        highs = [np.ones(game.players, np.float32)]
        entries = []
        for name, encoding in _observed(game).items():
            dtype, offset = game.empty_record().dtype.fields[name][:2]
            shape, elements = _elements(dtype, offset, encoding, game.players)
            start = self.size
            for element in elements:
                size, low, unit = encoding.size, encoding.low, encoding.unit
                entries.append((start, encoding.kind, _width(name, dtype), *element, size, low, unit))
                start += size
            shape += () if encoding.kind == Kind.NUMBER else (encoding.size,)
            self.fields += (ObservedField(name, self.size, start, shape, encoding.meaning),)
            highs.append(np.full(math.prod(shape), encoding.most, np.float32))
        self.high = np.concatenate(highs)
        self._entries = np.zeros(len(entries), ENTRY)
        for name, column in zip(ENTRY.names, zip(*entries, strict=True), strict=False):  # but the sources' name
            self._entries[name] = column

    @property
    def size(self) -> int:
        """Numbers in a vector."""
        return self.fields[-1].stop

    def encode(self, info: InformationSet) -> np.ndarray:
        """What the seat of `info` knows, float32 of shape (size,). Raises ValueError if it is of another game."""
        if info.game != self.game:
            raise ValueError(f"an information set of {info.game!r}: expected one of {self.game!r}")
        vectors = np.empty((1, self.size), np.float32)
        self.encode_records(info.records, np.array([info.seat]), vectors)
        return vectors[0]

    def encode_records(self, hidden: np.ndarray, seats: np.ndarray, vectors: np.ndarray) -> None:
        """Writes to ``vectors[i]`` what `hidden[i]` holds, a record after `hide` for the seat ``seats[i]``.

        Shapes (n,), int64 (n,) and float32 (n, size). All zeros where the seat is NO_SEAT. Unchecked.
        """
        words = tuple([hidden.view(width).reshape(len(hidden), -1) for width in WIDTHS])
        encode(words, seats, self.game.players, self._entries, vectors)

    def __iter__(self) -> Iterator[ObservedField]:
        return iter(self.fields)

    def __str__(self):
        lines = [f"{self.game.label}: float32, shape ({self.size},)"]
        for field in self.fields:
            place = f"{field.start}:{field.stop}"
            lines.append(f"{place:>11}  {field.name:<16} {'x'.join(map(str, field.shape)) or '1':<8} {field.meaning}")
        return "\n".join(lines)


@cache
def observation_layout(game: Game) -> ObservationLayout:
    """The layout of what a seat of `game` observes. Raises TypeError if a field cannot be encoded."""
    return ObservationLayout(game)


def _observed(game: Game) -> Mapping[str, Encoding]:
    dtype = game.empty_record().dtype
    if hasattr(game.rules, "observed"):
        observed = game.rules.observed(game.players, game.options)
        unknown = [name for name in observed if name not in dtype.names]
        if unknown:
            expected = f"expected fields of its record, {', '.join(dtype.names[:-1])}"
            raise TypeError(f"{game.name}: observed names {', '.join(unknown)}: {expected}")
        return observed
    return {name: _bits_of(dtype[name].base) for name in dtype.names[:-1]}  # the last one is the sources' name


def _bits_of(dtype: np.dtype) -> Encoding:
    return Encoding(Kind.WORD, "its bits, the lowest first", 8 * dtype.itemsize)


def _width(name: str, dtype: np.dtype) -> int:
    if dtype.base not in WIDTHS:
        expected = ", ".join(width.__name__ for width in WIDTHS)
        raise TypeError(f"field {name} is of type {dtype.base}: expected one of {expected} to observe it")
    return WIDTHS.index(dtype.base.type)


def _elements(dtype, offset, encoding, players):
    """The shape of the part of a field that is observed, and (offset, stride, seat) of each element of it."""
    items = np.arange(math.prod(dtype.shape)).reshape(dtype.shape) + offset // dtype.base.itemsize
    if encoding.columns is not None:
        items = items[..., : encoding.columns]
    if encoding.rows == Rows.ALL:
        return items.shape, [(item, 0, 0) for item in items.flat]
    stride = math.prod(dtype.shape[1:])
    seats = players if encoding.rows == Rows.BY_SEAT else 1
    shape = (seats, *items.shape[1:]) if encoding.rows == Rows.BY_SEAT else items.shape[1:]
    return shape, [(item, stride, seat) for seat in range(seats) for item in items[0].flat]


# --- Kernel ---------------------------------------------------------------------------------------


@rule
def encode(words, seats, players, entries, vectors):
    """The kernel of `encode_records`: `words` are the records as arrays of integers of each of WIDTHS."""
    for i in range(len(seats)):
        vector = vectors[i]
        for k in range(len(vector)):
            vector[k] = 0
        if seats[i] == NO_SEAT:
            continue
        vector[seats[i]] = 1
        for e in range(len(entries)):
            entry = entries[e]
            seat = seats[i] + entry.seat
            if seat >= players:
                seat -= players
            value = item(words, i, entry.width, entry.offset + seat * entry.stride)
            write(value, seats[i], players, entry, vector)


@rule
def item(words, i, width, position):
    """An integer of record `i`, whatever its width."""
    if width == 3:
        return int(words[3][i, position])
    if width == 2:
        return int(words[2][i, position])
    if width == 1:
        return int(words[1][i, position])
    return int(words[0][i, position])


@rule
def write(value, observer, players, entry, vector):
    """Writes the numbers of one element to `vector`, which is zero there."""
    if entry.kind == Kind.NUMBER:
        vector[entry.start] = value / entry.unit
    elif entry.kind == Kind.WORD or (entry.kind == Kind.SET and value >= 0):
        for k in range(entry.length):
            vector[entry.start + k] = value >> k & 1
    elif entry.kind == Kind.ONE_OF:
        if 0 <= value - entry.low < entry.length:
            vector[entry.start + value - entry.low] = 1
    elif entry.kind == Kind.SEAT and 0 <= value < players:
        relative = value - observer
        vector[entry.start + (relative if relative >= 0 else relative + players)] = 1
