"""Experiments as TOML files: what is played by whom, checked before anything runs."""

from __future__ import annotations

import hashlib
import json
import sys
import tomllib
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

import bots
import engine
from bots.bot import cheats
from bots.process_bot import BotFaultError, Limits, ProcessBot
from engine.game import unknown
from tournaments.compare import Design

_Model = TypeVar("_Model", bound=BaseModel)


class ConfigError(ValueError):
    """A config that cannot be run. The message names file, key, value and what was expected."""


class GameEntry(BaseModel):
    """A game to be played; further keys are its options."""

    model_config = ConfigDict(extra="allow", strict=True)
    game: str
    players: int | None = None

    def load(self) -> engine.Game:
        return engine.load(self.game, players=self.players, **self.model_extra)


class BotEntry(BaseModel):
    """A bot under the name that the tables show; further keys are its options.

    Either `bot`, a built-in one or ``"package.module:Class"``, or `command`, a program that speaks the
    protocol of bots/PROTOCOL.md.
    """

    model_config = ConfigDict(extra="allow", strict=True)
    name: str = Field(min_length=1)
    bot: str | None = None
    command: list[str] | None = Field(None, min_length=1)
    limits: Limits | None = None

    @model_validator(mode="after")
    def _is_one_thing(self) -> BotEntry:
        if (self.bot is None) == (self.command is None):
            raise ValueError("expected one of the keys bot and command")
        return self

    @property
    def plays_apart(self) -> bool:
        """Whether it gets a process of its own: all do that are not built in, and those with limits of their own."""
        return self.limits is not None or self.bot not in bots.names()

    @property
    def cheats(self) -> bool:
        """Whether it is handed the true state, which never leaves the process of the worker."""
        return cheats(self.bot) and not self.plays_apart

    def load(self) -> bots.Bot:
        """The bot, in this process. Raises ValueError."""
        return bots.load(self.bot, **self.model_extra)

    def start(self, limits: Limits) -> ProcessBot:
        """The bot, in a process of its own; `limits` hold if it has none itself. Raises BotFaultError."""
        hosted = [sys.executable, "-P", "-m", "bots.host", str(self.bot)]
        return ProcessBot(self.name, self.command or hosted, self.limits or limits, self.model_extra)

    def check(self, limits: Limits) -> None:
        """Makes the bot once and lets it go. Raises ValueError."""
        json.dumps(self.model_extra, allow_nan=False)
        if self.plays_apart and cheats(self.bot):
            raise ValueError(f"limits: expected none with bot = {self.bot!r}: what sees all hands cannot play apart")
        if self.bot in bots.names():
            self.load()
            return
        try:
            self.start(limits).close()
        except BotFaultError as error:
            raise ValueError(str(error)) from None


class Config(BaseModel):
    """One experiment."""

    model_config = ConfigDict(extra="forbid", strict=True)
    name: str = Field(min_length=1, pattern=r"^[^/\\.][^/\\]*$")
    seed: int = Field(0, ge=0)
    blocks_per_table: int = Field(10, ge=1, le=10**9, description="Rounds: each plays its tables once, on fresh deals.")
    schedule: Literal["all_tables", "balanced", "pairs", "gauntlet"] = Field(
        "all_tables", description="Which tables a round holds, see `schedule.Schedule`."
    )
    challengers: list[str] | None = Field(
        None, min_length=1, description="Of a gauntlet: the bots of which every table seats exactly one."
    )
    anchor: str | None = None
    allow_cheating: bool = Field(False, description="Whether bots may play that see all hands.")
    explanations: bool = Field(
        False, description="Whether game records hold what built-in searching bots found of every action."
    )
    limits: Limits = Limits()
    compare: Design = Design()
    games: list[GameEntry] = Field(min_length=1)
    bots: list[BotEntry] = Field(min_length=1)

    @property
    def bot_names(self) -> list[str]:
        return [entry.name for entry in self.bots]

    def bot(self, name: str) -> BotEntry:
        return next(entry for entry in self.bots if entry.name == name)

    @property
    def hash(self) -> str:
        """Names this experiment: equal configs have equal hashes."""
        return hashlib.sha256(self.canonical_json.encode()).hexdigest()[:16]

    def contradictions(self, new: Config) -> list[str]:
        """Where results of this config would not be those of `new`, in words; none if `new` extends it."""
        found = [
            f"{key} was {json.dumps(before)} and is {json.dumps(after)}"
            for key, before, after in (
                ("seed", self.seed, new.seed),
                ("limits", self.limits.model_dump(), new.limits.model_dump()),
            )
            if before != after
        ]
        if new.blocks_per_table < self.blocks_per_table:
            found.append(f"blocks_per_table was {self.blocks_per_table} and is {new.blocks_per_table}")
        for key, old_entries, new_entries in (
            ("bot", {entry.name: entry for entry in self.bots}, {entry.name: entry for entry in new.bots}),
            ("game", {entry.load().label: entry for entry in self.games}, {e.load().label: e for e in new.games}),
        ):
            for name, entry in old_entries.items():
                if name not in new_entries:
                    found.append(f"{key} {name!r} is missing")
                elif key == "bot" and entry != new_entries[name]:
                    was, now = (e.model_dump(exclude_defaults=True) for e in (entry, new_entries[name]))
                    found.append(f"bot {name!r} was {json.dumps(was)} and is {json.dumps(now)}")
        return found

    @property
    def canonical_json(self) -> str:
        return json.dumps(self.model_dump(), sort_keys=True)


