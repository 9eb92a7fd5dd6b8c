"""Where compiled rules are kept, when they are compiled again, and what a record must look like.

Each script runs in a process of its own with an empty cache. test_own_game.py changes the rules of a whole game.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from engine.compiling import record

ROOT = Path(__file__).parent.parent.parent

KERNEL = """
import numpy as np
from {module} import {callee}
from engine.compiling import rule

@rule
def kernel(n):
    return {callee}({arguments})
"""
RUN = """
from my_kernels.kernel import kernel
print(kernel(5), sum(kernel.stats.cache_hits.values()))
"""


@pytest.fixture
def house(tmp_path):
    """A copy of the engine and the bots that may be changed, and a package `my_kernels` beside them."""
    for package in ("engine", "bots"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "my_kernels").mkdir()
    (tmp_path / "my_kernels" / "__init__.py").touch()
    return tmp_path


def run(house, script, **environment):
    environment = os.environ | {"PYTHONPATH": str(house), "NUMBA_CACHE_DIR": str(house / "cache")} | environment
    if not environment["NUMBA_CACHE_DIR"]:
        del environment["NUMBA_CACHE_DIR"]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        cwd=house,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_kernels_are_kept_where_the_variable_says_and_used_again(house):
    (house / "my_kernels" / "kernel.py").write_text(
        KERNEL.format(module="engine.bits", callee="count", arguments="n"), encoding="utf-8"
    )
    assert run(house, RUN) == ["2", "0"]  # 5 is 0b101; compiled
    assert list((house / "cache").glob("kernels-*/**/kernel.kernel-*.nbi"))
    assert run(house, RUN) == ["2", "1"]  # read from the cache


def test_kernels_are_kept_beside_the_engine_if_no_variable_says_otherwise(house):
    script = "from engine import bits; print(bits.nth(6, 1))"
    assert run(house, script, NUMBA_CACHE_DIR="") == ["2"]
    assert list((house / "engine" / "__pycache__").glob("kernels-*/**/bits.nth-*.nbi"))


@pytest.mark.parametrize(
    ("changed", "module", "callee", "arguments", "old", "new", "before", "after"),
    [
        # 2 is the element after the smallest one of 0b1101, 3 the one after that
        ("engine/bits.py", "engine.bits", "nth", "13, 1", "for _ in range(n):", "for _ in range(n + 1):", "2", "3"),
        (
            "my_kernels/helper.py", "my_kernels.helper", "helper", "n",
            "return n + 1", "return n + 2", "6", "7",
        ),
        (
            "bots/search/tree.py", "bots.search.tree", "add_child", "np.zeros(9, NODE), 0, 4, n",
            "    return size\n", "    return size + 1\n", "4", "5",
        ),
    ],
    ids=["engine", "own package", "bots"],
)  # fmt: skip
def test_a_changed_callee_in_another_file_is_noticed(
    house, changed, module, callee, arguments, old, new, before, after
):
    helper = "from engine.compiling import rule\n\n@rule\ndef helper(n):\n    return n + 1\n"
    (house / "my_kernels" / "helper.py").write_text(helper, encoding="utf-8")
    source = "from bots.search.tree import NODE\n" + KERNEL.format(module=module, callee=callee, arguments=arguments)
    (house / "my_kernels" / "kernel.py").write_text(source, encoding="utf-8")
    assert run(house, RUN)[0] == before
    text = (house / changed).read_text(encoding="utf-8")
    assert text.count(old) == 1
    (house / changed).write_text(text.replace(old, new), encoding="utf-8")
    assert run(house, RUN)[0] == after


@pytest.mark.parametrize(
    "fields",
    [
        [("narrow", np.int8), ("wide", np.int64)],
        [("three", np.int8, (3,)), ("two", np.int16)],
        [("wide", np.int64), ("narrow", np.int8), ("four", np.int32)],
    ],
)
def test_a_record_with_gaps_is_refused(fields):
    with pytest.raises(TypeError, match="gaps between its fields; expected wide fields before narrow ones"):
        record(fields, __file__)


def test_a_record_has_no_byte_that_belongs_to_no_field():
    """Records are compared and hashed byte by byte."""
    dtype = record([("wide", np.int64, (2,)), ("four", np.int32), ("narrow", np.int8, (3,))], __file__)
    assert sum(field.itemsize for field, *_ in dtype.fields.values()) == dtype.itemsize == 24
    made = np.zeros(1, dtype)[0]
    made.four = 7
    assert (made.four, made["four"], made.narrow.tolist()) == (7, 7, [0, 0, 0])
