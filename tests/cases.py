"""The games that the laws are tested on, random play through them, and the independent referees."""

from __future__ import annotations

import importlib
from collections.abc import Iterator

import numpy as np
import pytest

import engine

CASES = [
    *(("daytime_minutes", players, {}) for players in (3, 4, 5)),
    *(("day_and_night", players, {}) for players in (3, 4, 5)),
    *(("trick_or_repeat", players, {}) for players in (2, 3, 4, 5, 6)),
    *(("trick_or_repeat", players, {"resolve_order": "reverse", "rounds": 1}) for players in (2, 6)),
    ("trick_or_repeat", 2, {"suits": 2, "ranks": 4, "hand_size": 2}),
    ("trick_or_repeat", 3, {"suits": 3, "ranks": 6, "hand_size": 4}),
    ("trick_or_repeat", 4, {"suits": 4, "ranks": 4, "hand_size": 3}),
    *(("tricky_time_crisis", players, {}) for players in (3, 4, 5)),
    *(("tricky_time_crisis", 3, {"mid_knight": f"replace:{suit}", "rounds": 2}) for suit in "SD"),
    *(("tricky_time_crisis", 4, {"mid_knight": f"replace:{suit}", "rounds": 1}) for suit in "SDK"),
    *(("tricky_time_crisis", 5, {"mid_knight": f"replace:{suit}"}) for suit in "SDKT"),
    *(("tricky_time_crisis", 5, {"mid_knight": "team_up", "removed": suit}) for suit in "SDKT"),
    ("tricky_time_crisis", 6, {"mid_knight": "team_up"}),
]


def every_case():
    """Parametrizes a test by `game`: every game, player count and set of options."""
    games = [engine.load(name, players=players, **options) for name, players, options in CASES]
    return pytest.mark.parametrize("game", games, ids=[game.label for game in games])


def random_game(game: engine.Game, seed: int, decks=()) -> Iterator[engine.State]:
    """Every state of a game of random moves, the last one included."""
    rng = np.random.default_rng(seed)
    state = game.new(seed=seed, decks=decks)
    yield state
    while not state.is_terminal:
        state = state.apply(int(rng.choice(state.legal_actions)))
        yield state


def referee(state: engine.State):
    """The independent referee of the game, brought to the same position by the same decks and actions."""
    record = state.record()
    module = importlib.import_module(f"tests.reference.{record['game']}")
    judge = module.Referee(record["players"], record["options"], record["decks"])
    for action in record["actions"]:
        judge.apply(action)
    return judge
