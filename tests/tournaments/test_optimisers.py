"""Optimisers find the top of a hill through noise, keep to their bounds, and depend on nothing but seed and values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.optimisers import SPSA, CrossEntropy, Gains, Space

UNITS = np.array([0.01, 1.0, 3.0, 1000.0])  # the spreads of four parameters
METHODS = ["cross_entropy", "spsa"]
POPULATION = 40
STEPS = 60


def space(start, spread, low=-np.inf, high=np.inf, is_integer=False) -> Space:
    start = np.asarray(start, float)
    full = [np.broadcast_to(value, start.shape) for value in (spread, low, high, is_integer)]
    return Space(start, full[0].astype(float), full[1].astype(float), full[2].astype(float), full[3].astype(bool))


def optimiser(method, where, seed, population=POPULATION, steps=STEPS):
    return CrossEntropy(where, seed, population) if method == "cross_entropy" else SPSA(where, seed, population, steps)


def climb(method, where, seed, value, steps=STEPS):
    """The optimiser after `steps` on the function `value`."""
    found = optimiser(method, where, seed)
    for _ in range(steps):
        found.tell(value(found.ask()))
    return found


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("method", METHODS)
def test_the_top_of_a_noisy_hill_is_found(method, seed):
    """Noise as large as the fall at one spread from the top, which is two spreads from the start in each parameter."""
    rng = np.random.default_rng(seed)
    top = UNITS * 2 * rng.choice([-1, 1], len(UNITS))

    def value(points):
        return -(((points - top) / UNITS) ** 2).sum(axis=1) + rng.standard_normal(len(points))

    found = climb(method, space(np.zeros(len(UNITS)), UNITS), seed, value)
    assert np.abs((found.centre - top) / UNITS).max() < 0.5


@pytest.mark.parametrize("method", METHODS)
def test_a_top_beyond_the_bounds_leads_to_the_bound(method):
    where = space([0.5, 0.5], 0.25, low=0.0, high=[1.0, 0.75])
    found = climb(method, where, 3, lambda points: points[:, 1] - points[:, 0])
    assert found.centre == pytest.approx([0.0, 0.75], abs=0.05)


@pytest.mark.parametrize("method", METHODS)
def test_the_best_integers_are_found(method):
    top = np.array([7, -4])
    found = climb(
        method, space([2, 2], 2.0, is_integer=True), 4, lambda points: -((points - top) ** 2).sum(axis=1).astype(float)
    )
    assert np.rint(found.centre).tolist() == top.tolist()


@pytest.mark.parametrize("method", METHODS)
@given(data=st.data())
def test_bounds_hold_and_integers_are_integers_whatever_the_values(method, data):
    where = space(
        [0.0, 0.2, 5.0], [10.0, 0.1, 0.3], low=[-1.0, 0.2, 5.0], high=[3.0, np.inf, 9.0], is_integer=[1, 0, 1]
    )
    found = optimiser(method, where, data.draw(st.integers(0, 2**53 - 1)), population=6)
    for _ in range(5):
        points = found.ask()
        assert points.shape == (6, 3)
        assert (points >= where.low).all()
        assert (points <= where.high).all()
        assert (points[:, [0, 2]] == points[:, [0, 2]].round()).all()
        found.tell(np.array(data.draw(st.lists(st.floats(-1, 1), min_size=6, max_size=6))))
        assert (found.centre >= where.low).all()
        assert (found.centre <= where.high).all()
        assert (found.spread > 0).all()


@pytest.mark.parametrize("method", METHODS)
def test_points_follow_from_seed_and_values(method):
    where = space([1.0, 2.0], 1.0)

    def value(points):
        return points.sum(axis=1)

    one, same, other = (climb(method, where, seed, value, steps=3) for seed in (5, 5, 6))
    assert one.ask().tolist() == same.ask().tolist()
    assert one.ask().tolist() == one.ask().tolist()  # to ask is not to go on
    assert one.ask().tolist() != other.ask().tolist()


def test_a_step_of_the_cross_entropy_method_by_hand():
    """Of four points the best two, smoothed: half way for the centre, a tenth for the spread."""
    found = CrossEntropy(space([10.0], 4.0), seed=1, population=4, elite=0.5)
    points = found.ask()[:, 0]
    found.tell(np.array([1.0, 3.0, 0.0, 2.0]))
    one, other = points[1], points[3]
    assert found.centre[0] == pytest.approx((10 + (one + other) / 2) / 2)
    assert found.spread[0] == pytest.approx(0.9 * 4 + 0.1 * abs(one - other) / np.sqrt(2))


def test_the_spread_keeps_to_its_floor():
    found = climb("cross_entropy", space([0.0], 1.0), 1, lambda points: -np.abs(points[:, 0]), steps=200)
    assert found.spread[0] == 0.1


def test_gain_sequences_by_hand():
    gains = Gains(a=8.0, c=6.0, stability=2.0, alpha=2.0, gamma=1.0)
    assert [gains.move(step) for step in (0, 1)] == [8 / 9, 8 / 16]
    assert [gains.trial(step) for step in (0, 1, 2)] == [6, 3, 2]


def test_gain_sequences_have_the_exponents_of_spall():
    gains = Gains(a=1.0, c=1.0, stability=24.0)
    assert gains.move(1023 - 24) == pytest.approx(2**-6.02)
    assert gains.trial(1023) == pytest.approx(2**-1.01)


def test_the_first_step_of_spsa_by_hand():
    """On a slope the pairs agree on how steep it is; the first step goes half a spread up it, the next ones less."""
    found = SPSA(space([3.0], 4.0), seed=2, population=6, steps=10)
    assert sorted(found.ask()[:, 0]) == [-1.0] * 3 + [7.0] * 3
    found.tell(-5 * found.ask()[:, 0])
    assert found.centre[0] == pytest.approx(3.0 - 2.0)
    found.tell(-5 * found.ask()[:, 0])
    assert found.centre[0] == pytest.approx(1.0 - 2.0 * (2 / 3) ** 0.602)


def test_spsa_stays_where_nothing_makes_a_difference():
    found = climb("spsa", space([3.0, 0.0], 1.0), 2, lambda points: np.full(len(points), 0.25), steps=3)
    assert found.centre.tolist() == [3.0, 0.0]


def test_spsa_wants_pairs():
    with pytest.raises(ValueError, match="population = 5; expected an even number"):
        SPSA(space([0.0], 1.0), seed=1, population=5, steps=10)
