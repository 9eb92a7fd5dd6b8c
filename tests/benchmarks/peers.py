"""Head to head with other libraries of card games, on this machine, now: ``python -m tests.benchmarks.peers``.

`speed` plays at random from the first decision to the end of the game, and searches one decision of a game of four.
    In OpenSpiel (Lanctot et al., 2019) that is its IS-MCTS in C++ and in Python, on its own Hearts and Oh Hell; here
    the textbook's SO-ISMCTS (Cowling, Powley and Whitehouse, 2012) on each of our games. Every iteration draws a world,
    walks down the tree and plays at random to the end of the game, which is one deal in Hearts and Oh Hell and several
    in some of ours: so searches are compared in iterations and in moves, which are those of an iteration down the tree
    and in the playout. RLCard (Zha et al., 2019) only plays at random. All that is measured takes turns on one core;
    figures are medians of the rounds.
`elo` seats OpenSpiel's IS-MCTS in our tournaments, on our games: see `tests.benchmarks.peer_match`.

pip install '.[peers]' brings the libraries; one that is not here is left out, and that is said.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from tqdm import tqdm

import bots
import engine
from engine.playout import playouts
from engine.rng import stream
from tests.benchmarks import peer_match
from tournaments.tables import print_table

ROUNDS = 7
SECONDS = 0.4  # of everything in a round, about
SEED = 7
PLAYERS = 4
GAMES = 100  # at random before the clock is read again
ITERATIONS = 10_000  # of a compiled search
ITERATIONS_IN_PYTHON = 100
WORLDS = 500  # over which the number of moves of an iteration is a mean
TEXTBOOK = {"exploration": 0.7, "playout": "game", "reward": "win_share"}
UCT_C = 2.0  # of OpenSpiel: its usual constant
POSITIONS = ("opening", "mid-hand")
OURS = "timetricks"
RANDOM_PLAY = "random play"
SPIEL_GAMES = {"hearts": {}, "oh_hell": {"players": PLAYERS}}
RLCARD_GAMES = ("uno", "doudizhu")


class Work(NamedTuple):
    """Something to be measured."""

    library: str
    game: str
    task: str  # only works of one task are compared
    run: Callable[[], float]  # does it a few times, and returns how many moves or iterations that were
    moves: float = 1.0  # of such a unit, on average


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", nargs="?", choices=["speed", "elo"], help="default: both")
    parser.add_argument("--blocks", type=int, default=12, help="deal blocks of every match of `elo`")
    arguments = parser.parse_args()
    if arguments.part != "elo":
        speeds()
    if arguments.part != "speed" and (_imported("pyspiel") is not None):
        peer_match.main(arguments.blocks)


def speeds() -> None:
    works = [*ours(), *openspiel(), *pettingzoo(), *rlcard()]  # a further library is one more function like these
    measured = measure(works)
    for task in dict.fromkeys(work.task for work in works):
        of_task = {work: speed for work, speed in measured.items() if work.task == task}
        own = {work.game: (work, speed) for work, speed in of_task.items() if work.library == OURS}
        unit = "moves" if task == RANDOM_PLAY else "iterations"
        rows = [
            [work.library, work.game, f"{speed:,.0f}", *(_ratio(mine, (work, speed)) for mine in own.values())]
            for work, speed in of_task.items()
        ]
        compared = "" if task == RANDOM_PLAY else " (and in moves/s)"
        title = f"{task}, {unit}/s, and how many times that our games have{compared}"
        print_table(title, ["library", "game", f"{unit}/s", *own], rows, text_columns=2)


def _ratio(mine: tuple[Work, float], theirs: tuple[Work, float]) -> str:
    """Of speeds in units, and in moves where a unit is more than one."""
    times = mine[1] / theirs[1]
    in_moves = times * mine[0].moves / theirs[0].moves
    return f"{times:,.1f}" if mine[0].moves == theirs[0].moves == 1 else f"{times:,.1f} ({in_moves:,.1f})"


def measure(works: list[Work]) -> dict[Work, float]:
    """Units per second of the processor's time; works take turns, so that what else it does falls on all of them."""
    for work in works:
        work.run()  # compiles
    repeats = {work: max(1, round(SECONDS / _timed(work, 1)[0])) for work in works}
    speeds = {work: [] for work in works}
    turns = [work for _ in range(ROUNDS) for work in works]
    for work in tqdm(turns, desc="measuring", disable=None, leave=False):
        seconds, units = _timed(work, repeats[work])
        speeds[work].append(units / seconds)
    return {work: median(found) for work, found in speeds.items()}


