"""Compiled, plain and bounds-checked code play the same games, draw the same worlds and choose the same moves.

trace.py runs over all of tests.cases.CASES in a process for each way of compiling, all with warnings as errors.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cases import every_case

pytestmark = pytest.mark.slow

TRACE = Path(__file__).parent / "trace.py"
SWITCHES = ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK", "NUMBA_OPT")
MODES = {
    "compiled": {},
    "plain": {"NUMBA_DISABLE_JIT": "1"},
    # Less optimized as well: compiles in half the time, and int64 arithmetic that overflows (the optimizer is told
    # that it never does) gives other numbers.
    "bounds-checked": {"NUMBA_BOUNDSCHECK": "1", "NUMBA_OPT": "1"},
}


@pytest.fixture(scope="module")
def traces(tmp_path_factory):
    """For each mode the digests by case, ``traces[mode][case][what]``."""
    base = {name: value for name, value in os.environ.items() if name not in SWITCHES}
    # The cache does not tell bounds-checked code from other code: it needs a folder of its own.
    folders = {"bounds-checked": {"NUMBA_CACHE_DIR": str(tmp_path_factory.mktemp("cache"))}}
    runs = {
        mode: subprocess.Popen(
            [sys.executable, "-W", "error", TRACE],
            env=base | switches | folders.get(mode, {}),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for mode, switches in MODES.items()
    }
    found = {}
    try:
        for mode, run in runs.items():
            output, errors = run.communicate(timeout=1800)
            assert run.returncode == 0, f"{mode}: {errors}"
            found[mode] = {line.pop("case"): line for line in map(json.loads, output.splitlines())}
    finally:
        for run in runs.values():
            run.kill()
            run.communicate()
    return found


@pytest.mark.parametrize("mode", ["plain", "bounds-checked"])
def test_the_random_stream_is_the_same(traces, mode):
    assert traces[mode]["rng"] == traces["compiled"]["rng"]


@pytest.mark.parametrize("mode", ["plain", "bounds-checked"])
@every_case()
def test_games_worlds_and_moves_are_the_same(traces, mode, game):
    assert traces[mode][game.label] == traces["compiled"][game.label]
