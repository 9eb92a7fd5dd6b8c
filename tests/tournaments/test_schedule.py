"""The schedule: every block once, seats and tables balanced, a function of the index alone."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from itertools import combinations
from math import comb

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.tournaments.experiments import named
from tournaments.config import Config
from tournaments.schedule import Schedule

NAMES = st.lists(st.text("abc#. 0é", min_size=1, max_size=4), min_size=1, max_size=7, unique=True)
GAMES = st.lists(st.integers(3, 5), min_size=1, max_size=2, unique=True)
SEEDS = st.integers(0, 2**64)


@st.composite
def configs(draw, names=NAMES) -> Config:
    games = [{"game": "daytime_minutes", "players": players} for players in draw(GAMES)]
    return named(draw(names), games=games, seed=draw(SEEDS), blocks_per_table=draw(st.integers(1, 4)))


def players_of(config: Config) -> list[int]:
    return [entry.players for entry in config.games]


def tables_of(blocks) -> Counter:
    """How often each game has been played by each table, whatever its order."""
    return Counter((block.game, tuple(sorted(block.table))) for block in blocks)


@given(configs())
def test_every_block_comes_once(config):
    schedule = Schedule(config)
    blocks = [schedule[index] for index in range(len(schedule))]
    assert blocks == list(schedule)
    assert len({block.id for block in blocks}) == len(blocks)
    for wrong in (-1, len(blocks)):
        with pytest.raises(IndexError, match=f"block {wrong}"):
            schedule[wrong]


def test_blocks_differ_when_names_of_bots_run_together():
    """``a+b`` and ``c`` are not ``a`` and ``b+c``."""
    ids = [block.id for block in Schedule(named(["a", "b+c", "a+b", "c", "d"]))]
    assert len(set(ids)) == comb(5, 3) == len(ids)


@given(configs(), st.randoms(use_true_random=False))
def test_a_block_is_a_function_of_its_index_alone(config, chance):
    blocks = list(Schedule(config))
    order = list(range(len(blocks)))
    chance.shuffle(order)
    assert all(Schedule(config)[index] == blocks[index] for index in order)


def test_another_process_sees_the_same_blocks():
    script = (
        "from tests.tournaments.experiments import named; from tournaments.schedule import Schedule;"
        "print(list(Schedule(named(['x', 'y', 'z', 'v'], seed=5))))"
    )
    environment = os.environ | {"PYTHONHASHSEED": "12345"}
    there = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=60, check=True
    )
    assert there.stdout.strip() == str(list(Schedule(named(["x", "y", "z", "v"], seed=5))))


@given(configs())
def test_with_enough_bots_every_combination_meets_once_a_round(config):
    assume(len(config.bots) >= max(players_of(config)))
    expected = Counter(
        (game, tuple(sorted(table)))
        for game, players in enumerate(players_of(config))
        for table in combinations(config.bot_names, players)
    )
    blocks = list(Schedule(config))
    for number in range(config.blocks_per_table):
        assert tables_of(blocks[number * len(expected) : (number + 1) * len(expected)]) == expected


@given(configs(st.lists(st.sampled_from("abcde"), min_size=1, max_size=5, unique=True)))
def test_with_fewer_bots_than_seats_all_sit_at_every_table(config):
    """A table is a multiset of `players` seats that holds each of n bots: comb(players - 1, n - 1) of them."""
    assume(len(config.bots) <= min(players_of(config)))
    tables = tables_of(Schedule(config))
    assert set(tables.values()) == {config.blocks_per_table}
    assert all(set(table) == set(config.bot_names) for _, table in tables)
    for game, players in enumerate(players_of(config)):
        of_game = [table for number, table in tables if number == game]
        assert len(of_game) == comb(players - 1, len(config.bots) - 1)
        assert {len(table) for table in of_game} == {players}


def test_a_single_bot_fills_all_seats():
    (block,) = Schedule(named(["solo"], players=5))
    assert list(block.seatings()) == [("solo",) * 5] * 5


@given(configs())
def test_rotations_put_every_member_of_a_table_in_every_seat_once(config):
    for block in Schedule(config):
        players = players_of(config)[block.game]
        seatings = list(block.seatings())
        assert len(seatings) == len(block.table) == players
        for seat in range(players):
            assert Counter(seating[seat] for seating in seatings) == Counter(block.table)
        neighbours = Counter(zip(block.table, block.table[1:] + block.table[:1], strict=True))
        for seating in seatings:  # cyclic: who sits to whose left never changes
            assert Counter(zip(seating, seating[1:] + seating[:1], strict=True)) == neighbours


@given(configs())
def test_seeds_of_deals_differ_between_blocks(config):
    blocks = list(Schedule(config))
    assert len({block.seed for block in blocks}) == len(blocks)
    assert all(0 <= block.seed < 2**63 for block in blocks)


@given(configs(), SEEDS)
def test_another_seed_gives_other_deals_to_the_same_tables(config, seed):
    assume(seed != config.seed)
    here, there = Schedule(config), Schedule(config.model_copy(update={"seed": seed}))
    assert tables_of(here) == tables_of(there)
    assert not {block.seed for block in here} & {block.seed for block in there}


@given(configs())
def test_every_prefix_is_nearly_balanced(config):
    """However early a run ends, no table has played more than one block more than another.

    A round is a permutation of all tables, so after q rounds and a part of another every table has
    played q or q + 1 blocks. Two bots then differ by no more than the tables of one round that seat
    the one without the other.
    """
    whole = list(Schedule(config))
    played = dict.fromkeys(tables_of(whole), 0)
    blocks_of = dict.fromkeys(config.bot_names, 0)
    for block in whole:
        played[block.game, tuple(sorted(block.table))] += 1
        for name in set(block.table):
            blocks_of[name] += 1
        assert max(played.values()) - min(played.values()) <= 1
        if len(config.bots) >= max(players_of(config)):
            apart = sum(comb(len(config.bots) - 2, players - 1) for players in players_of(config))
            assert max(blocks_of.values()) - min(blocks_of.values()) <= apart


def test_rounds_are_not_all_in_the_same_order():
    blocks = list(Schedule(named(list("abcdef"), blocks_per_table=6)))
    size = comb(6, 3)
    rounds = {tuple(block.table for block in blocks[i : i + size]) for i in range(0, len(blocks), size)}
    orders = {tuple(tuple(sorted(table)) for table in order) for order in rounds}
    assert len(orders) == 6


@given(configs(), st.integers(1, 3))
def test_more_blocks_go_on_where_fewer_ended(config, more):
    longer = config.model_copy(update={"blocks_per_table": config.blocks_per_table + more})
    before, after = list(Schedule(config)), list(Schedule(longer))
    assert after[: len(before)] == before
    assert len(after) * config.blocks_per_table == len(before) * longer.blocks_per_table


@given(configs())
def test_one_more_bot_keeps_every_block_of_the_others(config):
    assume(len(config.bots) >= max(players_of(config)))
    larger = named([*config.bot_names, "newcomer"], games=[entry.model_dump() for entry in config.games])
    larger = larger.model_copy(update={"seed": config.seed, "blocks_per_table": config.blocks_per_table})
    assert set(Schedule(config)) <= set(Schedule(larger))
