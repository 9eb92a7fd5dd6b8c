"""A person's game against bots: over a pipe, at a terminal, and what is left of it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pexpect
import pytest
from typer.testing import CliRunner

import engine
from tests.tournaments.experiments import RANDOM, command, scripted, timetricks, write_config
from tournaments.cli import app
from tournaments.play.sitting import chosen

FIRST = "tests.tournaments.scripted_bots:First"
TINY = ["trick_or_repeat", "--players", 2]
TINY += [f"--option={option}" for option in ("suits=2", "ranks=4", "hand_size=2", "rounds=1")]
GAMES = [("daytime_minutes", 3), *((name, 4) for name in engine.names())]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The present folder: games are saved there."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def play(*arguments: object, answers: Sequence[object] = (), code: int = 0):
    """What `timetricks play` says to these answers, and then to the end of the input."""
    text = "".join(f"{answer}\n" for answer in answers)
    result = CliRunner().invoke(app, ["play", *map(str, arguments)], input=text)
    assert result.exit_code == code, result.output
    return result


def saved(path: str = "played.jsonl") -> list[dict]:
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


def mine(record: dict, person: int = 0) -> list[str]:
    """What the person played."""
    state = engine.load(record["game"], players=record["players"], **record["options"]).new(decks=record["decks"])
    own = []
    for action in record["actions"]:
        own += [action] if state.seat == person else []
        state = state.apply(action)
    return own


# --- A game ---------------------------------------------------------------------------------------


def test_a_tiny_game_worked_by_hand():
    """Seed 3 deals A2 B1 to seat 0, B2 B4 to seat 1, A3 and A1 on top of it to the Rabbit: trump is A twice.

    Seat 0 lays A2 and passes B1, seat 1 lays B2 and passes B4, the cards passed are the second tricks. A2 takes the
    first, led with B2; seat 0 leads B4 to the second, which B1 does not beat. So seat 1 wins nothing, as was bid.
    """
    result = play(*TINY, "--bots", FIRST, "--seed", 3, answers=["A2", "bid0"])
    lines = result.stdout.splitlines()
    assert [line for line in lines if line.startswith("  ") and "seat" in line] == [
        "  trick 1, the Rabbit shows A: seat 0 (you) A2, seat 1 B2; seat 0 (you) wins",
        "  trick 2, the Rabbit shows A: seat 0 (you) B4, seat 1 B1; seat 0 (you) wins",
        "  seat 0 (you) won 2 and bid 0 for seat 1, which won 0: +4, 4 points",
        "  seat 1 won 0 and bid 0 for seat 0 (you), which won 2: +0, 0 points",
    ]
    assert ["1)", "A2", "2)", "B1"] in [line.split() for line in lines]
    assert ["1)", "bid0", "2)", "bid1", "3)", "bid2"] in [line.split() for line in lines]
    assert "seat 0 (you) A2 bid0, seat 1 B2 bid0" in lines
    (record,) = saved()
    assert record["bots"] == ["person", FIRST]
    assert (record["actions"], record["scores"]) == (["A2", "B2", "bid0", "bid0"], [4, 0])
    assert "timetricks show played.jsonl --line 1" in result.stderr
    assert result.stdout.rstrip().splitlines()[-1].split() == ["1", FIRST, "0", "2"]


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_a_game_is_played_to_its_end_and_shows_nothing_that_the_person_may_not_know(name, players):
    """Up to every decision, the cards on the screen are those of the information set, and those played in sight."""
    result = play(name, "--players", players, "--seat", 1, "--bots", "random", "--seed", 2, answers=[1] * 5000)
    (record,) = saved()
    game = engine.load(name, players=players)
    screens = re.split(r"^> .*$", result.stdout, flags=re.MULTILINE)
    state, known, checked = game.new(decks=record["decks"]), set(), 0
    for action in record["actions"]:
        info = state.information_set(1)
        in_sight = [game.actions[action] for _, action in info.history if action is not None]
        known |= cards_in(json.dumps([info.facts(), in_sight]), game)
        if state.seat == 1:
            assert cards_in(screens[checked], game) <= known
            checked += 1
        state = state.apply(action)
    assert state.is_terminal
    assert "the game is over" in screens[-1]
    assert checked == len(screens) - 1 > 5


def cards_in(text: str, game: engine.Game) -> set[str]:
    return {card for card in set(game.deck) if re.search(rf"(?<!\w){re.escape(card)}(?![\w+])", text)}


def test_what_was_hidden_is_told_once_it_is_known():
    """Day & Night shows all cards at once; a seat before the person's has chosen by then, and it is not said what."""
    result = play("day_and_night", "--players", 3, "--seat", 2, "--bots", FIRST, "--seed", 5, answers=[1, 1])
    before, after = re.split(r"^> .*$", result.stdout, maxsplit=1, flags=re.MULTILINE)
    first = saved()[0]["actions"][:3]
    assert "seat 0 " + first[0] not in before
    assert f"seat 0 {first[0]}, seat 1 {first[1]}, seat 2 (you) {first[2]}" in after


