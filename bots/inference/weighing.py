"""The kernels of inference: go through the deal again in each world, and multiply the chances of what was done."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from bots.inference.past import HIDDEN_ACTION, copies, fill_past
from bots.rule_based.scoring import fill_policy
from engine import Game
from engine.compiling import rule
from engine.rng import below
from engine.rules import apply_action, deal, determinize, legal_actions

RESOLUTION = 1 << 30  # steps of a table of weights


class Model(NamedTuple):
    """How the other seats are thought to choose."""

    weights: np.ndarray  # (features,) of the rule-based policy
    temperature: float  # of the softmax, in units of its scores
    floor: float  # chance of any action at all
    last: int  # how many of their actions count, the latest ones


class Evidence(NamedTuple):
    """What a seat has seen done since the last deal."""

    seat: int
    moves: np.ndarray  # (moves, 2) seat, action or HIDDEN_ACTION
    is_first_deal: bool
    first: np.ndarray  # (1,) the position before the first deal


class Scratch(NamedTuple):
    """What `weigh` writes to on the way."""

    positions: np.ndarray  # (1,)
    deck: np.ndarray  # (cards,)
    actions: np.ndarray  # (actions,)
    scores: np.ndarray  # (actions,)


def scratch(game: Game) -> Scratch:
    num_actions = len(game.actions)
    return Scratch(
        game.empty_record(), np.arange(len(game.deck)), np.empty(num_actions, np.int64), np.empty(num_actions)
    )


@rule
def draw_worlds(worlds, seat, rng):
    """Determinizes each of `worlds`, copies of the information set of `seat`."""
    for i in range(len(worlds)):
        determinize(worlds[i], seat, rng)


@rule
def weigh(worlds, evidence, model, work, rng, log_weights):
    """Writes the logarithm of the weight of each of `worlds`, up to a constant."""
    moves = evidence.moves.copy()
    first_move = first_weighed(evidence, model.last)
    for i in range(len(worlds)):
        moves[:] = evidence.moves
        retrace(worlds, i, evidence, moves, work, rng)
        log_weights[i] = log_likelihood(evidence, moves, first_move, model, work)


@rule
def first_weighed(evidence, last):
    """Index of the first move that counts: from there on the other seats have made `last` moves, or all."""
    i = len(evidence.moves)
    while i > 0 and last > 0:
        i -= 1
        if evidence.moves[i, 0] != evidence.seat:
            last -= 1
    return i


@rule
def retrace(worlds, i, evidence, moves, work, rng):
    """Puts the position after the last deal, as it was in world `i`, in ``work.positions[0]``, and fills in `moves`.

    A later deal is made from the world itself: that of a game with several writes anew all that moves change, up to
    the end of the deal.
    """
    fill_past(worlds[i], moves, work.deck, rng)
    work.positions[0] = evidence.first[0] if evidence.is_first_deal else worlds[i]
    deal(work.positions[0], work.deck)


@rule
def log_likelihood(evidence, moves, first_move, model, work):
    """The logarithm of the chance of the other seats' moves, played from ``work.positions[0]`` on."""
    state = work.positions[0]
    total = 0.0
    for i in range(len(moves)):
        seat, action = moves[i, 0], moves[i, 1]
        if i >= first_move and seat != evidence.seat:
            total += math.log(chance_of(state, seat, action, model, work))
            if evidence.moves[i, 1] == HIDDEN_ACTION:
                total -= math.log(copies(state, seat, action))
        apply_action(state, action)
    return total


@rule
def chance_of(state, seat, action, model, work):
    """The chance that `seat`, which is to move, chooses `action` under the model."""
    count = legal_actions(state, work.actions)
    if count == 1:
        return 1.0
    fill_policy(state, seat, work.actions, count, model.weights, model.temperature, work.scores)
    chosen = 0.0
    for i in range(count):
        if work.actions[i] == action:
            chosen = work.scores[i]
    return model.floor / count + (1.0 - model.floor) * chosen


@rule
def pick(table, rng):
    """Draws the index of a world with its weight."""
    mark = below(rng, RESOLUTION)
    low, high = 0, len(table) - 1
    while low < high:
        middle = (low + high) // 2
        if table[middle] > mark:
            high = middle
        else:
            low = middle + 1
    return low


def pick_table(weights: np.ndarray) -> np.ndarray:
    """For `pick`: the sums of the weights so far, in steps of 1 / RESOLUTION, int64."""
    table = np.round(np.cumsum(weights) / np.sum(weights) * RESOLUTION).astype(np.int64)
    table[-1] = RESOLUTION
    return table


def effective_sample_size(weights: np.ndarray) -> float:
    """How many equally weighted worlds would tell as much (Kish, 1965)."""
    return float(np.sum(weights) ** 2 / np.sum(np.square(weights)))
