"""Tables for people: rich on stdout."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table as RichTable

if TYPE_CHECKING:
    from tournaments.checkup import Finding
    from tournaments.duel import Duel
    from tournaments.standings import Standings, Table

_WIDTH_OF_FILES = 160  # characters, where stdout is no terminal
_ANY_WIDTH = 100_000  # characters, to see how wide a table would like to be
_CELL = 4  # characters, of the matrix
_MARK = " (sees all hands)"


def print_table(
    title: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    text_columns: int = 1,
    spare: Sequence[str] = (),
) -> None:
    """A table whose first `text_columns` columns are text, the others figures.

    Where there is no room, columns of `spare` are left out, the first ones first.
    """
    console, rows, left_out = new_console(), list(rows), []
    table = _table(title, columns, rows, text_columns)
    while len(left_out) < len(spare) and not _fits(table, console):
        left_out.append(spare[len(left_out)])
        shown = [number for number, column in enumerate(columns) if column not in left_out]
        table = _table(title, _chosen(columns, shown), [_chosen(row, shown) for row in rows], text_columns)
    console.print(table)
    if left_out:
        console.print(f"left out for want of room: {', '.join(left_out)}")


def _table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], text_columns: int) -> RichTable:
    table = RichTable(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(columns):
        is_text = number < text_columns
        table.add_column(column, justify="left" if is_text else "right", no_wrap=not is_text)
    for row in rows:
        table.add_row(*row)
    return table


def _fits(table: RichTable, console: Console) -> bool:
    return Measurement.get(console, console.options.update_width(_ANY_WIDTH), table).maximum <= console.width


def _chosen(values: Sequence[str], numbers: Sequence[int]) -> list[str]:
    return [values[number] for number in numbers]


def new_console() -> Console:
    """A console that prints names as they are, whatever marks they hold."""
    return Console(width=None if sys.stdout.isatty() else _WIDTH_OF_FILES, markup=False, emoji=False, highlight=False)


def print_standings(standings: Standings, matrix: bool = False) -> None:
    """Every game's table, and one over all games when there are several; with `matrix`, who is better than whom."""
    tables = dict(standings.games)
    if len(tables) > 1:
        tables["all games"] = standings.overall
    for label, table in tables.items():
        _print_ratings(label, table)
        for line in (*_fault_lines(table), *remarks(table, standings.anchor), *_seat_lines(table)):
            new_console().print(line)
        if matrix:
            _print_superiority(label, table)
    if not tables:
        new_console().print("no finished games yet")


def _print_ratings(title: str, table: Table) -> None:
    columns = ["bot", "tier", "Elo", "95 % interval", "> next", "wins", "rank", "score", "games", "faults", "ms/move"]
    print_table(title, columns, map(_rating_row, table.rows), spare=["rank", "ms/move", "score", "> next"])


def marked(name: str, cheats: bool) -> str:
    """The name of a bot as tables show it."""
    return name + _MARK if cheats else name


def described(name: str, cheats: bool, options: Mapping[str, Any]) -> str:
    """A bot with its options as tables show it."""
    return " ".join([marked(name, cheats), *(f"{key}={value}" for key, value in options.items())])


