"""Commands on a results folder: rate, report, export."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from tournaments.commands.shell import Json, ResultsFolder, app, print_standings, reading, replacing, say, user_errors
from tournaments.export import COLUMNS, FORMATS


@app.command()
def rate(
    folder: ResultsFolder,
    matrix: Annotated[bool, typer.Option("--matrix", help="Print also who is how likely the stronger.")] = False,
    as_json: Json = False,
) -> None:
    """Rate the bots of a tournament, finished or not: Elo with 95 % intervals.

    Bots of one tier cannot be told apart from the best of it yet (t tests at 5 % after Holm's adjustment).
    """
    with user_errors():
        from tournaments.store import Store

        with Store.open(folder) as store:
            print_standings(store, as_json, matrix)


@app.command()
def report(
    folder: ResultsFolder,
    to: Annotated[Path | None, typer.Option(help="The file to write.", show_default="report.html in DIR")] = None,
    replays: Annotated[int, typer.Option(min=0, help="How many games can be stepped through.")] = 24,
    as_json: Annotated[bool, typer.Option("--json", help="Print the facts as JSON and write no file.")] = False,
) -> None:
    """Write a report of a tournament, finished or not: one HTML file that opens anywhere without a network.

    Ratings, who beats whom and what the ratings expected of it, seats, scores, game lengths, time per move,
    faults, what more search is worth, and how it all was made; per game and over all games. Some games to replay.

    Try: timetricks report results/quickstart
    """
    with user_errors():
        from datetime import UTC, datetime

        from tournaments.report.facts import gather
        from tournaments.store import Store

        command = ["timetricks", "report", str(folder), *(["--to", str(to)] if to else []), "--replays", str(replays)]
        with Store.open(folder) as store:
            watched = partial(reading, count=store.num_games())
            facts = gather(store, shlex.join(command), datetime.now(UTC), watched)
            records = [] if as_json else [game.full_record() for game in store.sample(replays)]
        if as_json:
            print(json.dumps(facts.as_json()))
            return
        from tournaments.report.page import FILE_NAME, render

        target = to or folder / FILE_NAME
        with replacing(target) as file:
            file.write(render(facts, records, _progress))
        say(f"report of {facts.games} games written to {target}")


def _progress(items: Sequence, doing: str) -> Sequence:
    from tqdm import tqdm

    return tqdm(items, desc=doing, file=sys.stderr, disable=None, leave=False)


_EXPORT = "\n".join(
    [
        "Write the games of a tournament to a file, in schedule order.",
        "",
        "records: a game record a line (JSON), which `timetricks verify` and `show` read.",
        "",
        "csv, parquet: a table with a row for each game and seat, the same in both. Its columns:",
        "",
        "\b",
        *(f"{name:14} {meaning}" for name, (_, meaning) in COLUMNS.items()),
    ]
)


@app.command(help=_EXPORT)
def export(
    folder: ResultsFolder,
    to: Annotated[Path, typer.Option(help="The file to write.", show_default=False)],
    format: Annotated[str, typer.Option(help=f"{', '.join(FORMATS)}.")] = "records",
) -> None:
    with user_errors():
        from tournaments.store import Store

        if format not in FORMATS:
            raise ValueError(f"--format {format}: expected {', '.join(FORMATS)}")
        with Store.open(folder) as store, replacing(to) as file:
            count = store.num_games()
            FORMATS[format](reading(store.games(), count), file)
        say(f"{count} game{'' if count == 1 else 's'} written to {to}, as {format}")
