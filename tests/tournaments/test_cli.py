"""The command line: what it prints, and how it takes mistakes."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from typer.testing import CliRunner

import engine
from tests.tournaments.experiments import (
    RANDOM,
    SEARCH,
    content,
    play,
    read_json,
    scripted,
    store_of,
    stored_games,
    timetricks,
    toml,
    write_config,
)
from tournaments.cli import app
from tournaments.config import read
from tournaments.schedule import Schedule

COMMANDS = ["run", "rate", "compare", "tune", "check-bot", "export", "verify", "games", "bots", "bench"]
PINNED_COLUMNS = {"bot", "elo", "low", "high", "win_share", "games", "faults"}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """A folder with `experiment.toml`, the results of its run in `results`, and files to stumble over."""
    folder = tmp_path_factory.mktemp("cli")
    config = read(write_config(folder, RANDOM, SEARCH, scripted("Raises"), blocks_per_table=3, seed=1))
    store_of(folder / "results", config, play(config))
    write_mistakes(folder)
    return folder


def in_process(*arguments) -> str:
    """What a command prints that ends well."""
    result = CliRunner().invoke(app, [*map(str, arguments)])
    assert result.exit_code == 0, result.output
    return result.stdout


# --- Help and listings ----------------------------------------------------------------------------


@pytest.mark.parametrize("command", {one.name or one.callback.__name__: None for one in app.registered_commands})
def test_every_command_explains_itself(command):
    text = in_process(command, "--help")
    assert f"{command} [OPTIONS]" in text
    assert len(text.splitlines()) > 5


def test_help_names_every_command_and_a_way_to_start():
    text = in_process("--help")
    assert all(command in text for command in COMMANDS)
    assert "timetricks run configs/quickstart.toml" in text


def test_no_command_at_all_shows_the_help(tmp_path):
    ended = timetricks(folder=tmp_path)
    assert "Usage" in ended.stdout + ended.stderr
    assert "Traceback" not in ended.stderr


def test_games_are_listed():
    (game,) = (row for row in read_json(in_process("games", "--json")) if row["game"] == "daytime_minutes")
    assert (game["players"], game["default_players"]) == ([3, 4, 5], 4)
    assert (game["cards"], game["actions"]) == (45, 49)  # three suits of fifteen; four plans
    text = in_process("games")
    assert all(name in text for name in engine.names())


def test_bots_are_listed():
    listing = {row["bot"]: row for row in read_json(in_process("bots", "--json"))}
    assert {"random", "rules", "ismcts"} <= listing.keys()
    assert {"iterations", "milliseconds"} <= {option["name"] for option in listing["ismcts"]["options"]}
    assert all(row["about"] for row in listing.values())
    text = in_process("bots")
    assert all(name in text for name in listing)


@pytest.mark.parametrize("arguments", [["games"], ["bots", "--json"], ["--help"]])
def test_what_is_quick_imports_nothing_slow(tmp_path, arguments):
    """Of SciPy only what Numba imports itself, which is neither `special` nor `sparse`."""
    script = (
        "import sys; from tournaments.cli import app\n"
        f"try: app({arguments})\n"
        "except SystemExit: print(sys.modules.keys() & {'ray', 'scipy.special', 'scipy.sparse'})"
    )
    ended = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert ended.stdout.splitlines()[-1] == "set()"


@pytest.mark.slow
def test_bench_measures_every_task(tmp_path):
    ended = timetricks("bench", "--game", "daytime_minutes", "--json", folder=tmp_path)
    assert ended.returncode == 0
    rows = read_json(ended.stdout)["rows"]
    assert [row["task"] for row in rows] == ["playout", "ismcts", "determinize"]
    for row in rows:
        assert row.keys() == {"game", "players", "task", "unit", "value"}
        assert (row["game"], row["players"]) == ("daytime_minutes", 4)
        assert row["value"] > 0


# --- Running and rating ---------------------------------------------------------------------------


def test_a_run_ends_with_the_table_and_goes_to_results_by_default(tmp_path, results):
    ended = timetricks("run", results / "experiment.toml", "--workers", 0, folder=tmp_path)
    assert ended.returncode == 0
    assert "daytime_minutes/3" in ended.stdout
    assert "Elo" in ended.stdout
    assert "Elo" not in ended.stderr
    assert "3 deal blocks to play" in ended.stderr
    assert stored_games(tmp_path / "results" / "experiment") == stored_games(results / "results")


def test_json_of_a_run_is_all_that_stands_on_stdout(tmp_path, results):
    ended = timetricks("run", results / "experiment.toml", "--workers", 0, "--json", folder=tmp_path)
    overall = read_json(ended.stdout)["overall"]
    assert {row["bot"]: row["faults"] for row in overall} == {"random": 0, "search": 0, "bad": 9}
    assert overall[-1]["bot"] == "bad"


def test_rate_prints_the_pinned_shape(results):
    content = read_json(in_process("rate", results / "results", "--json"))
    assert set(content) == {"overall", "games", "details"}
    assert set(content["games"]) == {"daytime_minutes/3"}
    for rows in (content["overall"], content["games"]["daytime_minutes/3"]):
        assert all(row.keys() >= PINNED_COLUMNS for row in rows)
        assert [row["elo"] for row in rows] == sorted((row["elo"] for row in rows), reverse=True)
        assert all(row["games"] == 9 for row in rows)


def test_rate_prints_the_matrix_when_asked(results):
    text = in_process("rate", results / "results", "--matrix")
    assert "daytime_minutes/3: likelihood in %" in text
    assert "likelihood in %" not in in_process("rate", results / "results")


def test_rate_shows_every_bot_by_its_name(tmp_path):
    """Square brackets are no markup."""
    names = ["[bold]", "[/b]", "plain"]
    config = read(write_config(tmp_path, *({"name": name, "bot": "random"} for name in names)))
    text = in_process("rate", store_of(tmp_path / "results", config, play(config)))
    assert all(name in text for name in names)


def test_nothing_played_yet_is_no_mistake(tmp_path):
    folder = store_of(tmp_path / "results", read(write_config(tmp_path, RANDOM)), [])
    content = read_json(in_process("rate", folder, "--json"))
    assert (content["overall"], content["games"]) == ([], {})
    assert "no finished games" in in_process("rate", folder)


def test_an_own_bot_is_found_in_the_present_folder(tmp_path):
    (tmp_path / "mine.py").write_text("class Bot:\n    def act(self, info):\n        return info.legal_names[-1]\n")
    path = write_config(tmp_path, RANDOM, {"name": "own", "bot": "mine:Bot"})
    for workers in (0, 1):
        ended = timetricks("run", path, "--out", f"out{workers}", "--workers", workers, "--json", folder=tmp_path)
        assert {row["bot"]: row["faults"] for row in read_json(ended.stdout)["overall"]} == {"random": 0, "own": 0}


# --- Export and verify ----------------------------------------------------------------------------


def test_export_writes_records_in_schedule_order_which_verify(results, tmp_path):
    path = tmp_path / "records.jsonl"
    in_process("export", results / "results", "--to", path)
    records = [json.loads(line) for line in path.read_text().splitlines()]
    blocks = [block.id for block in Schedule(read(results / "experiment.toml"))]
    assert [record["id"].rpartition(" r")[0] for record in records] == [block for block in blocks for _ in range(3)]
    assert [sorted(record["bots"]) for record in records] == [["bad", "random", "search"]] * 9
    assert all(engine.replay(record).is_terminal for record in records)

    verified = timetricks("verify", path, folder=tmp_path)
    assert (verified.returncode, verified.stdout) == (0, "9 games, 0 of them wrong, 0 unfinished\n")
    assert read_json(timetricks("verify", path, "--json", folder=tmp_path).stdout) == {
        "games": 9,
        "unfinished": 0,
        "problems": [],
    }


def tampered(record):
    """Lines made of a record, each with what `verify` must say of it; None: nothing."""
    actions, decks = record["actions"], record["decks"]
    foreign = next(card for card in decks[0] if card not in decks[0][:9])  # seat 0 leads and does not hold it
    lines = [
        ({}, None),
        ({"scores": [score + 1 for score in record["scores"]]}, "scores"),
        ({"ranks": [4 - rank for rank in record["ranks"]]}, "ranks"),
        ({"returns": [0, 0, 0]}, "returns"),
        ({"actions": [foreign, *actions[1:]]}, "action 0"),
        ({"actions": [*actions, actions[0]]}, f"action {len(actions)}"),
        ({"actions": actions[:-1]}, "expected"),
        ({"actions": ["no card", *actions[1:]]}, "unknown action 'no card'"),
        ({"decks": decks[:-1]}, f"{len(decks) - 1} decks: expected {len(decks)}"),
        ({"decks": [*decks, decks[0]]}, f"{len(decks) + 1} decks: expected {len(decks)}"),
        ({"decks": []}, "no deck"),
        ({"decks": [[decks[0][0], *decks[0][:-1]], *decks[1:]]}, "deck 0"),  # one card twice
        ({"players": 7}, "players = 7"),
        ({"game": "daytime_minute"}, "unknown game 'daytime_minute'"),
        ({"options": {"plans": 3}}, "unknown option 'plans'"),
        ({"format": "timetricks/0"}, "format 'timetricks/0'"),
        ({"seed": -1}, "seed = -1"),
    ]
    yield from ((json.dumps(record | change), said) for change, said in lines)
    yield json.dumps({key: value for key, value in record.items() if key != "ranks"}), "lacks ranks"
    yield from (("{", "expected one JSON object"), ("[]", "expected one JSON object"))


def test_verify_names_the_line_and_the_problem(results, tmp_path):
    in_process("export", results / "results", "--to", tmp_path / "records.jsonl")
    first = json.loads((tmp_path / "records.jsonl").read_text().splitlines()[0])
    lines, said = zip(*tampered(first), strict=True)
    path = tmp_path / "tampered.jsonl"
    path.write_text("\n".join(lines) + "\n")

    ended = timetricks("verify", path, "--json", folder=tmp_path)
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
    content = read_json(ended.stdout)
    problems = {problem["line"]: problem["problem"] for problem in content["problems"]}
    assert content["games"] == len(lines)
    assert list(problems) == [number for number, words in enumerate(said, 1) if words is not None]
    assert [(n, problems[n]) for n in problems if said[n - 1] not in problems[n]] == []

    text = timetricks("verify", path, folder=tmp_path).stdout.splitlines()
    assert text[:-1] == [f"{path}:{number}: {problem}" for number, problem in problems.items()]
    unfinished = content["unfinished"]
    assert text[-1] == f"{len(lines)} games, {len(problems)} of them wrong, {unfinished} unfinished"


@pytest.mark.parametrize("change", [{"actions": None}, {"actions": 5}, {"decks": 5}, {"options": None}, {"game": 5}])
def test_verify_takes_any_json(results, tmp_path, change):
    with_change = play(read(results / "experiment.toml"))[0][0].record | change
    path = tmp_path / "records.jsonl"
    path.write_text(json.dumps(with_change) + "\n")
    ended = timetricks("verify", path, folder=tmp_path)
    assert ended.returncode == 1
    assert re.search(rf"^{path}:1: \S", ended.stdout, re.MULTILINE)
    assert "Traceback" not in ended.stderr


def test_verify_replays_under_plain_rules_without_ray(results, tmp_path):
    in_process("export", results / "results", "--to", tmp_path / "records.jsonl")
    script = (
        "import sys; from tournaments.cli import app\n"
        "try: app(['verify', 'records.jsonl'])\n"
        "except SystemExit: import engine.compiling as c; print(c.COMPILED, 'ray' in sys.modules)"
    )
    ended = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert ended.stdout.splitlines() == ["9 games, 0 of them wrong, 0 unfinished", "False False"]


# --- Mistakes -------------------------------------------------------------------------------------


def write_mistakes(folder):
    (folder / "wrong.toml").write_text(toml(content(RANDOM, sede=1)))
    (folder / "broken.toml").write_text("name = ")
    (folder / "other.toml").write_text(toml(content(RANDOM, SEARCH)))
    (folder / "exits.toml").write_text(toml(content(RANDOM, scripted("ExitsWhenMade"))))
    for name in ("text", "damaged"):
        (folder / name).mkdir()
        (folder / name / "games.sqlite").write_text("not a database\n" * 100)


MISTAKES = {
    "no config": (["run", "missing.toml"], ["missing.toml"]),
    "folder as a config": (["run", "text"], ["text", "expected a TOML file"]),
    "wrong config": (["run", "wrong.toml"], ["wrong.toml", "'sede'", "'seed'"]),
    "broken config": (["run", "broken.toml"], ["broken.toml", "TOML"]),
    "bot that exits": (["run", "exits.toml"], ["exits.toml", "bots[1]", "ExitsWhenMade"]),
    "results of another config": (["run", "other.toml", "--out", "results"], ["results", "seed was 1 and is 0"]),
    "file in the place of the results": (["run", "other.toml", "--out", "wrong.toml"], ["wrong.toml", "expected"]),
    "results that are none": (["run", "other.toml", "--out", "damaged"], ["games.sqlite is damaged", "damaged-1"]),
    "rating of nothing": (["rate", "missing"], ["missing", "expected a results folder"]),
    "rating of a file": (["rate", "wrong.toml"], ["wrong.toml", "expected a results folder"]),
    "rating of text": (["rate", "text"], ["games.sqlite", "not a database"]),
    "export of nothing": (["export", "missing", "--to", "x"], ["missing", "expected a results folder"]),
    "export to nowhere": (["export", "results", "--to", "no/where"], ["no/where"]),
    "unknown format": (["export", "results", "--to", "x", "--format", "pgn"], ["pgn", "expected", "records"]),
    "records that are not there": (["verify", "missing.jsonl"], ["missing.jsonl"]),
    "records in a folder": (["verify", "text"], ["text"]),
    "bench of nothing": (["bench", "--game", "daytime_minute"], ["'daytime_minute'", "did you mean 'daytime_minutes'"]),
}


@pytest.mark.parametrize(("arguments", "said"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_one_line_and_exit_code_2(results, arguments, said):
    ended = timetricks(*arguments, folder=results)
    assert ended.returncode == 2
    assert ended.stdout == ""
    (line,) = ended.stderr.splitlines()
    assert line.startswith("error: ")
    assert [words for words in said if words not in line] == []


@pytest.mark.parametrize(
    "arguments", [["run"], ["run", "x.toml", "--workers", "-1"], ["rate", "x", "--wrong"], ["export", "x"], ["rat"]]
)
def test_a_wrong_argument_is_explained(arguments):
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 2
    assert "Usage" in result.stderr
    assert isinstance(result.exception, SystemExit)
