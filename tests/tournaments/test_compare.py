"""The sequential test against closed forms, fishtest, a second method, and tests with known truth."""

from __future__ import annotations

import math
import re
from itertools import cycle

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import ValidationError
from scipy import stats
from scipy.optimize import brentq, minimize_scalar

from tests.tournaments.simulation import ELO, SEATS
from tournaments.compare import (
    FEWEST_BLOCKS,
    BrownianMotion,
    Design,
    LikelihoodRatio,
    Sprt,
    block_score,
    relative_mean,
)

SPLITS = np.array([[1, 0, 1, 0], [1, 1, 0, 0]])  # NEW is 1
WIDE = {"alpha": 1e-9, "beta": 1e-9}  # bounds that are not reached


def fed(sprt: Sprt, scores) -> Sprt:
    for score in scores:
        sprt.add(float(score))
    return sprt


# --- Scores of blocks -----------------------------------------------------------------------------


def test_the_score_of_alternating_seats_worked_by_hand():
    """New has ranks 1 and 3 against 2 and 4: 2 + 1 pairs of 4. Then 1 and 4 against 1 and 3: half, 1, 0, 0."""
    games = [(("new", "old", "new", "old"), (1, 2, 3, 4)), (("old", "new", "old", "new"), (1, 1, 3, 4))]
    assert block_score(games, "new", "old") == (3 + 1.5) / 8
    assert block_score(games, "old", "new") == (1 + 2.5) / 8


def test_the_score_of_two_against_one_worked_by_hand():
    """The one is tied with a first and beats the other; is last; is tied with both: 1.5 + 0 + 1 pairs of 6."""
    games = [(("a", "a", "b"), (1, 3, 1)), (("a", "b", "a"), (2, 3, 1)), (("b", "a", "a"), (1, 1, 1))]
    assert block_score(games, "b", "a") == 2.5 / 6
    assert block_score(games, "a", "b") == 3.5 / 6


def test_other_bots_do_not_count():
    games = [(("new", "third", "old"), (2, 1, 3)), (("third", "old", "new"), (3, 1, 2)), (("old", "new"), (2, 2))]
    assert block_score(games, "new", "old") == 0.5


def test_two_that_did_not_meet_have_no_score():
    with pytest.raises(ValueError, match="'new' and 'old' did not meet in this block; expected both"):
        block_score([(("new", "new"), (1, 2)), (("old", "old"), (1, 2))], "new", "old")


# --- The design -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "complaint"),
    [
        ({"elo0": 20.0}, "elo0 = 20 and elo1 = 20; expected elo0 below elo1"),
        ({"elo1": 201.0}, "less than or equal to 200"),
        ({"elo0": math.nan}, "elo0"),
        ({"alpha": 0.0}, "greater than 0"),
        ({"beta": 0.5}, "less than 0.5"),
        ({"max_blocks": 9}, "greater than or equal to 10"),
        ({"max_blocks": 100.0}, "valid integer"),
        ({"elo2": 1}, "Extra inputs"),
    ],
)
def test_a_wrong_design_is_refused(keys, complaint):
    with pytest.raises(ValidationError, match=re.escape(complaint)):
        Design(**keys)


def test_whole_numbers_will_do():
    assert Design.model_validate({"elo0": -5, "elo1": 5}) == Design(elo0=-5.0, elo1=5.0)


# --- The likelihood ratio -------------------------------------------------------------------------


@given(st.lists(st.integers(0, 16), min_size=2, max_size=30), st.floats(-200, 190), st.floats(1, 100))
def test_the_llr_is_the_difference_of_two_numerical_maxima(sixteenths, elo0, width):
    """Of normal log-likelihoods with mean 0.5 + t sd, over the sd."""
    scores = np.array(sixteenths) / 16
    assume((scores != 0.5).any())
    elo1 = min(elo0 + width, 200)
    sprt = fed(Sprt(Design(elo0=elo0, elo1=elo1, **WIDE), games_per_block=4), scores)
    assume(sprt.num_blocks == len(scores))

    def maximum(t):
        def loss(log_sd):
            sd = math.exp(log_sd)
            return -stats.norm.logpdf(scores, 0.5 + t * sd, sd).sum()

        return -minimize_scalar(loss, bounds=(-8, 3), method="bounded", options={"xatol": 1e-9}).fun

    t0, t1 = (elo * math.log(10) / 800 * math.sqrt(4) for elo in (elo0, elo1))
    assert sprt.llr == pytest.approx(maximum(t1) - maximum(t0), abs=1e-6)


