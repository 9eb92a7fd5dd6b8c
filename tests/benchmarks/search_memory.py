"""How much memory a search of 10 000 iterations takes: ``python -m tests.benchmarks.search_memory``.

The tree and all scratch space are allocated once, before the first iteration; what is allocated meanwhile
is traced too. Megabytes of 10**6 bytes.
"""

from __future__ import annotations

import tracemalloc

import numpy as np

import bots
import engine

ITERATIONS = 10_000
SEARCHERS = ("flat", "ismcts", "ismcts-strong", "mo_ismcts")


def peak(game: engine.Game, name: str) -> float:
    """Megabytes allocated at the most while `name` decides on the first action."""
    info = game.new(seed=7).information_set()
    bot = bots.load(name, iterations=ITERATIONS)
    bot.new_game(game, info.seat, np.random.default_rng(1))
    bot.act(info)  # compiles
    tracemalloc.start()
    bot.act(info)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most / 1e6


def main() -> None:
    print(f"{'MB':20}" + "".join(f"{name:>15}" for name in SEARCHERS))
    for name in engine.names():
        game = engine.load(name)
        print(f"{name:20}" + "".join(f"{peak(game, searcher):15.1f}" for searcher in SEARCHERS))


if __name__ == "__main__":
    main()
