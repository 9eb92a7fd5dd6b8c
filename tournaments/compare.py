"""Is one bot better than another: a sequential test on deal blocks, and an honest estimate once it has stopped.

The *score* of a block is the share of its pairs (a seat of NEW, a seat of OLD) that NEW wins, ties half. Effects
are measured by t = (mean - 0.5) / sd of the scores of blocks. *Normalized Elo* is t per game on the scale of Elo,

    nElo = 800 / ln 10 * t / sqrt(games per block).

It needs no model of ties or luck, and equal nElo take equally many games to find. For the game pairs of chess it is
the unit of fishtest, whose sd of a game is sqrt(2) * sd of a pair (Van den Bergh, "Normalized Elo", 2020).

The test is the generalized SPRT of t0 against t1 for normal scores of unknown sd, which is maximised over (Wald, 1945;
Rushton, 1950). Only r = mean / root mean square of (score - 0.5) matters: after N blocks the log-likelihood ratio
(LLR) is N h(r). As |r| <= 1, one block moves it by about t1 - t0 at most, and no streak of luck ends a test early.

The estimate after stopping takes the LLR for Brownian motion between its bounds, where the one that was crossed
stands where the LLR really ended: so overshoot counts as it was. Outcomes are ordered stage-wise (Siegmund, 1978):
those that cross the upper bound, the sooner the higher; those that end at the maximum, by their LLR; those that cross
the lower bound, the later the higher. The effect under which an outcome as high as the one seen, or higher, has
chance 1/2 is the median-unbiased estimate; chances 0.025 and 0.975 give the interval.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator
from scipy.optimize import brentq
from scipy.special import log_ndtr, logit, ndtr

from tournaments.ratings import CONFIDENCE, ELO

Verdict = Literal["better", "not better", "undecided"]

LARGEST_BOUND = 200  # normalized Elo; scores of large effects are too skewed for the normal model
FEWEST_BLOCKS = 10  # by simulation five keep the risks, however far the bounds are apart; the sd takes some more


class Design(BaseModel):
    """What a comparison tells apart, and at what risk: the table `[compare]` of a config.

    At four seats the defaults take about 410 blocks on average where NEW is at elo0 or at elo1, and 650 halfway.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    elo0: float = Field(0.0, ge=-LARGEST_BOUND, le=LARGEST_BOUND)  # normalized Elo; here NEW is not better
    elo1: float = Field(20.0, ge=-LARGEST_BOUND, le=LARGEST_BOUND)  # normalized Elo; here NEW is better
    alpha: float = Field(0.05, gt=0, lt=0.5)  # risk of "better" at elo0
    beta: float = Field(0.05, gt=0, lt=0.5)  # risk of "not better" at elo1
    max_blocks: int = Field(5000, ge=FEWEST_BLOCKS)

    @model_validator(mode="after")
    def _in_order(self) -> Design:
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 = {self.elo0:g} and elo1 = {self.elo1:g}; expected elo0 below elo1")
        return self


def block_score(games: Iterable[tuple[Sequence[str], Sequence[int]]], new: str, old: str) -> float:
    """The share of pairs that `new` wins against `old` in the games of a block, ties half: from 0 to 1.

    A game is the bots by seat and their ranks by seat; 1 is best. Other bots do not count. Raises ValueError
    if the two did not meet.
    """
    halves = [
        1 + (theirs > mine) - (theirs < mine)
        for bots, ranks in games
        for one, mine in zip(bots, ranks, strict=True)
        if one == new
        for other, theirs in zip(bots, ranks, strict=True)
        if other == old
    ]
    if not halves:
        raise ValueError(f"{new!r} and {old!r} did not meet in this block; expected both at the table")
    return sum(halves) / (2 * len(halves))  # of integers: a level block scores 0.5 sharp


class Interval(NamedTuple):
    """An estimate with its 95 % confidence limits."""

    value: float
    low: float
    high: float


