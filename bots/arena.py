"""Whole games between policies in compiled code: thousands a second, for tuning and for large samples.

Deals are those of `Game.new(seed)`, and a block is played in all rotations, as a tournament does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bots.rule_based import weights_for
from bots.rule_based.scoring import choose_action
from engine import Game
from engine.compiling import rule
from engine.rng import shuffle_deck
from engine.rules import (
    apply_action,
    awaits_deal,
    current_seat,
    deal,
    fill_ranks,
    fill_returns,
    is_terminal,
    legal_actions,
)


@dataclass(frozen=True)
class Policy:
    """Who plays: the game's rule-based policy with these weights, mixed with chance."""

    weights: np.ndarray  # (features,)
    epsilon: float = 0.0  # the chance of a random action; 1 is the random bot


def rules(game: Game, **changed: float) -> Policy:
    """The rule-based policy of `game`, with some weights changed."""
    return Policy(weights_for(game, changed))


def chance(game: Game) -> Policy:
    """The random bot."""
    return Policy(weights_for(game), epsilon=1.0)


def play_blocks(game: Game, table: list[Policy], seeds: np.ndarray) -> np.ndarray:
    """The mean returns of each of the policies at a table in the deal block of each seed, (seeds, players).

    A block is `players` games; policy m sits at seat (m - r) mod players in rotation r. Raises ValueError
    unless there is a policy for every seat.
    """
    if len(table) != game.players:
        raise ValueError(f"{len(table)} policies; expected one for each of the {game.players} seats")
    weights = np.stack([policy.weights for policy in table])
    epsilons = np.array([policy.epsilon for policy in table])
    returns = np.zeros((len(seeds), game.players))
    _play_blocks(game.empty_record(), weights, epsilons, np.asarray(seeds, np.int64), _workspace(game), returns)
    return returns


class Workspace(NamedTuple):
    """Scratch space of the kernel."""

    states: np.ndarray  # (1,)
    deck: np.ndarray  # (cards,)
    actions: np.ndarray  # (actions,)
    scores: np.ndarray  # (actions,)
    ranks: np.ndarray  # (players,)
    shares: np.ndarray  # (players,)
    rng: np.ndarray  # (1,)


def _workspace(game: Game) -> Workspace:
    return Workspace(
        states=game.empty_record(),
        deck=np.empty(len(game.deck), np.int64),
        actions=np.empty(len(game.actions), np.int64),
        scores=np.empty(len(game.actions)),
        ranks=np.empty(game.players, np.int64),
        shares=np.empty(game.players),
        rng=np.empty(1, np.int64),
    )


@rule
def _play_blocks(first, weights, epsilons, seeds, work, returns):
    players = len(epsilons)
    for block in range(len(seeds)):
        for rotation in range(players):
            work.states[0] = first[0]
            _play_game(work, weights, epsilons, rotation, seeds[block])
            fill_ranks(work.states[0], work.ranks)
            fill_returns(work.ranks, players, work.shares)
            for seat in range(players):
                returns[block, (seat + rotation) % players] += work.shares[seat] / players


@rule
def _play_game(work, weights, epsilons, rotation, seed):
    """Plays ``work.states[0]`` to the end with the deals of `seed`."""
    state = work.states[0]
    work.rng[0] = seed
    number = 0
    while not is_terminal(state):
        if awaits_deal(state):
            shuffle_deck(seed, number, work.deck)
            deal(state, work.deck)
            number += 1
        else:
            seat = current_seat(state)
            member = (seat + rotation) % len(epsilons)
            count = legal_actions(state, work.actions)
            action = choose_action(
                state, seat, work.actions, count, weights[member], work.scores, epsilons[member], work.rng
            )
            apply_action(state, action)
