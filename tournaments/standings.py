"""The table of a tournament: ratings and plain figures per bot, over all games and per game."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import numpy as np

from tournaments.config import Config
from tournaments.ratings import Games, Ratings, fit, pools
from tournaments.store import GameRow


@dataclass(frozen=True)
class Standings:
    """Rows as `rate --json` prints them, best first: over all games, and per ``GAME/PLAYERS``."""

    overall: list[dict[str, Any]]
    games: dict[str, list[dict[str, Any]]]

    def as_json(self) -> dict[str, Any]:
        return {"overall": self.overall, "games": self.games}


def standings(config: Config, rows: Iterable[GameRow]) -> Standings:
    """The table of the games in `rows`. Bots that have not played do not appear."""
    ordered = sorted(rows, key=lambda row: row.game)
    by_game = {label: list(group) for label, group in groupby(ordered, key=lambda row: row.game)}
    return Standings(
        overall=_table(config, by_game),
        games={label: _table(config, {label: group}) for label, group in by_game.items()},
    )


def _table(config: Config, by_game: dict[str, list[GameRow]]) -> list[dict[str, Any]]:
    """The rows of all bots that played, pool by pool: pools that never met are rated apart."""
    figures = _figures(config, by_game)
    if not figures:
        return []
    names = list(figures)
    games = _arrays(by_game, names)
    pool_of = pools(games, len(names))
    table = []
    for pool in range(pool_of.max() + 1):
        members = np.flatnonzero(pool_of == pool)
        anchor = names.index(config.anchor) if config.anchor in names else None
        ratings = _fit_pool(games, members, anchor)
        order = sorted(range(len(members)), key=lambda member: -ratings.elo[member])
        for place, member in enumerate(order):
            below = order[place + 1] if place + 1 < len(order) else None
            rating = _rating_columns(ratings, member, below)
            table.append({"bot": names[members[member]], **rating, **figures[names[members[member]]], "pool": pool})
    return table


def _fit_pool(games: Sequence[Games], members: np.ndarray, anchor: int | None) -> Ratings:
    number_in_pool = {bot: number for number, bot in enumerate(members.tolist())}
    renumber = np.vectorize(lambda bot: number_in_pool[bot], otypes=[np.int64])
    own = []
    for group in games:
        inside = np.isin(group.bots[:, 0], members)
        if inside.any():
            own.append(Games(group.table, group.blocks[inside], renumber(group.bots[inside]), group.ranks[inside]))
    return fit(own, len(members), number_in_pool.get(anchor))


def _rating_columns(ratings: Ratings, bot: int, below: int | None) -> dict[str, float | None]:
    low, high = ratings.intervals()[bot]
    return {
        "elo": float(ratings.elo[bot]),
        "low": float(low) if math.isfinite(low) else None,
        "high": float(high) if math.isfinite(high) else None,
        "superiority": None if below is None else ratings.superiority(bot, below),  # over the next in the table
    }


def _arrays(by_game: dict[str, list[GameRow]], names: list[str]) -> list[Games]:
    number = {name: i for i, name in enumerate(names)}
    blocks: dict[str, int] = {}
    return [
        Games(
            table=table,
            blocks=np.array([blocks.setdefault(row.block, len(blocks)) for row in rows]),
            bots=np.array([[number[bot] for bot in row.bots] for row in rows]),
            ranks=np.array([row.ranks for row in rows]),
        )
        for table, rows in enumerate(by_game.values())
    ]


def _figures(config: Config, by_game: dict[str, list[GameRow]]) -> dict[str, dict[str, Any]]:
    """Win share, mean rank, mean score (of a single game), games, faults and time per decision, by bot."""
    tallies = {name: _Tally() for name in config.bot_names}
    for rows in by_game.values():
        for row in rows:
            for name in set(row.bots):
                tallies[name].games += 1
            for fault in row.faults:
                tallies[fault["bot"]].faults += 1
                tallies[fault["bot"]].fault_reasons.setdefault(fault["reason"], fault["message"])
            winners = row.ranks.count(1)
            for seat, name in enumerate(row.bots):
                tallies[name].add(row, seat, 1 / winners if row.ranks[seat] == 1 else 0.0)
    return {name: tally.columns(len(by_game) == 1) for name, tally in tallies.items() if tally.seats}


@dataclass
class _Tally:
    """Sums over the seats that a bot has held."""

    games: int = 0
    seats: int = 0
    wins: float = 0.0
    ranks: int = 0
    scores: int = 0
    faults: int = 0
    fault_reasons: dict[str, str] = field(default_factory=dict)  # the first message of each reason
    decisions: int = 0
    seconds: float = 0.0

    def add(self, row: GameRow, seat: int, win_share: float) -> None:
        self.seats += 1
        self.wins += win_share
        self.ranks += row.ranks[seat]
        self.scores += row.scores[seat]
        self.decisions += row.decisions[seat]
        self.seconds += row.seconds[seat]

    def columns(self, single_game: bool) -> dict[str, Any]:
        return {
            "win_share": self.wins / self.seats,
            "mean_rank": self.ranks / self.seats,
            "mean_score": self.scores / self.seats if single_game else None,
            "games": self.games,
            "faults": self.faults,
            "fault_reasons": self.fault_reasons,
            "ms_per_decision": 1000 * self.seconds / self.decisions if self.decisions else None,
        }
