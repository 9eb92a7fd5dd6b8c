"""The command line. Tables go to stdout, progress and errors to stderr; a wrong argument exits with 2."""

from __future__ import annotations

import json
import os
import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Annotated, TextIO

import typer

app = typer.Typer(
    help="Tournaments, search and ratings for trick-taking card games with hidden information.",
    epilog="Start with: timetricks run configs/quickstart.toml",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
ResultsFolder = Annotated[Path, typer.Argument(help="A results folder made by `timetricks run`.", show_default=False)]

RecordFile = Annotated[Path, typer.Argument(help="Game records, one JSON object a line.", show_default=False)]
OwnGames = Annotated[
    list[str] | None, typer.Option(help="Import a game of your own, package.module.", show_default=False)
]


@app.command()
def run(
    config: Annotated[Path, typer.Argument(help="A TOML file, such as configs/quickstart.toml.", show_default=False)],
    out: Annotated[Path | None, typer.Option(help="Results folder.", show_default="results/NAME of the config")] = None,
    workers: Annotated[
        int | None, typer.Option(min=0, help="Processes; 0 plays in this one.", show_default="one per CPU")
    ] = None,
    ray_address: Annotated[str | None, typer.Option(help="Join this Ray cluster instead, e.g. auto.")] = None,
    as_json: Json = False,
) -> None:
    """Play a tournament, or go on with one that was stopped, and print the ratings.

    Finished blocks are stored at once, so a run can be stopped in any way: Ctrl-C finishes what is in
    flight, a second one drops it. `kill -USR1` prints the ratings so far, as `timetricks rate` does from
    elsewhere. More blocks or more bots in the config extend a run; a config that contradicts the results
    folder is refused. A bot that fails is ranked last and its seat is played on at random.
    """
    with _user_errors():
        from tournaments import config as configs
        from tournaments.live import Live
        from tournaments.runner import Runner, num_pending, pending_blocks
        from tournaments.store import Store

        experiment = configs.read(config)
        folder = out or Path("results") / experiment.name
        with Store.create_or_open(folder, experiment) as store:
            number = num_pending(experiment, store)
            _say(f"{experiment.name}: {number} deal blocks to play, results in {folder}")
            live = Live(store, Runner(experiment, workers, ray_address), lambda: _show_standings(store))
            if number:
                _compile(experiment)
                with redirect_stdout(sys.stderr):  # Ray tells on stdout which of its processes died
                    for _ in live.play(pending_blocks(experiment, store), number, experiment.name):
                        pass
            _print_standings(store, as_json)
    if live.stopped_by:
        raise typer.Exit(128 + live.stopped_by)


@app.command()
def rate(folder: ResultsFolder, as_json: Json = False) -> None:
    """Rate the bots of a tournament, finished or not: Elo with 95 % intervals."""
    with _user_errors():
        from tournaments.store import Store

        with Store.open(folder) as store:
            _print_standings(store, as_json)


@app.command()
def export(
    folder: ResultsFolder,
    to: Annotated[Path, typer.Option(help="The file to write.", show_default=False)],
    format: Annotated[str, typer.Option(help="records: a game record (JSON) a line, in schedule order.")] = "records",
) -> None:
    """Write the games of a tournament to a file."""
    with _user_errors():
        from tournaments.store import Store

        if format != "records":
            raise ValueError(f"--format {format}: expected records")
        count = 0
        with Store.open(folder) as store, _replacing(to) as file:
            for record in store.records():
                file.write(json.dumps(record, separators=(",", ":")) + "\n")
                count += 1
        _say(f"{count} game records written to {to}")


@app.command()
def verify(
    file: RecordFile,
    game: OwnGames = None,
    as_json: Json = False,
) -> None:
    """Replay game records under the plain, uncompiled rules and compare every result."""
    os.environ["NUMBA_DISABLE_JIT"] = "1"  # before the engine is imported
    with _user_errors():
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
    line: Annotated[int, typer.Option(min=1, help="Which line of the file.")] = 1,
) -> None:
    """Tell a recorded game: the deals, what was played, who won it and why, the scores."""
    with _user_errors():
        from itertools import islice

        from engine import RecordError, record
        from engine.story import tell

        _import_games(game)
        found = next(islice(record.read(file), line - 1, None), None)
        if found is None:
            raise ValueError(f"{file} has no line {line}")
        if isinstance(found[1], RecordError):
            raise ValueError(f"{file}:{line}: {found[1]}")
        for text in tell(found[1]):
            print(text)


@app.command()
def games(as_json: Json = False) -> None:
    """List the games with their player counts and options."""
    import engine
    from engine.game import describe, find

    listing = []
    for name in engine.names():
        rules, game = find(name), engine.load(name)
        options = [
            {
                "name": option.name,
                "default": option.default_for(rules.default_players),
                "expected": describe(option.values),
                "meaning": option.meaning,
            }
            for option in rules.options
        ]
        listing.append(
            {
                "game": name,
                "title": rules.title,
                "players": list(rules.players),
                "default_players": rules.default_players,
                "cards": len(game.deck),
                "actions": len(game.actions),
                "options": options,
            }
        )
    if as_json:
        print(json.dumps(listing))
        return
    from tournaments.tables import print_table

    print_table(
        "games",
        ["game", "title", "players", "options", "cards", "actions"],
        (
            [
                row["game"],
                row["title"],
                f"{row['players'][0]}–{row['players'][-1]} (default {row['default_players']})",
                "\n".join(f"{o['name']} = {o['default']!r}: {o['meaning']}; {o['expected']}" for o in row["options"]),
                str(row["cards"]),
                str(row["actions"]),
            ]
            for row in listing
        ),
        text_columns=4,
    )


