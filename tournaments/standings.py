"""The table of a tournament: ratings and plain figures per bot, over all games and per game."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tournaments.config import Config
from tournaments.ratings import Games, Ratings, design_effect, fit, pools
from tournaments.results import Results


@dataclass(frozen=True)
class Pool:
    """Bots that games connect, and their ratings. Bots of different pools cannot be compared."""

    members: np.ndarray  # (bots,) int, their numbers in the config
    games: list[Games]  # theirs; bots are numbered by their place in `members`
    ratings: Ratings


@dataclass(frozen=True)
class Table:
    """Bots, best first, pool by pool: pools that never met are rated apart."""

    rows: list[dict[str, Any]]  # a bot each, as `rate --json` prints them
    superiority: list[list[float | None]]  # likelihood that the bot of a row is stronger than that of a column
    seats: list[dict[str, Any]]  # effects of the seats of a single game, for each pool; empty over several games
    design_effect: float | None  # see `ratings.design_effect`
    pools: Sequence[Pool] = ()  # what it was made of

    def details(self) -> dict[str, Any]:
        return {
            "bots": [row["bot"] for row in self.rows],
            "superiority": self.superiority,
            "seats": self.seats,
            "design_effect": self.design_effect,
        }


@dataclass(frozen=True)
class Standings:
    """A table over all games, and one per ``GAME/PLAYERS``. `anchor` is the bot that the config names, if any."""

    overall: Table
    games: dict[str, Table]
    anchor: str | None = None

    def as_json(self) -> dict[str, Any]:
        """What `rate --json` prints."""
        return {
            "overall": self.overall.rows,
            "games": {label: table.rows for label, table in self.games.items()},
            "details": {
                "overall": self.overall.details() | {"seats": []},
                "games": {label: table.details() for label, table in self.games.items()},
            },
        }


def standings(config: Config, results: Sequence[Results]) -> Standings:
    """The tables of these games. Bots that have not played do not appear."""
    games = {group.game: _table(config, [group]) for group in results}
    overall = next(iter(games.values())) if len(games) == 1 else _table(config, results)
    return Standings(overall, games, config.anchor)


def _table(config: Config, results: Sequence[Results]) -> Table:
    num_bots = len(config.bots)
    figures = _figures(config, results)
    games = [Games(number, group.blocks, group.bots, group.ranks) for number, group in enumerate(results)]
    anchor = config.bot_names.index(config.anchor) if config.anchor in config.bot_names else None
    fitted = [_fit_pool(games, members, anchor) for members in _pools_of_players(games, num_bots)]
    rows = []
    for number, pool in enumerate(fitted):
        for bot, rating in _rating_columns(pool.ratings):
            entry, own = config.bots[pool.members[bot]], figures[pool.members[bot]]
            rows.append({"bot": entry.name, "cheats": entry.cheats, **rating, **own, "pool": number})
    fits = [pool.ratings for pool in fitted]
    return Table(
        rows=rows,
        superiority=_superiority(fits),
        seats=_seats(fits) if len(results) == 1 else [],
        design_effect=design_effect(fits),
        pools=fitted,
    )


def _pools_of_players(games: Sequence[Games], num_bots: int) -> list[np.ndarray]:
    """The numbers of the bots of each pool, without those that have not played."""
    if not games:
        return []
    played = np.flatnonzero(sum(np.bincount(group.bots.ravel(), minlength=num_bots) for group in games))
    pool_of = pools(games, num_bots)[played]
    return [played[pool_of == pool] for pool in np.unique(pool_of)]


def _fit_pool(games: Sequence[Games], members: np.ndarray, anchor: int | None) -> Pool:
    number_in_pool = np.full(max(group.bots.max() for group in games) + 1, -1)
    number_in_pool[members] = np.arange(len(members))
    own = []
    for group in games:
        inside = number_in_pool[group.bots[:, 0]] >= 0
        if inside.any():
            part = group.where(inside)
            own.append(Games(part.table, part.blocks, number_in_pool[part.bots], part.ranks))
    anchored = anchor is not None and anchor in members
    return Pool(members, own, fit(own, len(members), int(number_in_pool[anchor]) if anchored else None))


def _rating_columns(ratings: Ratings) -> list[tuple[int, dict[str, float | None]]]:
    """Bots, best first, and what the fit says of each."""
    order = ratings.order.tolist()
    intervals = ratings.intervals()
    return [
        (
            bot,
            {
                "elo": float(ratings.elo[bot]),
                "low": _finite(intervals[bot, 0]),
                "high": _finite(intervals[bot, 1]),
                "tier": int(ratings.tiers[bot]),
                "superiority": None if below is None else _finite(ratings.superiority[bot, below]),  # over the next
                "pairs_won": _finite(ratings.pairs_won[bot]),
            },
        )
        for bot, below in zip(order, [*order[1:], None], strict=True)
    ]


def _finite(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _superiority(fits: Sequence[Ratings]) -> list[list[float | None]]:
    """Shape (bots, bots), bots in the order of the table: None across pools, or where there is only one block."""
    size = sum(len(ratings.elo) for ratings in fits)
    matrix = np.full((size, size), np.nan)
    start = 0
    for ratings in fits:
        inside = slice(start, start + len(ratings.elo))
        matrix[inside, inside] = ratings.superiority[np.ix_(ratings.order, ratings.order)]
        start = inside.stop
    return [[_finite(value) for value in row] for row in matrix.tolist()]


def _seats(fits: Sequence[Ratings]) -> list[dict[str, Any]]:
    return [
        {"seat": seat, "elo": float(elo), "low": _finite(low), "high": _finite(high), "pool": pool}
        for pool, ratings in enumerate(fits)
        for table, effects in ratings.seats.items()
        for seat, (elo, (low, high)) in enumerate(zip(effects, ratings.seat_intervals(table), strict=True))
    ]


# --- Figures that need no model -------------------------------------------------------------------


def _figures(config: Config, results: Sequence[Results]) -> list[dict[str, Any]]:
    """Per bot: win share, mean rank, mean score (of a single game), games, faults and time per decision."""
    sums = sum((_sums(group, len(config.bots)) for group in results), np.zeros((7, len(config.bots))))
    faults, reasons = _faults(results)
    figures = []
    for name, of_bot in zip(config.bot_names, sums.T.tolist(), strict=True):
        games, seats, wins, ranks, scores, decisions, seconds = of_bot
        held = seats or math.nan
        figures.append(
            {
                "win_share": wins / held,
                "mean_rank": ranks / held,
                "mean_score": scores / held if len(results) == 1 else None,
                "games": int(games),
                "faults": faults.get(name, 0),
                "fault_reasons": reasons.get(name, {}),
                "ms_per_decision": 1000 * seconds / decisions if decisions else None,
            }
        )
    return figures


def _sums(results: Results, num_bots: int) -> np.ndarray:
    """Shape (7, bots): games, then over the seats that a bot held: seats, wins, ranks, scores, decisions, seconds."""
    bots = results.bots.ravel()
    first = np.ones_like(results.bots, bool)  # the first seat of a bot in its game
    for seat in range(1, first.shape[1]):
        first[:, seat] = (results.bots[:, :seat] != results.bots[:, seat : seat + 1]).all(axis=1)
    won = results.ranks == 1
    wins = won / won.sum(axis=1, keepdims=True)
    columns = (first, np.ones(first.shape), wins, results.ranks, results.scores, results.decisions, results.seconds)
    return np.stack([np.bincount(bots, column.ravel(), num_bots) for column in columns])


def _faults(results: Sequence[Results]) -> tuple[dict[str, int], dict[str, dict[str, str]]]:
    """By bot: how many, and the first message of each reason."""
    numbers: dict[str, int] = {}
    reasons: dict[str, dict[str, str]] = {}
    for fault in (fault for group in results for fault in group.faults):
        numbers[fault.bot] = numbers.get(fault.bot, 0) + fault.number
        reasons.setdefault(fault.bot, {}).setdefault(fault.reason, fault.message)
    return numbers, reasons
