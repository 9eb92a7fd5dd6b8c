"""The games' own evaluations: shares of one win, exact at the end, fair at the start, and calibrated in between."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import engine
from bots.evaluation import evaluation_of, generic, register
from engine.rules import conceal, fill_ranks, fill_returns, status
from tests.benchmarks.evaluation import CASES, sample, shares_of
from tests.bots import daytime_minutes_positions as minutes
from tests.bots.evaluation_trace import positions, worth
from tests.cases import every_case
from tests.engine import test_trick_or_repeat as repeat
from tests.engine import test_tricky_time_crisis as crisis

TRACE = Path(__file__).parent / "evaluation_trace.py"
HELD_OUT = 500_000_000  # seeds that no fit has seen


def load(name, players=4, **options):
    return engine.load(name, players=players, **options)


# --- Every game ---


@every_case()
def test_shares_of_one_win_in_every_position(game):
    for seed in range(2):
        for states in positions(game, seed):
            for seat in range(-1, game.players):
                seen = states.copy()
                if seat >= 0:
                    conceal(seen, seat)
                returns = worth(game, seen)
                assert returns.min() >= 0.0
                assert returns.sum() == pytest.approx(1.0, abs=1e-12)


@every_case()
def test_at_the_end_the_win_shares_of_the_rules(game):
    for seed in range(3):
        *_, last = positions(game, seed)
        assert status(last)[1]
        ranks, expected = np.empty(game.players, np.int64), np.empty(game.players)
        fill_ranks(last[0], ranks)
        fill_returns(ranks, game.players, expected)
        assert worth(game, last).tolist() == expected.tolist()


@every_case()
def test_all_seats_are_equal_before_the_first_deal(game):
    assert worth(game, game.empty_record()) == pytest.approx(np.full(game.players, 1.0 / game.players))


@every_case()
def test_the_position_is_left_as_it_was(game):
    for states in positions(game, 1):
        before = states.tobytes()
        worth(game, states)
        assert states.tobytes() == before


# --- Daytime Minutes ---


def between_hands(*tokens):
    game = load("daytime_minutes", len(tokens))
    states = game.empty_record()
    states[0].hands_scored = 1
    states[0].tokens[: len(tokens)] = tokens
    return worth(game, states)


def test_tokens_between_hands():
    """More tokens are better, equal ones equally good, and a lead is worth more when others are at their last."""
    shares = between_hands(3, 2, 2, 1)
    assert shares[0] > shares[1] == shares[2] > shares[3]
    assert between_hands(2, 2, 2) == pytest.approx([1 / 3] * 3)
    assert between_hands(2, 1, 1, 1)[0] > between_hands(5, 4, 4, 4)[0] > 0.25


def test_minutes_left_over_from_the_last_hand_do_not_count():
    game = load("daytime_minutes")
    states = game.empty_record()
    states[0].minutes[:4] = [200, 10, 40, 100]
    assert worth(game, states) == pytest.approx([0.25] * 4)


@pytest.mark.parametrize(
    ("state", "better", "worse"),
    [
        (minutes.EXACT, "F10", "A1"),
        (minutes.OVER, "A1", "F10"),
        (minutes.FEWEST, "F10", "A1"),
        (minutes.WIN_BY_TAKING, "F10", "A1"),
        (minutes.WIN_BY_DUCKING, "F1", "F15"),
    ],
    ids=["exact", "over", "fewest", "win by taking", "win by ducking"],
)
def test_the_card_that_is_plainly_better_leads_to_the_better_position(state, better, worse):
    """The cards are worked out in daytime_minutes_positions.py."""
    good, bad = (worth(state.game, state.apply(card).records)[3] for card in (better, worse))
    assert good > bad + 0.03


def test_a_hand_of_which_only_an_evening_is_left_is_as_good_as_over():
    """Seat 0 has the fewest minutes and its last token: seat 1, with one more than the others, has won."""
    game = load("daytime_minutes")
    states = game.new(seed=1).records.copy()
    states[0].trick = 8
    states[0].minutes[:4] = [20, 100, 100, 60]
    states[0].tokens[:4] = [1, 3, 2, 2]
    assert worth(game, states) == pytest.approx([0, 1, 0, 0], abs=1e-6)


# --- Day & Night ---


def taking(stars, taker, rounds_to_come=0):
    """Seat `taker` is to take B1, four stars, with so many rounds to come."""
    game = load("day_and_night")
    rules = game.rules
    states = game.new(seed=1).records.copy()
    record = states[0]
    record.phase, record.play, record.turn = rules.Phase.TAKE, rules.PLAYS, taker
    record.pile_size, record.last_round = 9 * rounds_to_come, rounds_to_come == 0  # two cards a seat and one revealed
    record.stars[:4] = stars
    record.table[:] = [1 << rules.CARD_NAMES.index("B1"), 0, 0]
    record.takers, record.next_taker, record.taking_order[0] = 1, 0, taker
    return worth(game, states)


def test_stars_about_to_be_taken():
    """Seat 3 passes the others with B1 in the last round; seat 0 leaves it behind with the same card."""
    assert taking([10, 10, 10, 9], taker=3)[3] > 0.9
    assert taking([10, 10, 10, 9], taker=0)[3] < 0.01


def test_stars_count_more_the_fewer_rounds_are_left():
    leads = [taking([10, 8, 8, 5], taker=3, rounds_to_come=left)[0] for left in (7, 3, 1, 0)]
    assert leads == sorted(leads)
    assert leads[0] > 0.25


# --- Trick or Repeat ---

TIMELINES = ["A9 A8", "B1 B2", "C1 C2", "D1 D2"]  # A is trump in both tricks: seat 0 wins them


def test_a_right_bid():
    """Seat 1, on the left of seat 0, wins no trick."""
    state = repeat.place(repeat.start(TIMELINES, "A1 A2"), TIMELINES)
    right, half, wrong = (worth(state.game, state.apply(f"bid{bid}").records) for bid in range(3))
    assert right[0] > half[0] + 0.1
    assert half.tolist() == wrong.tolist()


def test_the_last_round_is_as_good_as_over_before_the_last_bid():
    """Points: seat 0 has two tricks and a right bid, nobody else more than a right bid."""
    state = repeat.place(repeat.start(TIMELINES, "A1 A2", rounds=1), TIMELINES)
    for _ in range(3):
        state = state.apply("bid0")
    assert worth(state.game, state.records)[0] > 0.7


def test_points_of_the_first_round():
    """Seat 3 bids right or wrong on seat 0, who won two tricks: it is two points behind, or four."""
    state = repeat.place(repeat.start(TIMELINES, "A1 A2"), TIMELINES)
    for _ in range(3):
        state = state.apply("bid0")
    right, wrong = (worth(state.game, state.apply(bid).records)[3] for bid in ("bid2", "bid0"))
    assert right > 3 * wrong


# --- Tricky Time Crisis ---

FIRST = "1: K3 V16 S3 D3 | 1 {} | 2 S3 | 3 D3 | 0 K3"  # heroes 9, villain 16: seat 1 may take two cards
SECOND = "1: K4 V17 S4 D4 | 1 {} | 2 K4 | 3 S4 | 0 D4"


def after(*choices):
    rows = [row.format(choice) for row, choice in zip((FIRST, SECOND), choices, strict=False)]
    state = crisis.run(*rows)
    return worth(state.game, state.records)


def test_a_card_in_the_pile():
    assert after("V16 pass")[1] > after("pass")[1]


def test_a_suit_over_the_limit():
    """With four players one card of a suit scores: V16 and V17 score nothing."""
    assert after("V16 pass", "pass")[1] > after("V16 pass", "V17 pass")[1]


def test_points_count_more_the_fewer_rounds_are_left():
    game = load("tricky_time_crisis")
    states = game.empty_record()
    states[0].points[:4] = [50, 40, 40, 40]
    leads = []
    for rounds_over in (1, 2, 3):
        states[0].rounds_over = rounds_over
        leads.append(worth(game, states)[0])
    assert 0.25 < leads[0] < leads[1] < leads[2]


def test_piles_of_the_last_round_are_not_counted_twice():
    """While a deal is due they lie there still: all points are equal here."""
    state = crisis.run(FIRST.format("V16 pass"))
    states = state.records.copy()
    states[0].phase, states[0].rounds_over = engine.tricky_time_crisis.cards.Phase.DEAL, 1
    assert worth(state.game, states) == pytest.approx([0.25] * 4)


# --- Games from elsewhere ---


def test_a_game_without_an_evaluation_has_the_generic_one():
    """Of two seats the one ahead has a standard score of 1, the other of -1: a share of e / (e + 1/e)."""
    game = engine.load("tests.engine.high_card", rounds=3)
    assert evaluation_of(game) is generic
    states = game.empty_record()
    assert worth(game, states).tolist() == [0.5, 0.5]
    states[0].points[:] = [0, 1]
    assert worth(game, states)[1] == pytest.approx(0.880797, abs=1e-6)
    states[0].points[:], states[0].rounds_over = [2, 1], 3
    assert worth(game, states).tolist() == [1.0, 0.0]


def test_an_evaluation_without_the_function_is_refused():
    with pytest.raises(TypeError, match="empty lacks the function estimate_returns"):
        register(np.dtype(np.int8), SimpleNamespace(__name__="empty"))


# --- Calibration ---


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players", "options"), CASES)
def test_shares_are_calibrated_on_games_that_the_fit_has_not_seen(name, players, options):
    """Log-loss under that of equal shares by a margin, and outcomes rise with the shares by a slope of one.

    The fitting program finds margins of 0.16 nats and more; the slope has a standard error of about 0.05.
    """
    game = load(name, players, **options)
    found = sample(game, 4000, HELD_OUT)
    shares = shares_of(game, found.positions)
    loss = -(found.returns * np.log(np.maximum(shares, 1e-12))).sum(axis=1).mean()
    assert loss < np.log(players) - 0.12
    above = shares - 1.0 / players
    slope = (above * found.returns).sum() / (above * above).sum()
    assert slope == pytest.approx(1.0, abs=0.2)


# --- Compiled and plain ---


@pytest.fixture(scope="module")
def plain():
    """What plain Python finds, by case."""
    run = subprocess.run(
        [sys.executable, "-W", "error", TRACE],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert run.returncode == 0, run.stderr
    return {line["case"]: line["returns"] for line in map(json.loads, run.stdout.splitlines())}


@pytest.mark.slow
@every_case()
def test_plain_python_finds_the_same(plain, game):
    found = [worth(game, states) for seed in range(2) for states in positions(game, seed)]
    assert np.allclose(found, plain[game.label], rtol=0, atol=1e-12)