def of_bots(names: list[str], games: list[str], **keys: Any) -> Config:
    """An experiment without a file, of bots with their default options under their own names. Raises ConfigError."""
    content = {"name": "compare", "games": [{"game": game} for game in games]} | keys
    entries = [{"name": name, "bot": name} for name in dict.fromkeys(names)]
    return check(content | {"bots": entries}, "command line")


def read(path: str | Path) -> Config:
    """The experiment in a TOML file. Raises ConfigError."""
    return check(parsed(path), str(path))


def parsed(path: str | Path) -> dict[str, Any]:
    """What a TOML file holds. Raises ConfigError."""
    try:
        with open(path, "rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}; expected a TOML file") from None
    except ValueError as error:  # of tomllib, of text that is none, or of a number of thousands of digits
        raise ConfigError(f"{path}: no valid TOML: {error}") from None


def check(content: dict[str, Any], source: str) -> Config:
    """The experiment described by `content`, which came from `source`. Raises ConfigError."""
    config = validated(Config, content, source)
    _check_entries("games", [entry.load for entry in config.games], source)
    _check_names(config, source)
    _check_schedule(config, source)
    check_cheating(config.bots, config.allow_cheating, source)
    _check_entries("bots", [partial(entry.check, config.limits) for entry in config.bots], source)  # starts processes
    return config


def _check_entries(key: str, checks: list[Callable[[], Any]], source: str) -> None:
    for number, check_entry in enumerate(checks):
        try:
            check_entry()
        except (ValueError, TypeError) as error:
            raise ConfigError(f"{source}: {key}[{number}]: {error}") from None


def validated(model: type[_Model], content: dict[str, Any], source: str) -> _Model:
    """A `model` of `content`, which came from `source`. Raises ConfigError."""
    try:
        return model.model_validate(content)
    except ValidationError as error:
        problems = [_complaint(model, problem) for problem in error.errors()]
        raise ConfigError(f"{source}: {'; '.join(problems)}") from None


def _check_names(config: Config, source: str) -> None:
    for key, names in (("bots", config.bot_names), ("games", [entry.load().label for entry in config.games])):
        repeated = next((name for number, name in enumerate(names) if name in names[:number]), None)
        if repeated is not None:
            raise ConfigError(f"{source}: {key}: {repeated!r} stands there twice; expected different ones")
    if config.anchor is not None and config.anchor not in config.bot_names:
        raise ConfigError(f"{source}: anchor: {unknown('bot', config.anchor, config.bot_names)}")


def check_cheating(entries: Sequence[BotEntry], is_allowed: bool, source: str) -> None:
    """Raises ConfigError for a bot that sees all hands, unless that is allowed."""
    found = next((entry for entry in entries if entry.cheats), None)
    if found is not None and not is_allowed:
        raise ConfigError(
            f"{source}: allow_cheating = false: {found.name!r} (bot = {found.bot!r}) sees all hands; expected "
            "allow_cheating = true where such a bot plays (timetricks compare: --allow-cheating)"
        )


def _check_schedule(config: Config, source: str) -> None:
    if config.schedule == "pairs" and len(config.bots) == 1:
        raise ConfigError(f"{source}: schedule = 'pairs': expected two or more bots, not {config.bot_names[0]!r} alone")
    if config.schedule != "gauntlet":
        if config.challengers is not None:
            raise ConfigError(
                f"{source}: challengers = {config.challengers!r}: expected them with schedule = 'gauntlet' only, "
                f"not with {config.schedule!r}"
            )
        return
    if config.challengers is None:
        raise ConfigError(f"{source}: challengers is missing; expected names of bots, since schedule = 'gauntlet'")
    for number, name in enumerate(config.challengers):
        if name not in config.bot_names:
            raise ConfigError(f"{source}: challengers[{number}]: {unknown('bot', name, config.bot_names)}")
        if name in config.challengers[:number]:
            raise ConfigError(f"{source}: challengers: {name!r} stands there twice; expected different ones")
    if len(config.challengers) == len(config.bots):
        raise ConfigError(f"{source}: challengers = {config.challengers!r}: expected at least one bot that is none")


def _complaint(model: type[BaseModel], problem: dict[str, Any]) -> str:
    """One problem that pydantic found in a `model`, in words: key, value, what was expected."""
    where = _path(problem["loc"])
    if problem["type"] == "extra_forbidden":
        *table, key = problem["loc"]
        known = tuple(_model_at(model, table).model_fields)
        return (f"{_path(table)}: " if table else "") + unknown("key", key, known)
    if problem["type"] == "value_error":
        return (f"{where}: " if where else "") + problem["msg"].removeprefix("Value error, ")
    if problem["type"] == "missing":
        return f"{where} is missing; expected it in the file"
    return f"{where} = {problem['input']!r}: {problem['msg'].replace('Input should be', 'expected')}"


def _model_at(model: type[BaseModel], table: Iterable[int | str]) -> type[BaseModel]:
    """The model of a table inside `model`."""
    for key in table:
        if key in model.model_fields:  # else the number or the name of an entry, which is of the model already found
            model = next(iter(_models_in(model.model_fields[key].annotation)), model)
    return model


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in get_args(annotation) for model in _models_in(part)]


def _path(parts: Iterable[int | str]) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts).lstrip(".")
