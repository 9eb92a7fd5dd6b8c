"""A game from outside the engine: kernels, search and records are generic, and a changed rule is in force at once.

Each process compiles the kernels for the game's own record, which takes some seconds.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SOURCE = (HERE / "high_card.py").read_text(encoding="utf-8")


def write_game(folder, source=SOURCE, name="high_card"):
    package = folder / "my_games"
    package.mkdir(exist_ok=True)
    (package / "__init__.py").touch()
    (package / f"{name}.py").write_text(source, encoding="utf-8")


def python(folder, *arguments, **environment):
    """Runs Python in `folder`, where `my_games` can be imported, with a cache of its own."""
    path = os.pathsep.join([str(folder), os.environ["PYTHONPATH"]])
    environment = os.environ | {"PYTHONPATH": path, "NUMBA_CACHE_DIR": str(folder / "cache"), **environment}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def played(folder, **environment):
    run = python(folder, "-W", "error", HERE / "play_own_game.py", "my_games.high_card", **environment)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """A folder with the game, its kernels in the cache, and the report of the process that compiled them."""
    folder = tmp_path_factory.mktemp("compiled")
    write_game(folder)
    return folder, played(folder)


def test_high_card_is_played_searched_and_recorded(compiled):
    _, report = compiled
    assert report["label"] == "my_games.high_card/2[rounds=1]"
    assert (report["scores"], report["returns"]) == ([0, 1], [0.0, 1.0])  # c4 beats c3
    assert report["shown"] == [["?"], ["c1", "c4"]]
    assert report["worlds"] == [f"[['{card}'], ['c1', 'c4']]" for card in ("c2", "c5", "c6")]  # c3 lies on the table
    assert report["search"] == "c4"
    assert (report["moves"], report["played_out"]) == (2, [1, 0])  # c5 or c6 against c3 or c1
    assert report["replayed"]
    assert report["deals"] == 3
    assert report["batch"][:2] == [6, True]  # three deals of two cards
    assert report["perft"] == [4, [3, 1]]  # of c3 and c6 against c1 and c4 only c3 loses, to c4


def test_high_card_is_the_same_in_plain_python(compiled, tmp_path):
    write_game(tmp_path)
    assert played(tmp_path, NUMBA_DISABLE_JIT="1") == compiled[1]


def test_a_changed_rule_is_in_force_although_the_old_one_is_in_the_cache(compiled):
    folder, before = compiled
    changed = SOURCE.replace("return card > other", "return card < other")
    assert changed != SOURCE
    write_game(folder, changed)
    report = played(folder)
    assert report["scores"] == [1, 0] != before["scores"]  # now the lower card wins, for the State face,
    assert report["search"] == "c1"  # for the search,
    assert (report["moves"], report["played_out"]) == (2, [0, 1])  # for playouts,
    assert report["perft"] == [4, [1, 3]]  # and for perft


@pytest.mark.parametrize("name", ["apply_action", "hide", "setup", "facts", "events"])
def test_a_module_that_lacks_a_function_is_refused_by_its_name(tmp_path, name):
    write_game(tmp_path, SOURCE.replace(f"def {name}(", f"def without_{name}("), "lacking")
    run = python(tmp_path, "-c", "import engine; engine.load('my_games.lacking')", NUMBA_DISABLE_JIT="1")
    assert run.stderr.strip().endswith(f"(TypeError: my_games.lacking lacks the functions {name})")


def test_a_record_with_gaps_is_refused(tmp_path):
    write_game(tmp_path, SOURCE.replace('("rounds", np.int64)', '("rounds", np.int8)'), "gaps")
    run = python(tmp_path, "-c", "import engine; engine.load('my_games.gaps')", NUMBA_DISABLE_JIT="1")
    assert "TypeError" in run.stderr
    assert "gaps.py: the record has gaps between its fields; expected wide fields before narrow ones" in run.stderr


def test_a_field_that_is_no_integer_is_not_observed(tmp_path):
    write_game(tmp_path, SOURCE.replace('("rounds_over", np.int64)', '("rounds_over", np.float64)'), "floating")
    observe = "import engine; engine.observation_layout(engine.load('my_games.floating'))"
    run = python(tmp_path, "-c", observe, NUMBA_DISABLE_JIT="1")
    expected = "field rounds_over is of type float64: expected one of int8, int16, int32, int64 to observe it"
    assert run.stderr.strip().endswith(f"TypeError: {expected}")


def test_a_module_without_a_game_is_no_game(tmp_path):
    write_game(tmp_path, "", "empty")
    for name in ("my_games.empty", "my_games.absent"):
        run = python(tmp_path, "-c", f"import engine; engine.load({name!r})")
        assert f"ValueError: game '{name}': expected a module with a game called RULES" in run.stderr


WRITE = """
import engine, json, pickle
state = engine.load("my_games.high_card").new(seed=1)
pickle.dump(state, open("state.pickle", "wb"))
json.dump(state.record(), open("record.json", "w"))
"""
READ = """
import engine, json, pickle
state = pickle.load(open("state.pickle", "rb"))
assert engine.replay(json.load(open("record.json"))) == state
"""


def test_a_game_that_one_process_plays_another_one_reads(tmp_path):
    """Workers get states by pickle and records are verified later."""
    write_game(tmp_path)
    writing = python(tmp_path, "-c", WRITE, NUMBA_DISABLE_JIT="1")
    assert writing.returncode == 0, writing.stderr
    reading = python(tmp_path, "-c", READ, NUMBA_DISABLE_JIT="1")
    assert reading.returncode == 0, reading.stderr


def test_a_record_does_not_decide_what_is_imported(tmp_path):
    write_game(tmp_path)
    assert python(tmp_path, "-c", WRITE, NUMBA_DISABLE_JIT="1").returncode == 0
    alone = "import engine, json; engine.replay(json.load(open('record.json')))"
    assert "unknown game 'my_games.high_card'" in python(tmp_path, "-c", alone, NUMBA_DISABLE_JIT="1").stderr
