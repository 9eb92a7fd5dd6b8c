"""Commands on game records: verify, show."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated, Any

import typer

from tournaments.commands.shell import Json, app, user_errors

RecordFile = Annotated[Path, typer.Argument(help="Game records, one JSON object a line.", show_default=False)]
OwnGames = Annotated[
    list[str] | None, typer.Option(help="Import a game of your own, package.module.", show_default=False)
]
Line = Annotated[int, typer.Option(min=1, help="Which line of the file.")]


@app.command()
def verify(
    file: RecordFile,
    game: OwnGames = None,
    as_json: Json = False,
) -> None:
    """Replay game records under the plain, uncompiled rules and compare every result."""
    os.environ["NUMBA_DISABLE_JIT"] = "1"  # before the engine is imported
    with user_errors():
        from tqdm import tqdm

        from engine import RecordError, record, replay

        _import_games(game)
        problems, count, unfinished = [], 0, 0
        for number, content in tqdm(record.read(file), unit=" games", disable=None, leave=False):
            count += 1
            try:
                if isinstance(content, RecordError):
                    raise content
                unfinished += not replay(content).is_terminal
            except RecordError as error:
                problems.append({"line": number, "problem": str(error)})
        if as_json:
            print(json.dumps({"games": count, "unfinished": unfinished, "problems": problems}))
        else:
            for problem in problems:
                print(f"{file}:{problem['line']}: {problem['problem']}")
            print(f"{count} games, {len(problems)} of them wrong, {unfinished} unfinished")
    if problems:
        raise typer.Exit(1)


@app.command()
def show(
    file: RecordFile,
    game: OwnGames = None,
    line: Line = 1,
) -> None:
    """Tell a recorded game: the deals, what was played, who won it and why, the scores."""
    with user_errors():
        from engine.story import tell

        for text in tell(record_in(file, line, game)):
            print(text)


def record_in(file: Path, line: int, own_games: list[str] | None) -> dict[str, Any]:
    """The game record in a line of a file, as it stands there. Raises ValueError and OSError."""
    from itertools import islice

    from engine import RecordError, record

    _import_games(own_games)
    found = next(islice(record.read(file), line - 1, None), None)
    if found is None:
        raise ValueError(f"{file} has no line {line}")
    if isinstance(found[1], RecordError):
        raise ValueError(f"{file}:{line}: {found[1]}")
    return found[1]


def _import_games(names: list[str] | None) -> None:
    from engine.game import find

    for name in names or ():
        find(name)
