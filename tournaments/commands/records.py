"""Commands on game records: verify, show."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from tournaments.commands.shell import Json, app, preparing, replacing, say, taking_time, user_errors

RecordFile = Annotated[Path, typer.Argument(help="Game records, one JSON object a line.", show_default=False)]
OwnGames = Annotated[
    list[str] | None, typer.Option(help="Import a game of your own, package.module.", show_default=False)
]
MOST_GAMES = 50  # on a page
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
    line: Annotated[
        int | None, typer.Option(min=1, help="Which line of the file.", show_default="1; with --html the first 50")
    ] = None,
    html: Annotated[bool, typer.Option("--html", help="Write a page to step through games in a browser.")] = False,
    to: Annotated[
        Path | None, typer.Option(help="With --html: the file to write.", show_default="FILE with the ending .html")
    ] = None,
    bot: Annotated[
        str | None,
        typer.Option(
            help="With --html: a bot that says at every decision what it thinks, as in analyse.",
            show_default="thoughts that the records hold",
        ),
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(help="An option of the bot, KEY=VALUE; may be repeated.", show_default=False)
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="All chance of the bot follows from it and the ply.")] = 0,
) -> None:
    """Tell a recorded game: the deals, what was played, who won it and why, the scores.

    With --html: the games on one page that needs no network. Step through them with keys or the slider, see the
    table with all hands or as one seat sees it, and what a bot thought of every action.

    Try: timetricks show games.jsonl --html --line 3 --bot ismcts --option iterations=2000

    Records of a tournament with `explanations = true` in its config hold the thoughts of its searching bots.
    """
    with user_errors():
        if html:
            with taking_time("replaying the games"):
                records = _records_for_page(file, line, game)
            _write_page(file, records, to, bot, option or [], seed)
            return
        if to or bot or option:
            raise ValueError("--to, --bot and --option: expected them with --html only")
        from engine.story import tell

        with taking_time("replaying the game"):
            texts = list(tell(record_in(file, line or 1, game)))
        for text in texts:
            print(text)


def _records_for_page(file: Path, line: int | None, own_games: list[str] | None) -> list[dict[str, Any]]:
    """The record in a line, or the first ones of the file, all of them checked. Raises ValueError and OSError."""
    from itertools import islice

    from engine import RecordError, record, replay

    _import_games(own_games)
    found = list(islice(record.read(file), *((0, MOST_GAMES + 1) if line is None else (line - 1, line))))
    if not found:
        missing = "holds no record; expected one JSON object a line" if line is None else f"has no line {line}"
        raise ValueError(f"{file} {missing}")
    if len(found) > MOST_GAMES:
        say(f"{file} holds more: these are the first {MOST_GAMES} games; --line N shows another")
    for number, content in found[:MOST_GAMES]:
        try:
            if isinstance(content, RecordError):
                raise content
            replay(content)
        except RecordError as error:
            raise ValueError(f"{file}:{number}: {error}") from None
    return [content for _, content in found[:MOST_GAMES]]


def _write_page(file: Path, records: list, to: Path | None, bot: str | None, options: list[str], seed: int) -> None:
    from tqdm import tqdm

    from tournaments.viewer import page

    if options and bot is None:
        raise ValueError(f"--option {options[0]}: expected it with --bot")
    thoughts = _thoughts(records, bot, options, seed) if bot else None
    to = to or file.with_suffix(".html")
    if to.exists() and to.samefile(file):
        raise ValueError(f"--to {to}: expected another file than the records'")
    watched = tqdm(records, desc="replaying", unit=" games", file=sys.stderr, delay=1, disable=None, leave=False)
    text = page(watched, thoughts, f"{file.name}: timetricks replay")
    with replacing(to) as target:
        target.write(text)
    print(f"wrote {to}, games: {len(records)}, {len(text) / 1000:.0f} kB; open it in a browser")


def _thoughts(records: list[dict[str, Any]], bot: str, options: list[str], seed: int) -> list:
    """What a bot says about every decision of some games. Raises ValueError."""
    from tqdm import tqdm

    from bots.bot import warm_up
    from tournaments.analysis import decisions
    from tournaments.checkup import entry_of
    from tournaments.tables import described
    from tournaments.viewer import asked

    entry = entry_of(bot, [], options, None, allow_cheating=True)
    found = [decisions(record) for record in records]
    with preparing():
        for game in {of_game[0].state.game for of_game in found if of_game}:
            warm_up(game, entry.bot, entry.model_extra)
    name = described(entry.bot, entry.cheats, entry.model_extra)
    total = sum(map(len, found))
    with tqdm(total=total, desc="thinking", unit=" decisions", file=sys.stderr, disable=None, leave=False) as bar:
        return [asked(entry, name, _counted(of_game, bar), seed) for of_game in found]


def _counted(items: Iterable, bar: Any) -> Iterator:
    for item in items:
        yield item
        bar.update()


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
