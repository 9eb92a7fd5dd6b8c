"""Bots in processes of their own: in any language, over stdin and stdout (`PROTOCOL.md`).

A bot that hangs, exits, eats memory or prints without end loses its process and nothing else, and all
that it can reach is what it is sent. Our own Python bots are hosted the same way by `bots.host`.
"""

from __future__ import annotations

import base64
import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

from engine import Game, InformationSet

PROTOCOL = "timetricks-bot/1"
LONGEST_LINE = 1024**2  # bytes of an answer
MOST_OUTPUT = 16 * 1024**2  # bytes on stderr while an answer is due
KEPT_OUTPUT = 4096  # bytes, the last ones of a game
_FAREWELL_SECONDS = 1.0  # for a bot to end by itself
_MOST_SEED = 1 << 53  # every JSON reader holds integers up to here
_CONFINE = str(Path(__file__).with_name("confine.py"))


class Limits(BaseModel):
    """What a bot may use. Its process is killed at all of them but `milliseconds`."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, validate_default=True)
    milliseconds: float | None = Field(None, gt=0, description="per move; a later answer does not count")
    hard_milliseconds: float = Field(60_000, gt=0, description="per move")
    start_seconds: float = Field(60, gt=0, description="to start, and to get ready for a game")
    memory_megabytes: int = Field(4096, ge=16, description="of data, each process by itself")

    @model_validator(mode="after")
    def _in_order(self) -> Limits:
        if self.milliseconds is not None and self.milliseconds > self.hard_milliseconds:
            raise ValueError(f"expected milliseconds of at most hard_milliseconds, {self.hard_milliseconds:g}")
        return self


class BotFaultError(Exception):
    """A bot broke a rule of the house; `reason` names which."""

    def __init__(self, reason: str, message: str):
        super().__init__(message)
        self.reason = reason


class ProcessBot:
    """A bot that is a command, started when it is made. Every call may raise BotFaultError, with the reason

    "exception" (it said so itself), "protocol" (an answer that is none), "too slow" (an answer after
    ``limits.milliseconds``), "no answer" (none within the hard limit), "memory", "output" (it prints
    without end) or "exit" (the process ended).
    """

    def __init__(self, name: str, command: Sequence[str], limits: Limits, options: dict[str, Any]):
        self.limits = limits
        self._unread = bytearray()
        self._output = bytearray()
        self._process, self._peak = _start(command, limits)
        self._answers, self._prints = self._process.stdout.fileno(), self._process.stderr.fileno()
        self._selector = selectors.DefaultSelector()
        for stream in (self._answers, self._prints):
            os.set_blocking(stream, False)
            self._selector.register(stream, selectors.EVENT_READ)
        os.set_blocking(self._process.stdin.fileno(), False)
        try:
            hello = self._ask({"type": "hello", "protocol": PROTOCOL, "bot": name, "options": options}, "hello")
            if hello.get("protocol") != PROTOCOL:
                raise BotFaultError("protocol", f"hello: protocol {_cut(hello.get('protocol'))}; expected {PROTOCOL!r}")
            self._observation = hello.get("observation", "facts")
            if self._observation not in ("facts", "record"):
                raise BotFaultError("protocol", f"hello: observation {_cut(self._observation)}; expected 'facts'")
        except BotFaultError as error:
            self.close()
            last_words = f"; {lines[-1][:200]}" if (lines := self.output.splitlines()) else ""
            raise BotFaultError(error.reason, f"{error}{last_words}") from None

    @property
    def is_alive(self) -> bool:
        return self._process.returncode is None

    @property
    def output(self) -> str:
        """The end of what the bot wrote to stderr since its last game began."""
        if self.is_alive:
            with suppress(BotFaultError):
                self._read(0)
        return self._output[-KEPT_OUTPUT:].decode(errors="replace")

    def new_game(self, game: Game, seat: int, rng: np.random.Generator) -> None:
        self._output.clear()
        about = {"game": game.name, "players": game.players, "options": game.options}
        names = {"deck": game.deck, "actions": game.actions}
        message = {"type": "new_game", **about, "seat": seat, "seed": int(rng.integers(_MOST_SEED)), **names}
        self._ask(message, "ready")

    def act(self, info: InformationSet) -> Any:
        """What the bot answered: a legal action if it plays by the rules."""
        message = {"type": "act", "milliseconds": self.limits.milliseconds}
        if self._observation == "record":
            message["record"] = base64.b64encode(info.records.tobytes()).decode()
        else:
            message |= {"facts": info.facts(), "legal_actions": info.legal_names}
        start = time.monotonic()
        answer = self._ask(message, "action", self.limits.hard_milliseconds / 1000)
        milliseconds = 1000 * (time.monotonic() - start)
        if self.limits.milliseconds is not None and milliseconds > self.limits.milliseconds:
            raise BotFaultError("too slow", f"an answer after more than {self.limits.milliseconds:g} milliseconds")
        if "action" not in answer:
            raise BotFaultError("protocol", f"{_cut(answer)}: expected a key 'action'")
        return answer["action"]

    def end_game(self, result: dict[str, Any]) -> None:
        """Tells the bot how its game ended: scores, ranks and returns by seat."""
        self._send({"type": "result", **result})

    def close(self) -> None:
        """Ends the process and everything that it started."""
        if self.is_alive:
            with suppress(BotFaultError):
                self._send({"type": "quit"})
                self._process.stdin.close()
                self._wait(_FAREWELL_SECONDS)
            self._kill()
        self._selector.close()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr, self._peak):
            with suppress(OSError):
                stream.close()

    def _ask(self, message: dict[str, Any], expected: str, seconds: float | None = None) -> dict[str, Any]:
        """The bot's answer to a message: an object of the expected type."""
        self._read(0)
        if self._unread:
            raise self._lost("protocol", f"{_cut(self._unread)}: expected nothing before the next message")
        del self._output[:-KEPT_OUTPUT]
        self._send(message)
        seconds = self.limits.start_seconds if seconds is None else seconds
        line = self._read_line(seconds, f"no {expected!r} within {seconds:g} seconds")
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict) or answer.get("type") not in (expected, "error"):
            raise self._lost("protocol", f"{_cut(line)}: expected a JSON object of type {expected!r} in one line")
        if answer["type"] == "error":
            reason = "memory" if answer.get("reason") == "memory" else "exception"
            raise BotFaultError(reason, str(answer.get("message"))[:1000])
        return answer

    def _send(self, message: dict[str, Any]) -> None:
        data = json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
        try:
            written = os.write(self._process.stdin.fileno(), data)
        except BlockingIOError:
            written = 0
        except BrokenPipeError:
            raise self._ended() from None
        if written < len(data):
            raise self._lost("no answer", "it does not read its input")

    def _read_line(self, seconds: float, complaint: str) -> bytes:
        deadline = time.monotonic() + seconds
        while b"\n" not in self._unread:
            left = deadline - time.monotonic()
            if left <= 0:
                raise self._lost("no answer", complaint)
            self._read(left)
            if len(self._unread) > LONGEST_LINE:
                raise self._lost("protocol", f"{_cut(self._unread)}: expected a line of at most {LONGEST_LINE} bytes")
            if len(self._output) > MOST_OUTPUT:
                raise self._lost("output", f"more than {MOST_OUTPUT} bytes printed and no answer")
        line, _, self._unread = self._unread.partition(b"\n")
        return bytes(line)

    def _read(self, seconds: float) -> None:
        """Takes in what the bot wrote, waiting for it at most so long."""
        for key, _ in self._selector.select(seconds):
            data = os.read(key.fd, 1 << 16)
            if key.fd == self._answers:
                if not data:
                    raise self._ended()
                self._unread += data
            elif data:
                self._output += data
            else:
                self._selector.unregister(key.fd)

    def _ended(self) -> BotFaultError:
        """The process closed its end: what became of it."""
        self._wait(_FAREWELL_SECONDS)
        if self.is_alive:
            return self._lost("protocol", "it closed its stdout")
        code, peak = self._process.returncode, int(self._peak.read() or 0) / 1024
        self._kill()
        if code and peak > 0.8 * self.limits.memory_megabytes:
            return BotFaultError("memory", f"ended with more than {self.limits.memory_megabytes} megabytes in sight")
        how = f"exit code {code}" if code >= 0 else f"signal {-code} ({signal.Signals(-code).name})"
        return BotFaultError("exit", f"the process ended with {how}")

    def _lost(self, reason: str, message: str) -> BotFaultError:
        """Kills a process that cannot be talked to any more."""
        self._kill()
        return BotFaultError(reason, message)

    def _wait(self, seconds: float) -> None:
        """Takes the process off the system's list if it ends within so long."""
        deadline = time.monotonic() + seconds
        while self.is_alive:
            pid, status = os.waitpid(self._process.pid, os.WNOHANG)
            if pid:
                self._process.returncode = os.waitstatus_to_exitcode(status)
            elif time.monotonic() > deadline:
                return
            else:
                time.sleep(0.002)

    def _kill(self) -> None:
        """Has `confine.py` kill what the bot has started, daemons too; kills both if it does not."""
        if self.is_alive:
            self._process.terminate()
            self._wait(_FAREWELL_SECONDS)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._wait(60)


def import_path() -> str:
    """Where this process imports from, as the PYTHONPATH of another."""
    return os.pathsep.join(entry or os.getcwd() for entry in sys.path)


def _start(command: Sequence[str], limits: Limits) -> tuple[subprocess.Popen, FileIO]:
    """The process, and what tells its peak of memory, in kilobytes, once it has ended."""
    peak, pipe = os.pipe()
    settings = [str(limits.memory_megabytes), str(os.getpid()), str(pipe)]
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", _CONFINE, *settings, *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        env=os.environ | {"PYTHONPATH": import_path()},
        start_new_session=True,  # so that all it starts can be killed at once, and Ctrl-C is not for it
        pass_fds=(pipe,),
    )
    os.close(pipe)
    os.set_blocking(peak, False)
    return process, os.fdopen(peak, "rb", 0)


def _cut(text: Any) -> str:
    shown = text.decode(errors="replace") if isinstance(text, bytes | bytearray) else str(text)
    return repr(shown[:100]) + (" …" if len(shown) > 100 else "")
