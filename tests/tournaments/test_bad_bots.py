"""Every misdeed of a bot costs that bot alone: a reason in the log, the last place, and not a process left."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import engine
from tests.tournaments import command_bot
from tests.tournaments.experiments import (
    RANDOM,
    SEARCH,
    command,
    content,
    experiment,
    play,
    read_json,
    scripted,
    stored_games,
    timetricks,
    toml,
)
from tests.tournaments.processes import nothing_left_running, running, wait_until
from tests.tournaments.scripted_bots import notes
from tournaments.config import ConfigError, check
from tournaments.match import play_block
from tournaments.players import Players
from tournaments.schedule import Schedule

PATIENT = {"hard_milliseconds": 60_000}
STRICT = {"hard_milliseconds": 500}
AT = 2  # decisions that are as they should be

MISDEEDS = {
    # kind: (entry of the bot, reason, a part of the message)
    "raises": (scripted("Raises", at=AT), "exception", "RuntimeError: out of ideas"),
    "answers nonsense": (scripted("Answers", answer="'xyz'", at=AT), "illegal action", "xyz"),
    "plays illegally": (scripted("PlaysIllegalCard", at=AT), "illegal action", "is not legal"),
    "is late": (
        scripted("Sleeps", seconds=0.6, at=AT, limits={"milliseconds": 500}),
        "too slow",
        "after more than 500 milliseconds",
    ),
    "sleeps": (scripted("Sleeps", seconds=1000, at=AT, limits=STRICT), "no answer", "within 0.5 seconds"),
    "counts for ever in C": (scripted("CountsForEver", at=AT, limits=STRICT), "no answer", "within 0.5 seconds"),
    "holds the interpreter": (scripted("HoldsTheInterpreter", at=AT, limits=STRICT), "no answer", "within 0.5"),
    "eats memory": (scripted("EatsMemory", at=AT, limits={"memory_megabytes": 600}), "memory", "MemoryError"),
    "eats memory at once": (scripted("EatsMemoryAtOnce", at=AT), "memory", "MemoryError"),
    "aborts for want of memory": (
        scripted("AbortsForWantOfMemory", at=AT, limits={"memory_megabytes": 600}),
        "memory",
        "600 megabytes",
    ),
    "eats memory and goes on": (
        scripted("EatsMemoryAndGoesOn", at=AT, limits=STRICT | {"memory_megabytes": 600}),
        "no answer",
        "within 0.5 seconds",
    ),
    "prints without end": (scripted("PrintsWithoutEnd", stream="stdout", at=AT), "output", "bytes printed"),
    "complains without end": (scripted("PrintsWithoutEnd", stream="stderr", at=AT), "output", "bytes printed"),
    "exits": (scripted("EndsItsProcess", at=AT), "exit", "exit code 3"),
    "is killed": (scripted("KillsItself", signal=9, at=AT), "exit", "signal 9 (SIGKILL)"),
    "is interrupted": (scripted("KillsItself", signal=2, at=AT), "exit", "signal 2 (SIGINT)"),
    "reads where nothing is": (scripted("ReadsWhereNothingIs", at=AT), "exit", "signal 11 (SIGSEGV)"),
    "is stopped": (scripted("KillsItself", signal=19, at=AT, limits=STRICT), "no answer", "within 0.5 seconds"),
    "closes its streams": (scripted("ClosesItsStreams", at=AT), "exit", "the process ended"),
}


def commanded(kind: str, **limits: float) -> dict:
    """The entry of `command_bot`, run by a Python that finds no package of ours."""
    return {"name": "bad", "command": [sys.executable, "-I", "-S", command_bot.__file__, kind], "limits": limits}


BREACHES = {
    # kind: (limits, reason, a part of the message)
    "act nonsense": ({}, "protocol", "'no JSON': expected a JSON object of type 'action'"),
    "act empty line": ({}, "protocol", "expected a JSON object"),
    "act half an object": ({}, "protocol", "expected a JSON object"),
    "act list": ({}, "protocol", "'[1, 2]'"),
    "act number": ({}, "protocol", "'5'"),
    "act bytes that are no UTF-8": ({}, "protocol", "expected a JSON object"),
    "act deep brackets": ({}, "protocol", "expected a JSON object"),
    "act number of many digits": ({}, "protocol", "expected a JSON object"),
    "act other type": ({}, "protocol", "of type 'action'"),
    "act type that is no text": ({}, "protocol", "of type 'action'"),
    "act no action": ({}, "protocol", "expected a key 'action'"),
    "act null": ({}, "illegal action", "None"),
    "act object": ({}, "illegal action", "F7"),
    "act not a number": ({}, "illegal action", "nan"),
    "act half a character": ({}, "illegal action", "ud800"),
    "act long text": ({}, "illegal action", "xxx"),
    "act error": ({}, "exception", "I give up"),
    "act error of half a character": ({}, "exception", ""),
    "act error without words": ({}, "exception", ""),
    "act two answers": ({}, "protocol", "expected nothing before the next message"),
    "act line without end": ({}, "protocol", "expected a line of at most"),
    "act closed stdout": ({}, "protocol", "closed its stdout"),
    "act stopped": (STRICT, "no answer", "within 0.5 seconds"),
    "act silence": (STRICT, "no answer", "within 0.5 seconds"),
    "act exit": ({}, "exit", "exit code 5"),
    "act quiet exit": ({}, "exit", "exit code 0"),
    "new_game other type": ({}, "protocol", "of type 'ready'"),
    "new_game silence": ({"start_seconds": 0.5}, "no answer", "no 'ready' within 0.5 seconds"),
    "hello nonsense": ({}, "protocol", "'Welcome to my bot!': expected a JSON object of type 'hello'"),
    "hello deep brackets": ({}, "protocol", "of type 'hello'"),
    "hello other protocol": ({}, "protocol", "expected 'timetricks-bot/1'"),
    "hello long protocol": ({}, "protocol", "expected 'timetricks-bot/1'"),
    "hello no protocol": ({}, "protocol", "protocol 'None'"),
    "hello other observation": ({}, "protocol", "observation 'state'"),
    "hello silence": ({"start_seconds": 0.5}, "no answer", "no 'hello' within 0.5 seconds"),
    "hello exit": ({}, "exit", "what a day"),
}
CASES = MISDEEDS | {kind: (commanded(kind, **limits), *said) for kind, (limits, *said) in BREACHES.items()}


@pytest.fixture(autouse=True)
def mark():
    with nothing_left_running() as mark:
        yield mark


@pytest.mark.parametrize(("entry", "reason", "message"), CASES.values(), ids=CASES)
def test_a_misdeed_is_named_and_costs_its_bot_alone(entry, reason, message):
    (block,) = play(experiment(entry, RANDOM, SEARCH))
    assert len(block) == 3
    for result in block:
        offender = result.record["bots"].index("bad")
        (fault,) = result.faults
        assert (fault.seat, fault.bot, fault.reason) == (offender, "bad", reason)
        assert message in fault.message
        assert len(fault.message) < 2000
        assert result.ranks[offender] == 3
        assert engine.replay(result.record).is_terminal
        assert len(json.dumps(result.stderr)) < 40_000


def test_the_memory_of_the_tournament_is_not_that_of_a_bot():
    """A process begins with the peak of the one that starts it, as far as the system tells."""
    held = b"x" * (300 << 20)
    (block,) = play(experiment(scripted("EndsItsProcess", at=AT, limits={"memory_megabytes": 300}), RANDOM, SEARCH))
    assert len(held) > 0
    assert [fault.reason for result in block for fault in result.faults] == ["exit"] * 3


@pytest.mark.parametrize("kind", ["act nonsense", "exits", "raises"])
def test_the_game_goes_on_by_chance_as_if_a_random_bot_had_taken_the_chair(kind):
    """The same offences at two times: the seat is played on by chance, and the other bots keep theirs."""
    once, again = (play(experiment(CASES[kind][0], RANDOM, SEARCH)) for _ in range(2))
    for first, second in zip(*once, *again, strict=False):
        assert first.record == second.record


def test_what_a_bot_wrote_is_kept_for_its_author():
    (block,) = play(experiment(scripted("Raises", at=AT), RANDOM, SEARCH))
    for result in block:
        offender = result.record["bots"].index("bad")
        assert "RuntimeError: out of ideas" in result.stderr[offender]
        assert "scripted_bots.py" in result.stderr[offender]  # a traceback
        assert [text for seat, text in enumerate(result.stderr) if seat != offender] == ["", ""]


def test_two_answers_of_a_fork_cost_the_bot_that_forked():
    (block,) = play(experiment(scripted("Forks", at=AT, limits=STRICT), RANDOM, SEARCH))
    faults = [fault for result in block for fault in result.faults]
    assert {fault.bot for fault in faults} == {"bad"}
    assert {fault.reason for fault in faults} <= {"protocol", "illegal action", "no answer"}  # as they happen to mix


def test_a_daemon_does_not_outlive_its_bot(tmp_path):
    """It has left the session and the parent of its bot, so that no signal to a group reaches it."""
    path = tmp_path / "daemons"
    config = experiment(scripted("LeavesADaemon", path=str(path)), RANDOM, SEARCH)
    with Players(config) as players:
        for block in Schedule(config):
            assert all(result.faults == [] for result in play_block(players, block))
        assert wait_until(lambda: path.exists() and len(list(notes(path))) == 3)
    numbers = [number for (number,) in notes(path)]
    assert wait_until(lambda: not any(Path(f"/proc/{number}").exists() for number in numbers), 10)


def test_a_spy_finds_what_its_seat_knows_and_nothing_else(tmp_path):
    """No state, no other information set, no other bot, no module that holds results, no file but its pipes."""
    path = tmp_path / "notes"
    spies = [scripted("Spies", name, path=str(path)) for name in ("bad", "worse")]
    (block,) = play(experiment(*spies, {"name": "apart", "bot": "random", "limits": {}}))
    assert [result.faults for result in block] == [[]] * 3
    noted = list(notes(path))
    moves = [dict(zip(result.record["bots"], result.decisions, strict=True)) for result in block]
    assert len(noted) == sum(game["bad"] + game["worse"] for game in moves)
    for seat, pickled, records, loaded, files, bots in noted:
        info = pickle.loads(pickled)
        assert (info.seat, records) == (seat, {info.records.tobytes()})
        assert loaded == []
        assert {*bots} == {"Host"}
        assert [file for file in files if not file.startswith("pipe:")] == []


def test_twins_share_no_process():
    """A bot that fills several seats is told in each what that seat knows: no seat may see another's."""
    entry = {"name": "bad", "bot": "random", "limits": {}}
    config = experiment(entry, RANDOM)
    with Players(config) as players:
        game = config.games[0].load()
        one, other = (players.bot("bad", twin, game) for twin in (0, 1))
        assert one is players.bot("bad", 0, game)
        assert one is not other


