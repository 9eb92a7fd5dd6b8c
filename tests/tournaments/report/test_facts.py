"""What is gathered from a results folder."""

from __future__ import annotations

import json
import platform
import tomllib
from datetime import UTC, datetime

import pytest

from tests.tournaments.experiments import named, query, read_json, timetricks
from tests.tournaments.report.tournament import BAD, CONFIG, GAMES
from tournaments.config import Config
from tournaments.report.facts import gather
from tournaments.store import Store

NOW = datetime(2031, 5, 6, 7, 8, tzinfo=UTC)


@pytest.fixture(scope="module")
def facts(folder):
    with Store.open(folder) as store:
        return gather(store, "timetricks report results", NOW)


def test_the_frame(facts):
    assert (facts.name, facts.command) == (CONFIG.name, "timetricks report results")
    assert facts.written == "2031-05-06T07:08:00+00:00"
    assert (facts.games, facts.blocks, facts.blocks_scheduled) == (GAMES, 3 + 18, 3 + 18)
    assert facts.versions["python"] == platform.python_version()
    assert facts.config_hash == CONFIG.hash


def test_the_config_can_be_run_again(facts):
    assert Config.model_validate(tomllib.loads(facts.config)) == CONFIG


def test_chapters_are_all_games_and_each_game(facts):
    assert [(chapter.title, chapter.label) for chapter in facts.chapters] == [
        ("All games", ""),
        ("Daytime Minutes, 4 players", "daytime_minutes/4"),
        ("Trick or Repeat, 2 players", "trick_or_repeat/2"),
    ]
    whole, daytime, repeat = facts.chapters
    assert [chapter.games for chapter in facts.chapters] == [GAMES, 12, 36]
    assert [chapter.blocks for chapter in facts.chapters] == [21, 3, 18]
    assert [len(chapter.seats) for chapter in facts.chapters] == [0, 4, 2]
    assert (whole.scores, whole.lengths) == ([], None)  # of different games nothing to be laid together
    assert sum(daytime.lengths.counts) == 12
    assert [one.label for one in repeat.scores] == [row["bot"] for row in repeat.bots]
    assert {sum(one.counts) for one in repeat.scores} == {18}


def test_faults_with_reason_and_first_message(folder, facts):
    whole, daytime, repeat = facts.chapters
    stored = [json.loads(text) for (text,) in query(folder, "SELECT faults FROM games")]
    assert [fault.number for chapter in (daytime, repeat) for fault in chapter.faults] == [12, 18]
    (fault,) = whole.faults
    assert (fault.bot, fault.reason, fault.number, fault.games) == (BAD, "exception", 30, 30)
    assert sum(map(len, stored)) == 30
    assert "RuntimeError: out of ideas" in fault.message


def test_the_budget_series_is_found(facts):
    for chapter in facts.chapters:
        (series,) = chapter.budgets
        assert [(point["bot"], point["budget"]) for point in series.points] == [("search-5", 5), ("search-20", 20)]
        assert series.points[0]["elo"] == next(row["elo"] for row in chapter.bots if row["bot"] == "search-5")


def test_every_pair_is_there(facts):
    for chapter, comparisons in zip(facts.chapters, (12 + 6, 12, 6), strict=True):
        assert [pairing.comparisons for pairing in chapter.pairings] == [comparisons] * 6


def test_the_command_prints_the_same_facts(folder, facts, tmp_path):
    run = timetricks("report", folder, "--json", folder=tmp_path)
    assert run.returncode == 0, run.stderr
    printed, expected = read_json(run.stdout), read_json(json.dumps(facts.as_json()))
    same = set(expected) - {"written", "command"}
    assert {key: printed[key] for key in same} == {key: expected[key] for key in same}
    assert not (folder / "report.html").exists()


def test_a_run_without_a_finished_game_has_no_chapters(tmp_path):
    with Store.create_or_open(tmp_path, named(["a", "b", "c"])) as store:
        found = gather(store, "", NOW)
    assert (found.chapters, found.games, found.blocks_scheduled) == ([], 0, 1)
