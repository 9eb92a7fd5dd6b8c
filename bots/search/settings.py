"""What a search is told, and the room it works in."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from bots.evaluation import evaluation_of
from bots.inference import pick_table
from bots.search.tree import MIXTURE, NODE
from engine import Game

MAX_DEPTH = 256  # a path in the tree is cut here; no deal of these games is longer
TRAIL_LENGTH = 1024  # moves of an iteration that are remembered
NO_CUT = 1 << 40  # moves: a playout that is not cut
NODES_WITH_PRIORS = 6  # that an iteration adds on average, about; when the room is used up, leaves stay leaves


class Reward(IntEnum):
    """What an end, or the position in which a playout was cut, is worth to a seat."""

    WIN_SHARE = 0
    RANK = 1
    EQUITY = 2


class Backup(IntEnum):
    """What the seats of the tree are taken to want."""

    MAX_N = 0
    PARANOID = 1
    SELF_ONLY = 2


class PlayoutPolicy(IntEnum):
    """How moves after the tree are chosen."""

    UNIFORM = 0
    MAST = 1
    NAST = 2
    RULES = 3


class Prior(IntEnum):
    """What the rule-based policy says in the tree."""

    NONE = 0
    BIAS = 1
    PUCT = 2


class Settings(NamedTuple):
    """What one search is told: plain numbers, so that the kernel compiles once."""

    seat: int  # the searcher
    exploration: float  # c of UCB or PUCT, for rewards in [0, 1]
    normalise: bool  # scale c by the range of rewards seen
    max_depth: int  # of the tree; 1 is flat
    determinizes: bool  # draw a world for each iteration, else choose one of those given by their weights
    redeal: float  # share of iterations dealt anew as the first opponent to move sees it
    observes: bool  # edges are what the searcher sees
    backup: int  # Backup
    prior: int  # Prior
    prior_weight: float  # of the bias
    prior_depth: int  # from which on there are no priors
    temperature: float  # of the softmax that makes priors of scores
    policy: int  # PlayoutPolicy
    epsilon: float  # chance of a random move in a playout
    whole_game: bool  # play out to the end of the game, else of the deal
    cut: int  # moves after which a playout ends, NO_CUT
    reward: int  # Reward
    margin: float  # share of the normalised score margin in the reward
    stops_early: bool  # when the second can't catch up
    every_seat: bool  # a tree for each seat, of what that seat observes
    regret_matching: bool  # chooses what others may not see at once; then there is a tree for each seat
    gamma: float  # share of random actions in regret matching


class Count(IntEnum):
    """Where `Workspace.counts` counts what."""

    SIZE = 0  # nodes in use
    STAMP = 1  # node visits
    ITERATIONS = 2
    DEPTHS = 3  # sum of the depths at which iterations left the tree
    DEEPEST = 4


class Extreme(IntEnum):
    """Which extremes of an iteration's result `Workspace.extremes` holds."""

    LOWEST_REWARD = 0  # of the searcher
    HIGHEST_REWARD = 1
    LOWEST_MARGIN = 2  # of any seat
    HIGHEST_MARGIN = 3


class Trail(IntEnum):
    """The rows of `Workspace.trail`."""

    NODE = 0  # those of the tree only
    SEAT = 1
    ACTION = 2


class Observers(NamedTuple):
    """The trees of all seats in the present iteration; the searcher's has ROOT, that of the seat k further node k."""

    positions: np.ndarray  # (players,) node where the tree of each seat stands
    known: np.ndarray  # (players,) moves of the trail that led there, or are the seat's own
    choices: np.ndarray  # (MAX_DEPTH,) node at which regret matching chose each move of the path, or NOT_MATCHED
    mixtures: np.ndarray  # (capacity,) MIXTURE of each node; empty without regret matching


