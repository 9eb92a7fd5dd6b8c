"""Tables for people: rich on stdout."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from tournaments.checkup import Finding
    from tournaments.standings import Standings

_WIDTH_OF_FILES = 160  # characters, where stdout is no terminal


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], text_columns: int = 1) -> None:
    """A table whose first `text_columns` columns are text, the others figures."""
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(columns):
        is_text = number < text_columns
        table.add_column(column, justify="left" if is_text else "right", no_wrap=not is_text)
    for row in rows:
        table.add_row(*row)
    _console().print(table)


def _console() -> Console:
    """A console that prints names as they are, whatever marks they hold."""
    return Console(width=None if sys.stdout.isatty() else _WIDTH_OF_FILES, markup=False, emoji=False, highlight=False)


def print_standings(standings: Standings) -> None:
    """Every game's table, and one over all games when there are several."""
    for label, rows in standings.games.items():
        _print_ratings(label, rows)
    if len(standings.games) > 1:
        _print_ratings("all games", standings.overall)
    if not standings.games:
        _console().print("no finished games yet")


def _print_ratings(title: str, rows: list[dict]) -> None:
    columns = ["bot", "Elo", "95 % interval", "> next", "wins", "rank", "score", "games", "faults", "ms/move"]
    print_table(title, columns, map(_rating_row, rows))
    for row in rows:
        for reason, message in row["fault_reasons"].items():
            _console().print(f"{row['bot']}, {reason}, for the first time: {message}")
    if rows and rows[-1]["pool"] > 0:
        for pool in range(rows[-1]["pool"] + 1):
            members = ", ".join(row["bot"] for row in rows if row["pool"] == pool)
            _console().print(f"pool {pool + 1}, never met the others and rated apart: {members}")


def _rating_row(row: dict) -> list[str]:
    interval = "one block: none" if row["low"] is None else f"{row['low']:+.0f} … {row['high']:+.0f}"
    return [
        row["bot"],
        f"{row['elo']:+.0f}",
        interval,
        "" if row["superiority"] is None else f"{row['superiority']:.1%}",
        f"{row['win_share']:.1%}",
        f"{row['mean_rank']:.2f}",
        "" if row["mean_score"] is None else f"{row['mean_score']:.2f}",
        str(row["games"]),
        str(row["faults"]),
        "" if row["ms_per_decision"] is None else f"{row['ms_per_decision']:.2f}",
    ]


def print_findings(findings: Sequence[Finding]) -> None:
    """What `timetricks check-bot` found, game by game, and every kind of complaint once."""
    columns = ["game", "games", "faults", "repeatable", "ms/move"]
    print_table("check", columns, map(_finding_row, findings))
    messages = {message.partition(":")[0]: message for finding in reversed(findings) for message in finding.messages}
    for message in messages.values():
        _console().print(message)
    if not all(finding.repeatable for finding in findings):
        _console().print("not repeatable: a second run went another way; expected all chance from the seed of the game")
    if all(finding.is_clean for finding in findings):
        _console().print("nothing to complain about")


def _finding_row(finding: Finding) -> list[str]:
    faults = ", ".join(f"{number} {reason}" for reason, number in finding.faults.items())
    repeatable = "yes" if finding.repeatable else "no"
    return [finding.game, str(finding.games), faults or "none", repeatable, f"{finding.ms_per_move:.2f}"]
