"""Games a second between compiled policies, and what rules win against chance: ``python -m tests.benchmarks.arena``.

One seat plays by the rules, the others at random, four players, one core. The returns are means over
deal blocks with their standard errors; the fair share is 0.25.
"""

from __future__ import annotations

import time

import numpy as np

import engine
from bots import arena

BLOCKS = 2000
FIRST_SEED = 10**9  # far from those that tuning saw


def main() -> None:
    for name in engine.names():
        game = engine.load(name, players=4)
        table = [arena.rules(game), *[arena.chance(game)] * 3]
        arena.play_blocks(game, table, np.arange(1))  # compiles
        start = time.perf_counter()
        returns = arena.play_blocks(game, table, FIRST_SEED + np.arange(BLOCKS))[:, 0]
        speed = 4 * BLOCKS / (time.perf_counter() - start)
        error = returns.std(ddof=1) / BLOCKS**0.5
        print(f"{name}: {speed:,.0f} games/s, returns of rules {returns.mean():.3f} (standard error {error:.3f})")


if __name__ == "__main__":
    main()
