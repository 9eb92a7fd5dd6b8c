"""Our search beside that of OpenSpiel, on this machine, now: ``python -m tests.benchmarks.openspiel_hearts``.

Both search one decision of a four-player game on one core: OpenSpiel's IS-MCTS in C++ on its Hearts (Lanctot et
al., 2019, pip install '.[peers]'), and the textbook's SO-ISMCTS (Cowling, Powley and Whitehouse, 2012) on each of
our games. Every iteration draws a world, walks down the tree and plays at random to the end of the game, which is
one deal in Hearts and several in ours: so the two are compared in iterations, and in moves, which are those of an
iteration down the tree and in the playout. The searches take turns; figures are medians of the rounds.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from statistics import median
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

import bots
import engine
from engine.playout import playouts
from engine.rng import stream

ITERATIONS = 10_000  # of each search
ROUNDS = 15
SECONDS = 0.4  # of every search in a round, about
SEED = 7
WORLDS = 500  # over which the number of moves of an iteration is a mean
TARGET = 4  # times OpenSpiel's speed
TEXTBOOK = {"exploration": 0.7, "playout": "game", "reward": "win_share"}
UCT_C = 2.0  # of OpenSpiel: its usual constant
POSITIONS = ("opening", "mid-hand")
NO_PASS = 0  # the first chance of Hearts: a hand in which no cards are passed


class Search(NamedTuple):
    game: str
    position: str
    run: Callable[[], object]  # searches for ITERATIONS
    moves: float  # of an iteration, on average


class Speed(NamedTuple):
    """Per second."""

    iterations: float
    moves: float


def main() -> None:
    try:
        import pyspiel
    except ImportError:
        print("pyspiel is not here; expected OpenSpiel: pip install '.[peers]'", file=sys.stderr)
        raise SystemExit(2) from None
    theirs = [hearts(pyspiel, position) for position in POSITIONS]
    ours = [own(name, position) for name in engine.names() for position in POSITIONS]
    speeds = measure([*theirs, *ours])
    print(f"medians of {ROUNDS} rounds, {ITERATIONS:,} iterations a search, four players, one core")
    for search in theirs:
        print(f"OpenSpiel {search.game}, {search.position}: {_told(search, speeds[search])}")
    for search in ours:
        peer = next(peer for peer in theirs if peer.position == search.position)
        times = [mine / other for mine, other in zip(speeds[search], speeds[peer], strict=True)]
        print(
            f"{search.game}, {search.position}: {_told(search, speeds[search])}, "
            f"{times[0]:.1f} times in iterations, {times[1]:.1f} times in moves"
        )
        for unit, ratio in zip(Speed._fields, times, strict=True):
            if ratio < TARGET:
                print(f"  missed: expected {TARGET} times in {unit}")


def _told(search: Search, speed: Speed) -> str:
    return f"{speed.iterations:,.0f} iterations/s of {search.moves:.0f} moves, {speed.moves / 1e6:.2f} M moves/s"


def measure(searches: list[Search]) -> dict[Search, Speed]:
    """Per second of the processor's time; the searches take turns, so that what else it does falls on all of them."""
    for search in searches:
        search.run()  # compiles
    repeats = {search: max(1, round(SECONDS / _seconds(search.run, 1))) for search in searches}
    seconds = {search: [] for search in searches}
    turns = [search for _ in range(ROUNDS) for search in searches]
    for search in tqdm(turns, desc="measuring", disable=None, leave=False):
        seconds[search].append(_seconds(search.run, repeats[search]) / (repeats[search] * ITERATIONS))
    return {search: Speed(1 / median(times), search.moves / median(times)) for search, times in seconds.items()}


def _seconds(run: Callable[[], object], times: int) -> float:
    start = time.process_time()
    for _ in range(times):
        run()
    return time.process_time() - start


# --- OpenSpiel ------------------------------------------------------------------------------------


def hearts(pyspiel, position: str) -> Search:
    """The first decision of the game that is one (a hand begins with a forced card), or that of half a hand later."""
    rng = np.random.default_rng(SEED)
    state = pyspiel.load_game("hearts").new_initial_state()
    cards = state.num_distinct_actions()
    state.apply_action(NO_PASS)
    while state.is_chance_node():
        state.apply_action(int(rng.choice([action for action, _ in state.chance_outcomes()])))
    played = 0
    while len(state.legal_actions()) == 1 or (position == "mid-hand" and played < cards // 2):
        state.apply_action(int(rng.choice(state.legal_actions())))
        played += 1
    bot = pyspiel.ISMCTSBot(SEED, pyspiel.RandomRolloutEvaluator(1, SEED), UCT_C, ITERATIONS)
    return Search("hearts", position, lambda: bot.step(state), cards - played)


# --- Ours -----------------------------------------------------------------------------------------


def own(name: str, position: str) -> Search:
    """The first decision of the game, or that in the middle of a random first deal, if it has a choice."""
    game = engine.load(name, players=4)
    rng = np.random.default_rng(SEED)
    states = [game.new(seed=SEED)]
    while not states[-1].is_terminal and states[-1].num_deals == 1:
        states.append(states[-1].apply(int(rng.choice(states[-1].legal_actions))))
    choices = [state for state in states if len(state.legal_actions) > 1]
    info = choices[0 if position == "opening" else len(choices) // 2].information_set()
    bot = bots.load("ismcts", iterations=ITERATIONS, **TEXTBOOK)
    bot.new_game(game, info.seat, rng)
    return Search(name, position, lambda: bot.act(info), _mean_moves(info, rng))


def _mean_moves(info: engine.InformationSet, rng: np.random.Generator) -> float:
    """From this decision to the end of the game, at random."""
    game = info.game
    deck, actions, chance = np.arange(len(game.deck)), np.empty(len(game.actions), np.int64), stream(SEED)
    worlds = (np.repeat(info.determinize(rng).records, 2) for _ in range(WORLDS))
    return sum(playouts(world, 1, deck, actions, chance) for world in worlds) / WORLDS


if __name__ == "__main__":
    main()
