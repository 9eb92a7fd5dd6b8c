"""The table of a tournament, worked by hand on games that were made up."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.experiments import named
from tournaments.results import collect
from tournaments.standings import standings

PINNED = {"bot", "elo", "low", "high", "win_share", "games", "faults"}
DAYTIME, OTHER = "daytime_minutes/3", "other/3"


def row(block, bots, scores, ranks, rotation=0, game=DAYTIME, faults=(), **conduct):
    """A game as the store has it."""
    faults = [{"seat": bots.index(bot), "bot": bot, "reason": "exception", "message": ""} for bot in faults]
    conduct = {"decisions": (10, 10, 10), "seconds": (0.0, 0.0, 0.0)} | conduct
    lists = [[*bots], scores, ranks, faults, *conduct.values()]
    return (game, block, rotation, *(json.dumps(values, separators=(",", ":")) for values in lists))


def rated(config, rows):
    return standings(config, collect(rows, config.bot_names))


CONFIG = named(["a", "b", "c"])
ROWS = [
    row("1", "abc", (6, 4, 2), (1, 2, 3), seconds=(0.1, 0.2, 0.0)),
    row("1", "bca", (3, 3, 1), (1, 1, 3), 1, seconds=(0.1, 0.0, 0.2)),
    row("2", "cab", (2, 5, 5), (3, 1, 1), decisions=(10, 20, 10), seconds=(0.0, 0.1, 0.3)),
    row("2", "abc", (9, 3, 2), (3, 1, 2), 1, faults="a"),  # the offender is last, whatever its score
]


def by_bot(rows):
    return {line["bot"]: line for line in rows}


def test_figures_worked_by_hand():
    table = by_bot(rated(CONFIG, ROWS).overall.rows)
    assert {bot: line["games"] for bot, line in table.items()} == {"a": 4, "b": 4, "c": 4}
    assert table["a"]["win_share"] == pytest.approx((1 + 0 + 1 / 2 + 0) / 4)
    assert table["b"]["win_share"] == pytest.approx((0 + 1 / 2 + 1 / 2 + 1) / 4)
    assert table["c"]["win_share"] == pytest.approx((0 + 1 / 2 + 0 + 0) / 4)
    assert table["a"]["mean_rank"] == pytest.approx((1 + 3 + 1 + 3) / 4)
    assert table["b"]["mean_rank"] == pytest.approx((2 + 1 + 1 + 1) / 4)
    assert table["c"]["mean_rank"] == pytest.approx((3 + 1 + 3 + 2) / 4)
    assert table["a"]["mean_score"] == pytest.approx((6 + 1 + 5 + 9) / 4)
    assert table["c"]["mean_score"] == pytest.approx((2 + 3 + 2 + 2) / 4)
    assert {bot: line["faults"] for bot, line in table.items()} == {"a": 1, "b": 0, "c": 0}
    assert table["a"]["ms_per_decision"] == pytest.approx(1000 * 0.4 / 50)
    assert table["b"]["ms_per_decision"] == pytest.approx(1000 * 0.6 / 40)
    assert table["c"]["ms_per_decision"] == 0


def test_the_json_holds_the_pinned_keys_best_first():
    content = rated(CONFIG, ROWS).as_json()
    assert json.loads(json.dumps(content, allow_nan=False)) == content
    assert set(content) == {"overall", "games", "details"}
    assert set(content["games"]) == {DAYTIME}
    for rows in (content["overall"], content["games"][DAYTIME]):
        assert all(line.keys() >= PINNED for line in rows)
        assert [line["bot"] for line in rows] == ["b", "a", "c"]  # pairs won of 8: b 6, a 3.5, c 2.5
        assert [line["elo"] for line in rows] == sorted((line["elo"] for line in rows), reverse=True)
        assert all(line["low"] < line["elo"] < line["high"] for line in rows)
        assert sum(line["elo"] for line in rows) == pytest.approx(0, abs=1e-6)


def test_superiority_is_that_over_the_next_and_the_last_has_none():
    rows = rated(CONFIG, ROWS).overall.rows
    assert all(0.5 <= line["superiority"] <= 1 for line in rows[:-1])
    assert rows[-1]["superiority"] is None


def test_one_block_has_no_interval():
    content = rated(CONFIG, ROWS[:2]).as_json()
    json.dumps(content, allow_nan=False)
    assert all(line["low"] is None and line["high"] is None for line in content["overall"])


def test_details_follow_the_order_of_the_rows():
    content = rated(CONFIG, ROWS).as_json()
    details = content["details"]["games"][DAYTIME]
    assert details["bots"] == ["b", "a", "c"]
    superiority = np.array(details["superiority"])
    assert superiority + superiority.T == pytest.approx(np.ones((3, 3)))
    assert np.diag(superiority, 1).tolist() == [row["superiority"] for row in content["overall"][:-1]]
    assert [effect["seat"] for effect in details["seats"]] == [0, 1, 2]
    assert sum(effect["elo"] for effect in details["seats"]) == pytest.approx(0)
    assert all(effect["low"] < effect["elo"] < effect["high"] for effect in details["seats"])
    assert details["design_effect"] > 0
    assert content["details"]["overall"] == details | {"seats": []}
    assert [row["tier"] for row in content["overall"]] == [1, 1, 1]  # two blocks
    assert [row["pairs_won"] for row in content["overall"]] == pytest.approx([6 / 8, 3.5 / 8, 2.5 / 8])


def test_tiers_and_design_effect_of_many_games():
    """Two bots as good as each other above a third, in rotated deals whose cards decide a lot."""
    rng = np.random.default_rng(1)
    rows = []
    for block in range(300):
        luck = 2 * rng.standard_normal(3)
        for rotation, bots in enumerate(("abc", "bca", "cab")):
            scores = [luck[seat] + rng.gumbel() - 2 * (bot == "c") for seat, bot in enumerate(bots)]
            ranks = [1 + sum(bool(other > score) for other in scores) for score in scores]
            rows.append(row(f"{block:03}", bots, [0, 0, 0], ranks, rotation))
    content = rated(CONFIG, rows).as_json()
    assert {line["bot"]: line["tier"] for line in content["overall"]} == {"a": 1, "b": 1, "c": 2}
    assert 0.2 < content["details"]["games"][DAYTIME]["design_effect"] < 0.7


def test_no_games_give_no_rows():
    nothing = {"bots": [], "superiority": [], "seats": [], "design_effect": None}
    content = rated(CONFIG, []).as_json()
    assert content == {"overall": [], "games": {}, "details": {"overall": nothing, "games": {}}}


@given(st.permutations(ROWS))
@settings(max_examples=10)
def test_the_order_in_which_games_were_finished_leaves_no_trace(order):
    assert json.dumps(rated(CONFIG, order).as_json()) == json.dumps(rated(CONFIG, ROWS).as_json())


def test_an_anchor_stands_at_zero():
    config = named(["a", "b", "c"], anchor="c")
    table = by_bot(rated(config, ROWS).overall.rows)
    free = by_bot(rated(CONFIG, ROWS).overall.rows)
    assert (table["c"]["elo"], table["c"]["low"], table["c"]["high"]) == (0, 0, 0)
    for bot in "ab":
        assert table[bot]["elo"] == pytest.approx(free[bot]["elo"] - free["c"]["elo"])
    unplayed = rated(named(["a", "b", "c", "d"], anchor="d"), ROWS).overall.rows
    assert [line["elo"] for line in unplayed] == pytest.approx(
        [line["elo"] for line in rated(CONFIG, ROWS).overall.rows]
    )


def test_two_games_have_a_table_each_and_one_over_all():
    others = [(OTHER, f"other {line[1]}", *line[2:]) for line in ROWS[:3]]
    content = rated(CONFIG, [*others, *ROWS]).as_json()
    json.dumps(content, allow_nan=False)
    assert set(content["games"]) == {DAYTIME, OTHER}
    for rows, games in ((content["overall"], 7), (content["games"][DAYTIME], 4), (content["games"][OTHER], 3)):
        assert [line["games"] for line in rows] == [games] * 3
    assert by_bot(content["overall"])["b"]["win_share"] == pytest.approx((2 + 1) / 7)
    assert by_bot(content["games"][OTHER])["b"]["win_share"] == pytest.approx(1 / 3)
    assert content["games"][DAYTIME] == rated(CONFIG, ROWS).overall.rows
    # points of different games do not add up
    assert [line["mean_score"] for line in content["overall"]] == [None] * 3
    assert by_bot(content["games"][OTHER])["c"]["mean_score"] == pytest.approx((2 + 3 + 2) / 3)


def test_a_bot_in_several_seats_played_one_game():
    rows = [row("1", "aab", (5, 5, 1), (1, 1, 3)), row("2", "aba", (5, 1, 5), (1, 3, 1), faults="b")]
    table = by_bot(rated(named(["a", "b"]), rows).overall.rows)
    assert (table["a"]["games"], table["b"]["games"]) == (2, 2)
    assert table["a"]["win_share"] == pytest.approx(1 / 2)  # of a seat
    assert (table["a"]["mean_rank"], table["b"]["mean_rank"]) == (1, 3)
    assert table["b"]["faults"] == 1


def test_bots_that_did_not_play_do_not_appear():
    assert set(by_bot(rated(named(["a", "b", "c", "idle"]), ROWS).overall.rows)) == {"a", "b", "c"}


def test_a_single_bot_is_level_with_itself():
    content = rated(named(["a"]), [row("1", "aaa", (1, 2, 3), (3, 2, 1)), row("2", "aaa", (1, 2, 3), (3, 2, 1))])
    (line,) = json.loads(json.dumps(content.as_json(), allow_nan=False))["overall"]
    assert line["elo"] == 0
    assert line["win_share"] == pytest.approx(1 / 3)
    assert line["superiority"] is None


def test_bots_that_never_met_are_rated_apart():
    apart = [row("3", "def", (1, 2, 3), (3, 2, 1)), row("4", "efd", (1, 2, 3), (3, 2, 1))]
    standings_apart = rated(named(list("abcdef"), anchor="e"), [*ROWS, *apart])
    rows = standings_apart.overall.rows
    pools = [line["pool"] for line in rows]
    assert pools == sorted(pools)
    assert len(set(pools)) == 2
    members = [{line["bot"] for line in rows if line["pool"] == pool} for pool in sorted(set(pools))]
    assert {frozenset(bots) for bots in members} == {frozenset("abc"), frozenset("def")}
    table = by_bot(rows)
    assert table["e"]["elo"] == 0
    alone = by_bot(rated(CONFIG, ROWS).overall.rows)
    for bot in "abc":  # games elsewhere change nothing here
        for key in ("elo", "low", "high"):
            assert table[bot][key] == pytest.approx(alone[bot][key])
    details = standings_apart.as_json()["details"]["games"][DAYTIME]
    known = np.array([[value is not None for value in line] for line in details["superiority"]])
    assert (known == (np.array(pools)[:, None] == pools)).all()
    assert [(effect["pool"], effect["seat"]) for effect in details["seats"]] == [
        (p, s) for p in (0, 1) for s in range(3)
    ]
    for pool in sorted(set(pools)):
        assert [line["superiority"] is None for line in rows if line["pool"] == pool] == [False, False, True]
