"""Counts and quantiles of the games of tests/tournaments/test_standings.py, worked by hand."""

from __future__ import annotations

import pytest

from tests.tournaments.test_standings import CONFIG, ROWS, row
from tournaments.report.spreads import Distribution, lengths, scores, times
from tournaments.results import collect

NAMES = CONFIG.bot_names


def test_scores_by_bot():
    (results,) = collect(ROWS, NAMES)
    found = scores(results, NAMES, ["c", "a"])
    assert found == [Distribution("c", [2, 3], [3, 1]), Distribution("a", [1, 5, 6, 9], [1, 1, 1, 1])]
    assert [one.mean for one in found] == [(2 + 3 + 2 + 2) / 4, (6 + 1 + 5 + 9) / 4]


def test_lengths_count_the_decisions_of_all_seats():
    (results,) = collect(ROWS, NAMES)
    assert lengths(results) == Distribution("daytime_minutes/3", [30, 40], [3, 1])


def test_times_are_means_of_games():
    seconds = [(0.01, 0.0, 0.2), (0.02, 0.0, 0.2), (0.03, 0.0, 0.2)]
    decisions = [(10, 10, 10), (10, 10, 10), (20, 10, 10)]
    rows = [row(str(n), "abc", (0, 0, 0), (1, 2, 3), seconds=s, decisions=d)
            for n, (s, d) in enumerate(zip(seconds, decisions, strict=True))]  # fmt: skip
    slow, quick = times(collect(rows, NAMES), NAMES, ["c", "b", "a"])  # b was never timed
    assert (slow.bot, quick.bot) == ("c", "a")
    assert slow.mean == pytest.approx(20)
    assert quick.mean == pytest.approx(1000 * 0.06 / 40)
    assert quick.quantiles[2] == pytest.approx(1.5)  # of 1, 2 and 1.5 ms
    assert (quick.quantiles[1], quick.quantiles[3]) == pytest.approx((1.25, 1.75))
    assert quick.slowest == pytest.approx(2)