def test_a_single_action_is_played_by_an_empty_line():
    arguments = ["tricky_time_crisis", "--option", "rounds=1", "--bots", "random", "--seed", 1]
    prompts = play(*arguments, answers=[1] * 100).stdout.split("\n> ")[:-1]
    answers = ["" if "(Enter plays it)" in prompt else 1 for prompt in prompts]
    assert 0 < answers.count("") < len(answers)
    play(*arguments, answers=answers)
    first, second = saved()
    assert first == second


def test_a_game_of_ones_own_is_shown_in_its_own_words():
    result = play("tests.engine.high_card", "--bots", "random", "--seed", 1, answers=[1] * 100)
    assert "the game is over" in result.stdout
    state = engine.load("tests.engine.high_card").new(seed=1)
    assert state.game.rules.text(state.information_set(0).facts()).splitlines()[0] in result.stdout


# --- Choosing -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        *[("1", "F1"), ("4", "take:B1"), ("F1", "F1"), ("f12", "F12"), ("take:b1", "take:B1"), ("B1", "take:B1")],
        *[("take:B1", "take:B1"), ("d", "D+2"), ("PAS", "pass"), ("take:B10", "take:B10"), ("b10", "take:B10")],
    ],
)
def test_an_action_is_meant_by_number_name_or_beginning(text, meant):
    assert chosen(text, ["F1", "F12", "D+2", "take:B1", "take:B10", "pass"]) == meant


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0", "expected a number from 1 to 4"),
        ("5", "expected a number from 1 to 4"),
        ("9" * 5000, "expected a number from 1 to 4"),
        ("F", "may be F1 or F12"),
        ("take", "may be take:B1 or take:B10"),
        ("F2", "'F2' cannot be played now"),
        ("-1", "'-1' cannot be played now"),
        ("²", "'²' cannot be played now"),
        ("", "expected the number or the name"),
        ("x" * 5000, "cannot be played now"),
    ],
)
def test_what_is_no_action_is_explained(text, said):
    with pytest.raises(ValueError, match=re.escape(said)) as error:
        chosen(text, ["F1", "F12", "take:B1", "take:B10"])
    assert len(str(error.value)) < 200


def test_bad_answers_lose_nothing():
    play("daytime_minutes", "--bots", "rules", "--seed", 4, answers=[1, 1, 1])
    nonsense = ["", "99", "0", "plan999", "A", "\x1b[A", "\0", "é" * 300, "undoo"]
    result = play("daytime_minutes", "--bots", "rules", "--seed", 4, answers=[*nonsense, 1, *nonsense, 1, 1])
    first, second = saved()
    assert first == second
    assert "\x1b" not in result.stdout
    assert result.stdout.count("expected") >= 2 * len(nonsense)


# --- Commands -------------------------------------------------------------------------------------


def test_help_tells_the_rules_in_brief():
    result = play("trick_or_repeat", "--bots", "random", answers=["?"])
    assert "A trick is a point, a right bid two." in " ".join(result.stdout.split())
    assert all(re.search(rf"^  {word}\b", result.stdout, re.MULTILINE) for word in ("advice", "undo", "story", "quit"))


def test_advice_is_what_the_adviser_would_play():
    result = play(*TINY, "--bots", FIRST, "--adviser", FIRST, "--seed", 3, answers=["advice"])
    assert f"{FIRST} would play A2" in result.stdout
    assert "gives no reasons" in result.stdout


