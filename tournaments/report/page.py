"""The page of a report: one HTML file that needs no network."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from tournaments.report.facts import Chapter, Facts
from tournaments.report.figures import figures
from tournaments.report.pairings import Pairing
from tournaments.tables import interval, marked, percent
from tournaments.viewer import fragment

FILE_NAME = "report.html"
Progress = Callable[[Sequence, str], Sequence]  # items, and what is done with them
_FULL_COLOUR = 0.35  # a share so far from a half is shown as deep as can be


def _quiet(items: Sequence, doing: str) -> Sequence:
    return items


def render(facts: Facts, records: Sequence[Mapping[str, Any]] = (), progress: Progress = _quiet) -> str:
    """The HTML of a report, with games to replay. What takes its time goes through `progress`."""
    environment = Environment(
        loader=PackageLoader("tournaments.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "elo": lambda value: f"{round(value):+d}",
        "interval": interval,
        "percent": percent,
        "share": lambda value: f"{100 * value:.0f}",
        "date": lambda text: f"{datetime.fromisoformat(text):%-d %B %Y, %H:%M %Z}",
        "heat": heat,
    }
    environment.globals["marked"] = marked
    chapters = [
        _view(chapter, f"part-{number}") for number, chapter in enumerate(progress(facts.chapters, "drawing"), 1)
    ]
    replays = Markup(fragment(progress(records, "replaying"))) if records else None
    return environment.get_template("report.html.jinja").render(facts=facts, chapters=chapters, replays=replays)


def _view(chapter: Chapter, name: str) -> dict[str, Any]:
    """What the template shows of a chapter."""
    drawn = {key: Markup(figure) for key, figure in figures(chapter, name).items()}
    return {"id": name, "facts": chapter, "figures": drawn, "crosstable": crosstable(chapter)}


def crosstable(chapter: Chapter) -> list[list[dict[str, Any] | None]]:
    """A cell for every row and column of bots in order: shares of the bot of the row; None where they never met."""
    place = {bot["bot"]: number for number, bot in enumerate(chapter.bots)}
    cells: list[list[dict[str, Any] | None]] = [[None] * len(place) for _ in place]
    for pairing in chapter.pairings:
        one, other = place[pairing.one], place[pairing.other]
        cells[one][other] = _cell(pairing, pairing.observed, pairing.expected)
        cells[other][one] = _cell(pairing, 1 - pairing.observed, 1 - pairing.expected)
    return cells


def _cell(pairing: Pairing, observed: float, expected: float) -> dict[str, Any]:
    mark = ("▲" if observed > expected else "▼") if pairing.deviates else ""
    return {"observed": observed, "expected": expected, "mark": mark, "comparisons": pairing.comparisons}


def heat(share: float | None) -> Markup:
    """The attributes of a cell that colour it: blue above a half, orange below, the deeper the farther."""
    if share is None:
        return Markup("")
    depth = min(1.0, abs(share - 0.5) / _FULL_COLOUR)
    side = "above" if share > 0.5 else "below"
    return Markup(f'class="{side}" style="--depth:{depth:.2f}"')
