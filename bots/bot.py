"""What a bot is, and the registry of bots.

A bot is any object with ``act``. It sees information sets, never states.
"""

from __future__ import annotations

import importlib
import inspect
from dataclasses import fields
from typing import Any, Protocol

import numpy as np
from pydantic import ConfigDict, ValidationError
from pydantic.dataclasses import dataclass

from engine import Game, InformationSet
from engine.game import unknown

_BUILT_IN = {
    "random": "bots.random_bot:RandomBot",
    "rules": "bots.rule_based:RulesBot",
    "ismcts": "bots.ismcts:ISMCTSBot",
}

configurable = dataclass(config=ConfigDict(extra="forbid"), kw_only=True)
"""Decorator of a bot whose options are its fields: checked when it is made, listed by `timetricks bots`."""


class Bot(Protocol):
    """A player. `new_game` may be left out."""

    def new_game(self, game: Game, seat: int, rng: np.random.Generator) -> None:
        """A game begins in which this bot sits at `seat`; all its chance comes from `rng`."""

    def act(self, info: InformationSet) -> int | str:
        """The id or the name of a legal action. ``info.seat`` is to move."""


def names() -> tuple[str, ...]:
    """The names of the built-in bots."""
    return tuple(_BUILT_IN)


def load(bot: str, **options: Any) -> Bot:
    """A bot by its name, or by ``"package.module:Class"``, with its options. Raises ValueError."""
    made = find(bot)
    try:
        return made(**options)
    except ValidationError as error:
        raise ValueError("; ".join(_complaint(bot, made, options, problem) for problem in error.errors())) from None
    except TypeError as error:
        raise ValueError(f"bot {bot!r} takes {inspect.signature(made)}, not {options} ({error})") from None


def find(bot: str) -> type:
    """The class of a bot. Raises ValueError."""
    path = _BUILT_IN.get(bot, bot)
    module, _, name = path.partition(":")
    if not name:
        raise ValueError(f"{unknown('bot', bot, names())}; for your own write 'package.module:Class'")
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"bot {bot!r}: expected 'package.module:Class' that can be imported ({error})") from error


def options_of(bot: str) -> list[tuple[str, Any, str]]:
    """Name, default and meaning of every option of a built-in bot."""
    made = find(bot)
    return [(field.name, field.default.default, field.default.description) for field in fields(made)]


def _complaint(bot: str, made: type, options: dict, problem: dict) -> str:
    """One problem that pydantic found, in words."""
    name = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "unexpected_keyword_argument":
        return f"bot {bot!r}: {unknown('option', name, [field.name for field in fields(made)])}"
    where = f"{name} = {options[name]!r}: " if name in options else ""
    return f"bot {bot!r}: {where}{problem['msg'].removeprefix('Value error, ')}"
