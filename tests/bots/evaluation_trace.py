"""Positions of random games, hidden or not, and what they are worth: printed as JSON for test_evaluation.py."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np

import engine
from bots.evaluation import evaluation_of, expected_returns
from engine.rng import below, shuffle_deck, stream
from engine.rules import advance, fill_legal, make_deal, status
from tests.cases import CASES

GAMES = 2


def positions(game: engine.Game, seed: int) -> Iterator[np.ndarray]:
    """The record of every position of a random game, shape (1,), those before a deal and at the end included."""
    states, rng = game.empty_record(), stream(seed)
    deck, actions = np.empty(len(game.deck), np.int64), np.empty(len(game.actions), np.int64)
    deals = 0
    while True:
        yield states.copy()
        deal_is_due, is_over, _ = status(states)
        if is_over:
            return
        if deal_is_due:
            shuffle_deck(seed, deals, deck)
            make_deal(states, deck)
            deals += 1
        else:
            advance(states, int(actions[below(rng, fill_legal(states, actions))]))


def worth(game: engine.Game, states: np.ndarray) -> np.ndarray:
    """The expected returns by seat."""
    evaluation_of(game)
    returns = np.full(game.players, np.nan)
    expected_returns(states[0], returns)
    return returns


def main() -> None:
    for name, players, options in CASES:
        game = engine.load(name, players=players, **options)
        found = [worth(game, states).tolist() for seed in range(GAMES) for states in positions(game, seed)]
        print(json.dumps({"case": game.label, "returns": found}))


if __name__ == "__main__":
    main()
