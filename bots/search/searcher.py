"""Spending a budget on a decision: iterations or time, in one thread or several."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from bots.search.kernel import CHECK_INTERVAL, lead_in_visits, search
from bots.search.options import SearchOptions
from bots.search.reuse import graft
from bots.search.settings import Settings, Workspace, grown, workspace
from engine import Game
from engine.rng import stream

FIRST_ROOM = 4096  # iterations for which a search against the clock has room at first
PATIENCE = 0.001  # seconds between two looks at the clock, about


class Searcher:
    """What a bot searches with in one game."""

    def __init__(self, game: Game, options: SearchOptions, rng: np.random.Generator):
        self._game = game
        self._options = options
        self._weights = options.weights(game)
        self._streams = [stream(int(rng.integers(1 << 62))) for _ in range(options.threads)]
        self._pool = ThreadPoolExecutor(options.threads) if options.threads > 1 else None

    def search(
        self,
        settings: Settings,
        worlds: np.ndarray,
        table: np.ndarray | None = None,
        portion: float = 1.0,
        seeds: Sequence[tuple[np.ndarray, int]] | None = None,
    ) -> list[Workspace]:
        """Searches from `worlds` with the weights in `table`, see Workspace, with a `portion` of the time.

        `seeds` are the trees to start from, for each thread nodes and the number of the one that becomes the
        root. Returns the work of each thread.
        """
        room = partial(workspace, self._game, worlds, settings=settings, table=table)
        spend = partial(self._spend, room, settings, portion)
        seeds = seeds or [None] * len(self._streams)
        if self._pool is None:
            return [spend(self._options.iterations, self._streams[0], seeds[0])]
        return list(self._pool.map(spend, self._shares(), self._streams, seeds))

    @property
    def random_stream(self) -> np.ndarray:
        """The random stream of the first thread."""
        return self._streams[0]

    def _shares(self) -> Sequence[int | None]:
        """The iterations of each thread, as equal as can be."""
        threads, iterations = self._options.threads, self._options.iterations
        if iterations is None:
            return [None] * threads
        shares = [(iterations + number) // threads for number in reversed(range(threads))]
        return [share for share in shares if share > 0]

    def _spend(self, room, settings, portion: float, iterations: int | None, rng: np.ndarray, seed) -> Workspace:
        start = time.perf_counter()
        work = room(iterations or FIRST_ROOM)
        if seed is not None:
            graft(work, *seed)
        if iterations is None:
            return self._spend_time(work, settings, start, portion * self._options.milliseconds / 1000, rng)
        search(work, settings, self._weights, iterations, rng)
        return work

    def _spend_time(self, work: Workspace, settings: Settings, start: float, seconds: float, rng) -> Workspace:
        settings = settings._replace(stops_early=False)  # the kernel counts in iterations, this here in time
        done, chunk = 0, 1
        while True:
            search(work, settings, self._weights, chunk, rng)
            done += chunk
            spent = time.perf_counter() - start
            if spent >= seconds:
                return work
            rate = done / spent
            if self._options.early_stop and lead_in_visits(work.nodes) > rate * (seconds - spent):
                return work
            chunk = min(CHECK_INTERVAL, 2 * chunk, max(1, int(rate * min(PATIENCE, seconds - spent))))
            if done + chunk >= len(work.logarithms):
                work = grown(work, self._game, settings)
