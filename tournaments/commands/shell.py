"""What all commands share: the app, common options, messages, and how mistakes end."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, redirect_stdout
from functools import partial
from pathlib import Path
from threading import Timer
from typing import Annotated, TextIO

import typer

_PATIENCE = 1.0  # seconds before it is said what is going on

app = typer.Typer(
    help="Tournaments, search and ratings for trick-taking card games with hidden information.",
    epilog="Start with: timetricks run configs/quickstart.toml",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
Workers = Annotated[int | None, typer.Option(min=0, help="Processes; 0 plays in this one.", show_default="one per CPU")]
RayAddress = Annotated[
    str | None, typer.Option(help="Join this Ray cluster instead, HOST:PORT or auto.", show_default=False)
]
ResultsFolder = Annotated[Path, typer.Argument(help="A results folder made by `timetricks run`.", show_default=False)]


@contextmanager
def user_errors() -> Iterator[None]:
    """Turns a user's mistake into one line and exit code 2. The user's own bots are found in the present folder."""
    sys.path += [str(Path(__file__).resolve().parents[2]), str(Path.cwd())]  # ours first, whatever theirs are called
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read the output has seen enough
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  Python flushes stdout once more at its end
        raise typer.Exit(1) from None
    except (ValueError, OSError) as error:
        file_error = isinstance(error, OSError) and error.filename
        say(f"error: {error.filename}: {error.strerror}" if file_error else f"error: {error}")
        raise typer.Exit(2) from None
    except RuntimeError as error:
        from tournaments.store import RunError  # imports the engine: only now that something is wrong

        if not isinstance(error, RunError):
            raise
        say(f"error: {error}")
        raise typer.Exit(1) from None


@contextmanager
def preparing() -> Iterator[None]:
    """Says that what is done inside takes its time, and how long it took."""
    say("preparing games and bots (each is compiled once on this machine, in up to half a minute) …")
    start = time.perf_counter()
    yield
    say(f"ready after {time.perf_counter() - start:.1f} s")


@contextmanager
def stoppable(farewell: Callable[[], str]) -> Iterator[None]:
    """On SIGINT, SIGTERM and SIGHUP what is inside is dropped; `farewell` is said, and the signal is the exit code."""
    stopped_by = []

    def stop(number, _):
        stopped_by.append(number)
        raise KeyboardInterrupt

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    except KeyboardInterrupt:
        say(f"\n{farewell()}")
        raise typer.Exit(128 + stopped_by[0]) from None
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def ray_kept_off_stdout() -> AbstractContextManager:
    """Ray tells on stdout which of its processes died; that is for tables and JSON."""
    return redirect_stdout(sys.stderr)


def reading(games: Iterable, count: int) -> Iterable:
    """The games, with a bar if there are so many of them that it takes a while."""
    from tqdm import tqdm

    return tqdm(games, "reading", count, unit=" games", file=sys.stderr, delay=1, disable=None, leave=False)


def print_standings(store, as_json: bool, matrix: bool = False) -> None:
    from tournaments.standings import standings
    from tournaments.tables import print_standings

    table = standings(store.config, store.results(partial(reading, count=store.num_games())))
    if as_json:
        print(json.dumps(table.as_json()))
    else:
        print_standings(table, matrix)


def say(message: str) -> None:
    typer.echo(message, err=True)


@contextmanager
def replacing(path: Path) -> Iterator[TextIO]:
    """A file that takes the place of `path` once it is written whole. Raises ValueError and OSError."""
    if path.suffix == ".sqlite":
        raise ValueError(f"--to {path}: expected a file that is no database")
    if path.is_dir():
        raise ValueError(f"--to {path}: expected a file, not a folder")
    if not path.parent.is_dir():
        raise ValueError(f"--to {path}: expected a file in a folder that is there")
    partial = path.with_name(path.name + ".partial")
    try:
        with open(partial, "w", encoding="utf-8", errors="backslashreplace") as file:
            yield file
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    partial.replace(path)


@contextmanager
def taking_time(what: str) -> Iterator[None]:
    """Says what is going on once it takes a while; at a terminal with a clock, which goes away in the end."""
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    screen = Console(stderr=True)
    clock = Progress(
        SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn(), console=screen, transient=True
    )
    clock.add_task(what)
    timer = Timer(_PATIENCE, clock.start if screen.is_terminal else lambda: say(f"{what} …"))
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        if clock.live.is_started:
            clock.stop()