@pytest.mark.slow
def test_advice_of_a_search_shows_visits_and_values():
    result = play(*TINY, "--bots", FIRST, "--adviser", "flat", "--seed", 3, answers=["advice"])
    rows = {line.split()[0]: line.split() for line in result.stdout.splitlines() if re.match(r" (A2|B1) ", line)}
    assert rows.keys() == {"A2", "B1"}
    visits = [int(re.search(r" (\d[\d,]*) ", " ".join(row))[1].replace(",", "")) for row in rows.values()]
    assert sum(visits) == int(re.search(r"([\d,]+) iterations", result.stdout)[1].replace(",", ""))


def test_an_adviser_that_fails_costs_nothing():
    failing = "tests.tournaments.scripted_bots:Raises"
    result = play(*TINY, "--bots", FIRST, "--adviser", failing, "--seed", 3, answers=["advice", "A2", "bid0"])
    assert "no advice: the bot failed at ply 0, RuntimeError: out of ideas" in result.stdout
    assert saved()[0]["scores"] == [4, 0]


def test_the_story_is_told_as_far_as_it_is_known():
    result = play("daytime_minutes", "--bots", FIRST, "--seed", 4, answers=[1, "story"])
    news, again = re.findall(r"^seat 0 \(you\) .*\n(?:  .*\n)+", result.stdout, re.MULTILINE)
    assert news == again


# --- Undo -----------------------------------------------------------------------------------------


def write_bot(folder: Path) -> str:
    """A bot whose next move depends on its chance and on all that it was asked before."""
    (folder / "moody.py").write_text(
        "class Moody:\n"
        "    def new_game(self, game, seat, rng):\n"
        "        self.rng, self.mood = rng, 0\n"
        "    def act(self, info):\n"
        "        self.mood += int(self.rng.integers(100)) + sum(info.legal_actions)\n"
        "        return info.legal_actions[self.mood % len(info.legal_actions)]\n"
    )
    return "moody:Moody"


@pytest.mark.parametrize("bots", ["own", "random", "ismcts"])
def test_undo_gives_the_very_same_continuation(folder, bots):
    others = write_config(
        folder, {"name": "own", "bot": write_bot(folder)}, RANDOM, {"name": "ismcts", "bot": "ismcts", "iterations": 10}
    )
    arguments = ["daytime_minutes", "--players", 3, "--config", others, "--bots", bots, "--seed", 6]
    play(*arguments, answers=[2, 1, 1, 1, 1])
    play(*arguments, answers=[2, 1, 2, "undo", 1, 2, 2, "undo", "undo", 1, 1])
    straight, winding = saved()
    assert straight["actions"] == winding["actions"]
    assert len(straight["actions"]) > 12


def test_undo_without_a_decision_is_refused():
    result = play("daytime_minutes", "--bots", "random", "--seat", 2, answers=["undo", 1, "undo", "undo"])
    assert result.stdout.count("there is nothing to undo") == 2
    assert result.stdout.count("back to your last decision") == 1


def test_a_bot_that_failed_after_the_decision_is_back_after_undo(folder):
    bots = write_config(folder, scripted("Raises", at=1))
    result = play("daytime_minutes", "--config", bots, "--players", 3, "--seed", 1, answers=[1, 1, "undo", 1])
    assert result.stdout.count("seat 1 (bad) failed; chance plays its seat from now on (exception: RuntimeError:") == 2
    assert saved()[0]["faults"][0]["action_number"] == 4


# --- Bots -----------------------------------------------------------------------------------------


def test_a_bot_that_fails_is_reported_and_replaced():
    bot = "tests.tournaments.scripted_bots:PlaysIllegalCard"
    result = play(*TINY, "--bots", bot, "--seed", 3, answers=["A2", "bid0"])
    assert f"seat 1 ({bot}) failed; chance plays its seat from now on (illegal action: " in result.stdout
    (record,) = saved()
    assert [(fault["seat"], fault["reason"]) for fault in record["faults"]] == [(1, "illegal action")]
    assert record["counted_ranks"] == [1, 2]
    assert engine.replay(record).is_terminal