def _rating_row(row: dict) -> list[str]:
    return [
        marked(row["bot"], row["cheats"]),
        str(row["tier"]),
        f"{row['elo']:+.0f}",
        interval(row),
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
        new_console().print(message)
    if not all(finding.repeatable for finding in findings):
        new_console().print(
            "not repeatable: a second run went another way; expected all chance from the seed of the game"
        )
    if all(finding.is_clean for finding in findings):
        new_console().print("nothing to complain about")


def _finding_row(finding: Finding) -> list[str]:
    faults = ", ".join(f"{number} {reason}" for reason, number in finding.faults.items())
    repeatable = "yes" if finding.repeatable else "no"
    return [finding.game, str(finding.games), faults or "none", repeatable, f"{finding.ms_per_move:.2f}"]


def print_tuned(title: str, old: dict[str, float], new: dict[str, float]) -> None:
    """What `timetricks tune` has made of the parameters."""
    print_table(title, ["parameter", "old", "new"], ([path, f"{old[path]:g}", f"{new[path]:g}"] for path in new))


def interval(estimate: dict) -> str:
    """The 95 % interval of a rating or of a seat."""
    return "one block: none" if estimate["low"] is None else f"{estimate['low']:+.0f} … {estimate['high']:+.0f}"


def _fault_lines(table: Table) -> Iterator[str]:
    for row in table.rows:
        for reason, message in row["fault_reasons"].items():
            yield f"{row['bot']}, {reason}, for the first time: {message}"


def remarks(table: Table, anchor: str | None) -> Iterator[str]:
    """What a reader of the ratings should know."""
    num_pools = table.rows[-1]["pool"] + 1
    for pool in range(num_pools if num_pools > 1 else 0):
        members = ", ".join(row["bot"] for row in table.rows if row["pool"] == pool)
        yield f"pool {pool + 1}, never met the others and rated apart: {members}"
    for row in table.rows:
        if row["pairs_won"] in (0, 1):
            record = "beaten" if row["pairs_won"] else "lost to"
            yield f"{row['bot']} has {record} everybody so far: its rating is held finite by one virtual draw"
    if anchor is not None and all(row["bot"] != anchor for row in table.rows):
        yield f"the anchor {anchor} has not played here yet: ratings are relative to a mean of 0"


def _seat_lines(table: Table) -> Iterator[str]:
    """What rotating the deals through the seats is worth, and what a seat is worth."""
    pools = sorted({effect["pool"] for effect in table.seats})
    effects = [[effect for effect in table.seats if effect["pool"] == pool] for pool in pools]
    if effects and table.design_effect:
        games = len(effects[0]) / table.design_effect
        worth = f"as much as {games:.1f} independent games (design effect {table.design_effect:.2f})"
        yield f"rotation: a block of {len(effects[0])} games says {worth}"
    for pool, seats in zip(pools, effects, strict=True):
        of_pool = f" in pool {pool + 1}" if len(pools) > 1 else ""
        listed = ", ".join(f"seat {effect['seat']} {effect['elo']:+.0f} ({interval(effect)})" for effect in seats)
        yield f"Elo of the seats{of_pool}: {listed}"


def _print_superiority(label: str, table: Table) -> None:
    """The matrix in as many parts as the width asks for; columns are known by the numbers of the rows."""
    console = new_console()
    names = [f"{number} {marked(row['bot'], row['cheats'])}" for number, row in enumerate(table.rows, 1)]
    width = max(1, (console.width - max(map(len, names)) - 1) // _CELL)
    console.print(f"{label}: likelihood in % that the bot of a row is stronger than that of a column")
    for start in range(0, len(names), width):
        shown = range(start, min(start + width, len(names)))
        part = RichTable(box=None, padding=(0, 1, 0, 0), pad_edge=False)
        part.add_column("", no_wrap=True)
        for column in shown:
            part.add_column(str(column + 1), justify="right", no_wrap=True, min_width=_CELL - 1)
        for row, name in enumerate(names):
            part.add_row(name, *("–" if row == n else percent(table.superiority[row][n]) for n in shown))
        console.print(part)


def percent(likelihood: float | None) -> str:
    """Never a bare 0 or 100; empty where nothing is known."""
    if likelihood is None:
        return ""
    return "<1" if likelihood < 0.005 else ">99" if likelihood > 0.995 else f"{100 * likelihood:.0f}"


def print_duel(duel: Duel) -> None:
    """The verdict on two bots, and the estimate that allows for the moment of stopping."""
    verdict = {"better": "is better than", "not better": "is not better than", "undecided": "may be as good as"}
    sprt = duel.sprt
    new, old = (marked(name, name in duel.cheats) for name in (duel.new, duel.old))
    words = f"{new} {verdict[sprt.verdict]} {old}" if sprt.verdict else "no verdict yet"
    console = new_console()
    console.print(
        f"{words}, after {sprt.num_blocks} deal blocks: LLR {sprt.llr:+.2f} [{sprt.lower:.2f}, {sprt.upper:.2f}]"
    )
    if sprt.num_blocks:
        for unit, estimate in (("Elo", sprt.elo()), ("normalized Elo", sprt.normalized_elo())):
            console.print(f"{unit} {estimate.value:+.0f} ({estimate.low:+.0f} … {estimate.high:+.0f})")
