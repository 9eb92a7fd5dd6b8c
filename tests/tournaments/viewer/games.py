"""Recorded games for the tests of the viewer, and independent readings of what it wrote."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import engine
from tests.cases import random_game

FOUR = {
    "daytime_minutes": {"players": 3},
    "day_and_night": {"players": 4},
    "trick_or_repeat": {"players": 4, "resolve_order": "reverse"},
    "tricky_time_crisis": {"players": 5, "mid_knight": "team_up", "rounds": 2},
}
NAMES = ["Ann", "Ben", "Cem", "Dov", "Eva", "Fay"]


def recorded(name: str, seed: int = 3, **options: Any) -> dict[str, Any]:
    """The record of a random game between people with names."""
    *_, state = random_game(engine.load(name, **options), seed)
    record = state.record()
    return record | {"bots": NAMES[: record["players"]]}


def states(record: dict[str, Any]) -> Iterator[engine.State]:
    """The state after every action of a record, the first deal before them."""
    game = engine.load(record["game"], players=record["players"], **record["options"])
    state = game.new(decks=record["decks"])
    yield state
    for action in record["actions"]:
        state = state.apply(action)
        yield state


def embedded(html: str) -> list[dict[str, Any]]:
    """The games that a page holds."""
    (text,) = re.findall(r'<script type="application/json">(.*?)</script>', html, re.DOTALL)
    return json.loads(text)


def undone(old: Any, difference: Any) -> Any:
    """What a difference makes of a value, by the words of the docstring of `difference`."""
    if not isinstance(old, list | dict):
        return difference
    if difference == "?":
        return ["?"] * len(old)
    if isinstance(difference, dict):
        keys = range(len(old)) if isinstance(old, list) else old
        new = {key: undone(old[key], difference[str(key)]) if str(key) in difference else old[key] for key in keys}
        return list(new.values()) if isinstance(old, list) else new
    if len(difference) == 1 and not (isinstance(old, list) and isinstance(difference[0], list)):
        return difference[0]
    new = list(old)
    for start, count, *items in difference:
        new[start : start + count] = items
    return new
