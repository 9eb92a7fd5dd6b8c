"""`timetricks analyse`: the positions of a recorded game, and what a bot makes of them."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

import engine
from bots.search.explanation import ActionStatistics, Explanation
from tests.cases import every_case, random_game
from tests.tournaments.experiments import read_json, timetricks
from tournaments.analysis import Decision, Opinion, decisions, summaries
from tournaments.cli import app

SCRIPTED = "tests.tournaments.exploitability.bots"
LAST_BID_DECIDES = 13  # a seed of Trick or Repeat for two
SEARCH = ("--bot", "ismcts", "--option", "iterations=50")


def recorded(name, seed=1, **options):
    """The record of a random game."""
    *_, state = random_game(engine.load(name, **options), seed)
    return state.record()


def written(folder, *records):
    path = folder / "records.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def analyse(*arguments):
    result = CliRunner().invoke(app, ["analyse", *map(str, arguments)])
    assert result.exit_code == 0, result.output
    return result.stdout


def complaint(*arguments):
    result = CliRunner().invoke(app, ["analyse", *map(str, arguments)])
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.stderr
    return result.stderr


# --- The positions of a record ---


@every_case()
def test_every_position_of_a_game_and_what_was_played_there(game):
    *states, end = random_game(game, 1)
    found = decisions(end.record())
    assert [decision.state for decision in found] == states
    assert [decision.ply for decision in found] == list(range(len(states)))
    for decision, after in zip(found, [*states[1:], end], strict=True):
        assert decision.state.apply(decision.played) == after


def test_a_seat_is_asked_with_the_history_that_it_knows():
    """At the start of Trick or Repeat all seats lay out cards face down: others see that, not what."""
    record = recorded("trick_or_repeat", players=3)
    info = decisions(record)[4].state.information_set()
    ids = {action: number for number, action in enumerate(info.game.actions)}
    assert [seat for seat, _ in info.history] == [0, 1, 2, 0]
    assert info.seat == 1
    assert [action for _, action in info.history] == [None, ids[record["actions"][1]], None, None]


def test_an_unfinished_game_ends_with_a_position_to_decide():
    *_, state = [state for _, state in zip(range(6), random_game(engine.load("daytime_minutes"), 1), strict=False)]
    last = decisions(state.record())[-1]
    assert (last.ply, last.state, last.played) == (5, state, None)


# --- The value lost ---


def opinion(played, *rows, choice="a", seat=0):
    """What a search of two actions says: rows of (name, visits, value, standard error)."""
    statistics = tuple(ActionStatistics(0, name, visits, value, error, 1.0, 0.0) for name, visits, value, error in rows)
    state = type("", (), {"seat": seat})()
    return Opinion(Decision(0, state, played), choice, Explanation(statistics, 9, 9, 1.0, 1))


def test_the_value_lost_and_its_standard_error():
    found = opinion("b", ("a", 6, 0.75, 0.03), ("b", 3, 0.5, 0.04))
    assert (found.value_lost, found.standard_error) == (0.25, pytest.approx(0.05))
    same = opinion("a", ("a", 6, 0.75, None), ("b", 3, 0.5, 0.04))
    assert (same.value_lost, same.standard_error) == (0.0, 0.0)


def test_of_an_action_that_was_not_tried_the_value_is_not_known():
    for found in (opinion("b", ("a", 6, 0.75, 0.03)), opinion("b", ("a", 6, 0.75, 0.03), ("b", 0, 0.0, None))):
        assert (found.value_lost, found.standard_error) == (None, None)
    once = opinion("b", ("a", 6, 0.75, 0.03), ("b", 1, 0.5, None))
    assert (once.value_lost, once.standard_error) == (0.25, None)


def test_each_seat_is_summed_up():
    better = (("a", 6, 0.75, 0.03), ("b", 3, 0.5, 0.04))
    found = [opinion("b", *better), opinion("a", *better), opinion("c", *better), opinion("c", *better, seat=2)]
    assert [(s.seat, s.decisions, s.agreed, s.value_lost) for s in summaries(found)] == [
        (0, 3, 1, 0.125), (2, 1, 0, None)
    ]  # fmt: skip


# --- The command ---


def test_values_and_what_was_lost_where_everything_is_known(tmp_path):
    """To who sees all cards, the last bid of a round decides the game: nothing is left to choose after it."""
    record = recorded("trick_or_repeat", seed=LAST_BID_DECIDES, players=2, rounds=1)
    state = decisions(record)[-1].state
    returns = {name: state.apply(name).returns[state.seat] for name in state.legal_names}
    assert len(set(returns.values())) > 1
    ply = len(record["actions"]) - 1
    found = read_json(analyse(written(tmp_path, record), "--ply", ply, "--bot", "cheater", "--json"))
    assert {row["name"]: row["value"] for row in found["explanation"]["actions"]} == returns
    assert returns[found["choice"]] == max(returns.values())
    assert found["value_lost"] == max(returns.values()) - returns[record["actions"][-1]] > 0


def test_a_position_as_json(tmp_path):
    record = recorded("trick_or_repeat", players=2)
    ply = 3
    found = read_json(analyse(written(tmp_path, record), "--ply", ply, *SEARCH, "--seed", 5, "--json"))
    state = decisions(record)[ply].state
    assert found["position"] == str(state.information_set())
    assert found["legal"] == list(state.legal_names)
    assert (found["game"], found["line"], found["ply"], found["seat"]) == (state.game.label, 1, ply, state.seat)
    assert (found["bot"], found["options"], found["seed"]) == ("ismcts", {"iterations": 50}, 5)
    assert found["played"] == record["actions"][ply]
    searched = found["explanation"]
    assert searched["iterations"] == sum(row["visits"] for row in searched["actions"]) == 50
    assert {row["name"] for row in searched["actions"]} == set(state.legal_names)


def test_all_decisions_are_those_asked_one_by_one(tmp_path):
    record = recorded("trick_or_repeat", players=2)
    path = written(tmp_path, record)
    found = read_json(analyse(path, "--all", *SEARCH, "--json"))
    free = [decision for decision in decisions(record) if len(decision.state.legal_actions) > 1]
    assert [row["ply"] for row in found["rows"]] == [decision.ply for decision in free]
    assert [row["played"] for row in found["rows"]] == [decision.played for decision in free]
    for row in found["rows"][::4]:
        alone = read_json(analyse(path, "--ply", row["ply"], *SEARCH, "--json"))
        assert {key: alone[key] for key in row} == row
    of_seat = read_json(analyse(path, "--all", "--seat", 1, *SEARCH, "--json"))
    assert of_seat["rows"] == [row for row in found["rows"] if row["seat"] == 1]
    assert of_seat["seats"] == [found["seats"][1]]
    assert found["seats"][1]["decisions"] == len(of_seat["rows"])


def test_the_first_decision_is_the_default_and_forced_ones_can_be_asked_for(tmp_path):
    record = recorded("daytime_minutes", players=3)
    path = written(tmp_path, record)
    assert read_json(analyse(path, *SEARCH, "--json"))["ply"] == 0
    forced = next(decision for decision in decisions(record) if len(decision.state.legal_actions) == 1)
    found = read_json(analyse(path, "--ply", forced.ply, *SEARCH, "--json"))
    assert (found["choice"], found["explanation"], found["value_lost"]) == (forced.played, None, None)
    assert "the only legal action" in analyse(path, "--ply", forced.ply, *SEARCH)


def test_the_table_says_what_it_shows(tmp_path):
    record = recorded("day_and_night", players=3) | {"bots": ["Ann", "Ben", "Cem"]}
    path = written(tmp_path, record)
    text = analyse(path, *SEARCH)
    state = decisions(record)[0].state
    assert text.startswith(str(state.information_set()))
    assert f"ply 0: seat {state.seat} (" in text
    assert f"played {record['actions'][0]}; ismcts iterations=50 would play" in text
    assert all(words in text for words in (*state.legal_names, "visits", "50 iterations, 51 nodes", "mean reward"))
    whole = analyse(path, "--all", "--seat", 2, *SEARCH)
    assert "seat 2 (Cem): " in whole.splitlines()[-2]
    assert "decisions as the bot would have; lost " in whole
    assert "Ann" not in whole


@pytest.mark.parametrize("bot", ["rules", "random", f"{SCRIPTED}:First"])
def test_a_bot_without_reasons_names_its_action(tmp_path, bot):
    record = recorded("daytime_minutes", players=3)
    path = written(tmp_path, record)
    found = read_json(analyse(path, "--bot", bot, "--json"))
    assert found["choice"] in found["legal"]
    assert (found["explanation"], found["value_lost"]) == (None, None)
    for arguments in ([], ["--all"]):
        assert f"{bot} gives no reasons" in analyse(path, "--bot", bot, *arguments)


def test_the_first_legal_action_is_the_choice_of_a_bot_that_takes_it(tmp_path):
    found = read_json(
        analyse(written(tmp_path, recorded("day_and_night")), "--all", "--bot", f"{SCRIPTED}:First", "--json")
    )
    assert [row["choice"] for row in found["rows"]] == [row["legal"][0] for row in found["rows"]]
    agreed = sum(row["choice"] == row["played"] for row in found["rows"])
    assert sum(seat["agreed"] for seat in found["seats"]) == agreed > 0


@pytest.mark.parametrize("bot", ["flat", "pimc", "cheater"])
def test_every_search_explains_itself(tmp_path, bot):
    path = written(tmp_path, recorded("daytime_minutes", players=3))
    found = read_json(analyse(path, "--bot", bot, "--option", "iterations=50", "--json"))
    assert found["explanation"]["actions"][0]["name"] == found["choice"]


def test_a_bot_that_sees_all_hands_is_marked(tmp_path):
    path = written(tmp_path, recorded("daytime_minutes", players=3))
    assert "; cheater (sees all hands) iterations=50 would play" in analyse(
        path, "--bot", "cheater", "--option", "iterations=50"
    )


MISTAKES = {
    "no file": (["missing.jsonl"], ["missing.jsonl"]),
    "no line": (["records.jsonl", "--line", 3], ["records.jsonl has no line 3"]),
    "no record": (["records.jsonl", "--line", 2], ["format 'x': expected 'timetricks/1'"]),
    "a ply behind the end": (["records.jsonl", "--ply", 1000], ["--ply 1000: expected 0 to "]),
    "a ply before the start": (["records.jsonl", "--ply", -1], ["--ply -1: expected 0 to "]),
    "one and all": (["records.jsonl", "--ply", 1, "--all"], ["expected either --ply or --all"]),
    "no seat": (["records.jsonl", "--all", "--seat", 3], ["--seat 3: expected 0 to 2"]),
    "a seat at a ply": (["records.jsonl", "--ply", 1, "--seat", 1], ["--seat 1: expected it with --all only"]),
    "no bot": (["records.jsonl", "--bot", "ismct"], ["unknown bot 'ismct'", "did you mean 'ismcts'"]),
    "no option": (["records.jsonl", "--option", "iteration=5"], ["'iteration'", "did you mean 'iterations'"]),
    "no value": (["records.jsonl", "--option", "iterations=0"], ["iterations = 0"]),
    "no TOML": (["records.jsonl", "--option", "iterations"], ["expected KEY=VALUE"]),
    "a bot that raises": (["records.jsonl", "--bot", f"{SCRIPTED}:Raises"], ["at ply 0", "RuntimeError: out of ideas"]),
    "an illegal action": (["records.jsonl", "--bot", f"{SCRIPTED}:Illegal"], ["at ply 0", "unknown action 'bid9'"]),
}


@pytest.mark.parametrize(("arguments", "said"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_explained(tmp_path, monkeypatch, arguments, said):
    record = recorded("daytime_minutes", players=3)
    written(tmp_path, record, record | {"format": "x"})
    monkeypatch.chdir(tmp_path)
    text = complaint(*arguments)
    assert [words for words in said if words not in text] == []


def test_a_seat_that_has_not_moved_had_no_choice(tmp_path):
    path = written(tmp_path, engine.load("daytime_minutes", players=3).new(seed=1).record())
    assert "seat 2 had no choice" in complaint(path, "--all", "--seat", 2)


def test_a_mistake_is_one_line_on_stderr(tmp_path):
    path = written(tmp_path, recorded("daytime_minutes", players=3))
    ended = timetricks("analyse", path, "--ply", 9999, folder=tmp_path)
    assert (ended.returncode, ended.stdout) == (2, "")
    (line,) = ended.stderr.splitlines()
    assert line.startswith("error: --ply 9999: expected 0 to ")
