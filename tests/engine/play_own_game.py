"""Plays the game named on the command line and prints what happened as JSON: see test_own_game.py."""

from __future__ import annotations

import json
import sys

import numpy as np

import bots
import engine
from engine.playout import playouts
from engine.rng import stream

DECK = ["c3", "c6", "c1", "c4", "c2", "c5"]  # seat 0 holds c3 and c6, seat 1 c1 and c4


def main(name: str) -> None:
    game = engine.load(name, rounds=1)
    led = game.new(decks=[DECK]).apply("c3")
    searcher = bots.load("ismcts", iterations=200)
    searcher.new_game(game, 1, np.random.default_rng(0))
    choice = game.actions[searcher.act(led.information_set())]
    last = led.apply("c4")
    worlds = {str(led.information_set().determinize(np.random.default_rng(k)).facts()["hands"]) for k in range(100)}

    states = np.repeat(game.new(decks=[["c6", "c5", *DECK[:1], "c1", "c2", "c4"]]).records, 2)
    moves = playouts(states, 1, np.arange(6), np.empty(6, np.int64), stream(1))
    played_out = states[1].points.tolist()

    whole = engine.load(name, rounds=3).new(seed=5)
    while not whole.is_terminal:
        whole = whole.apply(whole.legal_actions[-1])
    report = {
        "scores": last.scores,
        "returns": last.returns,
        "label": game.label,
        "shown": led.information_set().facts()["hands"],
        "worlds": sorted(worlds),
        "search": choice,
        "moves": moves,
        "played_out": played_out,
        "replayed": engine.replay(whole.record()) == whole,
        "deals": whole.num_deals,
        "perft": engine.perft(game.new(decks=[DECK]), 2),
        "batch": play_batch(engine.load(name, rounds=3)),
    }
    print(json.dumps(report))


def play_batch(game):
    """How often State, playing beside them, agrees with the games of a batch."""
    batch = engine.Batch(game, 4, seed=2)
    states = [game.new(seed=seed) for seed in batch.seeds.tolist()]
    agreed = 0
    while not all(state.is_terminal for state in states):
        seen = [batch.layout.encode(state.information_set()) for state in states]
        agreed += (batch.observe() == seen).all()
        actions = batch.legal().argmax(axis=1)
        states = [state.apply(action) for state, action in zip(states, actions.tolist(), strict=True)]
        rewards, _ = batch.step(actions)
    return int(agreed), rewards.tolist() == [list(state.returns) for state in states], rewards.tolist()


if __name__ == "__main__":
    main(sys.argv[1])
