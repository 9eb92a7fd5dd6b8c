"""`explanations = true`: what searching bots found goes into the game records, and changes nothing else."""

from __future__ import annotations

import json

import pytest

import engine
from bots.ismcts import ISMCTSBot
from engine.record import RecordError
from tests.tournaments.experiments import (
    RANDOM,
    SEARCH,
    experiment,
    play,
    run_into,
    stored_games,
    timetricks,
)
from tests.tournaments.test_match import seats_to_move
from tournaments.store import Store


def records(**keys):
    (block,) = play(experiment(RANDOM, SEARCH, RANDOM | {"name": "other"}, **keys))
    return [result.record for result in block]


def states(record):
    """The state before every action of a record."""
    state = engine.load(record["game"], players=record["players"]).new(decks=record["decks"])
    for action in record["actions"]:
        yield state
        state = state.apply(action)


def test_records_hold_no_thoughts_unless_they_are_asked_for():
    assert all("thoughts" not in record for record in records())


def test_there_is_a_thought_where_a_searching_bot_had_a_choice_and_nowhere_else():
    for record in records(explanations=True):
        thoughts = record["thoughts"]
        assert len(thoughts) == len(record["actions"])
        for state, seat, thought, action in zip(
            states(record), seats_to_move(record), thoughts, record["actions"], strict=True
        ):
            has_choice = len(state.legal_actions) > 1
            assert (thought is not None) == (record["bots"][seat] == "search" and has_choice)
            if thought:
                assert thought["iterations"] == sum(row["visits"] for row in thought["actions"]) == SEARCH["iterations"]
                assert {row["name"] for row in thought["actions"]} <= set(state.legal_names)
                assert thought["actions"][0]["name"] == action


def test_nothing_else_of_a_record_changes():
    for with_thoughts, without in zip(records(explanations=True), records(), strict=True):
        assert {key: value for key, value in with_thoughts.items() if key != "thoughts"} == without


def test_a_bot_at_fault_has_no_thoughts_any_more(monkeypatch):
    """A random bot plays its seat on; the bot would still tell what it found before."""
    search = ISMCTSBot._search

    def fails_in_time(bot, info):
        assert len(info.history) < 8
        return search(bot, info)

    monkeypatch.setattr(ISMCTSBot, "_search", fails_in_time)
    for record in records(explanations=True):
        assert any(record["thoughts"][:8])
        assert not any(record["thoughts"][8:])


def test_the_store_and_the_export_keep_them_and_readers_who_ignore_them_are_not_disturbed(tmp_path):
    keys = {"games": [{"game": "trick_or_repeat", "players": 2}]}
    config = experiment(RANDOM, SEARCH, explanations=True, **keys)
    folder, plain = run_into(tmp_path / "a", config), run_into(tmp_path / "b", experiment(RANDOM, SEARCH, **keys))
    *columns, texts = zip(*stored_games(folder), strict=True)
    *plain_columns, plain_texts = zip(*stored_games(plain), strict=True)
    assert columns == plain_columns
    assert [json.loads(text) | {"thoughts": None} for text in texts] == [
        json.loads(text) | {"thoughts": None} for text in plain_texts
    ]
    path = tmp_path / "games.jsonl"
    assert timetricks("export", folder, "--to", path, folder=tmp_path).returncode == 0
    exported = [json.loads(line) for line in path.read_text().splitlines()]
    with Store.open(folder) as store:
        assert [game.full_record() for game in store.games()] == exported
    assert all(any(record["thoughts"]) for record in exported)
    assert [engine.replay(record).scores for record in exported] == [tuple(record["scores"]) for record in exported]
    assert timetricks("verify", path, folder=tmp_path).stdout == "2 games, 0 of them wrong, 0 unfinished\n"


@pytest.mark.parametrize("thoughts", [[], {}, "x", [None]])
def test_thoughts_that_do_not_fit_the_actions_are_refused(thoughts):
    record = records()[0]
    assert engine.replay(record | {"thoughts": None}).is_terminal
    with pytest.raises(RecordError, match=f"thoughts: expected null or {len(record['actions'])} entries"):
        engine.replay(record | {"thoughts": thoughts})


def test_a_run_may_go_on_with_explanations_switched_on(tmp_path):
    run_into(tmp_path, experiment(RANDOM, SEARCH, RANDOM | {"name": "other"}))
    run_into(tmp_path, experiment(RANDOM, SEARCH, RANDOM | {"name": "other"}, blocks_per_table=2, explanations=True))
    with Store.open(tmp_path) as store:
        assert [any(game.record.get("thoughts", [])) for game in store.games()] == [False] * 3 + [True] * 3
