"""What of a tree is kept for the next decision, on trees made by hand and over a deal."""

from __future__ import annotations

import numpy as np

import bots
import engine
from bots.search.reuse import SHARE, copy_tree, graft, node_after
from bots.search.settings import Count, workspace
from bots.search.tree import NODE, ROOT, add_child, children

GAME = engine.load("daytime_minutes")


def tree_of(*links):
    """Nodes with the children (parent, action, visits), numbered 1, 2, ... in this order."""
    nodes = np.zeros(len(links) + 1, NODE)
    for number, (parent, action, visits) in enumerate(links, 1):
        add_child(nodes, parent, number, action)
        nodes[number]["visits"], nodes[number]["available"] = visits, 2 * visits
        nodes[number]["reward"], nodes[number]["squares"] = 0.5 * visits, 0.25 * visits
    return nodes


NODES = tree_of((ROOT, 7, 20), (ROOT, 2, 80), (2, 4, 50), (2, 6, 29), (3, 1, 40), (3, 9, 1))


def test_a_node_is_found_by_the_actions_that_lead_to_it():
    assert node_after(NODES, []) == ROOT
    assert node_after(NODES, [2, 4]) == 3
    assert node_after(NODES, [2, 4, 1]) == 5
    assert node_after(NODES, [2, 7]) is None
    assert node_after(NODES, [4]) is None


def copied(kept):
    target = np.zeros(20, NODE)
    size = copy_tree(NODES, 2, target, kept, np.empty((len(NODES), 2), np.int64))
    return target, size


def test_all_that_is_below_is_kept():
    target, size = copied(1.0)
    assert size == 5
    root = children(target)
    assert root["action"].tolist() == [4, 6]
    assert root["visits"].tolist() == [50, 29]
    assert children(target, node_after(target, [4]))["action"].tolist() == [1, 9]


def test_a_share_of_the_visits_keeps_the_means_and_drops_what_is_left_without():
    target, size = copied(0.5)
    assert size == 4  # action 9 had one visit
    root = children(target)
    assert root["visits"].tolist() == [25, 14]
    assert (root["reward"] / root["visits"]).tolist() == [0.5, 0.5]
    assert (root["available"] / root["visits"]).tolist() == [2.0, 2.0]


def test_what_is_kept_is_a_share_of_the_new_search():
    work = workspace(GAME, GAME.empty_record(), 60, bots.load("ismcts").settings(0))
    graft(work, NODES, 2)
    assert children(work.nodes)["visits"].sum() <= SHARE * 60
    assert work.counts[Count.SIZE] == 1 + 3


def test_the_tree_grows_on_within_a_deal_and_starts_anew_with_the_next():
    """Every decision but a deal's first may find more visits at its root than it has iterations."""
    bot = bots.load("ismcts", iterations=600, reuse=True)
    bot.new_game(GAME, 0, np.random.default_rng(1))
    others = bots.load("random")
    others.new_game(GAME, 1, np.random.default_rng(2))
    state, found = GAME.new(seed=4), {True: [], False: []}
    deal_of_last = None
    while not state.is_terminal:
        info = state.information_set()
        state = state.apply(bot.act(info) if state.seat == 0 else others.act(info))
        if info.seat == 0 and bot.explain():
            visits = sum(row.visits for row in bot.explain().actions)
            found[info.deal_start == deal_of_last].append(visits)
            deal_of_last = info.deal_start
    assert set(found[False]) == {600}
    assert max(found[True]) > 600
    assert max(found[True]) <= 600 * (1 + SHARE)