@given(st.floats(-1.4, 1.3), st.floats(0.01, 1), st.floats(-0.99, 0.99))
def test_the_slope_is_the_derivative(t0, width, r):
    ratio = LikelihoodRatio(t0, t0 + width)
    assert ratio.slope(r) == pytest.approx((ratio(r + 1e-5) - ratio(r - 1e-5)) / 2e-5, rel=1e-5)


# An example of fishtest's stat_util.py, in any order.
PAIRS = np.random.default_rng(5).permutation(np.repeat([0, 0.25, 0.5, 0.75, 1], [39, 2226, 31451, 2412, 40]))


@pytest.mark.parametrize(("elo0", "elo1", "llr"), [(0.764, 3.439, 2.16294), (0, 2, 2.93691)])
def test_the_llr_of_chess_pairs_is_that_of_fishtest(elo0, elo1, llr):
    """Figures of the multinomial GSPRT on the t value, maximised numerically (Van den Bergh)."""
    sprt = fed(Sprt(Design(elo0=elo0, elo1=elo1, max_blocks=10**6, **WIDE), games_per_block=2), PAIRS)
    assert sprt.llr == pytest.approx(llr, rel=5e-4)


def test_normalized_elo_of_chess_pairs_is_that_of_fishtest():
    """(mean - 0.5) / (sqrt(2) sd) * 800 / ln 10. Far from the bounds the limits are those of a fixed number."""
    design = Design(elo0=-2, elo1=8, max_blocks=len(PAIRS), **WIDE)
    sprt = fed(Sprt(design, games_per_block=2), PAIRS)
    assert sprt.verdict == "undecided"
    value, low, high = sprt.normalized_elo()
    assert value == pytest.approx(3.45080, abs=1e-3)
    half = 1.959964 * 800 / math.log(10) / math.sqrt(2 * len(PAIRS))
    assert (low, high) == pytest.approx((value - half, value + half), abs=2e-3)
    mean, error = PAIRS.mean(), PAIRS.std() / math.sqrt(len(PAIRS))
    elo = [400 * math.log10(p / (1 - p)) for p in (mean, mean - 1.959964 * error, mean + 1.959964 * error)]
    assert sprt.elo() == pytest.approx(elo, abs=1e-3)


# --- Brownian motion ------------------------------------------------------------------------------

drifts = st.floats(-3, 3)
bounds = st.floats(0.5, 40)
times = st.floats(0.1, 1000)


@given(drifts, bounds, bounds)
def test_in_the_end_it_leaves_above_with_the_chance_of_wald(drift, below, above):
    """(1 - exp(-2 m a)) / (1 - exp(-2 m (a + b))) for bounds -a and b: exp(-2 m x) is a martingale."""
    assume(abs(drift) > 1e-3)
    chance = math.expm1(-2 * drift * below) / math.expm1(-2 * drift * (below + above))
    assert BrownianMotion(drift, -below, above).leaves_above(1e5) == pytest.approx(chance, abs=1e-9)


def test_without_drift_it_leaves_above_with_the_chance_of_the_gambler():
    assert BrownianMotion(0, -3, 7).leaves_above(1e4) == pytest.approx(0.3, abs=1e-12)


@given(drifts, bounds, bounds, times)
def test_it_leaves_above_or_below_or_stays(drift, below, above, time):
    motion, mirrored = BrownianMotion(drift, -below, above), BrownianMotion(-drift, -above, below)
    total = motion.leaves_above(time) + mirrored.leaves_above(time) + motion.stays_above(-below, time)
    assert total == pytest.approx(1, abs=1e-9)


@given(st.floats(0.05, 3), bounds, times)
def test_with_one_bound_the_time_is_inverse_gaussian(drift, above, time):
    """With mean b / m and shape b^2 (Schroedinger, 1915)."""
    chance = stats.invgauss.cdf(time, (above / drift) / above**2, scale=above**2)
    assert BrownianMotion(drift, -1e4, above).leaves_above(time) == pytest.approx(chance, abs=1e-9)


