"""Single-observer information-set Monte Carlo tree search.

Cowling, Powley and Whitehouse (2012), "Information set Monte Carlo tree search", IEEE TCIAIG 4(2).
One tree per decision over the actions as the searcher sees them. Each iteration draws a fresh
determinization, descends through the actions that are legal in it (UCB with availability counts: an
action is judged against the iterations in which it could have been chosen), adds one node, plays out
at random, and rewards every action with the result of the seat that took it (max^n). The tree ends
where the deal ends: what is dealt next has no part in this information set.
"""

from __future__ import annotations

import math
import time
from enum import IntEnum
from typing import Literal, NamedTuple

import numpy as np
from pydantic import Field, model_validator

from bots.bot import configurable
from bots.tree import NO_NODE, NODE, ROOT, add_child, children
from engine import Game, InformationSet
from engine.compiling import rule
from engine.playout import playout
from engine.rng import below, stream
from engine.rules import (
    apply_action,
    awaits_deal,
    current_seat,
    determinize,
    fill_ranks,
    fill_returns,
    is_terminal,
    legal_actions,
    num_seats,
)

MAX_DEPTH = 256  # a path in the tree is cut here; no deal of these games is longer
CLOCK_INTERVAL = 64  # iterations between two looks at the clock
MAX_ITERATIONS = 10**8  # 4 GB of tree
MAX_MILLISECONDS = 3_600_000


class Reward(IntEnum):
    WIN_SHARE = 0
    RANK = 1


class Settings(NamedTuple):
    """What one search is told: plain numbers, so that the kernel compiles once."""

    seat: int
    exploration: float  # c of UCB, for rewards in [0, 1]
    whole_game: bool  # play out to the end of the game, else of the deal
    reward: int  # Reward


class Workspace(NamedTuple):
    """Scratch space and results of one search; all arrays are written by the kernel."""

    states: np.ndarray  # (1,) the world of the present iteration
    nodes: np.ndarray  # (capacity,) NODE
    size: np.ndarray  # (1,) nodes in use
    logarithms: np.ndarray  # (capacity + 1,) ln n, the available counts' part of UCB
    path: np.ndarray  # (MAX_DEPTH,) nodes on the way down
    movers: np.ndarray  # (MAX_DEPTH,) seat that acted into each of them
    actions: np.ndarray  # (actions,) legal actions
    legal_at: np.ndarray  # (actions,) stamp of the visit at which an action was last legal and untried
    stamp: np.ndarray  # (1,) number of node visits so far
    deck: np.ndarray  # (cards,) a permutation
    ranks: np.ndarray  # (players,)
    rewards: np.ndarray  # (players,)


def workspace(game: Game, iterations: int) -> Workspace:
    """Room for a search of `iterations`: each adds one node at the most."""
    return Workspace(
        states=game.empty_record(),
        nodes=np.zeros(iterations + 1, NODE),
        size=np.ones(1, np.int64),
        logarithms=np.log(np.maximum(np.arange(iterations + 2), 1)),
        path=np.empty(MAX_DEPTH, np.int64),
        movers=np.empty(MAX_DEPTH, np.int64),
        actions=np.empty(len(game.actions), np.int64),
        legal_at=np.zeros(len(game.actions), np.int64),
        stamp=np.zeros(1, np.int64),
        deck=np.arange(len(game.deck)),
        ranks=np.empty(game.players, np.int64),
        rewards=np.empty(game.players),
    )


def grown(work: Workspace, game: Game) -> Workspace:
    """The same search with twice the room."""
    larger = workspace(game, 2 * len(work.nodes))
    larger.nodes[: len(work.nodes)] = work.nodes
    larger.size[:] = work.size
    return larger


@rule
def search(root, work, settings, iterations, rng):
    """Adds `iterations` to the tree in `work`. `root` is the hidden record of the searcher, shape (1,)."""
    for _ in range(iterations):
        work.states[0] = root[0]
        state = work.states[0]
        determinize(state, settings.seat, rng)
        depth = descend(state, work, settings.exploration, rng)
        playout(state, settings.whole_game, work.deck, work.actions, rng)
        fill_rewards(state, work, settings.reward)
        for i in range(depth):
            node = work.nodes[work.path[i]]
            node.visits += 1
            node.reward += work.rewards[work.movers[i]]


