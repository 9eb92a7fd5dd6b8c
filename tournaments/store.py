"""Results on disk: `games.sqlite` in the results folder. One writer, a transaction per block."""

from __future__ import annotations

import fcntl
import json
import os
import platform
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict
from importlib.metadata import version
from itertools import chain, count, groupby, islice
from pathlib import Path
from typing import Any

from tournaments.config import Config
from tournaments.match import Fault, GameResult
from tournaments.results import Results, collect
from tournaments.schedule import Schedule

FILE_NAME = "games.sqlite"
FORMAT = "timetricks-store/2"
LOCK_NAME = "run.lock"  # holds the number of the process that writes
BUSY_SECONDS = 10  # to wait for another process that writes
_ENDINGS = ("", "-wal", "-shm", "-journal")  # of a database and of what is not yet merged into it
_SQLITE_HEADER = b"SQLite format 3\0"
_BLOCKS_PER_QUERY = 500

_SCHEMA = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE games (
    number INTEGER PRIMARY KEY, -- in order of finishing, for the tables below
    id TEXT NOT NULL UNIQUE,
    block TEXT NOT NULL,
    game TEXT NOT NULL,         -- GAME/PLAYERS
    rotation INTEGER NOT NULL,
    bots TEXT NOT NULL,         -- JSON list by seat, as are scores and ranks
    scores TEXT NOT NULL,
    ranks TEXT NOT NULL,        -- that count: offenders last
    faults TEXT NOT NULL        -- JSON list
);
CREATE INDEX games_by_block ON games (block);
CREATE TABLE records (          -- large, so not among the games: ratings do not need them
    number INTEGER PRIMARY KEY REFERENCES games (number),
    record TEXT NOT NULL        -- timetricks/1
);
CREATE TABLE conduct (          -- of the bots: not reproducible, so not among the games
    number INTEGER PRIMARY KEY REFERENCES games (number),
    decisions TEXT NOT NULL,    -- JSON list by seat, as are the others
    seconds TEXT NOT NULL,
    stderr TEXT NOT NULL        -- what the process of a bot wrote there
);
"""


class StoreError(ValueError):
    """A results folder that cannot be used."""


class RunError(RuntimeError):
    """A run that cannot go on. What it has stored is safe."""


class Store:
    """The results of one experiment. `create_or_open` makes one to write to, `open` one to read."""

    def __init__(self, path: Path, connection: sqlite3.Connection, config: Config):
        self._path = path
        self._connection = connection
        self.config = config
        self._lock = ExitStack()

    @classmethod
    def create_or_open(cls, folder: Path, config: Config) -> Store:
        """The store in `folder` to write to, made if there is none.

        A config that extends the one before takes its place. Raises StoreError when it contradicts it, when
        another process writes, and when the file is damaged; a damaged file is moved aside.
        """
        path = Path(folder) / FILE_NAME
        with ExitStack() as lock:
            lock.enter_context(_sole_writer(path))
            if not _is_blank(path):
                _set_aside_if_damaged(path)
            if _is_blank(path):  # now perhaps: SQLite takes back what a killed run had only begun
                with _named_errors(path):
                    connection = sqlite3.connect(path, timeout=BUSY_SECONDS)
                    _write_schema(connection, config)
                store = cls(path, connection, config)
            else:
                store = cls.open(folder)
                try:
                    store._extend(config)
                except BaseException:
                    store.close()
                    raise
            store._lock = lock.pop_all()
        with _named_errors(path):  # others may read while this one writes
            store._connection.execute("PRAGMA journal_mode = WAL")
            store._connection.execute("PRAGMA synchronous = NORMAL")  # a power cut may undo blocks, never damage any
        return store

    def _extend(self, config: Config) -> None:
        """Goes on under `config`. Raises StoreError when it contradicts the one that made the results."""
        if config.hash == self.config.hash:
            return
        if contradictions := self.config.contradictions(config):
            raise StoreError(
                f"{self._path.parent} holds the results of another config: {', '.join(contradictions)}; "
                "expected the same one, an extension of it (more blocks, bots or games), or another --out"
            )
        with _named_errors(self._path), self._connection:
            about = dict(self._connection.execute("SELECT key, value FROM about"))
            earlier = [*json.loads(about.get("earlier_configs", "[]")), json.loads(about["config"])]
            _write_about(self._connection, config, {"earlier_configs": json.dumps(earlier)})
        self.config = config

    @classmethod
    def open(cls, folder: Path) -> Store:
        """The store in `folder`. Raises StoreError when there is none that can be read; changes nothing."""
        path = Path(folder) / FILE_NAME
        if not path.is_file():
            raise StoreError(f"{folder} holds no {FILE_NAME}; expected a results folder made by `timetricks run`")
        if not _is_database(path):
            raise StoreError(f"{path} is not a database; nothing was changed")
        with _named_errors(path):
            connection = sqlite3.connect(path, timeout=BUSY_SECONDS)
            try:
                connection.execute("PRAGMA cell_size_check = ON")  # damage is an error, not a wrong answer
                return cls(path, connection, _read_config(connection, path))
            except BaseException:
                connection.close()
                raise

    def close(self) -> None:
        self._connection.close()
        self._lock.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def versions(self) -> dict[str, str]:
        """Of Python and of packages, when the config in force was first run."""
        with _named_errors(self._path):
            return json.loads(dict(self._connection.execute("SELECT key, value FROM about"))["versions"])

    def finished_blocks(self) -> set[str]:
        with _named_errors(self._path):
            return {block for (block,) in self._connection.execute("SELECT DISTINCT block FROM games")}

    def add_blocks(self, blocks: Iterable[Iterable[GameResult]]) -> None:
        """Writes all games of some blocks in one transaction. A game that is there already stays as it is.

        Raises RunError when they cannot be written.
        """
        try:
            with self._connection:
                for result in chain.from_iterable(blocks):
                    self._insert(result)
        except sqlite3.Error as error:
            raise RunError(f"{self._path} cannot be written: {error}; the blocks before are stored") from None

    def _insert(self, result: GameResult) -> None:
        write = self._connection.execute
        game = write(_INSERT_GAME, _row(result))
        if game.rowcount == 1:  # it was not there
            write("INSERT INTO records VALUES (?, ?)", (game.lastrowid, *_json(result.record)))
            conduct = _json(result.decisions, result.seconds, result.stderr)
            write("INSERT INTO conduct VALUES (?, ?, ?, ?)", (game.lastrowid, *conduct))

    def results(self, progress: Callable[[Iterable[tuple]], Iterable[tuple]] = iter) -> list[Results]:
        """The finished games, without their records, as arrays per GAME/PLAYERS. `progress` may watch them come."""
        query = """
            SELECT game, block, rotation, bots, scores, ranks, faults, decisions, seconds
            FROM games JOIN conduct USING (number)
        """
        with _named_errors(self._path):
            return collect(progress(self._connection.execute(query)), self.config.bot_names)

    def placings(self) -> dict[str, list[tuple[list[str], list[int]]]]:
        """The bots and the ranks by seat of every game, by block."""
        blocks = defaultdict(list)
        with _named_errors(self._path):
            for block, *lists in self._connection.execute("SELECT block, bots, ranks FROM games"):
                blocks[block].append(tuple(map(json.loads, lists)))
        return blocks

    def num_games(self) -> int:
        """How many games are finished."""
        with _named_errors(self._path):
            return self._connection.execute("SELECT count(*) FROM games").fetchone()[0]

    def games(self) -> Iterator[GameResult]:
        """The finished games, as they were added.

        In schedule order; games that the schedule does not hold come after, in order of block id and rotation.
        """
        return self._games_of(self._blocks_in_order())

    def sample(self, count: int) -> list[GameResult]:
        """Up to `count` of the `games`, in order: from blocks spread evenly over the schedule, rotation by rotation."""
        chosen = _spread(list(self._blocks_in_order()), count)
        blocks = [list(games) for _, games in groupby(self._games_of(chosen), lambda game: game.block)]
        if len(blocks) == count:
            return [games[number % len(games)] for number, games in enumerate(blocks)]
        return _spread([game for games in blocks for game in games], count)

    def _games_of(self, block_ids: Iterable[str]) -> Iterator[GameResult]:
        """The games of these blocks, in this order."""
        query = """
            SELECT games.id, block, game, rotation, record, ranks, faults, decisions, seconds, stderr
            FROM json_each(?) AS wanted JOIN games ON block = wanted.value
            JOIN records USING (number) JOIN conduct USING (number)
            ORDER BY wanted.key, rotation
        """
        blocks = iter(block_ids)
        with _named_errors(self._path):
            while batch := list(islice(blocks, _BLOCKS_PER_QUERY)):
                for row in self._connection.execute(query, _json(batch)):
                    yield _game(*row)

    def _blocks_in_order(self) -> Iterator[str]:
        """The ids of the finished blocks in schedule order, then those that the schedule does not hold."""
        left = self.finished_blocks()
        schedule = iter(Schedule(self.config))
        while left and (block := next(schedule, None)):
            if block.id in left:
                left.remove(block.id)
                yield block.id
        yield from sorted(left)


def _spread(items: list, count: int) -> list:
    """Up to `count` of the items, in order and evenly far from each other."""
    return [items[len(items) * number // count] for number in range(count)] if len(items) > count else items


@contextmanager
def _named_errors(path: Path) -> Iterator[None]:
    """Turns what sqlite3 and JSON say of a bad file into a StoreError that names it."""
    try:
        yield
    except StoreError:
        raise
    except (sqlite3.Error, ValueError, KeyError) as error:
        reason = str(error).splitlines()[0]
        raise StoreError(f"{path} cannot be used ({type(error).__name__}: {reason}); nothing was changed") from None


@contextmanager
def _sole_writer(path: Path) -> Iterator[None]:
    """Holds the folder of `path` for this process. The system lets go of it whatever becomes of us."""
    folder = path.parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = open(folder / LOCK_NAME, "a+")  # noqa: SIM115  closed below
    except OSError as error:
        raise StoreError(f"{folder}: {error.strerror}; expected a folder for the results") from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise StoreError(
                f"{folder} is in use: process {file.read().strip() or 'unknown'} plays there; "
                "expected to wait for its end, or another --out"
            ) from None
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


def _set_aside_if_damaged(path: Path) -> None:
    """Raises StoreError when the file is no whole database, after having given it another name."""
    try:
        problem = _problem(path)
    except sqlite3.OperationalError as error:
        raise StoreError(f"{path} cannot be used: {error}; nothing was changed") from None
    except sqlite3.DatabaseError as error:
        problem = str(error)
    if problem is None:
        return
    number = next(n for n in count(1) if not path.with_name(f"{FILE_NAME}.damaged-{n}").exists())
    for ending in _ENDINGS:
        part = path.with_name(FILE_NAME + ending)
        if part.exists():
            part.rename(path.with_name(f"{FILE_NAME}.damaged-{number}{ending}"))
    raise StoreError(
        f"{path} is damaged ({problem}). It was kept as {FILE_NAME}.damaged-{number}; "
        "the same command plays everything anew"
    )


def _problem(path: Path) -> str | None:
    """What is wrong with a database, after SQLite has finished or taken back what a killed run had begun."""
    if not path.exists() or path.stat().st_size == 0:
        return "it is empty and its log is not"  # SQLite would delete the log
    if not _is_database(path) and not any(path.with_name(FILE_NAME + end).exists() for end in ("-wal", "-journal")):
        return "it does not begin as a database does"
    with closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as connection:
        answer = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    return None if answer == "ok" else answer.splitlines()[-1]


def _is_blank(path: Path) -> bool:
    """Whether nothing has been stored yet. Beside what is not yet merged an empty file is a damaged one."""
    parts = [path.with_name(FILE_NAME + ending) for ending in ("", "-wal")]
    return not any(part.exists() and part.stat().st_size for part in parts)


def _is_database(path: Path) -> bool:
    with open(path, "rb") as file:
        return file.read(len(_SQLITE_HEADER)) == _SQLITE_HEADER


def _write_schema(connection: sqlite3.Connection, config: Config) -> None:
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        for statement in _SCHEMA.split(";\n"):
            connection.execute(statement)
        _write_about(connection, config, {"format": FORMAT})


def _write_about(connection: sqlite3.Connection, config: Config, more: dict[str, str]) -> None:
    packages = {name: version(name) for name in ("timetricks", "numpy", "numba")}
    about = {
        "config": config.canonical_json,
        "config_hash": config.hash,
        "versions": json.dumps({"python": platform.python_version()} | packages),
    }
    connection.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", (about | more).items())


def _read_config(connection: sqlite3.Connection, path: Path) -> Config:
    """The config of the experiment; the bots that it names need not be here any more."""
    about = dict(connection.execute("SELECT key, value FROM about"))
    if about.get("format") != FORMAT:
        raise StoreError(f"{path}: format {about.get('format')!r}: expected {FORMAT!r}; nothing was changed")
    connection.execute("SELECT 1 FROM games JOIN records USING (number) JOIN conduct USING (number) LIMIT 1")
    return Config.model_validate_json(about["config"])


_INSERT_GAME = """
INSERT INTO games (id, block, game, rotation, bots, scores, ranks, faults) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO NOTHING
"""


def _row(result: GameResult) -> tuple:
    record = result.record
    lists = _json(record["bots"], record["scores"], result.ranks, [asdict(fault) for fault in result.faults])
    return result.id, result.block, result.game, result.rotation, *lists


def _game(game_id: str, block: str, game: str, rotation: int, *lists: str) -> GameResult:
    """What was given to `_row`; `lists` are record, ranks, faults and conduct."""
    record, ranks, faults, *conduct = map(json.loads, lists)
    return GameResult(game_id, block, game, rotation, record, ranks, [Fault(**fault) for fault in faults], *conduct)


def _json(*values: Any) -> list[str]:
    return [json.dumps(value, separators=(",", ":")) for value in values]