class Workspace(NamedTuple):
    """Scratch space and results of one search; all arrays are written by the kernel."""

    worlds: np.ndarray  # (worlds,) to choose from, or the searcher's information set to determinize
    table: np.ndarray  # (worlds,) their weights, for `bots.inference.pick`
    states: np.ndarray  # (2,) the world of the present iteration, and room for what might be
    nodes: np.ndarray  # (capacity,) NODE
    counts: np.ndarray  # (Count,)
    extremes: np.ndarray  # (Extreme,)
    logarithms: np.ndarray  # (most iterations + 1,) ln n, the available counts' part of UCB
    trail: np.ndarray  # (Trail, TRAIL_LENGTH) the moves of the present iteration
    actions: np.ndarray  # (actions,) legal actions
    legal_at: np.ndarray  # (trees * actions,) stamp of the visit at which an action was last legal and untried
    scores: np.ndarray  # (actions,) of the legal actions
    averages: np.ndarray  # (players, actions + 1, actions, 2) sum and number of rewards by move before and move
    deck: np.ndarray  # (cards,) a permutation
    ranks: np.ndarray  # (players,)
    rewards: np.ndarray  # (players,)
    observers: Observers | None  # if there is a tree for each seat


def workspace(
    game: Game, worlds: np.ndarray, iterations: int, settings: Settings, table: np.ndarray | None = None
) -> Workspace:
    """Room for a search of `iterations` from `worlds`; without a `table` they have the same weight.

    An iteration adds one node, with priors all legal actions of one; and what the seat to move saw before.
    """
    evaluation_of(game)  # registers what the kernel calls
    actions = len(game.actions)
    keeps_averages = settings.policy in (PlayoutPolicy.MAST, PlayoutPolicy.NAST)
    extremes = np.full(len(Extreme), np.inf)
    extremes[[Extreme.HIGHEST_REWARD, Extreme.HIGHEST_MARGIN]] = -np.inf
    counts = np.zeros(len(Count), np.int64)
    trees = game.players if settings.every_seat else 1
    counts[Count.SIZE] = trees
    per_iteration = trees if settings.prior == Prior.NONE else trees - 1 + NODES_WITH_PRIORS
    nodes = np.zeros(per_iteration * iterations + actions + trees, NODE)
    return Workspace(
        worlds=np.frombuffer(bytearray(worlds.tobytes()), worlds.dtype),  # writable like all: one kernel serves
        table=pick_table(np.ones(len(worlds))) if table is None else table,
        states=np.repeat(game.empty_record(), 2),
        nodes=nodes,
        counts=counts,
        extremes=extremes,
        logarithms=np.log(np.maximum(np.arange(iterations + 2), 1)),
        trail=np.empty((len(Trail), TRAIL_LENGTH), np.int64),
        actions=np.empty(actions, np.int64),
        legal_at=np.zeros(trees * actions, np.int64),
        scores=np.empty(actions),
        averages=np.zeros((game.players, actions + 1, actions, 2) if keeps_averages else (0, 0, 0, 2)),
        deck=np.arange(len(game.deck)),
        ranks=np.empty(game.players, np.int64),
        rewards=np.empty(game.players),
        observers=_observers(game, len(nodes), settings) if settings.every_seat else None,
    )


def _observers(game: Game, capacity: int, settings: Settings) -> Observers:
    return Observers(
        positions=np.empty(game.players, np.int64),
        known=np.empty(game.players, np.int64),
        choices=np.empty(MAX_DEPTH, np.int64),
        mixtures=np.zeros(capacity if settings.regret_matching else 0, MIXTURE),
    )


def grown(work: Workspace, game: Game, settings: Settings) -> Workspace:
    """The same search with room for twice as many iterations."""
    larger = workspace(game, work.worlds, 2 * len(work.logarithms), settings, work.table)
    larger.nodes[: len(work.nodes)] = work.nodes
    if work.observers is not None:
        larger.observers.mixtures[: len(work.observers.mixtures)] = work.observers.mixtures
    kept = {name: getattr(work, name) for name in ("counts", "extremes", "legal_at", "averages")}
    return larger._replace(**kept)
