"""Who beats whom, worked by hand on games that were made up."""

from __future__ import annotations

import math

import pytest
from scipy import stats

from tests.tournaments.experiments import named
from tests.tournaments.test_standings import row
from tournaments.report.pairings import Cycle, Pairing, cycles, pairings
from tournaments.results import collect
from tournaments.standings import standings

BLOCKS = 12
ROCK_PAPER_SCISSORS = [("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")]


def duel(winner, loser, block):
    """Both games of a block for two, won by the same bot from either seat."""
    for rotation, bots in enumerate(((winner, loser), (loser, winner))):
        ranks = [1 if bot == winner else 2 for bot in bots]
        conduct = {"decisions": (10, 10), "seconds": (0.0, 0.0)}
        yield row(f"{winner} {loser} {block:03}", bots, (0, 0), ranks, rotation, **conduct)


def found_in(names, rows):
    config = named(names)
    table = standings(config, collect(rows, names)).overall
    return table, pairings(table.pools, names)


def won(winner, loser, p=0.01):
    """A pairing of bots that were rated in alphabetical order, of which `winner` beats `loser`."""
    one, other = sorted((winner, loser))
    return Pairing(one, other, 100, 25, 0.75 if one == winner else 0.25, 0.5, p_deviation=1.0, p_half=p)


def test_rock_paper_scissors_is_one_cycle():
    names = ["rock", "paper", "scissors"]
    rows = [game for pair in ROCK_PAPER_SCISSORS for block in range(BLOCKS) for game in duel(*pair, block)]
    _, found = found_in(names, rows)
    assert {frozenset((pairing.one, pairing.other)) for pairing in found} == set(map(frozenset, ROCK_PAPER_SCISSORS))
    p = 2 * stats.t.sf(math.sqrt(BLOCKS - 1), BLOCKS - 1)  # each block is one comparison above its half
    for pairing in found:
        assert (pairing.comparisons, pairing.blocks) == (2 * BLOCKS, BLOCKS)
        assert pairing.expected == pytest.approx(0.5)
        assert pairing.observed == ((pairing.one, pairing.other) in ROCK_PAPER_SCISSORS)
        assert pairing.p_half == pytest.approx(3 * p)  # Holm: all three are equal
        assert pairing.p_deviation == pytest.approx(3 * p)
        assert pairing.deviates
        assert pairing.is_settled
    assert cycles(found) == [Cycle(["paper", "rock", "scissors"], [1.0, 1.0, 1.0])]


def test_what_the_ratings_expect_is_the_logistic_curve_of_their_difference():
    rows = [game for block in range(6) for game in duel("a", "b", block)]
    rows += [game for block in range(2) for game in duel("b", "a", block)]
    table, (pairing,) = found_in(["b", "a"], rows)
    difference = table.rows[0]["elo"] - table.rows[1]["elo"]  # seats have no effect: both games go alike
    assert (pairing.one, pairing.other) == ("a", "b")
    assert pairing.observed == 0.75
    assert pairing.expected == pytest.approx(1 / (1 + 10 ** (-difference / 400)))
    assert not pairing.deviates


def test_seats_count_in_what_is_expected():
    """The first seat always wins: bots are equal, and whoever sat there more often should have won more often."""
    conduct = {"decisions": (10, 10), "seconds": (0.0, 0.0)}
    seatings = [("a", "b")] * 3 + [("b", "a")]
    rows = [row(f"{block:03} {n}", bots, (0, 0), (1, 2), **conduct)
            for block in range(40) for n, bots in enumerate(seatings)]  # fmt: skip
    _, (pairing,) = found_in(["a", "b"], rows)
    share = pairing.expected if pairing.one == "a" else 1 - pairing.expected
    assert share == pytest.approx(0.75, abs=0.02)
    assert not pairing.deviates


def test_two_bots_never_deviate_even_if_one_wins_all():
    _, (pairing,) = found_in(["a", "b"], [game for block in range(50) for game in duel("a", "b", block)])
    assert pairing.is_settled
    assert not pairing.is_upset
    assert not pairing.deviates


def test_a_single_block_tells_nothing():
    _, (pairing,) = found_in(["a", "b"], list(duel("a", "b", 0)))
    assert (pairing.p_half, pairing.p_deviation) == (None, None)
    assert not pairing.is_settled
    assert not pairing.deviates


def test_ties_count_half_and_bots_of_other_pools_are_not_paired():
    rows = [row("1", "abc", (0, 0, 0), (1, 1, 3)), row("2", "bca", (0, 0, 0), (1, 2, 3)),
            row("3", "def", (0, 0, 0), (1, 1, 1)), row("4", "def", (0, 0, 0), (1, 1, 1))]  # fmt: skip
    _, found = found_in(list("abcdef"), rows)
    observed = {frozenset((pairing.one, pairing.other)): pairing for pairing in found}
    assert set(observed) == {frozenset(pair) for pair in ("ab", "ac", "bc", "de", "df", "ef")}
    assert observed[frozenset("ab")].observed == 0.75  # b is rated higher: half of one game, and another
    assert observed[frozenset("ac")].observed == 0.5
    assert observed[frozenset("de")].p_half == 1.0


def test_the_shortest_circle_is_told_once():
    long = [won("a", "b"), won("b", "c"), won("c", "d"), won("d", "a")]
    assert cycles(long) == [Cycle(["a", "b", "c", "d"], [0.75] * 4)]
    assert cycles([*long, won("a", "c")]) == [Cycle(["a", "c", "d"], [0.75] * 3)]
    assert cycles([*long, won("a", "c", p=0.06)]) == [Cycle(["a", "b", "c", "d"], [0.75] * 4)]


def test_an_upset_need_not_close_a_circle():
    upset = won("b", "a")
    assert upset.is_upset
    assert cycles([upset, won("b", "c"), won("a", "c")]) == []
    assert not won("b", "a", p=0.06).is_upset
    assert cycles([]) == []