class Sprt:
    """A sequential test, fed with the scores of blocks in the order of the schedule.

    `games_per_block` sets the scale of normalized Elo. Blocks of different games are taken for draws from one
    population: give their mean number of games.
    """

    def __init__(self, design: Design, games_per_block: float):
        self.design = design
        self.lower = math.log(design.beta / (1 - design.alpha))
        self.upper = math.log((1 - design.beta) / design.alpha)
        self.num_blocks = 0
        self.llr = 0.0
        self.verdict: Verdict | None = None  # None while it runs
        self._nelo = 2 * ELO / math.sqrt(games_per_block)  # of t = 1
        self._ratio = LikelihoodRatio(design.elo0 / self._nelo, design.elo1 / self._nelo)
        self._total = self._squares = 0.0

    def add(self, score: float) -> None:
        """Counts a block. After the verdict it does nothing: blocks still in flight must not change the outcome."""
        if self.verdict is not None:
            return
        self.num_blocks += 1
        self._total += score - 0.5
        self._squares += (score - 0.5) ** 2
        self.llr = self.num_blocks * float(self._ratio(relative_mean(self.num_blocks, self._total, self._squares)))
        self.verdict = self._judge()

    def _judge(self) -> Verdict | None:
        if self.num_blocks < FEWEST_BLOCKS:
            return None
        if self.llr >= self.upper:
            return "better"
        if self.llr <= self.lower:
            return "not better"
        return "undecided" if self.num_blocks == self.design.max_blocks else None

    def normalized_elo(self) -> Interval:
        """Median-unbiased; before the verdict as if the test ended here. Raises ValueError without blocks."""
        return Interval(*(self._nelo * t for t in self._effect(sd_known=False)))

    def elo(self) -> Interval:
        """400 log10(p / (1 - p)) of the mean score p of a block, else as `normalized_elo`. Limits may be infinite."""
        effect = self._effect(sd_known=True)
        sd = math.sqrt(self._squares / self.num_blocks * (1 - self._r**2))
        return Interval(*(float(ELO * logit(min(max(0.5 + t * sd, 0.0), 1.0))) for t in effect))

    def line(self) -> str:
        """How it stands, in one line for a progress bar."""
        line = f"LLR {self.llr:+.2f} [{self.lower:+.2f}, {self.upper:+.2f}], {self.num_blocks} blocks"
        if self.num_blocks:
            nelo = self.normalized_elo()
            line += f", nElo {nelo.value:+.0f} [{nelo.low:+.0f}, {nelo.high:+.0f}]"
        return line if self.verdict is None else f"{line}: {self.verdict}"

    @property
    def _r(self) -> float:
        """r, but no nearer to 1 than if a level block were to come: scores that are all alike have estimates too."""
        nearest = math.sqrt(self.num_blocks / (self.num_blocks + 1))
        return min(max(float(relative_mean(self.num_blocks, self._total, self._squares)), -nearest), nearest)

    def _effect(self, sd_known: bool) -> Interval:
        """Of t. The mean score is t times an sd; `sd_known` is for its limits, which take this sd as it is."""
        if not self.num_blocks:
            raise ValueError("no estimate without blocks; expected one at least")
        naive = self._r / math.sqrt(1 - self._r**2)
        reach = 4 * math.sqrt((1 + naive**2 / 2) / self.num_blocks)

        def at(chance: float) -> float:
            return _root(lambda t: self._chance_as_high(t, sd_known) - chance, naive, reach)

        tail = (1 - CONFIDENCE) / 2
        return Interval(at(0.5), at(tail), at(1 - tail))

    def _chance_as_high(self, t: float, sd_known: bool) -> float:
        """The chance of an outcome as high as that of this test or higher, under an effect of t."""
        r = t / math.sqrt(1 + t**2)
        drift = self._ratio(r)
        sd = self._ratio.slope(r) * (1 - r**2) ** 1.5  # delta method: of a mean, through r, to the LLR
        if not sd_known:
            sd *= math.sqrt(1 + t**2 / 2)
        llr = self.num_blocks * self._ratio(self._r)
        if self.num_blocks <= FEWEST_BLOCKS:  # no bounds so far
            return float(ndtr((self.num_blocks * drift - llr) / (sd * math.sqrt(self.num_blocks))))
        lower = llr if self.verdict == "not better" else self.lower
        upper = llr if self.verdict == "better" else self.upper
        motion = BrownianMotion(drift / sd, lower / sd, upper / sd)
        return motion.leaves_above(self.num_blocks) + motion.stays_above(llr / sd, self.num_blocks)


