"""A run as its user sees it: a progress bar, standings on request, and a stop that loses nothing."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from tqdm import tqdm

from tournaments.runner import Played, Runner
from tournaments.schedule import Block
from tournaments.store import Store

_BAR = "{desc}: {percentage:3.0f}%|{bar}| {n_fmt}/{total_fmt} blocks [{elapsed}<{remaining}{postfix}]"
_STOP = b"\nfinishing the blocks in flight; once more drops them\n"


class Live:
    """Plays blocks into a store. SIGINT and SIGTERM finish what is in flight, the second time drop it.

    SIGUSR1 calls `show` at the next heartbeat.
    """

    def __init__(self, store: Store, runner: Runner, show: Callable[[], None]):
        self.stopped_by: int | None = None  # the number of the signal
        self.note = ""  # shown behind the bar
        self._store = store
        self._runner = runner
        self._show = show
        self._show_wanted = False

    def play(self, blocks: Iterable[Block], total: int, title: str) -> Iterator[Played]:
        """Yields what has been finished and stored, in any order. `total` is the number of blocks to come."""
        at_terminal = sys.stderr.isatty()
        rare = 0.1 if at_terminal else 10.0  # seconds between lines of a log file
        bar = tqdm(total=total, desc=title, bar_format=_BAR, file=sys.stderr, mininterval=rare)
        self._stored_before = len(self._store.finished_blocks())
        games, start = 0, None
        with self._signals(), bar:
            try:
                for played in self._runner.play(blocks):
                    start = start or time.monotonic()  # workers have been started by now
                    self._store.add_blocks(played)
                    games += sum(map(len, played))
                    rate = f"{games / (time.monotonic() - start + 0.01):.3g} games/s"
                    bar.set_postfix_str(f"{rate}, {self.note}" if self.note else rate, refresh=False)
                    bar.update(len(played))
                    if at_terminal and not played:
                        bar.refresh()
                    yield played
                    if self._show_wanted:
                        self._show_wanted = False
                        with tqdm.external_write_mode(file=sys.stderr):
                            self._show()
            except KeyboardInterrupt:
                pass
        if self.stopped_by:
            self._take_leave(total)

    def _take_leave(self, total: int) -> None:
        finished = self._store.finished_blocks()
        stored = len(finished) - self._stored_before
        dropped = [block.id for block in self._runner.in_flight if block.id not in finished]
        tell = f"stopped: {stored} of {total} blocks were played and are stored; the same command goes on"
        print(tell, *(f"dropped: {block}" for block in dropped), sep="\n", file=sys.stderr)

    @contextmanager
    def _signals(self) -> Iterator[None]:
        def stop(number, _):
            if self.stopped_by:
                raise KeyboardInterrupt
            self.stopped_by = number
            self._runner.stopping = True
            os.write(2, _STOP)  # a signal may come in the middle of a print

        def show(*_):
            self._show_wanted = True

        handlers = {signal.SIGINT: stop, signal.SIGTERM: stop, signal.SIGUSR1: show}
        before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
