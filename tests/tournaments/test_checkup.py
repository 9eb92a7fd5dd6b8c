"""`timetricks check-bot`: good bots in three languages pass, and what is wrong with the others is said."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

import engine
from bots.process_bot import Limits, ProcessBot
from tests.tournaments.experiments import read_json, timetricks
from tournaments.checkup import check, entry_of

EXAMPLES = Path(__file__).parents[2] / "bots" / "examples"
PROGRAMS = {
    "Python": [sys.executable, "-I", "-S", str(EXAMPLES / "random_bot.py")],
    "JavaScript": ["node", str(EXAMPLES / "random_bot.js")],
}
SCRIPTED = "tests.tournaments.scripted_bots"


@pytest.mark.parametrize("language", PROGRAMS)
def test_the_examples_play_every_game_without_a_fault(language):
    if shutil.which(PROGRAMS[language][0]) is None:
        pytest.skip(f"no {PROGRAMS[language][0]} here")
    found = list(check(entry_of(None, PROGRAMS[language], [], None), engine.names(), blocks=1))
    assert {finding.game.partition("/")[0] for finding in found} == set(engine.names())
    assert all(finding.is_clean for finding in found), found
    assert all(finding.games == int(finding.game.partition("/")[2]) for finding in found)


def test_the_documented_messages_are_those_that_are_sent(monkeypatch):
    """The transcript in bots/PROTOCOL.md, its gaps closed, has the keys of the real messages."""
    text = (EXAMPLES.parent / "PROTOCOL.md").read_text(encoding="utf-8")
    told = {side: [json.loads(line.replace(",…", "")) for line in re.findall(rf"^{side} (.+)$", text, re.MULTILINE)]
            for side in "<>"}  # fmt: skip
    assert [message["type"] for message in told["<"]] == ["hello", "ready", "action"]
    sent = []
    send = ProcessBot._send
    monkeypatch.setattr(ProcessBot, "_send", lambda bot, message: (sent.append(message), send(bot, message)))
    play_a_game(ProcessBot("mine", PROGRAMS["Python"], Limits(milliseconds=60000), {"depth": 3}))
    assert [message["type"] for message in sent[:3]] == [message["type"] for message in told[">"]]
    assert [set(message) for message in sent[:3]] == [set(message) for message in told[">"]]
    assert told[">"][2]["facts"].keys() <= sent[2]["facts"].keys()
    assert told["<"][2]["action"] in told[">"][2]["legal_actions"]
    assert set(sent[-2]) == {"type", "scores", "ranks", "returns"}
    assert sent[-1] == {"type": "quit"}


def play_a_game(bot):
    game = engine.load("trick_or_repeat", players=2)
    bot.new_game(game, 0, np.random.default_rng(1))
    bot.act(game.new(seed=1).information_set())
    bot.end_game({"scores": [1, 0], "ranks": [1, 2], "returns": [1.0, 0.0]})
    bot.close()


@pytest.mark.parametrize(
    ("bot", "reason"),
    [("Raises", "exception"), ("PlaysIllegalCard", "illegal action"), ("Exits", "exception")],
)
def test_a_bad_bot_is_found_out(bot, reason):
    finding = next(check(entry_of(f"{SCRIPTED}:{bot}", [], [], None), ["daytime_minutes"], blocks=1))
    assert set(finding.faults) == {reason}
    assert finding.messages[0].startswith(reason)
    assert not finding.is_clean


def test_a_bot_with_chance_of_its_own_is_not_repeatable():
    found = list(check(entry_of(f"{SCRIPTED}:TakesChanceFromElsewhere", [], [], None), ["trick_or_repeat"], blocks=1))
    assert not any(finding.repeatable for finding in found)
    assert not any(finding.faults for finding in found)


def test_the_command_passes_on_options_and_limits(tmp_path):
    answer = timetricks("check-bot", "ismcts", "--option", "iterations=5", "--game", "day_and_night", "--blocks", 1,
                        "--milliseconds", 50000, "--json", folder=tmp_path)  # fmt: skip
    assert answer.returncode == 0, answer.stderr
    assert [row["game"] for row in read_json(answer.stdout)["rows"]] == [f"day_and_night/{n}" for n in (3, 4, 5)]
    assert all(row["clean"] and row["ms_per_move"] > 0 for row in read_json(answer.stdout)["rows"])


def test_a_bot_to_complain_about_exits_with_1(tmp_path):
    answer = timetricks("check-bot", f"{SCRIPTED}:Raises", "--game", "daytime_minutes", "--blocks", 1,
                        folder=Path(__file__).parents[2])  # fmt: skip
    assert answer.returncode == 1
    assert "exception: RuntimeError: out of ideas" in answer.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "expected either a bot"),
        (("random", "--command", "x"), "expected either a bot"),
        (("randum",), "did you mean 'random'"),
        (("ismcts", "--option", "iterations=x"), "KEY=VALUE as in TOML"),
        (("ismcts", "--option", "iteration=5"), "did you mean 'iterations'"),
        (("--command", "no-such-program"), "no-such-program: No such file"),
        (("random", "--game", "chess"), "unknown game"),
    ],
)
def test_a_wrong_argument_is_named(tmp_path, arguments, complaint):
    answer = timetricks("check-bot", *arguments, folder=tmp_path)
    assert answer.returncode == 2
    assert complaint in answer.stderr
    assert "Traceback" not in answer.stderr