@pytest.mark.parametrize(("drift", "level"), [(0.0, 3.0), (0.05, -4.0), (-0.04, 5.0)])
def test_a_random_walk_does_as_brownian_motion_with_wider_bounds(drift, level):
    """By 0.583 sd of a step (Siegmund, 1985). 40000 walks of 200 steps: standard error below 0.0025."""
    rng, time = np.random.default_rng(11), 200
    place, outcome = np.zeros(40000), np.zeros(40000)
    for _ in range(time):
        inside = outcome == 0
        place += np.where(inside, rng.normal(drift, 1, len(place)), 0)
        outcome = np.where(place > 12, 1, np.where(place < -9, -1, 0))
    motion = BrownianMotion(drift, -9.583, 12.583)
    assert motion.leaves_above(time) == pytest.approx((outcome == 1).mean(), abs=0.01)
    assert motion.stays_above(level, time) == pytest.approx(((outcome == 0) & (place > level)).mean(), abs=0.01)


# --- Simulated tests with known truth -------------------------------------------------------------


def population(strength: float, hand_luck: float = 1.0) -> np.ndarray:
    """Scores of blocks at tables of two seats NEW, which is `strength` Elo stronger, and two seats OLD.

    The model of `simulation.simulate`. Scores are drawn from these, so that their t is known exactly.
    """
    rng, size, scores = np.random.default_rng(4), 50000, []
    for split in SPLITS:
        new = np.stack([np.roll(split, -rotation) for rotation in range(4)]) == 1  # rotation, seat
        luck = hand_luck * rng.standard_normal((size, 1, 4))
        performance = new * strength / ELO + SEATS + luck + rng.gumbel(size=(size, 4, 4))
        wins = performance[:, :, :, None] > performance[:, :, None, :]
        scores.append((wins & new[:, :, None] & ~new[:, None, :]).sum(axis=(1, 2, 3)) / 16)
    scores = np.concatenate(scores)
    return scores if strength else np.concatenate([scores, 1 - scores])  # level bots are level to the last digit


def true_nelo(scores: np.ndarray) -> float:
    return 800 / math.log(10) * (scores.mean() - 0.5) / (scores.std() * math.sqrt(4))


def simulated_verdicts(rng, design: Design, scores: np.ndarray, number: int, longest: int):
    """Numbers of blocks and verdicts of `number` tests of at most `longest` blocks; the first few by `Sprt` too."""
    sprt = Sprt(design, games_per_block=4)
    draws = rng.choice(scores, (number, longest))
    blocks = np.arange(1, longest + 1)
    ratio = LikelihoodRatio(*(elo * math.log(10) / 800 * 2 for elo in (design.elo0, design.elo1)))
    totals, squares = (draws - 0.5).cumsum(axis=1), ((draws - 0.5) ** 2).cumsum(axis=1)
    llr = blocks * ratio(relative_mean(blocks, totals, squares))
    stops = ((llr >= sprt.upper) | (llr <= sprt.lower)) & (blocks >= FEWEST_BLOCKS)
    assert stops.any(axis=1).all()
    last = stops.argmax(axis=1)
    verdicts = np.where(llr[np.arange(number), last] > 0, "better", "not better")
    for test in range(10):
        sprt = fed(Sprt(design, games_per_block=4), draws[test])
        assert (sprt.num_blocks, sprt.verdict) == (last[test] + 1, verdicts[test])
    return last + 1, verdicts


@pytest.mark.parametrize(
    ("weaker", "stronger", "longest"), [(0, 20, 2500), (0, 60, 400), (0, 130, 100), (-40, 0, 800), (40, 80, 800)]
)
@pytest.mark.parametrize(("alpha", "beta"), [(0.05, 0.05), (0.02, 0.1)])
def test_error_rates_hold(weaker, stronger, longest, alpha, beta):
    """At both bounds, within three standard errors."""
    rng, number = np.random.default_rng(6), 2000
    at_elo0, at_elo1 = population(weaker), population(stronger)
    design = Design(elo0=true_nelo(at_elo0), elo1=true_nelo(at_elo1), alpha=alpha, beta=beta, max_blocks=10**6)
    _, verdicts = simulated_verdicts(rng, design, at_elo0, number, longest)
    assert (verdicts == "better").mean() <= alpha + 3 * math.sqrt(alpha * (1 - alpha) / number)
    _, verdicts = simulated_verdicts(rng, design, at_elo1, number, longest)
    assert (verdicts == "not better").mean() <= beta + 3 * math.sqrt(beta * (1 - beta) / number)


