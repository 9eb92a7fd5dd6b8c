"""A bot that sees all hands: it is handed the true state where a config allows it, and marked wherever it is shown."""

from __future__ import annotations

import json
import re
from typing import Any, ClassVar

import pytest
from pydantic import Field
from typer.testing import CliRunner

import bots.bot
import engine
from bots.bot import configurable
from tests.tournaments.experiments import RANDOM, content, experiment, play, read_json, scripted, toml
from tournaments import tuning
from tournaments.checkup import entry_of
from tournaments.cli import app
from tournaments.config import ConfigError, check, of_bots
from tournaments.duel import Duel, between
from tournaments.results import collect
from tournaments.standings import standings
from tournaments.tables import print_duel, print_standings

SEES_ALL = {"name": "seer", "bot": "seer"}
PEER = "tests.tournaments.test_cheating:Seer"  # the same class, as a bot of a user's own
MARKED = "seer (sees all hands)"
RATED = ["daytime_minutes/3", "block", 0, ["seer", "random", "random"], [3, 2, 1], [1, 2, 3], [], [1] * 3, [0.0] * 3]

seen: list[Any] = []


@configurable
class Seer:
    """Plays the first legal action, and remembers what it was given."""

    cheats: ClassVar[bool] = True
    depth: float = Field(1.0, ge=0, description="for the tuner")

    def new_game(self, game, seat, rng):
        pass

    def act(self, sight):
        seen.append(sight)
        return sight.legal_actions[0]


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    monkeypatch.setitem(bots.bot._BUILT_IN, "seer", PEER)
    seen.clear()


def refused(content: dict[str, Any]) -> str:
    with pytest.raises(ConfigError) as error:
        check(content, "file.toml")
    return str(error.value)


# --- What it is handed ----------------------------------------------------------------------------


def test_it_is_handed_the_state_before_each_of_its_moves():
    (block,) = play(experiment(SEES_ALL, RANDOM, {"name": "other", "bot": "random"}))
    states = iter(seen[1:])  # the first was for warming up
    for result in block:
        assert result.faults == []
        state = engine.load("daytime_minutes", players=3).new(decks=result.record["decks"])
        for action in result.record["actions"]:
            if result.record["bots"][state.seat] == "seer":
                sight = next(states)
                assert type(sight) is engine.State
                assert sight.record()["actions"] == state.record()["actions"]
                assert sight.facts() == state.facts()
                assert "?" not in json.dumps(sight.facts()["hands"])
            state = state.apply(action)
    assert next(states, None) is None


def test_the_others_at_its_table_are_handed_information_sets(monkeypatch):
    """The same class without the declaration."""
    monkeypatch.setattr(Seer, "cheats", False)
    play(experiment({"name": "peer", "bot": "seer"}, RANDOM))
    assert {type(sight) for sight in seen} == {engine.InformationSet}


def test_a_bot_of_a_users_own_never_sees_a_state_whatever_it_declares(tmp_path):
    """It plays in a process of its own: `scripted_bots.DeclaresThatItCheats` notes the type of what it is given."""
    path = tmp_path / "notes"
    entry = scripted("DeclaresThatItCheats", path=str(path))
    config = check(content(entry, RANDOM), "file.toml")  # needs no permission
    assert not config.bot("bad").cheats
    assert [result.faults for block in play(config) for result in block] == [[]] * 6  # two tables, three rotations
    assert set(path.read_text(encoding="utf-8").split()) == {"InformationSet"}


# --- Where it may play ----------------------------------------------------------------------------


def test_a_tournament_that_does_not_allow_it_is_refused():
    said = refused(content(RANDOM, SEES_ALL | {"name": "best"}))
    assert said.startswith("file.toml: allow_cheating = false: 'best' (bot = 'seer') sees all hands; expected ")
    assert "allow_cheating = true" in said
    assert check(content(RANDOM, SEES_ALL, allow_cheating=True), "file.toml").bot("seer").cheats


@pytest.mark.parametrize("game", engine.names())
def test_the_cheater_of_the_house_plays_where_it_is_allowed(game):
    entry = {"name": "best", "bot": "cheater", "iterations": 10}
    keys = {"games": [{"game": game, "players": 3}], "allow_cheating": True}
    config = check(content(entry, RANDOM, **keys), "file.toml")
    assert config.bot("best").cheats
    assert [result.faults for block in play(config) for result in block] == [[]] * 6


