"""Bots that misbehave in one known way, and bots that write down what they are given."""

from __future__ import annotations

import ast
import ctypes
import gc
import os
import pickle
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

import engine


def note(path: str, *content: Any) -> None:
    """Writes something down where the test will look for it."""
    with open(path, "ab") as file:
        pickle.dump(content, file)


def notes(path: Path) -> Iterator[tuple]:
    """What bots wrote down, in that order."""
    with open(path, "rb") as file:
        while file.peek(1):
            yield pickle.load(file)


class First:
    """Plays the first legal action; the others misbehave from their decision number `at` on."""

    def __init__(self, at: int = 0):
        self.at = at
        self.decisions = 0

    def act(self, info):
        self.decisions += 1
        return info.legal_actions[0] if self.decisions <= self.at else self.misbehave(info)

    def misbehave(self, info):
        return info.legal_actions[0]


class Raises(First):
    def misbehave(self, info):
        raise RuntimeError("out of ideas")


class RaisesNoText(First):
    def misbehave(self, info):
        raise RuntimeError("\ud800")


class Exits(First):
    def misbehave(self, info):
        raise SystemExit(3)


class Answers(First):
    """Answers with a Python literal."""

    def __init__(self, answer: str, at: int = 0):
        super().__init__(at)
        self.answer = ast.literal_eval(answer)

    def misbehave(self, info):
        return self.answer


class PlaysIllegalCard(First):
    """Names a card of the game that it may not play: one that it does not hold."""

    def misbehave(self, info):
        held = info.facts()["hands"][info.seat]
        return next(card for card in info.game.deck if card not in held)


class RaisesWhenMade(First):
    def __init__(self):
        raise RuntimeError("not today")


class ExitsWhenMade(First):
    def __init__(self):
        raise SystemExit("bye")


class RaisesInNewGame(First):
    def new_game(self, game, seat, rng):
        raise RuntimeError("wrong chair")


class RaisesUnprintable(First):
    """Raises an exception whose message cannot be had."""

    def misbehave(self, info):
        raise _UnprintableError


class _UnprintableError(Exception):
    def __str__(self):
        raise RuntimeError("no message")


class NotesItsChance:
    """Plays at random; notes every number that it draws."""

    def __init__(self, path: str):
        self._path = path

    def new_game(self, game, seat, rng):
        self._seat, self._rng = seat, rng
        note(self._path, seat, rng.bit_generator.state["state"]["state"])

    def act(self, info):
        draw = self._rng.random()
        note(self._path, self._seat, draw)
        return info.legal_actions[int(draw * len(info.legal_actions))]


class NotesItsSight(First):
    """Notes what it is handed, as bytes and as facts."""

    def __init__(self, path: str):
        super().__init__()
        self._path = path

    def act(self, info):
        note(self._path, info.seat, pickle.dumps(info), info.facts())
        return super().act(info)


class DeclaresThatItCheats(First):
    """Would like to see all hands, and notes the type of what it is given instead."""

    cheats = True

    def __init__(self, path: str):
        super().__init__()
        self.path = path

    def misbehave(self, info):
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(f"{type(info).__name__}\n")
        return info.legal_actions[0]


class TakesChanceFromElsewhere:
    """Plays at random, and otherwise in every process."""

    def act(self, info):
        return info.legal_actions[int.from_bytes(os.urandom(4)) % len(info.legal_actions)]


# --- Bots that would hurt others if they could ----------------------------------------------------


class Sleeps(First):
    def __init__(self, seconds: float, at: int = 0):
        super().__init__(at)
        self.seconds = seconds

    def misbehave(self, info):
        time.sleep(self.seconds)
        return info.legal_actions[0]


class CountsForEver(First):
    """In C, where Python sees to no signal."""

    def misbehave(self, info):
        return pow(7, 10**10)


class HoldsTheInterpreter(First):
    """In C, and no other thread of its process comes to run."""

    def misbehave(self, info):
        ctypes.PyDLL(None).sleep(1000)


class EatsMemory(First):
    def misbehave(self, info):
        hoard = []
        while True:
            hoard.append(b"x" * 2**22)


class AbortsForWantOfMemory(First):
    """As a library in C may do."""

    def misbehave(self, info):
        hoard = []
        with suppress(MemoryError):
            while True:
                hoard.append(b"x" * 2**22)
        os.abort()


class EatsMemoryAtOnce(First):
    def misbehave(self, info):
        return np.ones(2**40)


class EatsMemoryAndGoesOn(First):
    def misbehave(self, info):
        hoard = []
        while True:
            with suppress(MemoryError):
                hoard.append(b"x" * 2**22)


class PrintsWithoutEnd(First):
    def __init__(self, stream: str, at: int = 0):
        super().__init__(at)
        self.stream = stream

    def misbehave(self, info):
        while True:
            print("x" * 1000, file=getattr(sys, self.stream))


class EndsItsProcess(First):
    def misbehave(self, info):
        os._exit(3)


class KillsItself(First):
    def __init__(self, signal: int, at: int = 0):
        super().__init__(at)
        self.signal = signal

    def misbehave(self, info):
        os.kill(os.getpid(), self.signal)
        return info.legal_actions[0]


class ReadsWhereNothingIs(First):
    def misbehave(self, info):
        return ctypes.string_at(0)


class ClosesItsStreams(First):
    def misbehave(self, info):
        os.closerange(0, 100)
        return info.legal_actions[0]


class Forks(First):
    """Parent and child both answer."""

    def misbehave(self, info):
        os.fork()
        return info.legal_actions[0]


class LeavesADaemon(First):
    """Plays well, and leaves a process behind that has left its session and its parent."""

    def __init__(self, path: str):
        super().__init__()
        self.path = path

    def misbehave(self, info):
        if self.decisions == 1 and os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                note(self.path, os.getpid())
                time.sleep(1000)
            os._exit(0)
        return info.legal_actions[0]


class Spies(First):
    """Looks through everything that Python gives it for what it should not know."""

    def __init__(self, path: str):
        super().__init__()
        self.path = path

    def act(self, info):
        gc.collect()  # its own looks into frames, which hold what it was handed before
        frame, own = sys._getframe(), []
        while frame:
            own += frame.f_locals.values()
            frame = frame.f_back
        alive = gc.get_objects()
        alive += own
        seen = [item for item in alive if isinstance(item, engine.State | engine.InformationSet)]
        loaded = sorted(name for name in sys.modules if name.startswith(("tournaments", "ray")))
        files = [os.readlink(f"/proc/self/fd/{n}") for n in range(1000) if os.path.exists(f"/proc/self/fd/{n}")]
        bots = [item for item in alive if callable(getattr(type(item), "act", None)) and item is not self]
        records = {item.records.tobytes() for item in seen}
        note(self.path, info.seat, pickle.dumps(info), records, loaded, files, [type(bot).__name__ for bot in bots])
        return super().act(info)
