"""Bots that differ only by their budget, and what more of it is worth."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import bots
from tournaments.config import BotEntry

UNITS = ("iterations", "milliseconds")  # options that are budgets, a decision


@dataclass(frozen=True)
class BudgetSeries:
    """Two or more bots that have everything in common but the budget, the smallest first."""

    bot: str  # what they are
    options: dict[str, Any]  # what they have in common
    unit: str
    points: list[dict[str, Any]]  # of each: bot (its name), budget, elo, low, high

    @property
    def label(self) -> str:
        """What they are, in a line."""
        return " ".join([self.bot, *(f"{key}={value}" for key, value in self.options.items())])


def budget_series(entries: Sequence[BotEntry], rows: Sequence[dict[str, Any]]) -> list[BudgetSeries]:
    """The series among the bots of a table; its pools are apart, since their ratings cannot be compared."""
    row_of = {row["bot"]: row for row in rows}
    series = defaultdict(list)
    for entry in entries:
        unit, budget = _budget(entry)
        if unit and entry.name in row_of:
            row = row_of[entry.name]
            point = {"bot": entry.name, "budget": budget} | {key: row[key] for key in ("elo", "low", "high")}
            series[_kind(entry), unit, row["pool"]].append(point)
    return [
        BudgetSeries(what, json.loads(options), unit, sorted(points, key=lambda point: point["budget"]))
        for ((what, _, options), unit, _), points in series.items()
        if len({point["budget"] for point in points}) > 1
    ]


def _kind(entry: BotEntry) -> tuple[str, str, str]:
    """What a bot is but for its name and its budget: in a word, its limits, its options."""
    options = {key: value for key, value in entry.model_extra.items() if key not in UNITS}
    what = entry.bot or " ".join(entry.command)
    limits = entry.limits and entry.limits.model_dump_json()
    return what, limits or "", json.dumps(options, sort_keys=True)


def _budget(entry: BotEntry) -> tuple[str | None, float]:
    """The unit and the number, which a built-in bot may have by default; (None, 0) for a bot without one."""
    options = entry.model_extra
    if entry.bot in bots.names() and not any(options.get(unit) for unit in UNITS):
        options = _defaults(entry)
    unit = next((unit for unit in UNITS if _is_budget(options.get(unit))), None)
    return unit, options[unit] if unit else 0


def _defaults(entry: BotEntry) -> dict[str, Any]:
    try:
        bot = entry.load()
    except ValueError:  # another version of it made these results
        return {}
    return {unit: getattr(bot, unit, None) for unit in UNITS}


def _is_budget(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0