def _timed(work: Work, times: int) -> tuple[float, float]:
    """Seconds, and units done."""
    start = time.process_time()
    units = sum(work.run() for _ in range(times))
    return time.process_time() - start, units


def _imported(package: str) -> Any:
    """A package, or None after a line that says that it is not here."""
    try:
        return importlib.import_module(package)
    except ImportError:
        print(f"{package} is not here and left out: pip install '.[peers]'", file=sys.stderr)
        return None


# --- Ours -----------------------------------------------------------------------------------------


def ours() -> Iterator[Work]:
    for name in engine.names():
        game = engine.load(name, players=PLAYERS)
        states = np.repeat(game.new(seed=SEED).records, 2)
        arrays = np.arange(len(game.deck)), np.empty(len(game.actions), np.int64), stream(SEED)
        yield Work(OURS, name, RANDOM_PLAY, partial(playouts, states, GAMES, *arrays))
        for position in POSITIONS:
            yield _own_search(game, position)


def _own_search(game: engine.Game, position: str) -> Work:
    """The first decision of the game, or that in the middle of a random first deal, if it has a choice."""
    rng = np.random.default_rng(SEED)
    states = [game.new(seed=SEED)]
    while not states[-1].is_terminal and states[-1].num_deals == 1:
        states.append(states[-1].apply(int(rng.choice(states[-1].legal_actions))))
    choices = [state for state in states if len(state.legal_actions) > 1]
    info = choices[0 if position == "opening" else len(choices) // 2].information_set()
    bot = bots.load("ismcts", iterations=ITERATIONS, **TEXTBOOK)
    bot.new_game(game, info.seat, rng)
    return _search(OURS, game.name, position, lambda: bot.act(info), ITERATIONS, _mean_moves(info, rng))


def _search(library: str, game: str, position: str, act: Callable, iterations: int, moves: float) -> Work:
    def run() -> float:
        act()
        return iterations

    return Work(library, game, f"IS-MCTS, {position}", run, moves)


def _mean_moves(info: engine.InformationSet, rng: np.random.Generator) -> float:
    """From this decision to the end of the game, at random."""
    game = info.game
    deck, actions, chance = np.arange(len(game.deck)), np.empty(len(game.actions), np.int64), stream(SEED)
    worlds = (np.repeat(info.determinize(rng).records, 2) for _ in range(WORLDS))
    return sum(playouts(world, 1, deck, actions, chance) for world in worlds) / WORLDS


# --- OpenSpiel ------------------------------------------------------------------------------------


def openspiel() -> Iterator[Work]:
    spiel = _imported("pyspiel")
    if spiel is None:
        return
    for name, parameters in SPIEL_GAMES.items():
        game = spiel.load_game(name, parameters)
        start = _first_decision(game)
        yield Work("OpenSpiel C++", name, RANDOM_PLAY, partial(_play_in_cpp, spiel, start))
        yield Work("OpenSpiel Python", name, RANDOM_PLAY, partial(_play_in_python, start))
        for position in POSITIONS:
            yield from _spiel_searches(spiel, game, name, position)
    from engine.adapters import openspiel as adapter

    for name in engine.names():
        start = _first_decision(adapter.load(engine.load(name, players=PLAYERS)))
        yield Work("ours in OpenSpiel", name, RANDOM_PLAY, partial(_play_in_python, start))


def _first_decision(game):
    """After the deal. In Hearts it is a hand in which no cards are passed."""
    rng, state = np.random.default_rng(SEED), game.new_initial_state()
    while state.is_chance_node():
        outcomes = [action for action, _ in state.chance_outcomes()]
        is_pass_direction = game.get_type().short_name == "hearts" and not state.history()
        state.apply_action(outcomes[0] if is_pass_direction else int(rng.choice(outcomes)))
    return state


def _decisions(state) -> int:
    """How many of the actions so far were not chance."""
    return sum(step.player >= 0 for step in state.full_history())


def _play_in_cpp(spiel, start) -> float:
    """Its uniformly random bots play games without a step in Python."""
    seats = [spiel.make_uniform_random_bot(seat, SEED + seat) for seat in range(start.num_players())]
    moves = 0
    for game in range(GAMES):
        state = start.clone()
        spiel.evaluate_bots(state, seats, game)
        moves += _decisions(state) if game == 0 else 0  # of these games all are equally long
    return GAMES * moves


def _play_in_python(start) -> float:
    """The loop that a user of its states writes."""
    rng, state, moves = np.random.default_rng(SEED), start.clone(), 0
    while not state.is_terminal():
        moves += not state.is_chance_node()
        actions = state.legal_actions()  # at a chance node the outcomes; here they need not be drawn as likely
        state.apply_action(actions[int(rng.random() * len(actions))])
    return moves


def _spiel_searches(spiel, game, name: str, position: str) -> Iterator[Work]:
    """The first decision that is one (a hand of Hearts begins with a forced card), or that of half a hand later."""
    from open_spiel.python.algorithms.ismcts import ISMCTSBot
    from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

    rng, state = np.random.default_rng(SEED), _first_decision(game)
    whole = state.clone()
    while not whole.is_terminal():
        whole.apply_action(int(rng.choice(whole.legal_actions())))
    length = _decisions(whole)
    while len(state.legal_actions()) == 1 or (position == "mid-hand" and _decisions(state) < length // 2):
        state.apply_action(int(rng.choice(state.legal_actions())))
    moves = length - _decisions(state)
    compiled = spiel.ISMCTSBot(SEED, spiel.RandomRolloutEvaluator(1, SEED), UCT_C, ITERATIONS)
    yield _search("OpenSpiel C++", name, position, lambda: compiled.step(state), ITERATIONS, moves)
    chance = np.random.RandomState(SEED)
    in_python = ISMCTSBot(game, RandomRolloutEvaluator(1, chance), UCT_C, ITERATIONS_IN_PYTHON, random_state=chance)
    yield _search("OpenSpiel Python", name, position, lambda: in_python.step(state), ITERATIONS_IN_PYTHON, moves)


# --- PettingZoo -----------------------------------------------------------------------------------


def pettingzoo() -> Iterator[Work]:
    if _imported("pettingzoo") is None:
        return
    from engine.adapters.pettingzoo import env
    from tests.benchmarks.batch import pettingzoo_moves

    for name in engine.names():
        yield Work("ours in PettingZoo", name, RANDOM_PLAY, pettingzoo_moves(env(name, players=PLAYERS)))


# --- RLCard ---------------------------------------------------------------------------------------


def rlcard() -> Iterator[Work]:
    package = _imported("rlcard")
    for name in RLCARD_GAMES if package else ():
        yield Work("RLCard", name, RANDOM_PLAY, partial(_play_in_rlcard, package.make(name, {"seed": SEED})))


def _play_in_rlcard(env) -> float:
    rng, moves = np.random.default_rng(SEED), 0
    state, _ = env.reset()
    while not env.is_over():
        actions = list(state["legal_actions"])
        state, _ = env.step(actions[int(rng.random() * len(actions))])
        moves += 1
    return moves


if __name__ == "__main__":
    main()
