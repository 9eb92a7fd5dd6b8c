"""What is to be tuned, as a TOML file: a bot, numbers among its options, and how to look for better ones."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator, model_validator

import bots
import engine
from bots.bot import options_of
from bots.process_bot import Limits
from bots.rule_based import policy_of, weights_for
from engine.game import unknown
from tournaments.config import BotEntry, ConfigError, GameEntry, check_cheating, parsed, validated
from tournaments.optimisers import SPSA, CrossEntropy, Optimiser, Space, num_elite
from tournaments.toml_text import toml_text

LARGEST = 1e15  # up to here a float holds every integer
PROBED = 10  # spreads from the start: a value that search may well come to where there is no bound


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST


def _number(value: Any) -> Any:
    if value is not None and not _is_number(value):
        raise ValueError(f"{value!r}; expected a number up to {LARGEST:g}")
    return value


Number = Annotated[Any, AfterValidator(_number)]  # not `int | float`, of which pydantic would complain twice


class Range(BaseModel):
    """Where to look for the value of a parameter. An integer as start makes it one of integers."""

    model_config = ConfigDict(extra="forbid", strict=True)
    start: Number = None  # default: the option of the bot, or its default
    spread: Number = None  # how far to look at first; default: half of the start, or 1 where that is 0
    low: Number = None
    high: Number = None

    @model_validator(mode="after")
    def _in_order(self) -> Range:
        if self.spread is not None and self.spread <= 0:
            raise ValueError(f"spread = {self.spread}; expected more than 0")
        if self.low is not None and self.high is not None and not self.low < self.high:
            raise ValueError(f"low = {self.low} and high = {self.high}; expected low below high")
        return self


class UnnamedBot(BotEntry):
    """A bot that needs no name, since no table shows it."""

    name: str = "bot"


class Tuning(BaseModel):
    """One search for better values of the parameters of a bot."""

    model_config = ConfigDict(extra="forbid", strict=True)
    name: str = Field(min_length=1, pattern=r"^[^/\\.][^/\\]*$", description="and the name of the tuned bot")
    seed: int = Field(0, ge=0)
    method: Literal["cross_entropy", "spsa"] = "cross_entropy"
    steps: int = Field(30, ge=1, le=10**6)
    population: int = Field(40, ge=2, le=10**6, description="candidates tried in a step")
    elite: float = Field(0.25, gt=0, lt=1, description="share of the candidates that a step goes on from")
    blocks: int = Field(200, ge=1, le=10**6, description="deal blocks that each candidate plays in a step")
    holdout_blocks: int = Field(2000, ge=2, le=10**7, description="deal blocks, tuned against untuned, at the end")
    allow_cheating: bool = Field(False, description="whether bots may play that see all hands")
    limits: Limits = Limits()
    game: GameEntry
    bot: UnnamedBot
    parameters: dict[str, Range] = Field(min_length=1)
    opponents: list[UnnamedBot] = Field([], description="on the other seats in turn; default: the bot as it is so far")

    @field_validator("parameters", mode="before")
    @classmethod
    def _flat(cls, parameters: Any) -> Any:
        """``weights.taking`` in TOML, which is a table in a table, by its path."""
        return _flattened(parameters) if isinstance(parameters, dict) else parameters

    @model_validator(mode="after")
    def _fits_the_method(self) -> Tuning:
        if self.method == "spsa" and "elite" in self.model_fields_set:
            raise ValueError(f"elite = {self.elite}: expected it with method = 'cross_entropy' only, not with 'spsa'")
        if self.method == "spsa" and self.population % 2:
            raise ValueError(f"population = {self.population}: expected an even number, since method = 'spsa'")
        if self.method == "cross_entropy" and num_elite(self.population, self.elite) == self.population:
            raise ValueError(f"population = {self.population}: expected more, since elite = {self.elite} takes all")
        return self

    def optimiser(self, space: Space) -> Optimiser:
        if self.method == "spsa":
            return SPSA(space, self.seed, self.population, self.steps)
        return CrossEntropy(space, self.seed, self.population, self.elite)


def _flattened(table: Mapping[str, Any], path: str = "") -> dict[str, Any]:
    flat = {}
    for key, value in table.items():
        if isinstance(value, dict) and any(isinstance(inner, dict) for inner in value.values()):
            flat |= _flattened(value, f"{path}{key}.")
        else:
            flat[path + key] = value
    return flat


class Tunable:
    """The bot as a function of the values of its parameters. Raises ValueError where there is no such function."""

    paths: list[str]  # of the options, such as "weights.taking"
    space: Space

    def __init__(self, config: Tuning):
        self._bot = config.bot
        defaults = _defaults(config.bot, config.game.load())
        ranges = _expanded(config.parameters, defaults)
        is_complete = config.bot.bot in bots.names()
        starts = [_start(path, entry, _found(path, defaults, is_complete)) for path, entry in ranges.items()]
        entries = list(ranges.values())
        self.paths = list(ranges)
        self.space = Space(
            start=np.array(starts, float),
            spread=np.array([e.spread or abs(s) / 2 or 1.0 for e, s in zip(entries, starts, strict=True)], float),
            low=np.array([-np.inf if entry.low is None else entry.low for entry in entries], float),
            high=np.array([np.inf if entry.high is None else entry.high for entry in entries], float),
            is_integer=np.array([isinstance(start, int) for start in starts]),
        )

    def values(self, point: np.ndarray) -> dict[str, float | int]:
        """The parameters at a point, by path; integers as such."""
        return {
            path: int(value) if is_integer else float(value)
            for path, value, is_integer in zip(self.paths, point, self.space.is_integer, strict=True)
        }

    def entry(self, point: np.ndarray) -> UnnamedBot:
        """The bot at an admitted point."""
        options = deepcopy(self._bot.model_extra)
        for path, value in self.values(point).items():
            *tables, key = path.split(".")
            table = options
            for name in tables:
                table = table.setdefault(name, {})
            table[key] = value
        return self._bot.model_copy(update=options)

    def check(self, limits: Limits) -> None:
        """Makes the bot at the start, and a built-in one where each parameter is lowest and highest.

        Raises ValueError.
        """
        self.entry(self.space.start).check(limits)
        if self._bot.bot not in bots.names():
            return
        far = PROBED * self.space.spread
        for key, bound, probe in (
            ("low", self.space.low, self.space.start - far),
            ("high", self.space.high, self.space.start + far),
        ):
            for number, path in enumerate(self.paths):
                point, is_bound = self.space.start.copy(), np.isfinite(bound[number])
                point[number] = bound[number] if is_bound else probe[number]
                try:
                    self.entry(self.space.admitted(point)).check(limits)
                except ValueError as error:
                    raise ValueError(f"{path}: {key}{'' if is_bound else ' is missing'}: {error}") from None


def read(path: str | Path) -> Tuning:
    """The search in a TOML file, checked before anything runs. Raises ConfigError."""
    config = validated(Tuning, parsed(path), str(path))
    check_cheating([config.bot, *config.opponents], config.allow_cheating, str(path))
    is_own = config.bot.bot is None or ":" in config.bot.bot  # and may need an option that only a parameter gives
    checks = {
        "game": config.game.load,
        "bot": (lambda: None) if is_own else partial(config.bot.check, config.limits),
        "parameters": lambda: Tunable(config).check(config.limits),
    }
    checks |= {f"opponents[{n}]": partial(entry.check, config.limits) for n, entry in enumerate(config.opponents)}
    for key, check in checks.items():
        try:
            check()
        except (ValueError, TypeError) as error:
            raise ConfigError(f"{path}: {key}: {error}") from None
    return config


def _defaults(entry: BotEntry, game: engine.Game) -> dict[str, Any]:
    """The options of a bot, those of built-in ones complete."""
    given = deepcopy(entry.model_extra)
    if entry.bot not in bots.names():
        return given
    complete = {name: default for name, default, _ in options_of(entry.bot)}
    complete |= {name: _like(complete.get(name), value) for name, value in given.items()}
    if entry.bot == "rules":
        weights = weights_for(game, complete["weights"]).tolist()
        complete["weights"] = dict(zip(policy_of(game).FEATURES, weights, strict=True))
    return complete


def _expanded(parameters: Mapping[str, Range], defaults: Mapping[str, Any]) -> dict[str, Range]:
    """The ranges by path: ``table.*`` stands for all that is in the table and has no range of its own."""
    expanded = {}
    for path, entry in parameters.items():
        if not path.endswith(".*"):
            expanded[path] = entry
            continue
        table = _found(path.removesuffix(".*"), defaults, is_complete=True)
        if not isinstance(table, Mapping) or not table:
            raise ValueError(f"{path}: expected a table among the options of the bot, not {table!r}")
        inner = [f"{path.removesuffix('*')}{key}" for key in table]
        expanded |= {path: entry for path in inner if path not in parameters}
    return expanded


def _found(path: str, defaults: Mapping[str, Any], is_complete: bool) -> Any:
    """The option at a path; None if the bot leaves it open. Raises ValueError if there cannot be such an option."""
    value: Any = defaults
    for key in path.split("."):
        if not isinstance(value, Mapping):
            raise ValueError(f"{path}: expected a table to hold {key!r}, not {value!r}")
        if key not in value:
            if is_complete:
                raise ValueError(f"{path}: {unknown('option', key, tuple(value))}")
            return None
        value = value[key]
    return value


def _start(path: str, entry: Range, found: Any) -> float | int:
    """Where the search for a parameter begins, `found` being what the bot has there. Raises ValueError."""
    start = found if entry.start is None else _like(found, entry.start)
    if not _is_number(start):
        of_bot = "" if found is None else f", since {found!r} is none"
        raise ValueError(f"{path}: start is missing; expected a number{of_bot}")
    for key, bound, is_beyond in (("low", entry.low, operator.lt), ("high", entry.high, operator.gt)):
        if bound is not None and is_beyond(start, bound):
            raise ValueError(f"{path}: start = {start} and {key} = {bound}; expected a start within the bounds")
        if isinstance(start, int) and bound is not None and bound != int(bound):
            raise ValueError(f"{path}: {key} = {bound}; expected an integer, as start = {start} is one")
    return start


def _like(model: Any, value: Any) -> Any:
    """`value`, and ``1.0`` for 1 where `model` is a float."""
    return float(value) if isinstance(model, float) and _is_number(value) else value


def as_toml(entry: BotEntry, about: str) -> str:
    """A bot as an entry of a config, under a line that says what it is."""
    entries = {"bots": [entry.model_dump(mode="json", exclude_none=True)]}
    return f"# {' '.join(about.split())}\n{toml_text(entries)}"
