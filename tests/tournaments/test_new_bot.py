"""From nothing to a rated bot of one's own, by the steps that `timetricks new-bot` prints."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.tournaments.experiments import query, timetricks
from tournaments.config import check
from tournaments.new_bot import next_steps, write

ROOT = Path(__file__).parents[2]


def shell(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Runs a script in `folder` as somebody would who has installed timetricks and pytest."""
    programs = folder / "bin"
    programs.mkdir()
    for name, module in (("timetricks", "tournaments.cli"), ("pytest", "pytest")):
        (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" -m {module} "$@"\n')
        (programs / name).chmod(0o755)
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    environment = inherited | {"PATH": f"{programs}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        ["bash", "-e", "-c", script], cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )


def test_the_readme_says_what_is_printed(tmp_path):
    (block,) = re.findall(r"```\ntimetricks new-bot my_bot\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    without_remarks = [step.partition("  #")[0].strip() for step in next_steps(Path("my_bot"))]
    assert [line.partition("  #")[0].strip() for line in block.splitlines()] == without_remarks


@pytest.mark.slow
def test_the_printed_steps_lead_to_a_rated_bot(tmp_path):
    ended = timetricks("new-bot", "my_bot", folder=tmp_path)
    assert (ended.returncode, ended.stderr) == (0, "")
    steps = re.findall(r"^  (.*)$", ended.stdout, re.MULTILINE)
    assert [step.split()[0] for step in steps] == ["cd", "timetricks", "timetricks", "pytest"]

    done = shell(tmp_path, "\n".join(steps))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "nothing to complain about" in done.stdout
    assert re.search(r"^ my_bot +\d +[+-]\d+ ", done.stdout, re.MULTILINE)
    assert re.search(r"\d passed", done.stdout)
    games = query(tmp_path / "my_bot" / "results" / "my_bot", "SELECT faults, bots FROM games")
    assert len(games) == 40
    assert all(faults == "[]" and '"my_bot"' in bots for faults, bots in games)


def test_what_is_written_is_a_config_and_code_that_ruff_takes(tmp_path, monkeypatch):
    folder = write("my_bot", tmp_path)
    monkeypatch.syspath_prepend(folder)
    config = check(tomllib.loads((folder / "my_bot.toml").read_text()), "my_bot.toml")
    assert config.bot("my_bot").bot == "my_bot:Bot"
    assert config.bot_names == ["my_bot", "random", "rules", "ismcts-100"]
    for task in (["check"], ["format", "--check"]):
        ruff = [sys.executable, "-m", "ruff", *task, "--isolated", "--no-cache", "--line-length", "120", "."]
        assert subprocess.run(ruff, cwd=folder, capture_output=True).returncode == 0
    assert not any("$" in path.read_text() for path in folder.iterdir())


def test_a_folder_of_that_name_elsewhere_is_no_hindrance(tmp_path):
    for parent in (".", "another"):
        assert timetricks("new-bot", "my_bot", "--to", parent, folder=tmp_path).returncode == 0
    assert (tmp_path / "another" / "my_bot" / "my_bot.py").exists()


def test_a_folder_with_a_space_is_quoted(tmp_path):
    folder = write("my_bot", tmp_path / "my bots" / "new")
    assert next_steps(folder)[0] == f"cd '{folder}'"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("My-Bot", "expected a name for a Python module"),
        ("class", "expected a name for a Python module"),
        ("../up", "expected a name for a Python module"),
        ("", "expected a name for a Python module"),
        ("été", "expected a name for a Python module"),
        ("numpy", "Python has a module of that name already"),
        ("engine", "Python has a module of that name already"),
        ("taken", "taken is there already; nothing was written"),
    ],
)
def test_a_bad_name_is_refused_and_nothing_written(tmp_path, name, said):
    (tmp_path / "taken").mkdir()
    ended = timetricks("new-bot", name, folder=tmp_path)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert said in ended.stderr
    assert len(ended.stderr.splitlines()) == 1
    assert [*tmp_path.iterdir()] == [tmp_path / "taken"]
    assert not any((tmp_path / "taken").iterdir())
