"""Hosts a Python bot in a process of its own: ``python -m bots.host BOT`` speaks the bot's side of `PROTOCOL.md`.

What the bot prints goes to stderr. It gets its seat's information set, as in-process bots do.
"""

from __future__ import annotations

import base64
import json
import os
import sys
import traceback
from collections.abc import Iterator
from typing import Any

import numpy as np

import bots
import engine
from bots.bot import describe, warm_up
from bots.process_bot import PROTOCOL
from engine.state import plain_int

_LONGEST_ACTION = 1000  # characters; what is longer is no action


class Host:
    """Answers messages for one bot: a fresh object for every game."""

    def __init__(self, bot: str):
        self._bot_name = bot
        self._bot = None
        self._warm = set()

    def hello(self, message: dict[str, Any]) -> dict[str, Any]:
        self._options = message["options"]
        try:
            bots.load(self._bot_name, **self._options)
        except ValueError as error:
            return {"type": "error", "message": str(error)}
        return {"type": "hello", "protocol": PROTOCOL, "observation": "record"}

    def new_game(self, message: dict[str, Any]) -> dict[str, Any]:
        self._game = engine.load(message["game"], players=message["players"], **message["options"])
        if self._game not in self._warm:
            warm_up(self._game, self._bot_name, self._options)
            self._warm.add(self._game)
        self._seat = message["seat"]
        self._bot = bots.load(self._bot_name, **self._options)
        if hasattr(self._bot, "new_game"):
            self._bot.new_game(self._game, self._seat, np.random.default_rng(message["seed"]))
        return {"type": "ready"}

    def forget(self) -> None:
        """Lets go of the bot's memory."""
        self._bot = None

    def act(self, message: dict[str, Any]) -> dict[str, Any]:
        records = np.frombuffer(base64.b64decode(message["record"]), self._game.empty_record().dtype)
        action = self._bot.act(engine.InformationSet(self._game, records, self._seat))
        return {"type": "action", "action": _plain(action)}


def _plain(action: Any) -> Any:
    """An action as JSON can hold it; what is none is described, for the complaint about it."""
    if isinstance(action, int | np.integer) and not isinstance(action, bool):
        return plain_int(action)
    if isinstance(action, str):
        return str.__str__(action)[:_LONGEST_ACTION]
    return action if action is None or isinstance(action, bool | float) else describe(action)


def serve(host: Host, messages: Iterator[bytes], answers) -> None:
    """Answers until there are no more messages; what the bot raises is an answer too."""
    for line in messages:
        message = json.loads(line)
        if message["type"] not in ("hello", "new_game", "act"):
            continue
        try:
            answer = getattr(host, message["type"])(message)
        except MemoryError:
            host.forget()
            answer = {"type": "error", "reason": "memory", "message": "MemoryError: no more memory"}
        except (Exception, SystemExit) as error:
            traceback.print_exc()
            answer = {"type": "error", "message": describe(error)}
        answers.write(json.dumps(answer).encode() + b"\n")
        answers.flush()


def main(bot: str) -> None:
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what the bot prints
    serve(Host(bot), sys.stdin.buffer, answers)


if __name__ == "__main__":
    main(*sys.argv[1:])