def relative_mean(num_blocks, total, squares):
    """r, from the sums of (score - 0.5) and of its square; 0 if all scores are level. Takes arrays too."""
    return total / np.sqrt(np.where(squares > 0, num_blocks * squares, 1.0))


@dataclass(frozen=True)
class LikelihoodRatio:
    """h: the generalized log-likelihood ratio of t1 against t0 per block, a function of r. Takes arrays too."""

    t0: float
    t1: float

    def __call__(self, r):
        return self._maximum(self.t1, r) - self._maximum(self.t0, r)

    def slope(self, r):
        """The derivative by r."""
        return self.t1 * np.exp(np.arcsinh(self.t1 * r / 2)) - self.t0 * np.exp(np.arcsinh(self.t0 * r / 2))

    @staticmethod
    def _maximum(t: float, r):
        """Over u = root mean square / sd of log u - u**2 / 2 + t r u - t**2 / 2, less a constant."""
        half = t * r / 2
        return np.arcsinh(half) + half * (half + np.sqrt(1 + half**2)) - t**2 / 2


@dataclass(frozen=True)
class BrownianMotion:
    """Brownian motion from 0, with a drift and variance 1 per unit of time, until it leaves (lower, upper).

    The probabilities are sums over the mirror images in both bounds (Siegmund, 1985), in logarithms: no overflow.
    """

    drift: float
    lower: float  # below 0
    upper: float  # above 0

    def leaves_above(self, time: float) -> float:
        """The probability that it leaves through the upper bound by `time`."""
        bounds = self.upper + self._shifts(time)
        distance, way = np.abs(bounds), self.drift * time
        direct = self.drift * (self.upper - distance) + log_ndtr((way - distance) / math.sqrt(time))
        mirrored = self.drift * (self.upper + distance) + log_ndtr((-way - distance) / math.sqrt(time))
        return float(np.sign(bounds) @ (np.exp(direct) + np.exp(mirrored)))

    def stays_above(self, level: float, time: float) -> float:
        """The probability that it stays until `time` and then is above `level`, which lies between the bounds."""
        shifts = self._shifts(time)
        origins = np.concatenate([shifts, 2 * self.upper - shifts])
        signs = np.repeat([1, -1], len(shifts))
        tails = np.where(origins > 0, 1, -1)  # the thin one, in which differences are exact

        def tail(end: float) -> np.ndarray:
            return np.exp(
                self.drift * origins + log_ndtr(tails * (end - origins - self.drift * time) / math.sqrt(time))
            )

        return float((signs * tails) @ (tail(self.upper) - tail(level)))

    def _shifts(self, time: float) -> np.ndarray:
        """Of the mirror images that matter; the others are over eight sd away."""
        period = 2 * (self.upper - self.lower)
        number = 2 + math.ceil(8 * math.sqrt(time) / period)
        return period * np.arange(-number, number + 1)


def _root(function: Callable[[float], float], guess: float, reach: float) -> float:
    """Of an increasing function, looked for ever further from `guess`."""
    while function(guess - reach) > 0 or function(guess + reach) < 0:
        reach *= 2
    return brentq(function, guess - reach, guess + reach, xtol=1e-7)