@app.command()
def bots(as_json: Json = False) -> None:
    """List the built-in bots with their options."""
    from bots import bot as registry

    listing = [
        {
            "bot": name,
            "about": (registry.find(name).__doc__ or "").strip().splitlines()[0],
            "options": [
                {"name": option, "default": default, "meaning": meaning}
                for option, default, meaning in registry.options_of(name)
            ],
        }
        for name in registry.names()
    ]
    if as_json:
        print(json.dumps(listing))
        return
    from tournaments.tables import print_table

    print_table(
        "bots",
        ["bot", "about", "options"],
        (
            [
                row["bot"],
                row["about"],
                "\n".join(f"{o['name']} = {json.dumps(o['default'])}: {o['meaning']}" for o in row["options"]),
            ]
            for row in listing
        ),
        text_columns=3,
    )


@app.command("check-bot")
def check_bot(
    bot: Annotated[
        str | None, typer.Argument(help="package.module:Class, or a built-in bot.", show_default=False)
    ] = None,
    command: Annotated[
        str | None, typer.Option(help="A program that speaks bots/PROTOCOL.md instead.", show_default=False)
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(help="An option of the bot, KEY=VALUE; may be repeated.", show_default=False)
    ] = None,
    game: Annotated[list[str] | None, typer.Option(help="Only this game; may be repeated.", show_default=False)] = None,
    blocks: Annotated[int, typer.Option(min=1, help="Deal blocks per game and number of players.")] = 2,
    milliseconds: Annotated[float | None, typer.Option(help="Limit of a move.", show_default=False)] = None,
    as_json: Json = False,
) -> None:
    """Play a bot through every game at every number of players and say what breaks the rules of the house.

    Everything is played twice: a run can be repeated only if the bot takes all its chance from its seed.
    Exits with 1 if there is anything to complain about.
    """
    with _user_errors():
        from tqdm import tqdm

        import engine
        from tournaments.checkup import check, entry_of

        names = game or engine.names()
        entry = entry_of(bot, shlex.split(command or ""), option or [], milliseconds)
        found = list(tqdm(check(entry, names, blocks), desc="playing", unit=" tables", disable=None, leave=False))
    if as_json:
        print(json.dumps({"rows": [finding.as_json() for finding in found]}))
    else:
        from tournaments.tables import print_findings

        print_findings(found)
    if not all(finding.is_clean for finding in found):
        raise typer.Exit(1)


@app.command()
def bench(
    game: Annotated[list[str] | None, typer.Option(help="Only this game; may be repeated.")] = None,
    as_json: Json = False,
) -> None:
    """Measure random play, ISMCTS and determinization on one core: medians of repeated runs."""
    with _user_errors():
        from tqdm import tqdm

        import engine
        from tournaments.bench import rows

        loaded = [engine.load(name) for name in game or engine.names()]
        measured = [row for g in tqdm(loaded, desc="measuring", disable=None, leave=False) for row in rows(g)]
    if as_json:
        print(json.dumps({"rows": measured}))
        return
    from tournaments.tables import print_table

    print_table(
        "speed, one core",
        ["game", "task", "unit", "players", "value"],
        ([r["game"], r["task"], r["unit"], str(r["players"]), f"{r['value']:,.2f}"] for r in measured),
        text_columns=3,
    )


def _import_games(names: list[str] | None) -> None:
    from engine.game import find

    for name in names or ():
        find(name)


def _compile(experiment) -> None:
    from tournaments.runner import compile_kernels

    _say("preparing games and bots (each is compiled once on this machine, in up to half a minute) …")
    start = time.perf_counter()
    compile_kernels(experiment)
    _say(f"ready after {time.perf_counter() - start:.1f} s")


@contextmanager
def _replacing(path: Path) -> Iterator[TextIO]:
    """A file that takes the place of `path` once it is written whole."""
    if path.suffix == ".sqlite":
        raise ValueError(f"--to {path}: expected a file that is no database")
    partial = path.with_name(path.name + ".partial")
    with open(partial, "w", encoding="utf-8") as file:
        yield file
    partial.replace(path)


def _show_standings(store) -> None:
    with redirect_stdout(sys.stderr):
        _print_standings(store, as_json=False)


def _print_standings(store, as_json: bool) -> None:
    from tournaments.standings import standings
    from tournaments.tables import print_standings

    table = standings(store.config, store.rows())
    if as_json:
        print(json.dumps(table.as_json()))
    else:
        print_standings(table)


@contextmanager
def _user_errors() -> Iterator[None]:
    """Turns a user's mistake into one line and exit code 2. The user's own bots are found in the present folder."""
    sys.path += [str(Path(__file__).resolve().parent.parent), str(Path.cwd())]  # ours first, whatever theirs are called
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read the output has seen enough
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  Python flushes stdout once more at its end
        raise typer.Exit(1) from None
    except (ValueError, OSError) as error:
        file_error = isinstance(error, OSError) and error.filename
        _say(f"error: {error.filename}: {error.strerror}" if file_error else f"error: {error}")
        raise typer.Exit(2) from None
    except RuntimeError as error:
        from tournaments.store import RunError  # imports the engine: only now that something is wrong

        if not isinstance(error, RunError):
            raise
        _say(f"error: {error}")
        raise typer.Exit(1) from None


def _say(message: str) -> None:
    typer.echo(message, err=True)


if __name__ == "__main__":
    app()
