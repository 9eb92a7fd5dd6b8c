"""Bots at a table, for the tests."""

from __future__ import annotations

import numpy as np

import bots
import engine


def seated(game: engine.Game, seats: list[bots.Bot], seed: int) -> list[bots.Bot]:
    """Tells every bot that a game begins; the chance of each is a function of `seed` and its seat."""
    for seat, bot in enumerate(seats):
        bot.new_game(game, seat, np.random.default_rng([seed, seat]))
    return seats


def played(game: engine.Game, seats: list[bots.Bot], seed: int) -> engine.State:
    """The last state of the game of `seats` on the deals of `seed`. Raises IllegalActionError."""
    seated(game, seats, seed)
    state = game.new(seed=seed)
    while not state.is_terminal:
        state = state.apply(seats[state.seat].act(state.information_set()))
    return state


def win_share(game: engine.Game, bot: bots.Bot, opponents: list[bots.Bot], deals: int) -> float:
    """The mean win share of `bot` against `opponents`, every deal played once from each seat."""
    shares = []
    for seed in range(deals):
        for seat in range(game.players):
            seats = [*opponents[:seat], bot, *opponents[seat:]]
            shares.append(played(game, seats, seed).returns[seat])
    return float(np.mean(shares))
