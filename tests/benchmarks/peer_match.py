"""OpenSpiel's IS-MCTS against ours, on our games, in our tournaments: Elo with 95 % intervals.

Both are the textbook's, with the same exploration, uniform playouts to the end of the game and exact worlds.
OpenSpiel's is the one in Python, on the games that `engine.adapters.openspiel` registers (the one in C++ cannot search
them). "equal time": ours gets as many milliseconds a decision as theirs takes for its iterations, measured first, and
the tournament says again what both took. "equal iterations" is the control: what is left is how the searches differ,
not how fast they are. (Theirs keeps a tree node for the information state of the seat that moves, ours one for the
actions that the searching seat sees.) The two play each other two against two, every deal from all seats.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

import bots
import engine
from tournaments import config
from tournaments.runner import Runner, pending_blocks
from tournaments.standings import standings
from tournaments.store import Store
from tournaments.tables import print_table

PLAYERS = 4
SEED = 7
EXPLORATION = 0.7
ITERATIONS = {"equal time": 30, "equal iterations": 60}  # of theirs
GAMES = [  # one round of Tricky Time Crisis: a move takes OpenSpiel's search long enough
    engine.load(name, players=PLAYERS, **({"rounds": 1} if name == "tricky_time_crisis" else {}))
    for name in engine.names()
]
THEIRS, OURS = "OpenSpiel ISMCTSBot", "ismcts"


COLUMNS = "game", "budget", "iterations", "their ms/move", "our ms/move", "games", "our Elo", "95 % interval"


def main(blocks: int) -> None:
    for game in GAMES:
        rows = (match(game, budget, blocks) for budget in ITERATIONS)
        print_table("ismcts of timetricks against the ISMCTSBot of OpenSpiel", COLUMNS, rows, text_columns=2)


def match(game: engine.Game, budget: str, blocks: int) -> list[str]:
    """A row of the table. Elo of ours, theirs being 0."""
    theirs = {"iterations": ITERATIONS[budget], "uct_c": EXPLORATION}
    ours = {"exploration": EXPLORATION}
    if budget == "equal time":
        ours["milliseconds"] = milliseconds_of(game, theirs)
    else:
        ours["iterations"] = theirs["iterations"]
    experiment = config.check(
        {
            "name": f"{game.name}, {budget}",
            "seed": SEED,
            "schedule": "pairs",
            "blocks_per_table": blocks,
            "anchor": THEIRS,
            "games": [{"game": game.name, "players": game.players, **game.options}],
            "bots": [{"name": THEIRS, "bot": "openspiel:ismcts", **theirs}, {"name": OURS, "bot": "ismcts", **ours}],
        },
        __name__,
    )
    row = {row["bot"]: row for row in played(experiment).overall.rows}
    taken = [f"{row[bot]['ms_per_decision']:.1f}" for bot in (THEIRS, OURS)]
    interval = f"{row[OURS]['low']:+.0f} … {row[OURS]['high']:+.0f}"
    games = str(row[OURS]["games"])
    return [game.label, budget, str(theirs["iterations"]), *taken, games, f"{row[OURS]['elo']:+.0f}", interval]


def milliseconds_of(game: engine.Game, options: dict[str, Any]) -> float:
    """What OpenSpiel's search takes for a decision that has a choice: the mean over a game of its own."""
    seats = [bots.load("openspiel:ismcts", **options) for _ in range(game.players)]
    for seat, bot in enumerate(seats):
        bot.new_game(game, seat, np.random.default_rng(seat))
    state, taken = game.new(seed=SEED), []
    while not state.is_terminal:
        info = state.information_set()
        start = time.perf_counter()
        action = seats[info.seat].act(info)
        if len(info.legal_actions) > 1:
            taken.append(1000 * (time.perf_counter() - start))
        state = state.apply(action)
    return float(np.mean(taken))


def played(experiment: config.Config):
    """The standings of a tournament that is played here, in one process, and forgotten."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Store.create_or_open(Path(folder), experiment) as store,
    ):
        pending = list(pending_blocks(experiment, store))
        for blocks in tqdm(Runner(experiment, 0).play(pending), total=len(pending), desc=experiment.name, disable=None):
            store.add_blocks(blocks)
        return standings(experiment, store.results())
