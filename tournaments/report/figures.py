"""The figures of a chapter, drawn with matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from tournaments.report.budgets import UNITS, BudgetSeries
from tournaments.report.facts import Chapter
from tournaments.report.spreads import Distribution, Times
from tournaments.report.svg import ACCENT, BAND, LINE, MUTED, SERIES, WARM, svg

ROW = 26  # height of a bot
MOST_BARS = 40  # of a histogram
_LONGEST = 22  # characters of a name
_NARROWEST = 6  # the right end of a logarithmic axis over its left end


def figures(chapter: Chapter, name: str) -> dict[str, str]:
    """SVG by figure: ratings, one of budgets for each unit, seats, scores, lengths, times; those that have data.

    `name` begins the ids inside.
    """
    drawn = {
        "ratings": (ratings, chapter.bots, "Elo of the bots with 95 % intervals"),
        "seats": (seats, chapter.seats, "Elo of the seats with 95 % intervals"),
        "scores": (scores, chapter.scores, "Distribution of the scores of each bot"),
        "lengths": (lengths, chapter.lengths, "Distribution of the number of decisions in a game"),
        "times": (times, chapter.times, "Milliseconds per move of each bot"),
    }
    for unit in UNITS:
        of_unit = [series for series in chapter.budgets if series.unit == unit]
        drawn[unit] = (budgets, of_unit, f"Elo against {unit} per decision")
    return {key: draw(data, f"{name}-{key}", title) for key, (draw, data, title) in drawn.items() if data}


def ratings(bots: Sequence[dict[str, Any]], name: str, title: str) -> str:
    """A dot and an interval for each bot, over bands of tiers."""

    def draw(axes: Axes) -> None:
        _label_rows(axes, [bot["bot"] for bot in bots])
        for number, (_, rows) in enumerate(groupby(range(len(bots)), key=lambda row: _tier(bots[row]))):
            rows = list(rows)
            if number % 2 == 0:
                axes.axhspan(rows[0] - 0.5, rows[-1] + 0.5, color=BAND, zorder=0, linewidth=0)
        _draw_intervals(axes, bots)
        axes.set_xlabel("Elo")

    return svg(draw, _height(len(bots)), name, title)


def _tier(bot: dict[str, Any]) -> tuple[int, int]:
    return bot["pool"], bot["tier"]


def seats(effects: Sequence[dict[str, Any]], name: str, title: str) -> str:
    """A dot and an interval for each seat."""
    has_pools = effects[-1]["pool"] > 0

    def draw(axes: Axes) -> None:
        labels = [f"seat {one['seat']}" + (f", pool {one['pool'] + 1}" if has_pools else "") for one in effects]
        _label_rows(axes, labels)
        _draw_intervals(axes, effects)
        axes.axvline(0, color=MUTED, linewidth=1)
        axes.set_xlabel("Elo of holding the seat")

    return svg(draw, _height(len(effects)), name, title)


def _draw_intervals(axes: Axes, estimates: Sequence[dict[str, Any]]) -> None:
    for row, estimate in enumerate(estimates):
        if estimate["low"] is not None:
            axes.plot([estimate["low"], estimate["high"]], [row, row], color=ACCENT, linewidth=3, alpha=0.45)
        axes.plot(estimate["elo"], row, "o", color=ACCENT, markersize=7)
    axes.margins(x=0.08)
    axes.xaxis.set_major_locator(_ticks(6))
    axes.xaxis.set_major_formatter(FuncFormatter(_signed))


def budgets(series: Sequence[BudgetSeries], name: str, title: str) -> str:
    """Elo over the logarithm of the budget, a line for each series."""

    def draw(axes: Axes) -> None:
        for number, one in enumerate(series):
            colour = SERIES[number % len(SERIES)]
            budget, elo = _column(one.points, "budget"), _column(one.points, "elo")
            axes.plot(budget, elo, "o-", color=colour, linewidth=2, markersize=7, label=one.label)
            for point in one.points:
                if point["low"] is not None:
                    ends = [point["low"], point["high"]]
                    axes.plot([point["budget"]] * 2, ends, color=colour, linewidth=3, alpha=0.45)
        axes.set_xscale("log")
        axes.grid(True, axis="y")
        axes.grid(False, axis="x")
        every = np.unique([point["budget"] for one in series for point in one.points])
        _label_logarithms(axes)
        if np.diff(np.log(every)).min() > np.log(every[-1] / every[0]) / 8:  # there is room for each
            axes.xaxis.set_major_locator(FixedLocator(every))
        axes.yaxis.set_major_locator(_ticks(6))
        axes.yaxis.set_major_formatter(FuncFormatter(_signed))
        axes.tick_params("y", labelcolor=MUTED, labelsize=11)
        axes.set_xlabel(f"{series[0].unit} per decision, logarithmic")
        axes.set_ylabel("Elo")
        axes.legend(frameon=False, fontsize=11)

    return svg(draw, 260, name, title)


def scores(found: Sequence[Distribution], name: str, title: str) -> str:
    """A histogram for each bot, in rows on one axis; a line marks its mean."""
    edges = _edges([value for one in found for value in (one.values[0], one.values[-1])])
    shares = [np.histogram(one.values, edges, weights=one.counts)[0] / sum(one.counts) for one in found]
    tallest = max(share.max() for share in shares)

    def draw(axes: Axes) -> None:
        _label_rows(axes, [one.label for one in found])
        for row, (one, share) in enumerate(zip(found, shares, strict=True)):
            base = row + 0.4
            axes.bar(edges[:-1], -0.8 * share / tallest, np.diff(edges), base, align="edge", color=ACCENT, alpha=0.55)
            axes.plot([edges[0], edges[-1]], [base, base], color=LINE, linewidth=0.8)
            axes.plot([one.mean] * 2, [base, base - 0.8], color=WARM, linewidth=2)
        axes.xaxis.set_major_locator(_ticks(8, integer=True))
        axes.set_xlabel("score")

    return svg(draw, _height(len(found), 1.6), name, title)


def lengths(found: Distribution, name: str, title: str) -> str:
    """One histogram."""

    def draw(axes: Axes) -> None:
        edges = _edges([found.values[0], found.values[-1]])
        games = np.histogram(found.values, edges, weights=found.counts)[0]
        axes.bar(edges[:-1], games, np.diff(edges), align="edge", color=ACCENT, alpha=0.55)
        axes.axvline(found.mean, color=WARM, linewidth=2)
        axes.grid(True, axis="y")
        axes.grid(False, axis="x")
        axes.xaxis.set_major_locator(_ticks(8, integer=True))
        axes.yaxis.set_major_locator(_ticks(5, integer=True))
        axes.tick_params("y", labelcolor=MUTED, labelsize=11)
        axes.set_xlabel("decisions in a game")
        axes.set_ylabel("games")

    return svg(draw, 220, name, title)


def times(found: Sequence[Times], name: str, title: str) -> str:
    """The spread over games for each bot: a thin line holds 90 % of them, a thick one the middle half."""

    def draw(axes: Axes) -> None:
        _label_rows(axes, [one.bot for one in found])
        for row, one in enumerate(found):
            low, lower, median, upper, high = one.quantiles
            axes.plot([low, high], [row, row], color=ACCENT, linewidth=2, alpha=0.45)
            axes.plot([lower, upper], [row, row], color=ACCENT, linewidth=6, alpha=0.45, solid_capstyle="butt")
            axes.plot(median, row, "o", color=ACCENT, markersize=7)
            axes.plot(one.slowest, row, "|", color=WARM, markersize=10, markeredgewidth=2)
        axes.set_xscale("log")
        _label_logarithms(axes)
        axes.set_xlabel("ms per move, logarithmic")

    return svg(draw, _height(len(found)), name, title)


def _label_logarithms(axes: Axes) -> None:
    """Ticks at 1, 10, …, and at 2 and 5 where decades alone are too few; room for two of them at least."""
    low, high = axes.get_xlim()
    widening = max(1.0, np.sqrt(_NARROWEST * low / high))
    axes.set_xlim(low / widening, high * widening)
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high / low < 100 else (1,), numticks=7))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())


def _label_rows(axes: Axes, labels: Sequence[str]) -> None:
    """Rows 0, 1, … from the top, each with its label on the left."""
    axes.set_yticks(range(len(labels)), [_short(label) for label in labels])
    axes.set_ylim(len(labels) - 0.5, -0.5)


def _short(label: str) -> str:
    """A label that there is room for, and that XML can hold."""
    label = "".join(letter if letter.isprintable() else "�" for letter in label)
    return label if len(label) <= _LONGEST else f"{label[: _LONGEST - 1]}…"


def _height(rows: int, stretch: float = 1.0) -> float:
    return 52 + stretch * ROW * rows


def _edges(values: Sequence[int]) -> np.ndarray:
    """Edges of bars around whole numbers, as many in each bar as it takes to need no more than `MOST_BARS`."""
    low, high = min(values), max(values)
    width = -(-(high - low + 1) // MOST_BARS)
    return np.arange(low, high + width + 1, width) - 0.5


def _column(points: Sequence[dict[str, Any]], key: str) -> list[float]:
    return [point[key] for point in points]


def _ticks(number: int, **options: Any) -> MaxNLocator:
    return MaxNLocator(number, steps=[1, 2, 5, 10], **options)


def _signed(value: float, _: int | None = None) -> str:
    return "0" if value == 0 else f"{value:+g}".replace("-", "−")
