"""The search tree of an information-set search, as one flat array: first child, next sibling.

A node stands for the action that leads to it. Node 0 is the root; 0 as a link means none.
"""

from __future__ import annotations

import numpy as np

from engine.compiling import record, rule

ROOT = 0
NO_NODE = 0

NODE = record(
    [
        ("reward", np.float64),  # sum of the rewards of the seat that acted, one per visit
        ("squares", np.float64),  # sum of their squares
        ("prior", np.float32),  # chance of the action under the rule-based policy when the node was made, else 0
        ("action", np.int32),
        ("first_child", np.int32),
        ("next_sibling", np.int32),
        ("visits", np.int32),
        ("available", np.int32),  # visits of the parent in whose world the action was legal
    ],
    __file__,
)

MIXTURE = record(
    [
        ("regret", np.float64),  # of not having taken the action, summed up
        ("total", np.float64),  # chances of the action in the strategies so far, summed up
        ("chance", np.float64),  # of the action in the last strategy, or NOT_AVAILABLE
        ("hides", np.int64),  # 1 when the choice at the node is one that others do not see at once
    ],
    __file__,
)
NOT_AVAILABLE = -1.0  # chance of an action that was not legal


@rule
def add_child(nodes, parent, size, action):
    """Makes node `size` a child of `parent`, never visited or available, and returns its number."""
    child = nodes[size]
    child.reward = 0.0
    child.squares = 0.0
    child.prior = 0.0
    child.action = action
    child.first_child = NO_NODE
    child.next_sibling = nodes[parent].first_child
    child.visits = 0
    child.available = 0
    nodes[parent].first_child = size
    return size


def children(nodes: np.ndarray, parent: int = ROOT) -> np.ndarray:
    """The child nodes of `parent`, ascending by action."""
    return nodes[child_numbers(nodes, parent)]


def child_numbers(nodes: np.ndarray, parent: int = ROOT) -> list[int]:
    """The numbers of the child nodes of `parent`, ascending by action."""
    found = []
    node = int(nodes[parent]["first_child"])
    while node != NO_NODE:
        found.append(node)
        node = int(nodes[node]["next_sibling"])
    return sorted(found, key=lambda number: nodes[number]["action"])
