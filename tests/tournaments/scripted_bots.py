"""Bots that misbehave in one known way, and bots that write down what they are given."""

from __future__ import annotations

import ast
import os
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any


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


class TakesChanceFromElsewhere:
    """Plays at random, and otherwise in every process."""

    def act(self, info):
        return info.legal_actions[int.from_bytes(os.urandom(4)) % len(info.legal_actions)]
