"""What a search found: the table of a decision."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bots.bot import Bot
from bots.search.settings import Count, Workspace
from bots.search.tree import child_numbers, children
from engine import Game


@dataclass(frozen=True)
class ActionStatistics:
    """What a search found of an action at the root."""

    action: int
    name: str
    visits: int
    value: float  # mean reward in [0, 1]; 0 if never visited
    standard_error: float | None  # of the mean, as if visits were independent; None for fewer than two
    legal_share: float  # of the iterations in whose worlds the action was legal, counted from its first visit
    prior: float  # under the rule-based policy; 0 without
    strategy: float | None = None  # chance of the action in the average strategy of regret matching


@dataclass(frozen=True)
class Explanation:
    """What a search did for a decision. `actions` come best first."""

    actions: tuple[ActionStatistics, ...]
    iterations: int
    nodes: int
    mean_depth: float  # moves in the tree per iteration
    max_depth: int
    effective_worlds: float | None = None  # effective sample size of weighted worlds


def explanation_of(bot: Bot) -> Explanation | None:
    """What a bot says about its last action; None if it says nothing."""
    said = bot.explain() if hasattr(bot, "explain") else None
    return said if isinstance(said, Explanation) else None


def explain(game: Game, works: Sequence[Workspace], by_value: bool = False) -> Explanation:
    """The statistics of one decision, added up over `works`: threads, or worlds searched one by one."""
    counts = np.sum([work.counts for work in works], axis=0)
    iterations = int(counts[Count.ITERATIONS])
    roots = [children(work.nodes) for work in works]
    totals = np.zeros((5, len(game.actions)))  # visits, rewards, squares, available, prior
    for root in roots:
        fields = (root["visits"], root["reward"], root["squares"], root["available"], root["prior"] / len(works))
        totals[:, root["action"]] += fields
    seen = np.flatnonzero(totals[3])
    strategy = _average_strategy(game, works)
    rows = [
        _statistics(game, int(action), totals[:, action], iterations, None if strategy is None else strategy[action])
        for action in seen
    ]
    rows.sort(key=lambda row: (row.value, row.visits) if by_value else (row.visits, row.value), reverse=True)
    if strategy is not None:
        rows.sort(key=lambda row: row.strategy, reverse=True)
    return Explanation(
        actions=tuple(rows),
        iterations=iterations,
        nodes=int(counts[Count.SIZE]),
        mean_depth=counts[Count.DEPTHS] / max(iterations, 1),
        max_depth=max(int(work.counts[Count.DEEPEST]) for work in works),
    )


def _average_strategy(game: Game, works: Sequence[Workspace]) -> np.ndarray | None:
    """By action, if it was regret matching that chose at the root."""
    totals = np.zeros(len(game.actions))
    for work in works:
        if work.observers is not None and len(work.observers.mixtures):
            numbers = child_numbers(work.nodes)
            totals[work.nodes[numbers]["action"]] += work.observers.mixtures[numbers]["total"]
    return totals / totals.sum() if totals.any() else None


def _statistics(
    game: Game, action: int, totals: np.ndarray, iterations: int, strategy: float | None
) -> ActionStatistics:
    visits, rewards, squares, available, prior = totals.tolist()
    mean = rewards / visits if visits else 0.0
    error = None
    if visits > 1:
        error = math.sqrt(max(squares - visits * mean * mean, 0.0) / (visits - 1) / visits)
    return ActionStatistics(
        action, game.actions[action], int(visits), mean, error, available / max(iterations, 1), prior, strategy
    )
