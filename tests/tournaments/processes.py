"""The processes that a test has started, in whatever way and however far they have run from it (Linux)."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

import pytest

MARK = "TIMETRICKS_TEST"  # an environment variable, which all descendants have


@contextmanager
def nothing_left_running() -> Iterator[str]:
    """Yields a mark by which `running` finds all that was started inside. In the end none of it may be there."""
    mark = os.environ[MARK] = uuid4().hex
    try:
        yield mark
    finally:
        del os.environ[MARK]
        gone = wait_until(lambda: not running(mark), 150)  # Ray's processes wait for a lost one for a minute
        left = running(mark)
        for number in left:
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
    assert gone, f"left running: {left}"


def running(mark: str, pattern: str = "") -> dict[int, str]:
    """The command lines of the processes with this mark in which the pattern is found, by process id."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if f"{MARK}={mark}".encode() in (folder / "environ").read_bytes() and int(folder.name) != os.getpid():
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                if re.search(pattern, command):
                    found[int(folder.name)] = command
    return found


def wait_until(is_so: Callable[[], object], seconds: float = 60) -> bool:
    """Whether it became so within a time that is never short."""
    deadline = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def expect(is_so: Callable[[], object], what: str, seconds: float = 100) -> None:
    if not wait_until(is_so, seconds):
        pytest.fail(f"{what}: not within {seconds} seconds")
