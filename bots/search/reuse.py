"""Keeping of a tree what a later decision can use: the part behind the actions that were taken since.

Its statistics come from worlds of which some are refuted now, so they count a third of a search at the most.
"""

from __future__ import annotations

import numpy as np

from bots.search.settings import Count, Workspace
from bots.search.tree import NO_NODE, ROOT, add_child
from engine.compiling import rule

SHARE = 1 / 3


def node_after(nodes: np.ndarray, actions: list[int]) -> int | None:
    """The node that `actions` lead to from the root, or None."""
    node = ROOT
    for action in actions:
        child = int(nodes[node]["first_child"])
        while child != NO_NODE and nodes[child]["action"] != action:
            child = int(nodes[child]["next_sibling"])
        if child == NO_NODE:
            return None
        node = child
    return node


def graft(work: Workspace, nodes: np.ndarray, root: int) -> None:
    """Makes the part of `nodes` below `root` the tree of `work`, cut down to a share of its iterations."""
    visits = int(nodes[root]["visits"])
    if visits > 0:
        kept = min(1.0, SHARE * (len(work.logarithms) - 2) / visits)
        work.counts[Count.SIZE] = copy_tree(nodes, root, work.nodes, kept, np.empty((len(nodes), 2), np.int64))


@rule
def copy_tree(source, root, target, kept, queue):
    """Copies what is below `root`, breadth first, with a share `kept` of all visits. Returns the nodes in use.

    A node left with less than one visit is dropped.
    """
    queue[0, 0], queue[0, 1] = root, ROOT
    first, last, size = 0, 1, 1
    while first < last:
        origin, copy = queue[first, 0], queue[first, 1]
        first += 1
        child = int(source[origin].first_child)
        while child != NO_NODE:
            option = source[child]
            visits = int(option.visits * kept)
            if visits > 0 and size < len(target):
                add_child(target, copy, size, option.action)
                share = visits / option.visits
                target[size].visits = visits
                target[size].available = int(option.available * share)
                target[size].reward = option.reward * share
                target[size].squares = option.squares * share
                target[size].prior = option.prior
                queue[last, 0], queue[last, 1] = child, size
                last += 1
                size += 1
            child = int(option.next_sibling)
    return size
