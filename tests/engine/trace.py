"""Prints a digest of whole traces for every case of tests.cases, one JSON object a line: see test_compiled_plain.py."""

from __future__ import annotations

import hashlib
import importlib.util
import json

import numpy as np

import bots
import engine
from engine.playout import playouts
from engine.rng import below, shuffle_deck, stream
from tests.cases import CASES, random_game

GAMES = 2
STEPS = 30  # of a batch
DECISIONS = 25  # of each game at which worlds are drawn
RULES_GAMES = 4  # of which the policy is asked: it compares sums of floats
RULES_DECISIONS = 50  # of each, or a bit more; plain policies are slow
SEARCHES = 2  # of each game
SEARCHERS = (
    ("ismcts", {"iterations": 4}),
    ("ismcts", {"iterations": 16, "playout": "deal", "reward": "rank", "exploration": 1.4}),
    ("flat", {"iterations": 5, "playout_policy": "mast", "cut": 8}),
    ("pimc", {"iterations": 3, "worlds": 2, "backup": "paranoid", "choose": "value", "cut": 8}),
    ("cheater", {"iterations": 5, "playout_policy": "nast", "playout": "deal", "margin": 0.3, "normalise": True}),
    ("ismcts", {"iterations": 5, "backup": "self_only", "playout_policy": "mast", "cut": 8}),
    ("ismcts", {"iterations": 12, "redeal": 0.7, "early_stop": True, "threads": 2, "playout": "deal", "cut": 4}),
    ("ismcts", {"iterations": 4, "prior": "puct", "playout_policy": "rules", "cut": 8}),
    ("ismcts", {"iterations": 12, "prior": "bias", "cut": 0, "margin": 1.0}),
    ("mo_ismcts", {"iterations": 16}),
    ("mo_ismcts", {"iterations": 40, "playout": "deal", "simultaneous": "regret_matching"}),
)
REJECTED = (3 << 29) + 1  # a bound for which a quarter of the words must be drawn again


def main() -> None:
    print(json.dumps({"case": "rng", "words": digest(stream_trace())}))
    for name, players, options in CASES:
        game = engine.load(name, players=players, **options)
        traces = {
            "playouts": playouts_trace(game),
            "states": state_trace(game),
            "worlds": world_trace(game),
            "rules": rules_trace(game),
            "searches": search_trace(game),
            "perft": perft_trace(game),
            "batch": batch_trace(game),
        }
        print(json.dumps({"case": game.label} | {name: digest(trace) for name, trace in traces.items()}))


def digest(trace) -> str:
    sha = hashlib.sha256()
    for part in trace:
        sha.update(part if isinstance(part, bytes) else repr(part).encode())
    return sha.hexdigest()


def stream_trace():
    deck = np.empty(108, np.int64)
    for seed in range(50):
        yield int(below(stream(seed), REJECTED))
        shuffle_deck(seed, seed + 1, deck)
        yield deck.tobytes()


def playouts_trace(game):
    """Where random games end that the kernels play from the first deal on."""
    states = np.repeat(game.new(seed=1).records, 2)
    deck, actions, rng = np.arange(len(game.deck)), np.empty(len(game.actions), np.int64), stream(2)
    for _ in range(5 * GAMES):
        yield int(playouts(states, 1, deck, actions, rng))
        yield states.tobytes()


def games_of(game, number=GAMES):
    return ([*random_game(game, seed)] for seed in range(number))


def decisions(game, count, games=GAMES):
    """`count` decisions, or up to twice as many, spread over each of the random games."""
    for states in games_of(game, games):
        yield from states[:-1][:: max(1, len(states) // count)]


def state_trace(game):
    for states in games_of(game):
        for state in states:
            yield state.records.tobytes()
            yield state.legal_actions, state.scores, state.ranks, state.returns, state.seat


def world_trace(game):
    rng = np.random.default_rng(3)
    for state in decisions(game, DECISIONS):
        for seat in range(game.players):
            info = state.information_set(seat)
            yield info.records.tobytes()
            yield info.determinize(rng).records.tobytes()


def rules_trace(game):
    if importlib.util.find_spec(f"bots.rule_based.{game.name}") is None:
        return
    bot = bots.load("rules")
    bot.new_game(game, 0, np.random.default_rng(4))
    for state in decisions(game, RULES_DECISIONS, RULES_GAMES):
        yield int(bot.act(state.information_set()))


def search_trace(game):
    has_rules = importlib.util.find_spec(f"bots.rule_based.{game.name}") is not None
    for name, options in SEARCHERS:
        bot = bots.load(name, **options)
        if bot.prior != "none" and not has_rules:
            continue
        bot.new_game(game, 0, np.random.default_rng(5))
        for state in decisions(game, SEARCHES):
            yield int(bot.act(state if name == "cheater" else state.information_set()))
            yield bot.explain()


def perft_trace(game):
    for state in decisions(game, 2):
        yield engine.perft(state, 3)


def batch_trace(game):
    batch, rng = engine.Batch(game, GAMES, seed=6, auto_reset=True), np.random.default_rng(7)
    for _ in range(STEPS):
        masks = batch.legal()
        yield batch.seats.tobytes() + masks.tobytes() + batch.observe().tobytes()
        for part in batch.step((masks * rng.random(masks.shape)).argmax(axis=1)):
            yield part.tobytes()


if __name__ == "__main__":
    main()
