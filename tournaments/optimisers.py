"""Where is a function largest that can only be seen through noise: two optimisers that ask for points and are told.

Both work in units of each parameter's spread, and both are functions of their arguments and of what they have been
told: the points of a step depend on the seed and the number of the step.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np


@dataclass(frozen=True)
class Space:
    """Where to look: all fields have shape (parameters,)."""

    start: np.ndarray
    spread: np.ndarray  # how far from the start to look at first, > 0
    low: np.ndarray  # may be -inf; of an integer parameter an integer
    high: np.ndarray  # may be inf
    is_integer: np.ndarray

    def admitted(self, points: np.ndarray) -> np.ndarray:
        """`points`, shape (..., parameters), moved into the bounds; integers rounded."""
        inside = np.clip(points, self.low, self.high)
        return np.where(self.is_integer, np.rint(inside), inside)


class Optimiser(Protocol):
    """What both can do."""

    step: int  # how often it has been told
    centre: np.ndarray  # (parameters,), the answer so far, integers not yet rounded
    spread: np.ndarray  # (parameters,), how far from it the next points lie

    def ask(self) -> np.ndarray:
        """The points to try in this step, (population, parameters), admitted ones."""

    def tell(self, values: np.ndarray) -> None:
        """Ends the step with what its points are worth, (population,); more is better."""


def num_elite(population: int, share: float) -> int:
    """How many points are a share of the population: two at least, for a spread."""
    return max(2, round(share * population))


class CrossEntropy:
    """The cross-entropy method: draw points from a normal distribution, fit it to the best of them, go on.

    Rubinstein (1999); De Boer, Kroese, Mannor and Rubinstein (2005), "A tutorial on the cross-entropy method". The
    distribution has a spread for each parameter and no correlations. What is fitted counts by `smoothing`, what was
    before by the rest. The spread follows much slower than the centre and keeps to `floor` of the first one or more:
    else it shrinks to nothing on the way to the optimum (Szita and Lőrincz, 2006, "Learning Tetris using the noisy
    cross-entropy method").
    """

    def __init__(
        self,
        space: Space,
        seed: int,
        population: int = 40,
        elite: float = 0.25,  # share of the points that the distribution is fitted to
        smoothing: tuple[float, float] = (0.5, 0.1),  # of the centre, of the spread
        floor: float = 0.1,
    ):
        self.step = 0
        self.centre = space.start.astype(float)
        self.spread = space.spread.astype(float)
        self._space = space
        self._seed = seed
        self._population = population
        self._num_elite = num_elite(population, elite)
        self._smoothing = smoothing
        self._least = floor * self.spread

    def ask(self) -> np.ndarray:
        shape = (self._population, len(self.centre))
        return self._space.admitted(self.centre + self.spread * _rng(self._seed, self.step).standard_normal(shape))

    def tell(self, values: np.ndarray) -> None:
        best = self.ask()[np.argsort(-values, kind="stable")[: self._num_elite]]
        of_centre, of_spread = self._smoothing
        self.centre += of_centre * (best.mean(axis=0) - self.centre)
        # With n - 1, unlike the maximum-likelihood fit of the books: else the spread shrinks without any selection.
        self.spread += of_spread * (best.std(axis=0, ddof=1) - self.spread)
        self.spread = np.maximum(self.spread, self._least)
        self.step += 1


@dataclass(frozen=True)
class Gains:
    """The gain sequences of SPSA, a_k = a / (A + k + 1)^alpha of the moves and c_k = c / (k + 1)^gamma of the trials.

    The exponents are the smallest that theory admits (Spall, 1998, "Implementation of the simultaneous perturbation
    algorithm"); A is `stability`.
    """

    a: float
    c: float
    stability: float
    alpha: float = 0.602
    gamma: float = 0.101

    def move(self, step: int) -> float:
        return self.a / (self.stability + step + 1) ** self.alpha

    def trial(self, step: int) -> float:
        return self.c / (step + 1) ** self.gamma


class SPSA:
    """Simultaneous perturbation stochastic approximation: climb along a slope measured by pairs of opposite trials.

    Spall (1992). A pair moves all parameters at once, each by a trial up or down at random, and its two values say how
    steep that direction is; a step takes the mean over ``population / 2`` pairs. Trials begin with the spreads. As
    Spall (1998) advises, a is set so that the first step moves a parameter by `first_move` spreads on average, A is a
    tenth of the steps, and no parameter moves by more than a trial in one step.
    """

    def __init__(self, space: Space, seed: int, population: int, steps: int, first_move: float = 0.5):
        if population % 2:
            raise ValueError(f"population = {population}; expected an even number, for pairs")
        self.step = 0
        self.centre = space.start.astype(float)
        self._space = space
        self._seed = seed
        self._pairs = population // 2
        self._first_move = first_move
        self._gains = Gains(a=0.0, c=1.0, stability=0.1 * steps)

    @property
    def spread(self) -> np.ndarray:
        trial = self._gains.trial(self.step) * self._space.spread
        return np.where(self._space.is_integer, np.maximum(trial, 0.5), trial)  # or both of a pair may round to one

    def ask(self) -> np.ndarray:
        trials = self.spread * self._signs()
        both = np.stack([self.centre + trials, self.centre - trials], axis=1)  # (pairs, 2, parameters)
        return self._space.admitted(both.reshape(2 * self._pairs, -1))

    def tell(self, values: np.ndarray) -> None:
        up, down = values.reshape(self._pairs, 2).T
        trial = self.spread / self._space.spread
        slope = ((up - down)[:, None] / (2 * trial) * self._signs()).mean(axis=0)  # value per spread
        if not self._gains.a and slope.any():
            unit = replace(self._gains, a=1.0).move(self.step) * np.abs(slope).mean()
            self._gains = replace(self._gains, a=self._first_move / unit)
        move = np.clip(self._gains.move(self.step) * slope, -trial, trial)
        self.centre = np.clip(self.centre + move * self._space.spread, self._space.low, self._space.high)
        self.step += 1

    def _signs(self) -> np.ndarray:
        return _rng(self._seed, self.step).choice([-1.0, 1.0], (self._pairs, len(self.centre)))


def _rng(seed: int, step: int) -> np.random.Generator:
    return np.random.default_rng([seed, step])
