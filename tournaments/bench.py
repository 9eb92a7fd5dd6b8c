"""How fast the engine and the search are on this machine, one core."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

import numpy as np

import bots
import engine
from bots.search.kernel import search
from bots.search.settings import workspace
from engine.compiling import rule
from engine.playout import playouts
from engine.rng import stream
from engine.rules import determinize

REPEATS = 7
SECONDS = 0.3  # of each repeat, about
SEARCH_ITERATIONS = 10_000
SEED = 7


def rows(game: engine.Game) -> Iterator[dict[str, Any]]:
    """One row for each task, as `timetricks bench --json` prints it."""
    for task, unit, measure in (
        ("playout", "moves/s", _playout),
        ("ismcts", "iterations/s", _ismcts),
        ("determinize", "us", _determinize),
    ):
        yield {
            "game": game.name,
            "players": game.players,
            "task": task,
            "unit": unit,
            "value": median(measure(game)),
        }


def _repeat(work: Callable[[int], int]) -> Iterator[float]:
    """Seconds per unit; ``work(times)`` returns the number of units it did."""
    work(1)  # compiles
    times = 1
    while True:
        start = time.perf_counter()
        work(times)
        if time.perf_counter() - start > SECONDS / 4:
            break
        times *= 2
    for _ in range(REPEATS):
        start = time.perf_counter()
        units = work(4 * times)
        yield (time.perf_counter() - start) / units


def _playout(game: engine.Game) -> Iterator[float]:
    """Uniformly random moves per second from the first decision to the end of the game."""
    states = np.repeat(game.new(seed=SEED).records, 2)
    deck, actions, rng = np.arange(len(game.deck)), np.empty(len(game.actions), np.int64), stream(SEED)
    return (1 / seconds for seconds in _repeat(lambda times: playouts(states, times, deck, actions, rng)))


def _ismcts(game: engine.Game) -> Iterator[float]:
    """SO-ISMCTS iterations per second at the first decision, playouts to the end of the game."""
    info = game.new(seed=SEED).information_set()
    settings = bots.load("ismcts").settings(info.seat)
    rng = stream(SEED)

    def searches(times: int) -> int:
        for _ in range(times):
            work = workspace(game, info.records, SEARCH_ITERATIONS, settings)
            search(work, settings, None, SEARCH_ITERATIONS, rng)
        return times * SEARCH_ITERATIONS

    return (1 / seconds for seconds in _repeat(searches))


def _determinize(game: engine.Game) -> Iterator[float]:
    """Microseconds to draw a world in the middle of the first deal."""
    info = _middle_of_first_deal(game).information_set()
    worlds, rng = np.repeat(info.records, 2), stream(SEED)
    return (1e6 * seconds for seconds in _repeat(lambda times: _draw_worlds(worlds, info.seat, times, rng)))


@rule
def _draw_worlds(worlds, seat, times, rng):
    """Draws `times` worlds from ``worlds[0]`` into ``worlds[1]``."""
    for _ in range(times):
        worlds[1] = worlds[0]
        determinize(worlds[1], seat, rng)
    return times


def _middle_of_first_deal(game: engine.Game) -> engine.State:
    """The position after half of the actions of a random first deal."""
    rng = np.random.default_rng(SEED)
    states = [game.new(seed=SEED)]
    while not states[-1].is_terminal and states[-1].num_deals == 1:
        states.append(states[-1].apply(rng.choice(states[-1].legal_actions)))
    return states[len(states) // 2]
