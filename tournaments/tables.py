"""Tables for people: rich on stdout."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table

from tournaments.standings import Standings


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], text_columns: int = 1) -> None:
    """A table whose first `text_columns` columns are text, the others figures."""
    table = Table(title=title, title_justify="left")
    for number, column in enumerate(columns):
        table.add_column(column, justify="left" if number < text_columns else "right")
    for row in rows:
        table.add_row(*row)
    Console().print(table)


def print_standings(standings: Standings) -> None:
    """Every game's table, and one over all games when there are several."""
    for label, rows in standings.games.items():
        _print_ratings(label, rows)
    if len(standings.games) > 1:
        _print_ratings("all games", standings.overall)
    if not standings.games:
        Console().print("no finished games yet")


def _print_ratings(title: str, rows: list[dict]) -> None:
    columns = ["bot", "Elo", "95 % interval", "better than next", "win share", "mean rank", "mean score"]
    columns += ["games", "faults", "ms/decision"]
    print_table(title, columns, map(_rating_row, rows))
    if rows and rows[-1]["pool"] > 0:
        for pool in range(rows[-1]["pool"] + 1):
            members = ", ".join(row["bot"] for row in rows if row["pool"] == pool)
            Console().print(f"pool {pool + 1}, never met the others and rated apart: {members}")


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