def test_a_bot_that_takes_its_time_is_said_to_be_thinking(folder):
    bots = write_config(folder, scripted("Sleeps", name="slow", seconds=1.5))
    result = play("daytime_minutes", "--players", 3, "--config", bots, "--seat", 1, "--seed", 1)
    assert "seat 0 (slow) is thinking …" in result.stderr
    assert "thinking" not in result.stdout


def test_bots_of_a_config_take_the_seats_in_turn(folder):
    bots = write_config(folder, RANDOM, scripted("First", name="first"))
    play("daytime_minutes", "--config", bots, "--seat", 2, answers=[1])
    play("daytime_minutes", "--config", bots, "--bots", "first", answers=[1])
    assert [record["bots"] for record in saved()] == [
        ["first", "random", "person", "random"],
        ["person", "first", "first", "first"],
    ]


MISTAKES = {
    "unknown game": (["daytime_minute"], "did you mean 'daytime_minutes'?"),
    "players": (["daytime_minutes", "--players", 9], "players = 9"),
    "seat": (["daytime_minutes", "--seat", 4], "--seat 4: expected 0 to 3"),
    "option": (["trick_or_repeat", "--option", "hand=3"], "unknown option 'hand'"),
    "option without a value": (["trick_or_repeat", "--option", "rounds"], "--option rounds: expected KEY=VALUE"),
    "word for a number": (["trick_or_repeat", "--option", "rounds=two"], "option rounds = 'two'"),
    "unknown bot": (["daytime_minutes", "--bots", "rule"], "did you mean 'rules'?"),
    "no bot": (["daytime_minutes", "--bots", "rules,"], "expected names with commas"),
    "too many bots": (["daytime_minutes", "--bots", "rules,rules,rules,random"], "expected at most 3"),
    "cheater": (["daytime_minutes", "--bots", "rules,cheater"], "'cheater' sees all hands"),
    "adviser that cheats": (["daytime_minutes", "--adviser", "cheater"], "'cheater' sees all hands"),
    "unknown adviser": (["daytime_minutes", "--adviser", "wise"], "unknown bot 'wise'"),
    "bot that cannot be made": (["daytime_minutes", "--bots", "tests.nothing:Bot"], "tests.nothing:Bot"),
    "time without a search": (["daytime_minutes", "--milliseconds", -1], "milliseconds = -1"),
    "file that is none of records": (["daytime_minutes", "--save", "notes.txt"], "expected a file of game records"),
    "folder that is not there": (["daytime_minutes", "--save", "no/where"], "no/where"),
    "folder as a file": (["daytime_minutes", "--save", "."], "Is a directory"),
    "no config": (["daytime_minutes", "--config", "missing.toml"], "missing.toml"),
    "bot that the config lacks": (["daytime_minutes", "--config", "bots.toml", "--bots", "x"], "unknown bot 'x'"),
    "time for a config": (["daytime_minutes", "--config", "bots.toml", "--milliseconds", 5], "without --config"),
}


