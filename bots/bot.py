"""What a bot is, and the registry of bots.

A bot is any object with ``act``. It sees information sets, never states; but for a built-in one that says so.
"""

from __future__ import annotations

import importlib
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
    "flat": "bots.flat:FlatBot",
    "pimc": "bots.pimc:PIMCBot",
    "ismcts": "bots.ismcts:ISMCTSBot",
    "mo_ismcts": "bots.mo_ismcts:MOISMCTSBot",
    "ismcts-strong": "bots.presets:StrongBot",
    "cheater": "bots.cheater:CheaterBot",
}

OPENSPIEL = "openspiel:"  # what follows is a bot of OpenSpiel

configurable = dataclass(config=ConfigDict(extra="forbid", strict=True, allow_inf_nan=False), kw_only=True)
"""Decorator of a bot whose options are its fields: checked when it is made, listed by `timetricks bots`."""


class Bot(Protocol):
    """A player. `new_game` may be left out.

    A built-in class may declare ``cheats: ClassVar[bool] = True``: `act` is handed the true `State` then, and the
    bot is an upper bound, no player.
    """

    def new_game(self, game: Game, seat: int, rng: np.random.Generator) -> None:
        """A game begins in which this bot sits at `seat`; all its chance comes from `rng`."""

    def act(self, info: InformationSet) -> int | str:
        """The id or the name of a legal action. ``info.seat`` is to move."""


def names() -> tuple[str, ...]:
    """The names of the built-in bots."""
    return tuple(_BUILT_IN)


def load(bot: str, **options: Any) -> Bot:
    """A bot by its name, ``"package.module:Class"`` or ``"openspiel:NAME"``, with its options. Raises ValueError."""
    made = find(bot)
    try:
        return made(**options)
    except ValidationError as error:
        raise ValueError("; ".join(_complaint(bot, made, options, problem) for problem in error.errors())) from None
    except (Exception, SystemExit) as error:
        raise ValueError(f"bot {bot!r} cannot be made with the options {options}: {describe(error)}") from error


def find(bot: str) -> type:
    """The class of a bot. Raises ValueError."""
    if bot.startswith(OPENSPIEL):
        from bots.openspiel_bot import find as find_in_openspiel

        return find_in_openspiel(bot.removeprefix(OPENSPIEL))
    path = _BUILT_IN.get(bot, bot)
    module, _, name = path.partition(":")
    if not (module and name):
        raise ValueError(f"{unknown('bot', bot, names())}; expected 'package.module:Class' for your own")
    expected = "expected 'package.module:Class' that can be imported"
    try:
        made = getattr(importlib.import_module(module), name)
    except (Exception, SystemExit) as error:
        raise ValueError(f"bot {bot!r}: {expected} ({describe(error)})") from error
    if not isinstance(made, type):
        raise ValueError(f"bot {bot!r}: {expected} (it is a {type(made).__name__})")
    return made


def cheats(bot: str | None) -> bool:
    """Whether a bot is handed the true state: no other than a built-in one is, whatever it declares."""
    return bot in names() and getattr(find(bot), "cheats", False)


def options_of(bot: str) -> list[tuple[str, Any, str]]:
    """Name, default and meaning of every option of a built-in bot."""
    made = find(bot)
    return [(field.name, field.default.default, field.default.description) for field in fields(made)]


def warm_up(game: Game, bot: str, options: dict[str, Any]) -> None:
    """Compiles or loads what a first decision in `game` would wait for: the engine's part and a built-in bot's.

    An own bot is not touched: it gets ready in its `new_game`.
    """
    state = game.new(seed=0)
    info = state.information_set()
    info.determinize(np.random.default_rng(0)).apply(info.legal_actions[0])
    if bot in names():
        made = load(bot, **_smallest_budget(bot, options))
        made.new_game(game, info.seat, np.random.default_rng(0))
        state.apply(made.act(state if cheats(bot) else info))


def _smallest_budget(bot: str, options: dict[str, Any]) -> dict[str, Any]:
    """The options of a built-in bot with a single iteration, if it counts them."""
    counts_iterations = any(name == "iterations" for name, *_ in options_of(bot))
    budget = {"iterations": 1} if counts_iterations else {}
    return {name: value for name, value in options.items() if name != "milliseconds"} | budget


def describe(error: BaseException) -> str:
    """An error of a bot in a line, whatever its author made of it."""
    try:
        return f"{type(error).__name__}: {error}"[:1000]
    except Exception:
        return type(error).__name__


def _complaint(bot: str, made: type, options: dict, problem: dict) -> str:
    """One problem that pydantic found, in words."""
    name = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "unexpected_keyword_argument":
        return f"bot {bot!r}: {unknown('option', name, [field.name for field in fields(made)])}"
    where = f"{name} = {options[name]!r}: " if name in options else ""
    return f"bot {bot!r}: {where}{problem['msg'].removeprefix('Value error, ').replace('Input should be', 'expected')}"