@pytest.mark.parametrize("kind", ["hello nonsense", "hello deep brackets", "hello exit", "hello other protocol"])
def test_a_config_with_a_bot_that_cannot_be_greeted_is_refused(kind):
    with pytest.raises(ConfigError) as error:
        check(content(RANDOM, commanded(kind)), "test")
    (line,) = str(error.value).splitlines()
    assert line.startswith("test: bots[1]: ")
    assert BREACHES[kind][2] in line


# --- A whole tournament ---------------------------------------------------------------------------

WITNESSES = [RANDOM, SEARCH, {"name": "rules", "bot": "rules"}]
WORST = [
    (0, ["act exit", "act line without end"]),
    pytest.param(2, ["exits", "counts for ever in C"], marks=pytest.mark.slow),
]


def run(folder: Path, *bots: dict, workers: int) -> dict[str, dict]:
    """The overall table, by bot, of a tournament of these bots."""
    folder.mkdir()
    (folder / "experiment.toml").write_text(toml(content(*bots)))
    arguments = ["experiment.toml", "--out", "results", "--workers", workers, "--json"]
    ended = timetricks("run", *arguments, folder=folder)
    assert ended.returncode == 0, ended.stderr
    return {row["bot"]: row for row in read_json(ended.stdout)["overall"]}


