"""The page as text: what it holds, that names cannot break out of it, and the command that writes it."""

from __future__ import annotations

import json
import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest
from typer.testing import CliRunner

import engine
from tests.tournaments.experiments import RANDOM, SEARCH, experiment, play
from tests.tournaments.viewer.games import FOUR, embedded, recorded
from tournaments.cli import app
from tournaments.commands.records import MOST_GAMES
from tournaments.viewer import fragment, page

ROOT = Path(__file__).resolve().parents[3]
SMALL = {"players": 2, "rounds": 1, "hand_size": 2}


def small(seed=1):
    return recorded("trick_or_repeat", seed, **SMALL)


def written(folder, *records):
    path = folder / "games.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def show(*arguments):
    return CliRunner().invoke(app, ["show", *map(str, arguments)])


# --- What the page holds ---


def test_every_game_is_there_with_what_the_record_says_of_it():
    records = [recorded(name, **options) for name, options in FOUR.items()]
    games = embedded(page(records))
    for record, game in zip(records, games, strict=True):
        assert (game["game"], game["players"], game["bots"]) == (record["game"], record["players"], record["bots"])
        assert (game["scores"], game["ranks"], game["faults"]) == (record["scores"], record["ranks"], [])
        assert [action for _, action, *_ in game["frames"] if action] == record["actions"]


def test_only_drawings_of_games_that_are_there_are_in_it():
    html = fragment([small()])
    assert "drawings.trick_or_repeat =" in html
    assert "drawings.generic =" in html
    assert "drawings.day_and_night =" not in html


def test_no_address_is_in_it_but_the_names_of_a_format():
    html = page([recorded(name, **options) for name, options in FOUR.items()])
    assert set(re.findall(r"https?://[^\"' ]*", html)) == {"http://www.w3.org/2000/svg"}
    assert re.findall(r"""(?:src|href|url)\s*[=(]\s*["']?([^"')]*)""", html) == ["data:,"]


def test_ranks_are_those_that_count_where_a_bot_was_at_fault():
    fault = {"seat": 1, "bot": "Ben", "reason": "exception", "message": "x", "action_number": 2}
    (game,) = embedded(fragment([small() | {"faults": [fault], "counted_ranks": [1, 2], "id": "b r0"}]))
    assert (game["ranks"], game["faults"], game["id"]) == ([1, 2], [fault], "b r0")


def test_every_style_is_for_the_viewer_alone():
    css = "".join(path.read_text() for path in (ROOT / "tournaments/viewer/static").rglob("*.css"))
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    depth, selectors = 0, []
    for part in re.findall(r"[^{}]*[{}]", css):
        if depth == 0:
            selectors.append(part.strip(" \n{"))
        depth += 1 if part[-1] == "{" else -1
    assert depth == 0
    assert len(selectors) > 5
    assert [selector for selector in selectors if not selector.startswith(".timetricks-viewer")] == []


def test_scripts_and_styles_are_declared_as_data_of_the_package():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    folder = ROOT / "tournaments/viewer"
    data = [str(path.relative_to(folder)) for path in (folder / "static").rglob("*") if path.is_file()]
    assert len(data) > 10
    assert all(any(fnmatch(path, pattern) for pattern in declared["tournaments.viewer"]) for path in data)


# --- Hostile names ---

