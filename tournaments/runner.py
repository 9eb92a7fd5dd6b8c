"""Plays the blocks that a store lacks: in this process, or as Ray tasks on this machine or a cluster.

The only module that imports Ray, and only when it is used. A task plays a batch of blocks that is
sized by measured time. Ray repeats a task whose worker died, so a result may come twice; it is keyed
by its block and the store keeps one.
"""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import chdir, contextmanager, redirect_stdout
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

import bots
from bots.bot import options_of
from tournaments.config import BotEntry, Config
from tournaments.match import GameResult, play_block
from tournaments.schedule import Block, Schedule
from tournaments.store import RunError, Store

BATCH_SECONDS = 1.0  # what a task should take: shorter ones cost overhead, longer ones are lost with their worker
MAX_BATCH = 1000  # blocks
CONNECT_SECONDS = 5
RETRIES = 3  # of a batch whose worker died
TASKS_PER_CPU = 2  # in flight: one plays, one waits
OBJECT_STORE_BYTES = 100 * 1024**2  # results are small

_RAY_ENVIRONMENT = {
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",  # would start every worker through `uv run`
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
}


def pending_blocks(config: Config, store: Store) -> Iterator[Block]:
    """The blocks of the schedule that are not in the store, in schedule order."""
    finished = store.finished_blocks()
    return (block for block in Schedule(config) if block.id not in finished)


def compile_kernels(config: Config) -> None:
    """Has every built-in bot decide once in every game, with little thought: workers find the kernels in the cache."""
    for entry in config.games:
        game = entry.load()
        for bot_entry in config.bots:
            if bot_entry.bot in bots.names():
                bot = bots.load(bot_entry.bot, **_smallest_budget(bot_entry))
                bot.new_game(game, 0, np.random.default_rng(0))
                state = game.new(seed=0)
                state.apply(bot.act(state.information_set()))


def _smallest_budget(entry: BotEntry) -> dict[str, Any]:
    """The options of a bot with a single iteration, if it counts them."""
    options = {name: value for name, value in entry.model_extra.items() if name != "milliseconds"}
    counts_iterations = any(name == "iterations" for name, *_ in options_of(entry.bot))
    return options | ({"iterations": 1} if counts_iterations else {})


def run(
    config: Config, blocks: Iterable[Block], workers: int | None = None, ray_address: str | None = None
) -> Iterator[list[GameResult]]:
    """Plays `blocks` and yields the games of each as it is finished, in any order.

    `workers` is the number of processes (default: the CPUs this process may use); 0 plays in this
    process, without Ray. With `ray_address` the cluster there does the work.
    """
    if workers == 0:
        for block in blocks:
            with redirect_stdout(sys.stderr):  # a bot that prints must not spoil the tables
                results = play_block(config, block)
            yield results
        return
    with _ray(workers, ray_address) as ray:
        yield from _run_on_ray(ray, config, blocks)


def _run_on_ray(ray, config: Config, blocks: Iterable[Block]) -> Iterator[list[GameResult]]:
    play_batch = ray.remote(_play_batch).options(max_retries=RETRIES)
    shared_config = ray.put(config)
    waiting = iter(blocks)
    in_flight = {}
    batch_size = 1
    failures = []
    while True:
        room = TASKS_PER_CPU * max(1, int(ray.cluster_resources().get("CPU", 1))) - len(in_flight)
        for _ in range(0 if failures else room):
            if batch := list(islice(waiting, batch_size)):
                in_flight[play_batch.remote(shared_config, batch)] = batch
        if not in_flight:
            break
        finished, _ = ray.wait(list(in_flight), num_returns=1)
        for task in finished:
            batch = in_flight.pop(task)
            try:
                results, seconds = ray.get(task)
            except ray.exceptions.RayError as error:  # what else is in flight is finished and stored first
                names = ", ".join(block.id for block in batch)
                failures.append(f"{names}: {type(error).__name__}, {str(error).splitlines()[0]}")
                continue
            batch_size = _next_batch_size(len(results), seconds)
            yield from results
    if failures:
        raise RunError(f"blocks that no worker could play in {RETRIES + 1} tries: {'; '.join(failures)}")


def _play_batch(config: Config, blocks: list[Block]) -> tuple[list[list[GameResult]], float]:
    """Runs in a worker: the games of each block, and the seconds they took together."""
    start = time.perf_counter()
    return [play_block(config, block) for block in blocks], time.perf_counter() - start


def _next_batch_size(blocks: int, seconds: float) -> int:
    return max(1, min(MAX_BATCH, 4 * blocks, int(blocks * BATCH_SECONDS / seconds)))


@contextmanager
def _ray(workers: int | None, address: str | None):
    """Ray, started on this machine or joined at `address`, and left behind as it was found."""
    for name, value in _RAY_ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    import ray

    if address:
        _check_reachable(address)
        start = {"address": address}
    else:
        start = {
            "num_cpus": workers or len(os.sched_getaffinity(0)),
            "include_dashboard": False,
            "object_store_memory": OBJECT_STORE_BYTES,
        }
    # Ray puts the working directory first on the path of its workers: let it be the one that holds these
    # very packages. The user's own bots are found in the present one, which is on our path already.
    os.environ["PYTHONPATH"] = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
    with chdir(Path(__file__).resolve().parent.parent):
        ray.init(**start, log_to_driver=False, logging_level="ERROR")
    try:
        yield ray
    finally:
        ray.shutdown()


def _check_reachable(address: str) -> None:
    """Raises RunError unless somebody listens at ``host:port``: Ray itself tries for many minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if port.isdigit():
        try:
            socket.create_connection((host, int(port)), timeout=CONNECT_SECONDS).close()
        except OSError as error:
            raise RunError(f"no Ray cluster answers at {address}: {error.strerror or error}") from None
