"""Game records: one JSON object a line, complete without the code that made it (decks are spelt out).

Beside `REQUIRED` a record may hold `bots`, names by seat, and `thoughts`: for every action what the bot
behind it found of its choices (`bots.search.explanation.Explanation`), or null. Further keys are left alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from engine.game import load, names, registered
from engine.state import FORMAT, IllegalActionError, State

REQUIRED = ("format", "game", "players", "options", "seed", "decks", "actions", "scores", "ranks", "returns")


class RecordError(ValueError):
    """A game record that does not hold what it should, or that the rules contradict."""


def replay(record: Mapping[str, Any]) -> State:
    """The last state of a record, every action checked against the rules and every result compared.

    The game must be a built-in one or imported already: a file does not decide what code is run.
    Raises RecordError, which says what was expected.
    """
    _check_shape(record)
    try:
        if record["game"] not in names():
            registered(record["game"])
        game = load(record["game"], players=record["players"], **record["options"])
        state = game.new(seed=record["seed"], decks=record["decks"])
    except (ValueError, TypeError) as error:
        raise RecordError(str(error)) from error
    for number, action in enumerate(record["actions"]):
        try:
            state = state.apply(action)
        except IllegalActionError as error:
            raise RecordError(f"action {number}: {error}") from error
    bots = record.get("bots")
    if bots is not None and not (isinstance(bots, list) and len(bots) == game.players and _all_names(bots)):
        raise RecordError(f"bots {bots!r}: expected null or {game.players} names"[:200])
    thoughts = record.get("thoughts")
    if thoughts is not None and not (isinstance(thoughts, list) and len(thoughts) == len(record["actions"])):
        raise RecordError(f"thoughts: expected null or {len(record['actions'])} entries, one for each action")
    _compare(record, state.record())
    return state


def _check_shape(record: Mapping[str, Any]) -> None:
    """Raises RecordError unless the keys are there and hold the right kinds of values."""
    if not isinstance(record, Mapping):
        raise RecordError(f"{type(record).__name__}: expected an object with the keys {', '.join(REQUIRED)}")
    missing = [key for key in REQUIRED if key not in record]
    if missing:
        raise RecordError(f"the record lacks {', '.join(missing)}")
    if record["format"] != FORMAT:
        raise RecordError(f"format {record['format']!r}: expected {FORMAT!r}")
    for key, kind in (("game", str), ("players", int), ("options", dict), ("decks", list), ("actions", list)):
        if not isinstance(record[key], kind):
            raise RecordError(f"{key} {record[key]!r}: expected a {kind.__name__}"[:200])
    if not record["decks"]:
        raise RecordError("the record holds no deck")
    if not _all_names(record["actions"]):
        raise RecordError("actions: expected names")


def _all_names(values: list) -> bool:
    return all(isinstance(value, str) for value in values)


def _compare(record: Mapping[str, Any], replayed: Mapping[str, Any]) -> None:
    """Raises RecordError unless options, decks and results are those of the replayed game."""
    given, needed = len(record["decks"]), len(replayed["decks"])
    if given != needed:
        raise RecordError(f"{given} decks: expected {needed}, one for each deal that was made")
    for key in ("options", "scores", "ranks", "returns"):
        if json.dumps(record[key], sort_keys=True) != json.dumps(replayed[key], sort_keys=True):
            raise RecordError(f"{key} {record[key]}: expected {replayed[key]}")


def read(path: str | Path) -> Iterator[tuple[int, dict[str, Any] | RecordError]]:
    """Line number and record of every line that is not blank; one that is no JSON object gives a RecordError."""
    with open(path, "rb") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield number, _parse(line)


def _parse(line: bytes) -> dict[str, Any] | RecordError:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        return RecordError(f"expected one JSON object ({error})")
    return record if isinstance(record, dict) else RecordError(f"expected one JSON object, not {line[:40]!r}")