def test_error_rates_hold_where_most_blocks_are_level():
    """Nearly equal bots: one block of ten is not level. At t = 0 and t = 0.2."""
    rng, number = np.random.default_rng(7), 2000
    level = np.repeat([0.25, 0.5, 0.75], [50, 900, 50])
    stronger = np.repeat([0.25, 0.5, 0.75], [18, 900, 82])
    design = Design(elo1=true_nelo(stronger), max_blocks=10**6)
    _, verdicts = simulated_verdicts(rng, design, level, number, 1500)
    assert (verdicts == "better").mean() <= 0.05 + 0.015
    _, verdicts = simulated_verdicts(rng, design, stronger, number, 1500)
    assert (verdicts == "not better").mean() <= 0.05 + 0.015


def test_the_number_of_blocks_is_that_of_wald():
    """(0.95 * 2.944 - 0.05 * 2.944) / (t^2 / 2) at either bound, and a little overshoot."""
    rng, stronger = np.random.default_rng(8), population(20)
    t = (stronger.mean() - 0.5) / stronger.std()
    design = Design(elo1=true_nelo(stronger), max_blocks=10**6)
    for scores in (population(0), stronger):
        blocks, _ = simulated_verdicts(rng, design, scores, 2000, 2500)
        assert 0.97 < blocks.mean() / (0.9 * math.log(19) * 2 / t**2) < 1.15


@pytest.mark.parametrize(
    ("strength", "max_blocks", "naive_above"),
    [
        (-40, 5000, (0.36, 0.46)),
        (0, 5000, (0.33, 0.43)),
        (20, 5000, (0.5, 0.6)),
        (40, 5000, (0.6, 0.72)),
        (20, 100, (0.4, 0.6)),  # two tests of three end undecided
        (100, 5000, (0.53, 0.63)),
    ],
)
def test_the_estimate_after_stopping_is_honest(strength, max_blocks, naive_above):
    """Above the truth half the time, limits that cover it 95 % of the time; the plain estimate is not so.

    elo0 and elo1 are the effects of 0 and about 40 Elo. 1000 tests: standard errors 0.016 and 0.007.
    """
    rng, scores = np.random.default_rng(9), population(strength)
    nelo, elo, naive = [], [], []
    for draws in rng.choice(scores, (1000, min(max_blocks, 1500))):
        sprt = fed(Sprt(Design(elo1=54, max_blocks=max_blocks), games_per_block=4), draws)
        assert sprt.verdict is not None
        nelo.append(sprt.normalized_elo())
        elo.append(sprt.elo())
        naive.append(draws[: sprt.num_blocks].mean())
    true_elo = ELO * math.log(scores.mean() / (1 - scores.mean()))
    for truth, estimates in ((true_nelo(scores), nelo), (true_elo, elo)):
        value, low, high = np.array(estimates).T
        assert (value > truth).mean() == pytest.approx(0.5, abs=0.05)
        assert 0.925 < ((low <= truth) & (truth <= high)).mean() < 0.985
    assert naive_above[0] < (naive > scores.mean()).mean() < naive_above[1]


def test_limits_of_a_large_effect_are_those_of_noncentral_t():
    """200 scores of t = 1, far from the bounds. The statistic t sqrt(199) is noncentral t around true t sqrt(200)."""
    sprt = fed(Sprt(Design(elo0=170, elo1=180, max_blocks=200, **WIDE), games_per_block=4), [0.5, 0.7] * 100)
    assert sprt.verdict == "undecided"

    def limit(chance):
        return brentq(lambda t: stats.nct.sf(math.sqrt(199), 199, t * math.sqrt(200)) - chance, 0.5, 1.5)

    expected = [800 / math.log(10) / math.sqrt(4) * limit(chance) for chance in (0.5, 0.025, 0.975)]
    assert sprt.normalized_elo() == pytest.approx(expected, abs=2)
    mean, error = 0.6, 0.1 / math.sqrt(200)  # but for the mean score, the usual ones
    elo = [400 * math.log10(p / (1 - p)) for p in (mean, mean - 1.96 * error, mean + 1.96 * error)]
    assert sprt.elo() == pytest.approx(elo, abs=1)


# --- Edges ----------------------------------------------------------------------------------------


def test_a_bot_against_its_copy_is_not_better():
    """All blocks level: the LLR falls by t1^2 / 2 a block, with t1 = 20 * 2 * ln 10 / 800, to log(0.05 / 0.95)."""
    sprt = fed(Sprt(Design(), games_per_block=4), [0.5] * 5000)
    t1 = 20 * 2 * math.log(10) / 800
    assert sprt.verdict == "not better"
    assert sprt.num_blocks == math.ceil(math.log(19) / (t1**2 / 2))
    assert sprt.elo() == (0, 0, 0)
    value, low, high = sprt.normalized_elo()
    assert low < 0 < high < 25
    assert abs(value) < 5