@pytest.mark.parametrize(("arguments", "said"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_one_line_and_exit_code_2(folder, arguments, said):
    (folder / "notes.txt").write_text("not a record\n")
    write_config(folder, RANDOM).rename(folder / "bots.toml")
    result = play(*arguments, code=2)
    (line,) = result.stderr.splitlines()
    assert line.startswith("error: ")
    assert said in line
    assert sorted(path.name for path in folder.iterdir()) == ["bots.toml", "notes.txt"]
    assert (folder / "notes.txt").read_text() == "not a record\n"


def test_a_cheater_is_refused_whatever_the_config_allows(folder):
    bots = write_config(folder, RANDOM, {"name": "seer", "bot": "cheater"}, allow_cheating=True)
    assert "'seer' sees all hands" in play("daytime_minutes", "--config", bots, code=2).stderr
    play("daytime_minutes", "--config", bots, "--bots", "random", answers=[1])


# --- What is saved --------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", [["quit"], ["QUIT"], ["exit"], []])
def test_a_game_that_was_left_is_saved_as_far_as_it_went(ending):
    result = play("daytime_minutes", "--bots", "random", "--seed", 1, answers=[1, 1, *ending])
    (record,) = saved()
    assert len(mine(record)) == 2
    assert not engine.replay(record).is_terminal
    assert "saved in played.jsonl" in result.stderr
    assert "Traceback" not in result.output


def test_a_game_in_which_nothing_was_played_leaves_no_file(folder):
    play("daytime_minutes", "--bots", "random")
    assert list(folder.iterdir()) == []


def test_games_are_added_line_by_line_and_verify(folder):
    path = folder / "my games.jsonl"
    play(*TINY, "--bots", FIRST, "--seed", 3, "--save", path, answers=["A2", "bid0"])
    path.write_bytes(path.read_bytes().rstrip(b"\n"))  # as a stopped program may leave it
    result = play(*TINY, "--bots", FIRST, "--seed", 3, "--save", path, answers=["B1"])
    assert f"timetricks show '{path}' --line 2" in result.stderr
    verified = timetricks("verify", path, folder=folder)
    assert (verified.returncode, verified.stdout) == (0, "2 games, 0 of them wrong, 1 unfinished\n")
    shown = timetricks("show", path, "--line", 1, folder=folder).stdout
    assert "seat 0 (person): score 4, rank 1" in shown


def test_a_record_that_cannot_be_written_is_printed(folder, monkeypatch):
    from tournaments.play.played_games import PlayedGames

    def full(*_):
        raise OSError(28, "No space left on device", "played.jsonl")

    monkeypatch.setattr(PlayedGames, "add", full)
    result = play(*TINY, "--bots", FIRST, "--seed", 3, answers=["A2", "bid0"], code=2)
    assert json.loads(result.stdout.splitlines()[-1])["scores"] == [4, 0]
    assert "played.jsonl: No space left on device" in result.stderr


# --- Pipes and terminals --------------------------------------------------------------------------


def test_over_a_pipe_every_prompt_is_there_before_the_answer(folder):
    arguments = command("play", *TINY, "--bots", FIRST, "--seed", 3)
    with subprocess.Popen(
        arguments, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as game:
        for answer in (b"A2\n", b"bid0\n"):
            read = b""
            while not read.endswith(b"\n> "):
                byte = game.stdout.read(1)
                assert byte, read
                read += byte
            assert b"\x1b" not in read
            game.stdin.write(answer)
            game.stdin.flush()
        assert b"the game is over" in game.stdout.read()
    assert game.returncode == 0
    assert saved()[0]["scores"] == [4, 0]


def terminal(*arguments: object, folder: Path, columns: int = 100) -> pexpect.spawn:
    first, *rest = command("play", *arguments)
    # LINES and COLUMNS, which pytest's workers inherit, would count for more than the size of the terminal.
    sized = {name: value for name, value in os.environ.items() if name not in ("LINES", "COLUMNS")}
    environment = sized | {"TERM": "xterm-256color"}
    return pexpect.spawn(first, rest, cwd=str(folder), env=environment, dimensions=(40, columns), encoding="utf-8")


def test_at_a_terminal_cards_have_colours(folder):
    game = terminal(*TINY, "--bots", FIRST, "--seed", 3, folder=folder)
    game.expect(r"\n> ", timeout=100)
    assert "\x1b[38;5;208mA2\x1b[0m" in game.before  # orange, as suit A is
    game.sendline("a2")
    game.expect(r"\n> ")
    game.sendline("bid0")
    game.expect("the game is over")
    game.expect(pexpect.EOF)
    game.close()
    assert game.exitstatus == 0
    assert saved()[0]["scores"] == [4, 0]


@pytest.mark.parametrize("columns", [40, 80])
def test_at_a_narrow_terminal_no_line_is_longer_than_it(folder, columns):
    game = terminal("daytime_minutes", "--bots", FIRST, "--seed", 3, folder=folder, columns=columns)
    game.expect("for help")
    game.expect(r"\n> ", timeout=100)
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", game.before)  # colours, and a clock if a bot takes its time
    assert max(map(len, plain.splitlines())) <= columns
    game.sendeof()
    game.expect(pexpect.EOF)
    game.close()
    assert game.exitstatus == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_saves_the_game(folder, number):
    game = terminal("daytime_minutes", "--bots", FIRST, "--seed", 3, folder=folder)
    game.expect(r"\n> ", timeout=100)
    game.sendline("1")
    game.expect(r"\n> ")
    game.kill(number)
    game.expect(pexpect.EOF)
    game.close()
    assert game.exitstatus == 128 + number
    assert len(mine(saved()[0])) == 1
