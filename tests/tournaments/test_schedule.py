"""The schedule: every block once, seats and tables balanced, a function of the index alone."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from itertools import combinations
from math import comb
from unittest.mock import patch

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.tournaments.experiments import content, named
from tournaments import designs, schedule
from tournaments.config import Config, ConfigError, check
from tournaments.schedule import Schedule, derive_seed

SCHEDULES = ("all_tables", "balanced", "pairs", "gauntlet")
NAMES = st.lists(st.text("abc#. 0é", min_size=1, max_size=4), min_size=1, max_size=7, unique=True)
GAMES = st.lists(st.integers(3, 5), min_size=1, max_size=2, unique=True)
SEEDS = st.integers(0, 2**64)


@st.composite
def configs(draw, names=NAMES, schedules=SCHEDULES) -> Config:
    games = [{"game": "daytime_minutes", "players": players} for players in draw(GAMES)]
    kind, bots = draw(st.sampled_from(schedules)), draw(names)
    assume(len(bots) > 1 or kind in ("all_tables", "balanced"))
    keys = {"challengers": bots[: draw(st.integers(1, len(bots) - 1))]} if kind == "gauntlet" else {}
    return named(bots, games=games, seed=draw(SEEDS), blocks_per_table=draw(st.integers(1, 4)), schedule=kind, **keys)


def all_tables(names=NAMES):
    return configs(names, ["all_tables"])


def changed(config: Config, **keys) -> Config:
    return Config.model_validate(config.model_dump() | keys)


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


@given(configs(), st.data())
def test_a_block_is_a_function_of_its_index_alone(config, data):
    blocks = list(Schedule(config))
    asked = data.draw(st.lists(st.integers(0, len(blocks) - 1), max_size=5))
    assert all(Schedule(config)[index] == blocks[index] for index in asked)
    one = Schedule(config)
    assert all(one[index] == blocks[index] for index in asked)


def test_another_process_sees_the_same_blocks():
    kinds = [{"seed": 5, "schedule": kind} for kind in SCHEDULES]
    kinds[-1]["challengers"] = ["v", "y"]
    names = list("xyzvuwt")
    script = (
        "from tests.tournaments.experiments import named; from tournaments.schedule import Schedule;"
        f"print([list(Schedule(named({names}, **keys))) for keys in {kinds}])"
    )
    environment = os.environ | {"PYTHONHASHSEED": "12345"}
    there = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=60, check=True
    )
    assert there.stdout.strip() == str([list(Schedule(named(names, **keys))) for keys in kinds])


@given(all_tables())
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


@given(all_tables(st.lists(st.sampled_from("abcde"), min_size=1, max_size=5, unique=True)))
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
    assert all(0 <= block.seed < 2**53 for block in blocks)


def test_seeds_use_all_of_53_bits_and_no_more():
    """The union of a thousand seeds is every bit that a double holds exactly."""
    seeds = [derive_seed(number, "part") for number in range(1000)]
    union = 0
    for seed in seeds:
        assert int(float(seed)) == seed
        union |= seed
    assert union == 2**53 - 1


@given(configs(schedules=["all_tables", "pairs", "gauntlet"]), SEEDS)
def test_another_seed_gives_other_deals_to_the_same_tables(config, seed):
    assume(seed != config.seed)
    here, there = Schedule(config), Schedule(changed(config, seed=seed))
    assert tables_of(here) == tables_of(there)
    assert not {block.seed for block in here} & {block.seed for block in there}


def test_another_seed_gives_other_tables_to_a_balanced_schedule():
    here, there = (tables_of(Schedule(named(list("abcdefg"), schedule="balanced", seed=seed))) for seed in (1, 2))
    assert here != there


def furthest_ahead(config: Config, blocks) -> int:
    """By how many seats a bot has ever been ahead of another of its kind: challengers or others."""
    kinds = [config.challengers or [], [name for name in config.bot_names if name not in (config.challengers or [])]]
    sat, ahead = Counter(), 0
    for block in blocks:
        sat.update(block.table)
        ahead = max(ahead, *(max(counts) - min(counts) for kind in kinds if (counts := [sat[name] for name in kind])))
    return ahead


@given(configs(), st.sampled_from([schedule.MOST_EVENED, 0]))
def test_every_prefix_is_nearly_balanced(config, most_evened):
    """However early a run ends, no bot is far ahead, and no table by two blocks.

    Not by more seats than a table has where rounds are evened out, nor by more than one orbit gives a
    bot where they go orbit by orbit. (Where all bots are too few for the seats there are no orbits, and
    never that many tables.)
    """
    seats = max(players_of(config))
    regular = len(config.bots) - len(config.challengers or [])
    assume(most_evened or config.schedule == "pairs" or regular >= seats - (config.schedule == "gauntlet"))
    with patch.object(schedule, "MOST_EVENED", most_evened):
        blocks = list(Schedule(config))
    arrangements = max(len(designs.necklaces(players)) for players in players_of(config))
    in_orbit = seats * arrangements if config.schedule == "pairs" else seats
    assert furthest_ahead(config, blocks) <= (seats if most_evened else in_orbit)
    if config.schedule != "balanced":
        once = len(blocks) // config.blocks_per_table
        ids = [block.id.rpartition(" #")[0] for block in blocks]
        rounds = [Counter(ids[start : start + once]) for start in range(0, len(ids), once)]
        assert all(drawn == rounds[0] and set(drawn.values()) == {1} for drawn in rounds)


@pytest.mark.parametrize("kind", ["all_tables", "gauntlet"])
def test_the_beginning_of_a_huge_round_is_nearly_balanced(kind):
    """A hundred bots: 3.9 million tables of four. At random, bots would be apart by dozens of seats."""
    names = [f"bot-{number}" for number in range(100)]
    keys = {"challengers": names[:3]} if kind == "gauntlet" else {}
    config = named(names, players=4, schedule=kind, **keys)
    whole = Schedule(config)
    assert len(whole) == (comb(100, 4) if kind == "all_tables" else 3 * comb(97, 3))
    assert furthest_ahead(config, (whole[index] for index in range(4000))) <= 4
    last = whole[len(whole) - 1]
    assert len(set(last.table)) == 4


@pytest.mark.parametrize("bots", [8, 13])
def test_pairs_meet_about_equally_often_in_every_prefix_of_all_tables(bots):
    """Halfway through a round every pair has met a number of times that lies within 2 of the mean."""
    names = [f"bot-{number}" for number in range(bots)]
    blocks = list(Schedule(named(names, players=4)))
    half = blocks[: len(blocks) // 2]
    met = Counter(pair for block in half for pair in combinations(sorted(block.table), 2))
    mean = len(half) * 6 / comb(bots, 2)
    assert len(met) == comb(bots, 2)
    assert all(abs(times - mean) <= 2 for times in met.values())


def test_rounds_are_not_all_in_the_same_order():
    blocks = list(Schedule(named(list("abcdef"), blocks_per_table=6)))
    size = comb(6, 3)
    rounds = [blocks[start : start + size] for start in range(0, len(blocks), size)]
    assert len({tuple(tuple(sorted(block.table)) for block in drawn) for drawn in rounds}) == 6


@given(configs(), st.integers(1, 3))
def test_more_blocks_go_on_where_fewer_ended(config, more):
    longer = changed(config, blocks_per_table=config.blocks_per_table + more)
    before, after = list(Schedule(config)), list(Schedule(longer))
    assert after[: len(before)] == before
    assert len(after) * config.blocks_per_table == len(before) * longer.blocks_per_table


def with_another_bot(config: Config, **keys) -> Config:
    return changed(config, bots=[*config.model_dump()["bots"], {"name": "newcomer", "bot": "random"}], **keys)


@given(configs(schedules=["all_tables", "pairs", "gauntlet"]))
def test_one_more_bot_keeps_every_block_of_the_others(config):
    regular = len(config.bots) - len(config.challengers or [])
    seats = max(players_of(config)) - (config.schedule == "gauntlet")
    assume(config.schedule == "pairs" or regular >= seats)
    assert set(Schedule(config)) < set(Schedule(with_another_bot(config)))


@given(configs(schedules=["gauntlet"]))
def test_one_more_challenger_keeps_every_block_of_the_others(config):
    larger = with_another_bot(config, challengers=[*config.challengers, "newcomer"])
    assert set(Schedule(config)) < set(Schedule(larger))


@given(configs(), st.randoms(use_true_random=False))
def test_the_order_of_bots_in_the_config_changes_nothing(config, chance):
    bots = config.model_dump()["bots"]
    assert list(Schedule(changed(config, bots=chance.sample(bots, len(bots))))) == list(Schedule(config))


@given(configs(schedules=["gauntlet"]))
def test_every_table_of_a_gauntlet_has_one_challenger(config):
    for block in Schedule(config):
        assert sum(name in config.challengers for name in block.table) == 1


@given(configs(schedules=["gauntlet"]))
def test_all_challengers_of_a_gauntlet_meet_the_same_company(config):
    companies = {name: Counter() for name in config.challengers}
    for block in Schedule(config):
        (challenger,) = set(block.table) & set(config.challengers)
        companies[challenger][block.game, tuple(sorted(set(block.table) - {challenger}))] += 1
    assert len({frozenset(company.items()) for company in companies.values()}) == 1


@given(configs(schedules=["pairs"]))
def test_the_two_bots_of_a_pair_sit_equally_often(config):
    """And all pairs do: in a round, at half of the seats of as many tables as there are arrangements."""
    seats = Counter()
    for block in Schedule(config):
        seats.update((block.game, tuple(sorted(set(block.table))), name) for name in block.table)
    arrangements = {3: 2, 4: 2, 5: 4}
    for game, players in enumerate(players_of(config)):
        for pair in combinations(sorted(config.bot_names), 2):
            for name in pair:
                assert 2 * seats[game, pair, name] == config.blocks_per_table * arrangements[players] * players


def test_pairs_sit_as_their_tables_say():
    """Two bots at four seats: side by side and across. No shuffle, which would make both the same at times."""
    blocks = list(Schedule(named(["a", "b"], players=4, schedule="pairs", blocks_per_table=3)))
    assert Counter(block.table for block in blocks) == {("a", "a", "b", "b"): 3, ("a", "b", "a", "b"): 3}


def test_a_table_as_it_sits_is_no_table_to_be_shuffled():
    """So the two schedules share no id, though both have a table of a, a, b and b."""
    ids = [{block.id for block in Schedule(named(["a", "b"], players=4, schedule=kind))} for kind in SCHEDULES[:3]]
    assert ids[0] == ids[1]
    assert not ids[0] & ids[2]


@given(SEEDS, st.integers(7, 12), st.integers(3, 4))
def test_a_balanced_round_seats_every_bot_equally_often_at_different_tables(seed, bots, players):
    names = [f"bot-{number}" for number in range(bots)]
    rounds = 3
    blocks = list(Schedule(named(names, players=players, schedule="balanced", seed=seed, blocks_per_table=rounds)))
    assert len(blocks) == rounds * bots
    for number in range(rounds):
        drawn = blocks[number * bots : (number + 1) * bots]
        assert Counter(name for block in drawn for name in block.table) == dict.fromkeys(names, players)
        assert len({frozenset(block.table) for block in drawn}) == bots


def test_a_balanced_schedule_begins_again_with_other_tables():
    """Seven bots meet once in each round of seven tables, of which there are 30 different ones."""
    blocks = list(Schedule(named(list("abcdefg"), schedule="balanced", blocks_per_table=8)))
    rounds = [frozenset(frozenset(block.table) for block in blocks[start : start + 7]) for start in range(0, 56, 7)]
    for drawn in rounds:
        assert len({pair for table in drawn for pair in combinations(sorted(table), 2)}) == comb(7, 2)
    assert len(set(rounds)) > 4


def test_a_balanced_schedule_of_few_tables_is_all_tables():
    for names, players in (("ab", 4), ("abcdef", 4), ("abcdef", 3)):
        balanced, every = (named(list(names), players=players, schedule=kind) for kind in ("balanced", "all_tables"))
        assert designs.are_few(len(names), players)
        assert list(Schedule(balanced)) == list(Schedule(every))


MISTAKES = {
    "challengers of no gauntlet": (
        {"challengers": ["a"]},
        ["challengers = ['a']", "expected them with schedule = 'gauntlet' only", "'all_tables'"],
    ),
    "gauntlet of no challengers": ({"schedule": "gauntlet"}, ["challengers is missing", "expected", "'gauntlet'"]),
    "empty challengers": ({"schedule": "gauntlet", "challengers": []}, ["challengers = []", "at least 1"]),
    "unknown challenger": (
        {"schedule": "gauntlet", "challengers": ["a", "beter"]},
        ["challengers[1]", "unknown bot 'beter'", "did you mean 'better'?", "known: a, better"],
    ),
    "repeated challenger": (
        {"schedule": "gauntlet", "challengers": ["a", "a"]},
        ["challengers", "'a' stands there twice", "expected different ones"],
    ),
    "nobody but challengers": (
        {"schedule": "gauntlet", "challengers": ["better", "a"]},
        ["challengers = ['better', 'a']", "expected at least one bot that is none"],
    ),
    "challenger of a wrong type": (
        {"schedule": "gauntlet", "challengers": [1]},
        ["challengers[0] = 1", "valid string"],
    ),
}


@pytest.mark.parametrize(("keys", "said"), MISTAKES.values(), ids=MISTAKES)
def test_a_schedule_that_cannot_be_is_refused(keys, said):
    bots = [{"name": name, "bot": "random"} for name in ("a", "better")]
    with pytest.raises(ConfigError) as error:
        check(content(*bots, **keys), "file.toml")
    assert [words for words in ("file.toml: ", *said) if words not in str(error.value)] == []


def test_one_bot_has_nobody_to_be_paired_with():
    with pytest.raises(ConfigError, match=r"file.toml: schedule = 'pairs': expected two or more bots, not 'a' alone"):
        check(content({"name": "a", "bot": "random"}, schedule="pairs"), "file.toml")


def test_good_schedules_are_accepted():
    bots = [{"name": name, "bot": "random"} for name in ("a", "better")]
    assert check(content(*bots, schedule="gauntlet", challengers=["a"]), "").challengers == ["a"]
    for kind in ("all_tables", "balanced", "pairs"):
        assert check(content(*bots, schedule=kind), "").schedule == kind
