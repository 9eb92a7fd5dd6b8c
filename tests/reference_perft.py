"""Perft by brute force through the independent referees, from lists of positions."""

from __future__ import annotations

import copy

import engine
from tests.cases import random_game, referee


def count(state: engine.State, depth: int) -> tuple[int, tuple[int, ...]]:
    """What `engine.perft` should return, counted by the referee of the game."""
    judge = referee(state)
    judge.decks = state.record()["decks"] + names(state, state.decks_to_come(depth + 1))  # some have one deal alone
    return _count(judge, depth)


def names(state, decks):
    return [[state.game.deck[card] for card in deck] for deck in decks]


def _count(judge, depth):
    if depth == 0 or judge.seat is None:
        return 1, tuple(judge.scores)
    total, scores = 0, [0] * len(judge.scores)
    for name in judge.legal:
        after = copy.deepcopy(judge, {id(judge.decks): judge.decks})  # decks are only read
        after.apply(name)
        below, sums = _count(after, depth - 1)
        total += below
        scores = [a + b for a, b in zip(scores, sums, strict=True)]
    return total, tuple(scores)


def before_second_deal(game: engine.Game, seed: int, moves: int) -> engine.State:
    """The position of a random game `moves` moves before its second deal, or before its end if it has one deal."""
    states = []
    for state in random_game(game, seed):
        if state.num_deals > 1 or state.is_terminal:
            break
        states.append(state)
    return states[-moves]
