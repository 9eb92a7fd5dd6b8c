"""Bots of OpenSpiel for the tests, written in Python."""

from __future__ import annotations

import pyspiel

SEEN = []  # the states that spies were asked about


class Spy(pyspiel.Bot):
    """Keeps the states that it is handed, and plays the first legal action, or the last."""

    def __init__(self, place: int):
        super().__init__()
        self.place = place

    def step(self, state):
        SEEN.append(state)
        return state.legal_actions()[self.place]


def spy(game, player, rng, last=False):
    assert game.get_type().short_name.startswith("timetricks_")
    assert 0 <= player < game.num_players()
    assert 0 <= rng.random() < 1
    return Spy(-1 if last else 0)
