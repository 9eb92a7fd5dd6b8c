"""How scores, the lengths of games and the time per move are spread: counts and quantiles without a model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tournaments.results import Results

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class Distribution:
    """Whole numbers and how often each occurred. `label` says of what."""

    label: str
    values: list[int]  # ascending
    counts: list[int]

    @property
    def mean(self) -> float:
        return float(np.average(self.values, weights=self.counts))


@dataclass(frozen=True)
class Times:
    """Milliseconds per move of a bot. A sample is the mean of a game: single moves are not stored."""

    bot: str
    mean: float  # over all moves
    quantiles: list[float]  # over games, at QUANTILES
    slowest: float  # of all games


def scores(results: Results, names: Sequence[str], shown: Sequence[str]) -> list[Distribution]:
    """Of every bot in `shown`: its scores, a sample per seat it held; `names` are those of the bots by number."""
    return [_distribution(name, results.scores[results.bots == names.index(name)]) for name in shown]


def lengths(results: Results) -> Distribution:
    """The decisions of all seats of a game together."""
    return _distribution(results.game, results.decisions.sum(axis=1))


def times(results: Sequence[Results], names: Sequence[str], shown: Sequence[str]) -> Iterator[Times]:
    """Of every bot in `shown` that was timed."""
    columns = ((group.bots.ravel(), group.decisions.ravel(), group.seconds.ravel()) for group in results)
    bots, decisions, seconds = map(np.concatenate, zip(*columns, strict=True))
    for name in shown:
        own = (bots == names.index(name)) & (decisions > 0)
        if seconds[own].any():
            samples = 1000 * seconds[own] / decisions[own]
            mean = 1000 * seconds[own].sum() / decisions[own].sum()
            yield Times(name, float(mean), np.quantile(samples, QUANTILES).tolist(), float(samples.max()))


def _distribution(label: str, samples: np.ndarray) -> Distribution:
    values, counts = np.unique(samples, return_counts=True)
    return Distribution(label, values.tolist(), counts.tolist())
