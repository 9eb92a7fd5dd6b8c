"""What a report shows, as plain data: computed from the store, without a word of HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

import numpy as np

from engine import Game
from engine.game import find
from tournaments.config import Config
from tournaments.report.budgets import BudgetSeries, budget_series
from tournaments.report.pairings import Cycle, Pairing, cycles, pairings
from tournaments.report.spreads import Distribution, Times, lengths, scores, times
from tournaments.results import Results
from tournaments.schedule import Schedule
from tournaments.standings import Table, standings
from tournaments.store import Store
from tournaments.tables import remarks
from tournaments.toml_text import toml_text


@dataclass(frozen=True)
class BotFaults:
    """What a bot did wrong for one reason."""

    bot: str
    reason: str
    number: int  # of games in which it happened
    games: int  # that the bot played
    message: str  # of the first


@dataclass(frozen=True)
class Chapter:
    """One GAME/PLAYERS, or all of them together. Bots are in the order of the ratings, best first."""

    title: str  # for people
    label: str  # GAME/PLAYERS; empty over all games
    is_single_game: bool
    games: int
    blocks: int
    bots: list[dict[str, Any]]  # as the rows of `rate --json`
    remarks: list[str]
    superiority: list[list[float | None]]  # see `standings.Table`, as are the next two
    seats: list[dict[str, Any]]
    design_effect: float | None
    pairings: list[Pairing]
    cycles: list[Cycle]
    budgets: list[BudgetSeries]
    scores: list[Distribution]  # of every bot; none over several games
    lengths: Distribution | None  # of the games; None over several
    times: list[Times]
    faults: list[BotFaults]


@dataclass(frozen=True)
class Facts:
    """All that a report shows."""

    name: str  # of the experiment
    written: str  # when the report was: ISO 8601
    command: str  # that wrote it
    games: int
    blocks: int
    blocks_scheduled: int
    chapters: list[Chapter]  # over all games if there are several, then game by game
    anchor: str | None
    config: str  # TOML
    config_hash: str
    versions: dict[str, str]  # of Python and packages, when the tournament was run

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def gather(store: Store, command: str, written: datetime, progress: Callable[[Iterable], Iterable] = iter) -> Facts:
    """The facts of a tournament, finished or not. `command` is what wrote the report, and `written` when.

    `progress` may watch the games being read.
    """
    config, results = store.config, store.results(progress)
    tables = standings(config, results)
    titles = {game.label: _title(game) for game in (entry.load() for entry in config.games)}
    chapters = [_chapter(config, tables.games[group.game], [group], titles[group.game]) for group in results]
    if len(results) > 1:
        chapters.insert(0, _chapter(config, tables.overall, results, "All games"))
    return Facts(
        name=config.name,
        written=written.isoformat(timespec="seconds"),
        command=command,
        games=sum(len(group.blocks) for group in results),
        blocks=_count_blocks(results),
        blocks_scheduled=len(Schedule(config)),
        chapters=chapters,
        anchor=config.anchor,
        config=toml_text(_essentials(config)),
        config_hash=config.hash,
        versions=store.versions(),
    )


def _title(game: Game) -> str:
    changed = game.label.partition("[")[2].rstrip("]").replace(",", ", ")
    return f"{find(game.name).title}, {game.players} players" + (f", {changed}" if changed else "")


def _chapter(config: Config, table: Table, results: Sequence[Results], title: str) -> Chapter:
    shown = [row["bot"] for row in table.rows]
    found = pairings(table.pools, config.bot_names)
    is_single_game = len(results) == 1
    return Chapter(
        title=title,
        label=results[0].game if is_single_game else "",
        is_single_game=is_single_game,
        games=sum(len(group.blocks) for group in results),
        blocks=_count_blocks(results),
        bots=table.rows,
        remarks=list(remarks(table, config.anchor)),
        superiority=table.superiority,
        seats=table.seats,
        design_effect=table.design_effect,
        pairings=found,
        cycles=cycles(found),
        budgets=budget_series(config.bots, table.rows),
        scores=scores(results[0], config.bot_names, shown) if is_single_game else [],
        lengths=lengths(results[0]) if is_single_game else None,
        times=list(times(results, config.bot_names, shown)),
        faults=_faults(table, results),
    )


def _count_blocks(results: Sequence[Results]) -> int:
    return sum(len(np.unique(group.blocks)) for group in results)


def _faults(table: Table, results: Sequence[Results]) -> list[BotFaults]:
    """Of every bot and reason over all `results`, the most frequent first."""
    games = {row["bot"]: row["games"] for row in table.rows}
    found: dict[tuple[str, str], BotFaults] = {}
    for fault in (fault for group in results for fault in group.faults):
        before = found.get((fault.bot, fault.reason))
        number = fault.number + (before.number if before else 0)
        message = before.message if before else fault.message
        found[fault.bot, fault.reason] = BotFaults(fault.bot, fault.reason, number, games[fault.bot], message)
    return sorted(found.values(), key=lambda fault: -fault.number)


def _essentials(config: Config) -> dict[str, Any]:
    """What a file must say for this config: everything that is not at its default, and the frame in any case."""
    frame = {key: getattr(config, key) for key in ("name", "seed", "blocks_per_table", "schedule")}
    return frame | config.model_dump(mode="json", exclude_defaults=True, exclude_none=True)
