"""Results on disk: `games.sqlite` in the results folder. One writer, a transaction per block."""

from __future__ import annotations

import json
import platform
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tournaments.config import Config, check
from tournaments.match import GameResult
from tournaments.schedule import Schedule

FILE_NAME = "games.sqlite"
FORMAT = "timetricks-store/1"

_SCHEMA = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE games (
    id TEXT PRIMARY KEY,
    block TEXT NOT NULL,
    game TEXT NOT NULL,        -- GAME/PLAYERS
    rotation INTEGER NOT NULL,
    bots TEXT NOT NULL,        -- JSON list by seat, as are scores and ranks
    scores TEXT NOT NULL,
    ranks TEXT NOT NULL,       -- that count: offenders last
    faults TEXT NOT NULL,      -- JSON list
    record TEXT NOT NULL       -- timetricks/1
);
CREATE INDEX games_by_block ON games (block);
CREATE TABLE timings (         -- not reproducible, so not among the games
    id TEXT PRIMARY KEY REFERENCES games (id),
    decisions TEXT NOT NULL,   -- JSON list by seat
    seconds TEXT NOT NULL      -- JSON list by seat
);
"""


class StoreError(ValueError):
    """A results folder that cannot be used."""


@dataclass(frozen=True)
class GameRow:
    """What the ratings need of a game."""

    block: str
    game: str
    bots: list[str]
    scores: list[int]
    ranks: list[int]
    faults: list[dict[str, Any]]
    decisions: list[int]
    seconds: list[float]


class Store:
    """The results of one experiment. Use `create_or_open` to write and `open` to read."""

    def __init__(self, connection: sqlite3.Connection, config: Config):
        self._connection = connection
        self.config = config

    @classmethod
    def create_or_open(cls, folder: Path, config: Config) -> Store:
        """The store in `folder`, made if there is none. Raises StoreError when it is another config's."""
        folder = Path(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"{folder}: {error.strerror}; expected a folder for the results") from None
        connection = _connect(folder / FILE_NAME)
        if _is_empty(connection):
            _write_schema(connection, config)
        store = cls._checked(connection, folder / FILE_NAME)
        if store.config.hash != config.hash:
            store.close()
            raise StoreError(
                f"{folder} holds the results of another config: {_difference(store.config, config)}; "
                "expected the same one, or another --out"
            )
        return store

    @classmethod
    def open(cls, folder: Path) -> Store:
        """The store in `folder`. Raises StoreError when there is none that can be read."""
        path = Path(folder) / FILE_NAME
        if not path.is_file():
            raise StoreError(f"{folder} holds no {FILE_NAME}; expected a results folder made by `timetricks run`")
        return cls._checked(_connect(path), path)

    @classmethod
    def _checked(cls, connection: sqlite3.Connection, path: Path) -> Store:
        try:
            about = dict(connection.execute("SELECT key, value FROM about"))
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{path} cannot be read: {error}; nothing was changed") from None
        if about.get("format") != FORMAT:
            raise StoreError(f"{path}: format {about.get('format')!r}: expected {FORMAT!r}")
        return cls(connection, check(json.loads(about["config"]), str(path)))

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def finished_blocks(self) -> set[str]:
        return {block for (block,) in self._connection.execute("SELECT DISTINCT block FROM games")}

    def add_block(self, results: Iterable[GameResult]) -> None:
        """Writes all games of a block in one transaction. A game that is there already stays as it is."""
        with self._connection:
            for result in results:
                row = (
                    result.id,
                    result.block,
                    result.game,
                    result.rotation,
                    *_json(result.record["bots"], result.record["scores"], result.ranks),
                    *_json([asdict(fault) for fault in result.faults], result.record),
                )
                self._connection.execute("INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
                timing = (result.id, *_json(result.decisions, result.seconds))
                self._connection.execute("INSERT OR IGNORE INTO timings VALUES (?, ?, ?)", timing)

    def rows(self) -> Iterator[GameRow]:
        """The finished games, without their records, in a fixed order."""
        query = """
            SELECT block, game, bots, scores, ranks, faults, decisions, seconds
            FROM games JOIN timings USING (id) ORDER BY id
        """
        for block, game, *lists in self._connection.execute(query):
            yield GameRow(block, game, *map(json.loads, lists))

    def records(self) -> Iterator[dict[str, Any]]:
        """The records of the finished games in schedule order, each with its id."""
        query = "SELECT id, record FROM games WHERE block = ? ORDER BY rotation"
        for block in Schedule(self.config):
            with closing(self._connection.execute(query, (block.id,))) as games:
                for game_id, record in games:
                    yield {"id": game_id} | json.loads(record)


def _connect(path: Path) -> sqlite3.Connection:
    """Readers may look while a run writes; a killed run loses the block it was writing and no other."""
    try:
        connection = sqlite3.connect(path, timeout=10)
        connection.execute("PRAGMA journal_mode = WAL")
    except sqlite3.DatabaseError as error:
        raise StoreError(f"{path} cannot be opened: {error}; nothing was changed") from None
    return connection


def _is_empty(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)


def _write_schema(connection: sqlite3.Connection, config: Config) -> None:
    packages = {name: version(name) for name in ("timetricks", "numpy", "numba")}
    about = {
        "format": FORMAT,
        "config": config.canonical_json,
        "config_hash": config.hash,
        "versions": json.dumps({"python": platform.python_version()} | packages),
    }
    with connection:
        connection.executescript("BEGIN;" + _SCHEMA)
        connection.executemany("INSERT INTO about VALUES (?, ?)", about.items())


def _json(*values: Any) -> list[str]:
    return [json.dumps(value, separators=(",", ":")) for value in values]


def _difference(old: Config, new: Config) -> str:
    before, after = old.model_dump(), new.model_dump()
    return ", ".join(
        f"{key} was {json.dumps(before[key])} and is {json.dumps(after[key])}"
        for key in before
        if before[key] != after[key]
    )