@rule
def descend(state, work, exploration, rng):
    """Walks down the tree and adds a node; leaves `state` behind its action. Returns the length of the path."""
    node = ROOT
    for depth in range(MAX_DEPTH):
        if is_terminal(state) or awaits_deal(state):
            return depth
        count = legal_actions(state, work.actions)
        child, untried = select(work, node, count, exploration)
        if untried > 0:
            child = expand(work, node, count, below(rng, untried))
        work.path[depth] = child
        work.movers[depth] = current_seat(state)
        apply_action(state, int(work.nodes[child].action))
        if untried > 0:
            return depth + 1
        node = child
    return MAX_DEPTH


@rule
def select(work, node, count, exploration):
    """The available child of the highest UCB, and how many of the `count` legal actions have no child yet."""
    work.stamp[0] += 1
    stamp = work.stamp[0]
    for i in range(count):
        work.legal_at[work.actions[i]] = stamp
    best = NO_NODE
    best_bound = -1.0
    untried = count
    child = int(work.nodes[node].first_child)
    while child != NO_NODE:
        option = work.nodes[child]
        if work.legal_at[option.action] == stamp:
            work.legal_at[option.action] = 0
            untried -= 1
            option.available += 1
            share = 1.0 / option.visits
            bound = option.reward * share + exploration * math.sqrt(work.logarithms[option.available] * share)
            if bound > best_bound:
                best_bound = bound
                best = child
        child = int(option.next_sibling)
    return best, untried


@rule
def expand(work, node, count, pick):
    """Adds the child for legal action number `pick` of those that `select` left without one."""
    action = work.actions[0]
    for i in range(count):
        if work.legal_at[work.actions[i]] == work.stamp[0]:
            action = work.actions[i]
            if pick == 0:
                break
            pick -= 1
    size = work.size[0]
    work.size[0] += 1
    return add_child(work.nodes, node, size, action)


@rule
def fill_rewards(state, work, reward):
    """Writes the reward of each seat, in [0, 1], by the ranks that `state` shows."""
    players = num_seats(state)
    fill_ranks(state, work.ranks)
    if reward == Reward.WIN_SHARE:
        fill_returns(work.ranks, players, work.rewards)
        return
    for seat in range(players):
        beaten = 0.0
        for other in range(players):
            if work.ranks[seat] < work.ranks[other]:
                beaten += 1.0
            elif other != seat and work.ranks[seat] == work.ranks[other]:
                beaten += 0.5
        work.rewards[seat] = beaten / (players - 1)


@configurable
class ISMCTSBot:
    """Single-observer ISMCTS (Cowling, Powley and Whitehouse, 2012)."""

    iterations: int | None = Field(
        None, ge=1, le=MAX_ITERATIONS, description="per decision; 1000 unless milliseconds is given"
    )
    milliseconds: float | None = Field(
        None, gt=0, le=MAX_MILLISECONDS, description="per decision, instead of iterations"
    )
    exploration: float = Field(0.7, ge=0, description="c of UCB")
    playout: Literal["game", "deal"] = Field("game", description='"game" or "deal": to the end of which to play out')
    reward: Literal["win_share", "rank"] = Field("win_share", description='"win_share" or "rank": what an end is worth')

    @model_validator(mode="after")
    def _one_budget(self):
        if self.iterations and self.milliseconds:
            raise ValueError("expected iterations or milliseconds, not both")
        if not self.milliseconds:
            self.iterations = self.iterations or 1000
        return self

    def new_game(self, game: Game, seat: int, rng: np.random.Generator) -> None:
        self._rng = stream(int(rng.integers(1 << 62)))

    def act(self, info: InformationSet) -> int:
        if len(info.legal_actions) == 1:
            return info.legal_actions[0]
        settings = Settings(
            info.seat, float(self.exploration), self.playout == "game", int(Reward[self.reward.upper()])
        )
        options = children(self._search(info, settings).nodes)
        best = np.lexsort((options["reward"] / options["visits"], options["visits"]))[-1]
        return int(options["action"][best])

    def _search(self, info: InformationSet, settings: Settings) -> Workspace:
        if self.iterations:
            work = workspace(info.game, self.iterations)
            search(info.records, work, settings, self.iterations, self._rng)
            return work
        end = time.perf_counter() + self.milliseconds / 1000
        work = workspace(info.game, CLOCK_INTERVAL)
        while True:
            search(info.records, work, settings, CLOCK_INTERVAL, self._rng)
            if time.perf_counter() >= end:
                return work
            if len(work.nodes) < work.size[0] + CLOCK_INTERVAL:
                work = grown(work, info.game)
