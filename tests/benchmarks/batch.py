"""Random moves a second of `engine.Batch` beside PettingZoo's loop over the same games.

``python -m tests.benchmarks.batch``: four players, one core, seconds of processor time. In the batch and in the
loop every move comes with an observation and a mask of the legal actions; ``numpy`` and ``compiled`` tell how the
batch's are chosen. ``blind`` are moves of the batch, chosen compiled, without observations. The ratio is that of
``numpy``, the slowest, to PettingZoo.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

import engine
from engine.adapters import pettingzoo
from engine.compiling import rule
from engine.rng import below, stream

GAMES = 1024
SECONDS = 2.0  # of each measurement


def main() -> None:
    print(f"{'moves/s':<20}{'PettingZoo':>12}{'numpy':>12}{'compiled':>12}{'blind':>12}{'ratio':>8}")
    for name in engine.names():
        game = engine.load(name, players=4)
        batch = engine.Batch(game, GAMES, auto_reset=True)
        choosers = chosen_with_numpy(), chosen_compiled()
        loop = measured(pettingzoo_moves(pettingzoo.env(name, players=4)))
        with_numpy, compiled = (measured(batch_moves(batch, choose)) for choose in choosers)
        blind = measured(batch_moves(batch, choosers[1], observe=False))
        print(
            f"{name:<20}{loop:>12,.0f}{with_numpy:>12,.0f}{compiled:>12,.0f}{blind:>12,.0f}{with_numpy / loop:>7.0f}x"
        )


def measured(play: Callable[[], int]) -> float:
    """Moves a second of `play`, which plays some and returns how many."""
    play()  # compiles
    moves = 0
    start = time.process_time()
    while time.process_time() - start < SECONDS:
        moves += play()
    return moves / (time.process_time() - start)


def batch_moves(batch: engine.Batch, choose: Callable[[np.ndarray], np.ndarray], observe: bool = True):
    def play() -> int:
        if observe:
            batch.observe()
        batch.step(choose(batch.legal()))
        return len(batch)

    return play


def chosen_with_numpy() -> Callable[[np.ndarray], np.ndarray]:
    rng = np.random.default_rng(1)
    return lambda masks: (masks * rng.random(masks.shape, dtype=np.float32)).argmax(axis=1)


def chosen_compiled() -> Callable[[np.ndarray], np.ndarray]:
    actions, rng = np.empty(GAMES, np.int64), stream(1)

    def choose(masks: np.ndarray) -> np.ndarray:
        fill_random(masks, actions, rng)
        return actions

    return choose


@rule
def fill_random(masks, actions, rng):
    """Writes a uniformly random legal action for each game."""
    ids = np.empty(masks.shape[1], np.int64)
    for i in range(len(masks)):
        count = 0
        for action in range(masks.shape[1]):
            if masks[i, action]:
                ids[count] = action
                count += 1
        actions[i] = ids[below(rng, count)]


def pettingzoo_moves(env) -> Callable[[], int]:
    """Whole games, played as PettingZoo's documentation plays them."""
    env.reset(seed=1)

    def play() -> int:
        moves = 0
        env.reset()
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            action = None
            if not (terminated or truncated):
                action = env.action_space(agent).sample(observation["action_mask"])
                moves += 1
            env.step(action)
        return moves

    return play


if __name__ == "__main__":
    main()
