"""Looks for better values of a bot's parameters, writes down every step, and checks what it found on fresh deals."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.special import stdtrit

from tournaments.designs import necklaces
from tournaments.evaluators import Evaluator, Job
from tournaments.ratings import CONFIDENCE
from tournaments.schedule import derive_seed
from tournaments.tuning import Tunable, Tuning, UnnamedBot

FORMAT = "timetricks-tuning/1"
LOG_NAME = "log.jsonl"
_DIGITS = 4  # of a tuned value, significant ones: more would be noise
_ROUNDING = 12  # decimals of a return, far more than there are games in a block


class TuningError(ValueError):
    """A folder with another search in it, or with none."""


class Holdout(NamedTuple):
    """Tuned against untuned, on deals that no step has seen. Shares are of the returns of a table, from 0 to 1."""

    gain: float  # the share of the tuned one at half of the seats, less a half
    low: float  # 95 % confidence limits
    high: float
    blocks: int

    @property
    def verdict(self) -> str:
        return "better" if self.low > 0 else "worse" if self.high < 0 else "not shown to differ"

    @property
    def words(self) -> str:
        share, low, high = (f"{0.5 + part:.2%}" for part in self[:3])
        return (
            f"{self.verdict}: against itself untuned at half of the seats it has {share} of the wins "
            f"(95 % interval {low} … {high}, {self.blocks} held-out deal blocks)"
        )


class Tuner:
    """A search as far as it has come: a function of the config alone."""

    def __init__(self, config: Tuning, evaluator: Evaluator):
        self.config = config
        self.tunable = Tunable(config)
        self._evaluator = evaluator
        self._optimiser = config.optimiser(self.tunable.space)
        self.players = config.game.load().players

    @property
    def steps(self) -> int:
        """How many have been made."""
        return self._optimiser.step

    @property
    def tuned(self) -> np.ndarray:
        """The answer so far, rounded to a few digits, (parameters,)."""
        rounded = [float(f"{value:.{_DIGITS}g}") for value in self._optimiser.centre]
        space = self.tunable.space
        return space.admitted(np.where(space.is_integer, self._optimiser.centre, rounded))

    def step(self) -> dict[str, Any]:
        """Makes a step; the line of the log that it can be repeated from."""
        number = self.steps
        candidates = [self.tunable.entry(point) for point in self._optimiser.ask()]
        present = self.tunable.entry(self.tunable.space.admitted(self._optimiser.centre))
        companies = self._companies(self.config.opponents or [present])
        seeds = self._seeds(f"step {number}", self.config.blocks)
        parts = [seeds[place :: len(companies)] for place in range(len(companies))]
        jobs = [Job((c, *others), part) for c in candidates for others, part in zip(companies, parts, strict=True)]
        returns = self._evaluator.returns(f"step {number}", jobs)
        own = np.concatenate([played[:, 0] for played in returns]).reshape(len(candidates), len(seeds))
        return self._told(own.mean(axis=1))

    def repeat(self, line: dict[str, Any]) -> None:
        """Makes a step that a log holds, without playing. Raises TuningError if it is not one of this search."""
        try:
            told = self._told(np.array(line["values"], float))
            is_same = told["step"] == line["step"] and told["centre"].keys() == line["centre"].keys()
            is_same &= np.allclose([*told["centre"].values()], [*line["centre"].values()])  # on any machine
        except (ValueError, TypeError, LookupError):
            is_same = False
        if not is_same:
            raise TuningError(
                f"step {self.steps} of the log does not follow from the config and the bot as it is now; "
                "expected another folder"
            )

    def holdout(self) -> Holdout:
        """The answer so far against the start, together at tables in every balanced split of the seats."""
        old, new = (self.tunable.entry(point) for point in (self.tunable.space.start, self.tuned))
        rings = [np.array(ring) for ring in necklaces(self.players)]
        seeds = self._seeds("holdout", self.config.holdout_blocks)
        jobs = [Job(tuple((old, new)[i] for i in ring), seeds[n :: len(rings)]) for n, ring in enumerate(rings)]
        returns = self._evaluator.returns("holdout", jobs)
        gains = [played @ ring - ring.mean() for ring, played in zip(rings, returns, strict=True)]
        return interval(np.concatenate(gains))

    def _told(self, values: np.ndarray) -> dict[str, Any]:
        self._optimiser.tell(values)
        return {
            "step": self.steps,
            "best": float(values.max()),
            "values": values.tolist(),
            "centre": dict(zip(self.tunable.paths, self._optimiser.centre.tolist(), strict=True)),
            "spread": dict(zip(self.tunable.paths, self._optimiser.spread.tolist(), strict=True)),
        }

    def _companies(self, opponents: Sequence[UnnamedBot]) -> list[tuple[UnnamedBot, ...]]:
        """Who sits with the candidate: the opponents in turn, at as many tables as there are of them.

        So all sit equally often, and at every place, however many they are.
        """
        number = len(opponents)
        return [tuple(opponents[(turn + k) % number] for k in range(self.players - 1)) for turn in range(number)]

    def _seeds(self, purpose: str, number: int) -> np.ndarray:
        return np.array([derive_seed(self.config.seed, purpose, block) for block in range(number)], np.int64)


def interval(gains: np.ndarray) -> Holdout:
    """The mean of independent gains, shape (blocks,), two or more, with a t interval."""
    gains = gains.round(_ROUNDING)  # where both play alike a gain is 0 and nothing else
    mean = float(gains.mean())
    margin = float(stdtrit(len(gains) - 1, 0.5 + CONFIDENCE / 2) * gains.std(ddof=1) / np.sqrt(len(gains)))
    return Holdout(mean, mean - margin, mean + margin, len(gains))


class Log:
    """The steps of a search on disk, a JSON object a line: what was written before, and room for more.

    The first line holds the config. Raises TuningError where the folder holds another search, or one that is going on.
    """

    def __init__(self, folder: Path, config: Tuning):
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / LOG_NAME
        self._file = open(self.path, "a+b")  # noqa: SIM115  closed by `close`
        try:
            self._lock()
            self.steps = self._read(config)
        except BaseException:
            self.close()
            raise

    def add(self, line: dict[str, Any]) -> None:
        self._file.write(json.dumps(line, allow_nan=False).encode() + b"\n")
        self._file.flush()

    def close(self) -> None:
        self._file.close()

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise TuningError(f"{self.path}: another process writes to it; expected to be the only one") from None

    def _read(self, config: Tuning) -> list[dict[str, Any]]:
        """The steps in the file; a line that a killed process left half written is cut off."""
        self._file.seek(0)
        whole = self._file.read()
        head = {"format": FORMAT, "config": config.model_dump(mode="json")}
        if not whole:
            self.add(head)
            return []
        whole = whole[: whole.rfind(b"\n") + 1]
        try:
            before, *steps = map(json.loads, whole.splitlines())
            differences = _differences(before["config"], head["config"])
            is_log = before["format"] == FORMAT
        except (ValueError, TypeError, LookupError, AttributeError):
            is_log = False
        if not is_log:
            raise TuningError(f"{self.path}: expected the log of a search, {FORMAT}")
        if differences:
            raise TuningError(f"{self.path} is of another search: {'; '.join(differences)}; expected another folder")
        if len(steps) > config.steps:
            raise TuningError(f"{self.path} holds {len(steps)} steps; expected at most steps = {config.steps}")
        os.ftruncate(self._file.fileno(), len(whole))
        return steps


def _differences(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """Why the steps of one search are not those of another, in words; none if `now` extends `before`."""
    free = {"holdout_blocks", "allow_cheating"}
    if now["method"] == "cross_entropy":  # SPSA plans for its steps
        free.add("steps")
    return [
        f"{key} was {json.dumps(before.get(key))} and is {json.dumps(now[key])}"
        for key in now
        if key not in free and before.get(key) != now[key]
    ]
