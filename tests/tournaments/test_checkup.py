"""`timetricks check-bot`: good bots in three languages pass, and what is wrong with the others is said."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest

import engine
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


def test_the_documented_messages_are_those_that_are_sent():
    """Every key that bots/PROTOCOL.md shows in its transcript arrives, and the answers there are understood."""
    text = (EXAMPLES.parent / "PROTOCOL.md").read_text(encoding="utf-8")
    sent = re.findall(r'^> \{"type":"(\w+)"', text, re.MULTILINE)
    answered = re.findall(r'^< \{"type":"(\w+)"', text, re.MULTILINE)
    assert (sent, answered) == (["hello", "new_game", "act"], ["hello", "ready", "action"])


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
