"""The viewer as HTML: games as JSON, and the scripts and styles of the games that are there."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from engine import load
from tournaments.viewer.frames import compact
from tournaments.viewer.thoughts import Thoughts, logged

_STATIC = files("tournaments.viewer") / "static"
_GENERIC = "generic"  # the drawing of a game that has none of its own

_FRAGMENT = """\
<div class="timetricks-viewer" tabindex="0" role="group" aria-label="replay of recorded games">
<style>
{style}</style>
<noscript>This replay needs JavaScript.</noscript>
<script type="application/json">{games}</script>
<script>
(() => {{
"use strict";
{script}
show(document.currentScript.parentElement);
}})();
</script>
</div>
"""

_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>body {{ margin: 0 }} main {{ display: grid; min-height: 100vh }}</style>
</head>
<body>
<main>
{fragment}</main>
<script>document.querySelector(".timetricks-viewer").focus()</script>
</body>
</html>
"""


def page(
    records: Sequence[Mapping[str, Any]],
    thoughts: Sequence[Thoughts | None] | None = None,
    title: str = "timetricks replay",
) -> str:
    """A page of its own that shows recorded games and asks no network for anything; arguments as of `fragment`."""
    return _PAGE.format(title=escape(title), fragment=fragment(records, thoughts))


def fragment(records: Sequence[Mapping[str, Any]], thoughts: Sequence[Thoughts | None] | None = None) -> str:
    """HTML that shows recorded games, to be put once into the body of a page.

    Its styles hold inside of its element ``.timetricks-viewer`` only, and its scripts leave no global names.
    `thoughts` are those to show with each record; where there are none, those that the record holds itself.
    Raises RecordError if a record is wrong, ValueError if its thoughts are.
    """
    thoughts = thoughts or [None] * len(records)
    games = [_game(record, of_game or logged(record)) for record, of_game in zip(records, thoughts, strict=True)]
    names = [name for name in sorted({game["game"] for game in games}) if _file(f"drawings/{name}.js").is_file()]
    drawings = [f"drawings/{name}" for name in (_GENERIC, *names)]
    return _FRAGMENT.format(
        style=_joined(f"{name}.css" for name in ("viewer", "board", "thoughts", "cards", *drawings)),
        script=_joined(f"{name}.js" for name in ("frames", "elements", "cards", *drawings, "viewer")),
        games=_embedded(games),
    )


def _game(record: Mapping[str, Any], thoughts: Thoughts | None) -> dict[str, Any]:
    """A record as the viewer reads it."""
    frames = compact(record)
    game = load(record["game"], players=record["players"], **record["options"])
    about = {
        "id": str(record["id"]) if "id" in record else None,
        "game": game.name,
        "title": game.title,
        "label": game.label,
        "players": game.players,
        "options": game.options,
        "bots": record.get("bots"),
        "scores": record["scores"],
        "ranks": record.get("counted_ranks", record["ranks"]),
        "faults": _faults(record),
    }
    known = {"thinker": thoughts and thoughts.thinker, "thoughts": thoughts.by_ply if thoughts else {}}
    return about | known | frames


def _faults(record: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """What bots did wrong, if the record is one that a store has exported."""
    found = record.get("faults")
    return [fault for fault in found if isinstance(fault, Mapping)] if isinstance(found, list) else []


def _embedded(value: Any) -> str:
    """JSON that no text in it can end the script element around."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def _joined(names: Iterable[str]) -> str:
    return "".join(file.read_text("utf-8") for name in names if (file := _file(name)).is_file())


def _file(name: str):
    return _STATIC / name