HOSTILE = ["</script><script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "<!--<script>", "\u2028\ud800&amp;"]


def test_names_cannot_end_the_script_and_are_read_back_as_they_are():
    record = recorded("day_and_night") | {"bots": HOSTILE, "id": HOSTILE[0]}
    html = page([record], title=HOSTILE[0])
    assert [game["bots"] for game in embedded(html)] == [HOSTILE]
    assert "alert(1)</script>" not in html
    assert "<img" not in html
    assert html.count("<script") == html.count("</script>") == 3


# --- Thoughts ---


def test_logged_thoughts_are_shown_by_the_number_of_actions_before():
    (block,) = play(experiment(RANDOM, SEARCH, games=[{"game": "trick_or_repeat"} | SMALL], explanations=True))
    for result in block:
        (game,) = embedded(fragment([result.record]))
        assert game["thinker"] is None
        logged = {str(ply): thought for ply, thought in enumerate(result.record["thoughts"]) if thought}
        assert game["thoughts"].keys() == logged.keys()
        for ply, thought in game["thoughts"].items():
            assert (thought["choice"], thought["iterations"]) == (None, SEARCH["iterations"])
            assert [(name, visits) for name, visits, *_ in thought["actions"]] == [
                (row["name"], row["visits"]) for row in logged[ply]["actions"]
            ]
            for (*_, value, error), row in zip(thought["actions"], logged[ply]["actions"], strict=True):
                assert value == pytest.approx(row["value"], abs=1e-4)
                assert error == pytest.approx(row["standard_error"], abs=1e-4)


@pytest.mark.parametrize(
    "thought", ["x", {"actions": 3}, {"actions": [{}], "iterations": 1}, {"actions": [], "iterations": "x"}]
)
def test_thoughts_that_are_none_are_refused(thought):
    record = small()
    record |= {"thoughts": [thought] + [None] * (len(record["actions"]) - 1)}
    with pytest.raises(ValueError, match="thoughts: expected what `timetricks analyse --json` calls an explanation"):
        fragment([record])


# --- The command ---


def test_all_games_of_a_file_go_to_a_page_beside_it(tmp_path):
    path = written(tmp_path, small(1), small(2), recorded("daytime_minutes"))
    result = show(path, "--html")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith(f"wrote {tmp_path / 'games.html'}, games: 3, ")
    games = embedded((tmp_path / "games.html").read_text())
    assert [game["game"] for game in games] == ["trick_or_repeat", "trick_or_repeat", "daytime_minutes"]


def test_one_line_and_another_file(tmp_path):
    path = written(tmp_path, small(1), recorded("daytime_minutes"))
    assert show(path, "--html", "--line", 2, "--to", tmp_path / "x.html").exit_code == 0
    assert [game["game"] for game in embedded((tmp_path / "x.html").read_text())] == ["daytime_minutes"]
    assert not (tmp_path / "games.html").exists()


def test_of_many_games_the_first_ones_are_shown_and_that_is_said(tmp_path):
    path = written(tmp_path, *[small()] * (MOST_GAMES + 1))
    result = show(path, "--html")
    assert f"holds more: these are the first {MOST_GAMES} games" in result.stderr
    assert len(embedded((tmp_path / "games.html").read_text())) == MOST_GAMES


def test_a_bot_is_asked_at_every_decision_with_a_choice(tmp_path):
    record = small()
    path = written(tmp_path, record)
    result = show(path, "--html", "--bot", "ismcts", "--option", "iterations=30")
    assert result.exit_code == 0, result.output
    (game,) = embedded((tmp_path / "games.html").read_text())
    assert game["thinker"] == "ismcts iterations=30"
    asked = CliRunner().invoke(
        app, ["analyse", str(path), "--all", "--bot", "ismcts", "--option", "iterations=30", "--json"]
    )
    rows = json.loads(asked.stdout)["rows"]
    assert {int(ply): thought["choice"] for ply, thought in game["thoughts"].items()} == {
        row["ply"]: row["choice"] for row in rows
    }
    assert all(sum(row[1] for row in thought["actions"]) == 30 for thought in game["thoughts"].values())


def test_a_bot_without_reasons_says_its_choice(tmp_path):
    path = written(tmp_path, small())
    assert show(path, "--html", "--bot", "random").exit_code == 0
    (game,) = embedded((tmp_path / "games.html").read_text())
    assert all(thought["choice"] and thought["actions"] == [] for thought in game["thoughts"].values())


def test_a_game_without_an_action_is_shown(tmp_path):
    path = written(tmp_path, engine.load("daytime_minutes").new(seed=1).record())
    assert show(path, "--html", "--bot", "rules").exit_code == 0


MISTAKES = {
    "an option of the page without one": (["--to", "x.html"], "--to, --bot and --option: expected them with --html"),
    "a bot without a page": (["--bot", "ismcts"], "expected them with --html only"),
    "no such line": (["--html", "--line", 9], "has no line 9"),
    "a broken line": (["--html"], ":2: expected one JSON object"),
    "a wrong record": (["--html", "--line", 3], "games.jsonl:3: format 'x': expected 'timetricks/1'"),
    "no such bot": (["--html", "--line", 1, "--bot", "ismct"], "did you mean 'ismcts'"),
    "an option without a bot": (["--html", "--line", 1, "--option", "iterations=3"], "expected it with --bot"),
    "no such folder": (
        ["--html", "--line", 1, "--to", "nowhere/x.html"],
        "nowhere/x.html: expected a file in a folder that is there",
    ),
}


@pytest.mark.parametrize(("arguments", "said"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_explained(tmp_path, monkeypatch, arguments, said):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "games.jsonl"
    path.write_text("\n".join([json.dumps(small()), "{", json.dumps(small() | {"format": "x"})]))
    result = show(path, *arguments)
    assert result.exit_code == 2, result.output
    assert said in result.stderr
    assert "Traceback" not in result.stderr


def test_an_empty_file_holds_no_record(tmp_path):
    result = show(written(tmp_path), "--html")
    assert (result.exit_code, "holds no record" in result.stderr) == (2, True)
