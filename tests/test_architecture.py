"""The dependency rules of the house, read from the sources and, for the command line, from a running Python."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
COMPILERS = {"jit", "njit", "vectorize", "guvectorize", "cfunc", "jitclass", "stencil", "generated_jit", "config"}


def sources(*packages):
    found = [path for package in packages for path in sorted((ROOT / package).rglob("*.py"))]
    assert found
    return found


def imports(path):
    """Every module that a file imports, wherever in the file: ``a.b`` for `import a.b` and `from a import b` alike."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports here are absolute, so that this test can read them"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def packages(path):
    return {name.partition(".")[0] for name in imports(path)}


@pytest.mark.parametrize(
    ("package", "forbidden"),
    [("engine", {"bots", "tournaments", "ray", "tests"}), ("bots", {"tournaments", "ray", "tests"})],
)
def test_lower_packages_know_nothing_of_higher_ones(package, forbidden):
    assert {
        str(path): sorted(packages(path) & forbidden) for path in sources(package) if packages(path) & forbidden
    } == {}


def test_only_the_runner_imports_ray():
    using = [path for path in sources("engine", "bots", "tournaments") if "ray" in packages(path)]
    assert using == [ROOT / "tournaments" / "runner.py"]


def test_only_compiling_configures_numba_and_compiles():
    using = set()
    for path in sources("engine", "bots", "tournaments"):
        used = {name for name in imports(path) if name.startswith("numba.") and name.split(".")[-1] in COMPILERS}
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in COMPILERS and ast.unparse(node).startswith("numba."):
                used.add(ast.unparse(node))
        if used:
            using.add(path)
    assert using == {ROOT / "engine" / "compiling.py"}


def test_the_tests_of_these_rules_see_imports_of_every_kind(tmp_path):
    path = tmp_path / "module.py"
    path.write_text("import a.b as c\nfrom d import e\ndef f():\n    from g.h import i, j\n", encoding="utf-8")
    assert imports(path) == {"a.b", "d.e", "g.h.i", "g.h.j"}


def test_the_command_line_starts_without_the_heavy_packages():
    """`timetricks --help` and completions should not wait for Numba, SciPy or Ray."""
    script = (
        "import json, sys, tournaments.cli; print(json.dumps(sorted({name.split('.')[0] for name in sys.modules})))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert set(json.loads(run.stdout)) & {"ray", "scipy", "numba", "engine"} == set()


def test_every_package_is_declared():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    found = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for package in ("engine", "bots", "tournaments")
        for path in (ROOT / package).rglob("__init__.py")
    }
    assert all(f'"{name}"' in text for name in found)


def test_no_merge_was_left_undecided():
    marker = re.compile(r"^\s*(<{7}|>{7})", re.MULTILINE)
    assert [path for path in sources("engine", "bots", "tournaments", "tests") if marker.search(path.read_text())] == []
