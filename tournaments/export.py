"""Games written to a file: as game records, or as a table for data frames with a row per game and seat."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from tournaments.match import GameResult

COLUMNS: dict[str, tuple[type, str]] = {
    "id": (str, "of the game: its block and rotation"),
    "block": (str, "the deal block: its games have the same deals"),
    "rotation": (int, "of the bots against the seats, from 0"),
    "game": (str, "name"),
    "players": (int, "number of seats"),
    "options": (str, "of the game, a JSON object"),
    "seed": (int, "of the deals"),
    "actions": (int, "taken in the game, by all seats"),
    "seat": (int, "from 0"),
    "bot": (str, "who held the seat"),
    "score": (int, "points of the game"),
    "rank": (int, "by the rules of the game, 1 is best"),
    "counted_rank": (int, "the one that ratings use: bots at fault come last"),
    "returns": (float, "share of the win by the rules of the game"),
    "decisions": (int, "of the seat"),
    "seconds": (float, "that the bot spent on them"),
    "fault": (str, "why a random bot played on for this one; empty if it did not"),
    "fault_message": (str, "what was said about it"),
    "fault_action": (int, "number of the action of the game, from 0, at which that was"),
}
"""Type and meaning of the columns of a table, in order."""

_GAMES_AT_ONCE = 5000  # make a row group of a Parquet file


def write_records(games: Iterable[GameResult], file: TextIO) -> None:
    """A game record a line, each with the id of its game."""
    for game in games:
        file.write(json.dumps(game.full_record(), separators=(",", ":")) + "\n")


def write_csv(games: Iterable[GameResult], file: TextIO) -> None:
    """A line of column names, then a line for each game and seat."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    for game in games:
        writer.writerows(rows(game))


def write_parquet(games: Iterable[GameResult], file: TextIO) -> None:
    """The table of `write_csv`, written to the bytes below `file`. Raises ValueError if pyarrow is missing."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise ValueError(f"--format parquet needs pyarrow ({error}): pip install 'timetricks[parquet]'") from None
    types = {str: pa.string(), int: pa.int64(), float: pa.float64()}
    schema = pa.schema([(name, types[kind]) for name, (kind, _) in COLUMNS.items()])
    with parquet.ParquetWriter(file.buffer, schema) as writer:
        games = iter(games)
        while part := list(islice(games, _GAMES_AT_ONCE)):
            columns = zip(*(row for game in part for row in rows(game)), strict=True)
            writer.write_table(pa.table([list(column) for column in columns], schema))


FORMATS: dict[str, Callable[[Iterable[GameResult], TextIO], None]] = {
    "records": write_records,
    "csv": write_csv,
    "parquet": write_parquet,
}


def rows(game: GameResult) -> Iterator[list[Any]]:
    """The rows of a game, values in the order of `COLUMNS`, None where there is nothing to say."""
    record = game.record
    options = json.dumps(record["options"], separators=(",", ":"))
    of_game = [game.id, game.block, game.rotation, record["game"], record["players"], options, record["seed"]]
    faults = {fault.seat: fault for fault in game.faults}
    for seat, bot in enumerate(record["bots"]):
        by_seat = (record["scores"], record["ranks"], game.ranks, record["returns"], game.decisions, game.seconds)
        fault = faults.get(seat)
        told = [fault.reason, fault.message, fault.action_number] if fault else [None] * 3
        yield [*of_game, len(record["actions"]), seat, bot, *(values[seat] for values in by_seat), *told]
