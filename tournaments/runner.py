"""Plays the blocks that a store lacks: in this process, or as Ray tasks on this machine or a cluster.

The only module that imports Ray, and only when it is used. A task plays a batch of blocks that is
sized by measured time. Ray repeats a task whose worker died, so a result may come twice; it is keyed
by its block and the store keeps one.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bots.bot import warm_up
from bots.process_bot import import_path
from tournaments.config import Config
from tournaments.match import GameResult, play_block
from tournaments.players import Players
from tournaments.schedule import Block, Schedule
from tournaments.store import RunError, Store

BATCH_SECONDS = 1.0  # what a task should take: shorter ones cost overhead, longer ones are lost with their worker
MAX_BATCH = 1000  # blocks
CONNECT_SECONDS = 5
HEARTBEAT_SECONDS = 1.0
RESTARTS = 3  # of Ray itself, when its processes on this machine are killed
RETRIES = 3  # of a task whose worker died
TASKS_PER_CPU = 2  # in flight: one plays, one waits
OBJECT_STORE_BYTES = 100 * 1024**2  # results are small
_WEIGHT_OF_LAST = 0.3  # in the running mean of how long a game's blocks take

_RAY_ENVIRONMENT = {
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",  # would start every worker through `uv run`
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
}

Played = list[list[GameResult]]
"""The games of some blocks, block by block."""


@dataclass(frozen=True)
class Pending:
    """Blocks of a schedule, counted, and each made when its turn comes."""

    schedule: Schedule
    indices: Sequence[int]

    def __len__(self) -> int:
        return len(self.indices)

    def __iter__(self) -> Iterator[Block]:
        return (self.schedule[index] for index in self.indices)


def pending_blocks(config: Config, store: Store) -> Pending:
    """The blocks of the schedule that are not in the store, in schedule order."""
    schedule, finished = Schedule(config), store.finished_blocks()
    if not finished:
        return Pending(schedule, range(len(schedule)))
    return Pending(schedule, [index for index, block in enumerate(schedule) if block.id not in finished])


def compile_kernels(config: Config) -> None:
    """Compiles what games and built-in bots need, so that workers find it in the cache."""
    for entry in config.games:
        for bot_entry in config.bots:
            warm_up(entry.load(), bot_entry.bot, bot_entry.model_extra)


class Runner:
    """Plays blocks in `workers` processes (default: one per CPU that this one may use).

    0 plays in this process, without Ray. With `ray_address` the cluster there does the work.
    """

    def __init__(self, config: Config, workers: int | None = None, ray_address: str | None = None):
        self.stopping = False  # set it, from a signal handler too, to have no more blocks begun
        self._config = config
        self._workers = workers
        self._ray_address = ray_address
        self._in_flight: dict[object, list[Block]] = {}
        self._failures: list[str] = []
        self._seconds: dict[int, float] = {}  # that a block of each game takes
        self._repeated: deque[Block] = deque()

    @property
    def in_flight(self) -> list[Block]:
        """The blocks that have been begun and not yet been handed over."""
        return [block for batch in self._in_flight.values() for block in batch]

    def play(self, blocks: Iterable[Block]) -> Iterator[Played]:
        """Yields blocks as they are finished, in any order; with Ray at least once a second, perhaps none.

        Raises RunError at the end when there were blocks that could not be played.
        """
        yield from self._play_here(blocks) if self._workers == 0 else self._play_on_ray(iter(blocks))

    def _play_here(self, blocks: Iterable[Block]) -> Iterator[Played]:
        with Players(self._config) as players:
            for block in blocks:
                if self.stopping:
                    return
                self._in_flight[None] = [block]
                results = play_block(players, block)
                yield [results]
                self._in_flight.clear()

    def _play_on_ray(self, waiting: Iterator[Block]) -> Iterator[Played]:
        for _ in range(RESTARTS + 1):
            try:
                with _ray(self._workers, self._ray_address) as ray:
                    yield from self._play_while_alive(ray, waiting)
                break
            except _RayDiedError as error:
                if self.stopping:  # what was in flight is lost
                    print(f"Ray's {error} died", file=sys.stderr)
                    return
                print(f"Ray's {error} died; starting Ray again", file=sys.stderr)
                self._repeated.extend(self.in_flight)
                self._in_flight.clear()
        else:
            raise RunError(f"Ray died {RESTARTS + 1} times; what was finished is stored, the same command goes on")
        if self._failures:
            raise RunError(f"blocks that no worker could play in {RETRIES + 1} tries: {'; '.join(self._failures)}")

    def _play_while_alive(self, ray, waiting: Iterator[Block]) -> Iterator[Played]:
        play_batch = ray.remote(_play_batch).options(max_retries=RETRIES)
        config = ray.put(self._config)
        gc.freeze()  # what is here by now stays: else most of the time of taking in results goes into looking it over
        while True:
            room = TASKS_PER_CPU * max(1, int(ray.cluster_resources().get("CPU", 1))) - len(self._in_flight)
            for _ in range(room):
                if batch := self._next_batch(waiting):
                    self._in_flight[play_batch.remote(config, batch)] = batch
            if not self._in_flight:
                return
            finished, _ = ray.wait(list(self._in_flight), num_returns=1, timeout=HEARTBEAT_SECONDS)
            _check_alive(ray)
            yield [results for task in finished for results in self._outcome(ray, task)]
            for task in finished:
                del self._in_flight[task]

    def _next_batch(self, waiting: Iterator[Block]) -> list[Block]:
        """Blocks for about `BATCH_SECONDS`; a single one where nothing is known, or where a batch has failed."""
        batch, seconds = [], 0.0
        if self.stopping:
            return batch
        if self._repeated:
            return [self._repeated.popleft()]
        for block in waiting:
            batch.append(block)
            seconds += self._seconds.get(block.game, BATCH_SECONDS)
            if seconds >= BATCH_SECONDS or len(batch) == MAX_BATCH:
                break
        return batch

    def _outcome(self, ray, task) -> Played:
        """What a task has played. If its worker could not, its blocks are tried one by one before they are given up."""
        batch = self._in_flight[task]
        try:
            outcome = ray.get(task)
        except ray.exceptions.RayError as error:
            _check_alive(ray)
            if len(batch) > 1:
                self._repeated.extend(batch)
            else:
                self._failures.append(f"{batch[0].id}: {type(error).__name__}, {str(error).splitlines()[0]}")
            return []
        for block, (_, seconds) in zip(batch, outcome, strict=True):
            before = self._seconds.get(block.game, seconds)
            self._seconds[block.game] = before + _WEIGHT_OF_LAST * (seconds - before)
        return [results for results, _ in outcome]


_players: list[Players] = []
"""What this worker plays with: kept from task to task."""


def _play_batch(config: Config, blocks: list[Block]) -> list[tuple[list[GameResult], float]]:
    """Runs in a worker: the games of each block and the seconds they took."""
    if not _players or _players[0].config != config:
        while _players:
            _players.pop().close()
        _players.append(Players(config))
    outcome = []
    for block in blocks:
        start = time.perf_counter()
        outcome.append((play_block(_players[0], block), time.perf_counter() - start))
    return outcome


class _RayDiedError(Exception):
    """A process of the Ray that this one started is gone. Left alone, Ray ends this process after a minute."""


def _check_alive(ray) -> None:
    node = ray._private.worker._global_node  # there is no public way to ask
    if node is not None and (dead := node.dead_processes()):
        raise _RayDiedError(", ".join(name for name, _ in dead))


@contextmanager
def keeping_ray(workers: int | None = None, ray_address: str | None = None) -> Iterator[None]:
    """Lets all that is played inside have one and the same Ray, with these workers; else every `play` starts one."""
    if workers == 0:
        yield
        return
    with _ray(workers, ray_address):
        yield


@contextmanager
def _ray(workers: int | None, address: str | None):
    """Ray, started on this machine or joined at `address`, and left behind as it was found.

    One that died is shut down at any rate, so that it can be started again.
    """
    for name, value in _RAY_ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    import ray

    if ray.is_initialized():
        try:
            yield ray
        except _RayDiedError:
            ray.shutdown()
            raise
        return
    if address:
        _check_reachable(address)
        start = {"address": address}
    else:
        start = {
            "address": "local",  # not that of a cluster which happens to be here
            "num_cpus": workers or len(os.sched_getaffinity(0)),
            "include_dashboard": False,
            "object_store_memory": OBJECT_STORE_BYTES,
        }
    # Ray puts the working directory first on the path of its workers: let it be the one that holds these
    # very packages. The user's own bots are found in the present one, which is on our path already.
    os.environ["PYTHONPATH"] = import_path()
    with chdir(Path(__file__).resolve().parent.parent), _same_handler(signal.SIGTERM):
        ray.init(**start, log_to_driver=False, logging_level="ERROR")
    try:
        yield ray
    finally:
        ray.shutdown()


@contextmanager
def _same_handler(number: int):
    """Ray puts a handler of its own in the place of the user's."""
    before = signal.getsignal(number)
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread():  # no other may have handlers
            signal.signal(number, before)


def _check_reachable(address: str) -> None:
    """Raises RunError unless somebody listens at ``host:port``: Ray itself tries for many minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if port.isdigit():
        try:
            socket.create_connection((host, int(port)), timeout=CONNECT_SECONDS).close()
        except OSError as error:
            raise RunError(f"no Ray cluster answers at {address}: {error.strerror or error}") from None