def test_it_cannot_play_apart():
    said = refused(content(RANDOM, SEES_ALL | {"limits": {"milliseconds": 50.0}}, allow_cheating=True))
    assert said.startswith("file.toml: bots[1]: limits: expected none with bot = 'seer'")


def test_results_do_not_depend_on_the_permission():
    """So that a run of players alone can go on with a cheater."""
    assert check(content(RANDOM), "").contradictions(check(content(RANDOM, SEES_ALL, allow_cheating=True), "")) == []


def test_a_comparison_needs_a_word_of_the_user():
    with pytest.raises(ConfigError, match=r"command line: allow_cheating = false: 'seer'.*--allow-cheating"):
        of_bots(["seer", "random"], ["daytime_minutes"])
    assert of_bots(["seer", "random"], ["daytime_minutes"], allow_cheating=True).bot("seer").cheats


def compared(folder, *arguments):
    file = folder / "experiment.toml"
    file.write_text(toml(content(SEES_ALL, RANDOM, players=4)) + "[compare]\nelo1 = 150.0\nmax_blocks = 10\n")
    where = ["--out", str(folder / "results"), "--workers", "0", "--config", str(file)]
    return CliRunner().invoke(app, ["compare", "seer", "random", *where, *arguments])


def test_the_command_compares_it_with_the_option_alone(tmp_path):
    without = compared(tmp_path)
    assert without.exit_code == 2
    assert f"{tmp_path / 'experiment.toml'}: allow_cheating = false: 'seer'" in without.stderr
    answer = compared(tmp_path, "--allow-cheating", "--json")
    assert answer.exit_code == 0, answer.stderr
    assert read_json(answer.stdout)["cheats"] == ["seer"]
    assert MARKED in compared(tmp_path, "--allow-cheating").stdout


def test_check_bot_is_for_players():
    with pytest.raises(ValueError, match="'seer' sees all hands; expected a player"):
        entry_of("seer", [], [], None)


@pytest.mark.parametrize("place", ["bot", "opponent"])
def test_tuning_that_does_not_allow_it_is_refused(tmp_path, place):
    bot, opponent = ("seer", "random") if place == "bot" else ("ismcts", "seer")
    parameter = "depth" if place == "bot" else "exploration"
    lines = ['name = "x"', '[game]\ngame = "daytime_minutes"', f'[bot]\nbot = "{bot}"',
             f"[parameters.{parameter}]\nlow = 0.0", f'[[opponents]]\nbot = "{opponent}"']  # fmt: skip
    file = tmp_path / "tune.toml"
    file.write_text("\n".join(lines))
    with pytest.raises(ConfigError, match=re.escape(f"{file}: allow_cheating = false: 'bot' (bot = 'seer') sees all")):
        tuning.read(file)
    file.write_text("\n".join(["allow_cheating = true", *lines]))
    assert tuning.read(file).allow_cheating


# --- Where it is shown ----------------------------------------------------------------------------


def test_every_table_marks_it(capsys):
    config = experiment(SEES_ALL, RANDOM)
    rows = [tuple(json.dumps(x, separators=(",", ":")) if isinstance(x, list) else x for x in RATED)]
    table = standings(config, collect(rows, config.bot_names))
    told = table.as_json()
    for line in (*told["overall"], *told["games"]["daytime_minutes/3"]):
        assert line["cheats"] == (line["bot"] == "seer")
    print_standings(table, matrix=True)
    text = capsys.readouterr().out
    assert text.count(MARKED) == 2  # in the ratings and in the matrix
    assert text.count("sees all hands") == 2


def test_a_verdict_marks_it(capsys):
    compare = {"elo0": 0.0, "elo1": 150.0}
    config = between(experiment(RANDOM, SEES_ALL, players=4, compare=compare), "random", "seer")
    duel = Duel(config, "random", "seer")
    for number in range(100):
        duel.sprt.add(number % 2 / 2)
    print_duel(duel)
    assert f"random is not better than {MARKED}, after " in capsys.readouterr().out
    assert duel.as_json()["cheats"] == ["seer"]


def test_the_list_of_bots_marks_it():
    assert MARKED in CliRunner().invoke(app, ["bots"]).stdout
    told = read_json(CliRunner().invoke(app, ["bots", "--json"]).stdout)
    assert {row["bot"]: row["cheats"] for row in told if row["bot"] in ("seer", "random")} == {
        "seer": True,
        "random": False,
    }
