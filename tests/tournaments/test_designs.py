"""Designs: which tables a round holds, against plain enumeration and known combinatorial facts."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest

from tournaments import designs
from tournaments.cyclic import CyclicDesign, cyclic_design, orbit_sizes

SIZES = [(bots, players) for bots in range(1, 10) for players in range(2, 6)]


def rows(tables: np.ndarray) -> Counter:
    return Counter(tuple(row) for row in tables.tolist())


def seats_by_orbit(drawn: designs.Round, bots: int) -> list[np.ndarray]:
    """How often each bot sits, orbit by orbit."""
    return [
        np.bincount(drawn.tables[drawn.orbits == orbit].ravel(), minlength=bots) for orbit in np.unique(drawn.orbits)
    ]


def meetings(tables: np.ndarray, bots: int) -> np.ndarray:
    """How often each two bots sit at one table, by pair."""
    counts = Counter(pair for row in tables.tolist() for pair in combinations(sorted(row), 2))
    return np.array([counts[pair] for pair in combinations(range(bots), 2)])


def met_after_each_round(bots: int, players: int, rounds: int) -> list[np.ndarray]:
    first = [designs.balanced(bots, players, number)[1].tables for number in range(rounds)]
    return list(np.cumsum([meetings(tables, bots) for tables in first], axis=0))


@pytest.mark.parametrize(("bots", "players"), [size for size in SIZES if size[0] >= size[1]])
def test_all_tables_are_all_combinations_in_orbits_that_seat_all_equally_often(bots, players):
    drawn = designs.all_tables(bots, players)
    assert rows(drawn.tables) == Counter(combinations(range(bots), players))
    assert all(len(set(seats)) == 1 for seats in seats_by_orbit(drawn, bots))


@pytest.mark.parametrize(("bots", "players"), [size for size in SIZES if size[0] < size[1]])
def test_fewer_bots_than_players_fill_every_table(bots, players):
    every = {tuple(sorted(seats)) for seats in product(range(bots), repeat=players)}
    assert rows(designs.all_tables(bots, players).tables) == Counter(
        table for table in every if len(set(table)) == bots
    )


@pytest.mark.parametrize(
    ("bots", "players", "challengers"),
    [
        (*size, chosen)
        for size in SIZES
        for chosen in ([0], [1], [0, 2, 3])
        if size[0] > max(chosen) and size[0] > len(chosen)
    ],
)
def test_a_gauntlet_is_each_challenger_with_every_company(bots, players, challengers):
    others = [bot for bot in range(bots) if bot not in challengers]
    drawn = designs.gauntlet(bots, players, challengers)
    if len(others) >= players - 1:
        companies = list(combinations(others, players - 1))
    else:
        every = {tuple(sorted(seats)) for seats in product(others, repeat=players - 1)}
        companies = [company for company in every if set(company) == set(others)]
    assert rows(drawn.tables) == Counter(tuple(sorted((one, *company))) for one in challengers for company in companies)
    if len(others) >= players - 1:
        for seats in seats_by_orbit(drawn, bots):
            assert len(set(seats[others])) == 1
            assert len(set(seats[challengers])) == 1


@pytest.mark.parametrize(
    ("players", "number"),
    # binary necklaces by Burnside's lemma; odd numbers have the 2 : 1 and the 1 : 2 split, and so on
    [(2, 1), (3, 1 + 1), (4, 2), (5, 2 + 2), (6, 4), (7, 5 + 5), (8, 10)],
)
def test_arrangements_of_two_bots_are_the_necklaces(players, number):
    found = designs.necklaces(players)
    turned = {ring[turn:] + ring[:turn] for ring in found for turn in range(players)}
    split = {players // 2, players - players // 2}
    assert len(found) == number
    assert turned == {ring for ring in product((0, 1), repeat=players) if sum(ring) in split}


def test_the_arrangements_of_four_are_side_by_side_and_across():
    assert designs.necklaces(4) == [(0, 0, 1, 1), (0, 1, 0, 1)]


@pytest.mark.parametrize(("bots", "players"), [(2, 3), (2, 4), (5, 4), (6, 5), (4, 2)])
def test_pairs_are_every_two_bots_in_every_arrangement(bots, players):
    drawn = designs.pairs(bots, players)
    assert rows(drawn.tables) == Counter(
        tuple(couple[seat] for seat in ring)
        for couple in combinations(range(bots), 2)
        for ring in designs.necklaces(players)
    )
    assert len({seats.sum() for seats in np.bincount(drawn.tables.ravel())[:, None]}) == 1


def test_one_bot_makes_no_pair():
    assert designs.pairs(1, 4).tables.shape == (0, 4)


@pytest.mark.parametrize(
    ("bots", "players", "few"),  # pairs and tables: 36 and 36; 15 and 20; 21 and 35; 15 and 15; 21 and 35
    [(3, 4, True), (9, 2, True), (6, 3, True), (7, 3, False), (6, 4, True), (7, 4, False), (8, 6, True)],
)
def test_tables_are_few_up_to_one_and_a_half_times_the_pairs(bots, players, few):
    assert designs.are_few(bots, players) == few


# v bots, k players, r rounds of cyclic difference families with one meeting: (v, k, 1) designs that are
# known to exist. Projective planes (Singer, 1938), cyclic Steiner triple systems (Peltesohn, 1939).
ONE_MEETING = [(7, 3, 1), (13, 4, 1), (21, 5, 1), (31, 6, 1), (13, 3, 2), (19, 3, 3), (25, 3, 4), (37, 3, 6)]


@pytest.mark.parametrize(("bots", "players", "rounds"), ONE_MEETING)
def test_every_pair_meets_exactly_once_where_that_is_known_to_be_possible(bots, players, rounds):
    assert set(met_after_each_round(bots, players, rounds)[-1]) == {1}


def _cyclic(most: int) -> list[tuple[int, int]]:
    sizes = [(bots, players) for players in range(3, 7) for bots in range(players + 1, most + 1)]
    return [size for size in sizes if not designs.are_few(*size)]


def _most_apart(bots: int, players: int) -> int:
    """As the docstring of CyclicDesign says."""
    return 2 if bots % 2 == 0 or (bots, players) in {(25, 4), (17, 6), (21, 6), (29, 6), (33, 6)} else 1


@pytest.mark.parametrize(("bots", "players"), [*_cyclic(26), (40, 4), (39, 5)])
def test_after_every_round_all_pairs_have_met_about_equally_often(bots, players):
    """In the end, exactly: by counting, after a multiple of (n - 1) / gcd(n - 1, k (k - 1)) rounds."""
    period = next(number for number in range(1, 5 * bots) if designs.balanced(bots, players, number)[0] == 1)
    met = met_after_each_round(bots, players, period)
    assert [int(np.ptp(counts)) for counts in met if np.ptp(counts) > _most_apart(bots, players)] == []
    assert set(met[-1]) == {period * players * (players - 1) // (bots - 1)}


@pytest.mark.parametrize(("bots", "players"), [*_cyclic(12), (100, 6)])
def test_every_bot_sits_at_as_many_tables_of_a_balanced_round_as_a_table_has_seats(bots, players):
    for number in range(3):
        _, drawn = designs.balanced(bots, players, number)
        assert set(np.bincount(drawn.tables.ravel(), minlength=bots)) == {players}
        assert len({frozenset(row) for row in drawn.tables.tolist()}) == bots  # no table twice
        assert all(len(set(row)) == players for row in drawn.tables.tolist())


def test_a_block_that_repeats_itself_gives_fewer_tables():
    """Modulo 12: 0369 returns after 3 shifts, 0167 after 6; 0135 after all."""
    assert orbit_sizes(np.array([(0, 3, 6, 9), (0, 1, 6, 7), (0, 1, 3, 5)]), 12).tolist() == [3, 6, 12]


def test_a_hundred_bots_meet_within_two():
    met = met_after_each_round(100, 4, 40)
    assert max(np.ptp(counts) for counts in met) == 2


def test_a_design_is_the_same_in_whatever_order_its_rounds_are_asked_for():
    late, early = CyclicDesign(23, 4), CyclicDesign(23, 4)
    numbers = range(60)
    backwards = {number: late.block(number) for number in reversed(numbers)}
    for number in numbers:
        again, block = early.block(number)
        assert again == backwards[number][0]
        assert block.tolist() == backwards[number][1].tolist() == cyclic_design(23, 4).block(number)[1].tolist()
