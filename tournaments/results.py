"""Finished games as arrays: all that ratings and tables are computed from."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

CHUNK = 2000  # games that are parsed together: few calls, and little enough for the cache of a processor


@dataclass(frozen=True)
class Faults:
    """What a bot did wrong for one reason."""

    bot: str
    reason: str
    number: int
    message: str  # of the first, by block and rotation


@dataclass(frozen=True)
class Results:
    """Finished games of one GAME/PLAYERS, a row per game, in the order of block ids and rotations.

    The order in which the games were finished leaves no trace.
    """

    game: str  # GAME/PLAYERS
    blocks: np.ndarray  # (games,) int, number of the deal block among those of all games, in order of id
    bots: np.ndarray  # (games, players) int, number of the bot by seat, as are all that follow
    scores: np.ndarray  # (games, players) int
    ranks: np.ndarray  # (games, players) int, those that count: 1 is best, offenders are last
    decisions: np.ndarray  # (games, players) int
    seconds: np.ndarray  # (games, players) float, spent in the bot
    faults: list[Faults]


def collect(rows: Iterable[tuple], bot_names: Sequence[str]) -> list[Results]:
    """The games in `rows`, in order of GAME/PLAYERS; bots are numbered as in `bot_names`.

    A row is (game, block id, rotation, bots, scores, ranks, faults, decisions, seconds), the last six
    JSON lists. Raises KeyError for a bot of another name and ValueError for a list that is none.
    """
    rows = iter(rows)
    bot_numbers = {name: number for number, name in enumerate(bot_names)}
    block_numbers: dict[str, int] = {}  # as they come
    games: dict[str, _Columns] = defaultdict(_Columns)
    while chunk := list(islice(rows, CHUNK)):
        by_game = defaultdict(list)
        for row in chunk:
            by_game[row[0]].append(row)
        for game, group in by_game.items():
            games[game].add(group, block_numbers, bot_numbers)
    place = np.empty(len(block_numbers), np.int64)
    place[[block_numbers[block] for block in sorted(block_numbers)]] = np.arange(len(place))
    return [games.pop(game).results(game, place) for game in sorted(games)]


class _Columns:
    """The columns of one GAME/PLAYERS, chunk by chunk."""

    def __init__(self):
        self._chunks: dict[str, list[np.ndarray]] = defaultdict(list)
        self._faults: dict[tuple[str, str], list[tuple]] = {}  # by bot and reason: number, place and text of the first

    def add(self, rows: list[tuple], block_numbers: dict[str, int], bot_numbers: dict[str, int]) -> None:
        _, blocks, rotations, bots, scores, ranks, faults, decisions, seconds = zip(*rows, strict=True)
        count = len(rows)
        names = json.loads(f"[{','.join(text[1:-1] for text in bots)}]")
        columns = {
            "blocks": np.array([block_numbers.setdefault(block, len(block_numbers)) for block in blocks]),
            "rotations": np.array(rotations),
            "bots": np.array([bot_numbers[name] for name in names]).reshape(count, -1),
            "scores": _numbers(scores, np.int64),
            "ranks": _numbers(ranks, np.int64),
            "decisions": _numbers(decisions, np.int64),
            "seconds": _numbers(seconds, np.float64),
        }
        for name, column in columns.items():
            self._chunks[name].append(column)
        for block, rotation, text in zip(blocks, rotations, faults, strict=True):
            if text != "[]":
                self._add_faults(block, rotation, json.loads(text))

    def _add_faults(self, block: str, rotation: int, faults: list[dict[str, Any]]) -> None:
        for fault in faults:
            key = fault["bot"], fault["reason"]
            place = block, rotation, fault["seat"]
            number, *first = self._faults.get(key, (0, place, fault["message"]))
            self._faults[key] = (number + 1, *min(first, [place, fault["message"]]))

    def results(self, game: str, place: np.ndarray) -> Results:
        """The columns in order; `place` is that of every block in the order of ids. They are used up."""
        blocks = place[self._joined("blocks")]
        order = np.lexsort((self._joined("rotations"), blocks))
        names = ("bots", "scores", "ranks", "decisions", "seconds")
        faults = [
            Faults(bot, reason, number, message)
            for (bot, reason), (number, _, message) in sorted(self._faults.items(), key=lambda item: item[1][1])
        ]
        return Results(game, blocks[order], *(self._joined(name)[order] for name in names), faults)

    def _joined(self, name: str) -> np.ndarray:
        return np.concatenate(self._chunks.pop(name))


def _numbers(texts: Sequence[str], dtype: type) -> np.ndarray:
    """Shape (texts, length): JSON lists of numbers, which are all of the same length, parsed as one."""
    numbers = json.loads(",".join(texts).replace("],[", ","))
    return np.array(numbers, dtype).reshape(len(texts), -1)
