"""Game records: one JSON object a line, complete without the code that made it (decks are spelt out)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from engine.game import load
from engine.state import FORMAT, IllegalActionError, State

REQUIRED = ("format", "game", "players", "options", "seed", "decks", "actions", "scores", "ranks", "returns")


class RecordError(ValueError):
    """A game record that does not hold what it should, or that the rules contradict."""


def replay(record: Mapping[str, Any]) -> State:
    """The last state of a record, every action checked against the rules and every result compared.

    Raises RecordError, which says what was expected.
    """
    missing = [key for key in REQUIRED if key not in record]
    if missing:
        raise RecordError(f"the record lacks {', '.join(missing)}")
    if record["format"] != FORMAT:
        raise RecordError(f"format {record['format']!r}: expected {FORMAT!r}")
    for key, kind in (("options", dict), ("decks", list), ("actions", list)):
        if not isinstance(record[key], kind):
            raise RecordError(f"{key} {record[key]!r}: expected a {kind.__name__}")
    try:
        game = load(record["game"], players=record["players"], **record["options"])
        if not record["decks"]:
            raise RecordError("the record holds no deck")
        state = game.new(seed=record["seed"], decks=record["decks"])
    except (ValueError, TypeError) as error:
        raise RecordError(str(error)) from error
    for number, action in enumerate(record["actions"]):
        try:
            state = state.apply(action)
        except IllegalActionError as error:
            raise RecordError(f"action {number}: {error}") from error
    _compare(record, state.record())
    return state


def _compare(record: Mapping[str, Any], replayed: Mapping[str, Any]) -> None:
    """Raises RecordError unless decks and results are those of the replayed game."""
    given, needed = len(record["decks"]), len(replayed["decks"])
    if given != needed:
        raise RecordError(f"{given} decks: expected {needed}, one for each deal that was made")
    for key in ("scores", "ranks", "returns"):
        if record[key] != replayed[key]:
            raise RecordError(f"{key} {record[key]}: expected {replayed[key]}")


def read(path: str | Path) -> Iterator[tuple[int, dict[str, Any] | RecordError]]:
    """Line number and record of every line of a file; a line that is no JSON object gives a RecordError."""
    with open(path, "rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                record = json.loads(line)
                if not isinstance(record, dict):
                    raise ValueError(f"{type(record).__name__} instead of an object")
            except ValueError as error:
                yield number, RecordError(f"expected one JSON object ({error})")
            else:
                yield number, record
