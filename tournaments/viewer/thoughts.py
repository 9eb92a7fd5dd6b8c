"""What was thought before the actions of a recorded game: logged while it was played, or asked of a bot now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tournaments.analysis import Decision, Opinion, opinion
from tournaments.config import BotEntry

_DIGITS = 4  # of values


@dataclass(frozen=True)
class Thoughts:
    """What was thought of the choices in a game, by the number of actions taken before.

    Each is a JSON object: ``choice``, what the thinker would play (None: what was played); ``iterations``;
    ``actions``, rows of [name, visits, value, standard error of the value or None], best first, perhaps none.
    """

    thinker: str | None  # None: the bots that sat there
    by_ply: Mapping[int, dict[str, Any]]


def logged(record: Mapping[str, Any]) -> Thoughts | None:
    """Those that a tournament with ``explanations = true`` has written to a record. Raises ValueError."""
    entries = record.get("thoughts")
    if not entries:
        return None
    return Thoughts(None, {ply: _shown(entry, None) for ply, entry in enumerate(entries) if entry})


def asked(entry: BotEntry, name: str, decisions: Iterable[Decision], seed: int) -> Thoughts:
    """Those of a bot, asked as a newcomer, about the decisions with a choice. Raises ValueError if it fails."""
    opinions = (opinion(entry, decision, seed) for decision in decisions if decision.has_choice)
    return Thoughts(name, {found.decision.ply: _of(found) for found in opinions})


def _of(found: Opinion) -> dict[str, Any]:
    return _shown(found.explanation_as_json() or {"iterations": 0, "actions": []}, found.choice)


def _shown(explanation: Any, choice: str | None) -> dict[str, Any]:
    """What the viewer shows of an explanation, which may come from anybody's file."""
    try:
        rows = [
            [str(row["name"]), int(row["visits"]), round(float(row["value"]), _DIGITS), _rounded(row["standard_error"])]
            for row in explanation["actions"]
        ]
        return {"choice": choice, "iterations": int(explanation["iterations"]), "actions": rows}
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        expected = "expected what `timetricks analyse --json` calls an explanation"
        raise ValueError(f"thoughts: {expected} ({type(error).__name__}: {error})") from None


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(float(number), _DIGITS)