@pytest.mark.parametrize(("workers", "worst"), WORST)
def test_the_rest_of_the_schedule_is_as_if_the_bad_bots_had_been_good(tmp_path, workers, worst):
    table = run(tmp_path / "bad", *WITNESSES, *(CASES[kind][0] | {"name": kind} for kind in worst), workers=workers)
    run(tmp_path / "good", *WITNESSES, *({"name": kind, "bot": "random"} for kind in worst), workers=0)
    bad, good = (stored_games(tmp_path / name / "results") for name in ("bad", "good"))

    def untouched(games):
        return [game for game in games if not any(json.dumps(kind) in game[1] for kind in worst)]

    assert len(untouched(bad)) == 3  # one block of the witnesses among themselves
    assert untouched(bad) == untouched(good)
    assert [game[0] for game in bad] == [game[0] for game in good]
    # Five bots, three at a table: everyone sits at six tables, of three games each.
    assert {name: (row["games"], row["faults"]) for name, row in table.items()} == (
        {bot["name"]: (18, 0) for bot in WITNESSES} | {kind: (18, 18) for kind in worst}
    )
    assert {*list(table)[-2:]} == {*worst}  # they come last


def test_the_bots_of_a_killed_run_die_with_it(tmp_path, mark):
    (tmp_path / "experiment.toml").write_text(toml(content(RANDOM, scripted("First"), blocks_per_table=1000)))
    run = command("run", "experiment.toml", "--workers", 0)
    process = subprocess.Popen(run, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    assert wait_until(lambda: running(mark, "bots.host"))
    process.kill()
    process.wait()
    assert wait_until(lambda: not running(mark), 20)