def test_a_bot_against_its_copy_stays_undecided_between_bounds_as_far_on_either_side():
    sprt = fed(Sprt(Design(elo0=-10, elo1=10, max_blocks=300), games_per_block=4), [0.5] * 300)
    assert (sprt.verdict, sprt.llr) == ("undecided", 0)
    value, low, high = sprt.normalized_elo()
    assert value == pytest.approx(0, abs=1e-6)
    assert low == pytest.approx(-high, abs=1e-6)


def test_a_bot_that_wins_all_is_better_and_its_estimate_finite():
    sprt = fed(Sprt(Design(), games_per_block=4), [1.0] * 100)
    assert sprt.verdict == "better"
    assert 20 < sprt.num_blocks < 40  # log(19) / t1 = 26
    for value, low, _ in (sprt.elo(), sprt.normalized_elo()):
        assert 300 < low < value < 2000


@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
def test_nothing_is_decided_in_the_first_blocks(score):
    sprt = Sprt(Design(elo0=-200, elo1=200, alpha=0.4, beta=0.4, max_blocks=FEWEST_BLOCKS), games_per_block=6)
    for _ in range(FEWEST_BLOCKS):
        assert sprt.verdict is None
        sprt.add(score)
    assert sprt.verdict == {0.0: "not better", 0.5: "undecided", 1.0: "better"}[score]


@pytest.mark.parametrize("scores", [[1.0], [0.0], [0.5], [1.0, 0.0]], ids=str)
def test_blocks_after_the_verdict_change_nothing(scores):
    sprt = Sprt(Design(max_blocks=1000), games_per_block=4)
    for score in cycle(scores):
        sprt.add(score)
        if sprt.verdict:
            break
    before = sprt.line(), sprt.elo(), sprt.normalized_elo()
    fed(sprt, [0.0, 1.0, 0.25] * 50)
    assert (sprt.line(), sprt.elo(), sprt.normalized_elo()) == before


designs = st.builds(
    lambda elo0, width, alpha, beta, max_blocks: Design(
        elo0=elo0, elo1=min(elo0 + width, 200), alpha=alpha, beta=beta, max_blocks=max_blocks
    ),
    elo0=st.floats(-200, 190),
    width=st.floats(1, 400),
    alpha=st.floats(0.001, 0.4),
    beta=st.floats(0.001, 0.4),
    max_blocks=st.integers(10, 60),
)


@given(designs, st.integers(2, 6), st.lists(st.integers(0, 8), min_size=1, max_size=60))
def test_exchanging_the_bots_mirrors_everything(design, players, eighths):
    """Whatever the scores are: nothing warns, and the limits are in order."""
    mirrored = Design(
        elo0=-design.elo1, elo1=-design.elo0, alpha=design.beta, beta=design.alpha, max_blocks=design.max_blocks
    )
    one = fed(Sprt(design, players), np.array(eighths) / 8)
    other = fed(Sprt(mirrored, players), 1 - np.array(eighths) / 8)
    assert one.llr == pytest.approx(-other.llr)
    assert one.num_blocks == other.num_blocks
    mirror = {"better": "not better", "not better": "better"}
    assert one.verdict == mirror.get(other.verdict, other.verdict)
    for estimate, opposite in ((one.elo(), other.elo()), (one.normalized_elo(), other.normalized_elo())):
        value, low, high = opposite
        assert estimate == pytest.approx((-value, -high, -low), abs=1e-3, rel=1e-6)
        assert estimate.low <= estimate.value <= estimate.high


def test_the_line_says_how_it_stands():
    sprt = Sprt(Design(), games_per_block=4)
    assert sprt.line() == "LLR +0.00 [-2.94, +2.94], 0 blocks"
    fed(sprt, [0.75, 0.25] * 50)
    pattern = r"LLR -0\.66 \[-2\.94, \+2\.94\], 100 blocks, nElo [+-]0 \[-3\d, \+3\d\]"  # 100 t1^2 / 2; 2 sd are 34
    assert re.fullmatch(pattern, sprt.line())
    assert re.fullmatch(r"LLR \+2\.9\d .*, \d+ blocks, nElo .*: better", fed(sprt, [0.75] * 400).line())


def test_there_is_no_estimate_without_blocks():
    for estimate in (Sprt(Design(), 4).elo, Sprt(Design(), 4).normalized_elo):
        with pytest.raises(ValueError, match="expected one at least"):
            estimate()
