"""The search tree as an array of nodes linked by first child and next sibling."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.search.tree import NODE, ROOT, add_child, children


def tree_of(*links):
    """Nodes with the children (parent, action), numbered 1, 2, ... in this order."""
    nodes = np.zeros(len(links) + 1, NODE)
    for number, (parent, action) in enumerate(links, 1):
        assert add_child(nodes, parent, number, action) == number
    return nodes


def actions_of(nodes, parent=ROOT):
    return children(nodes, parent)["action"].tolist()


def test_children_come_ascending_by_action():
    nodes = tree_of((ROOT, 7), (ROOT, 2), (ROOT, 5), (2, 9), (2, 1), (4, 3))
    assert actions_of(nodes) == [2, 5, 7]
    assert actions_of(nodes, 2) == [1, 9]
    assert actions_of(nodes, 4) == [3]
    for leaf in (1, 3, 5, 6):
        assert actions_of(nodes, leaf) == []


def test_a_root_alone_has_no_children():
    assert len(children(tree_of())) == 0


def test_a_new_child_was__and_never_visited():
    child = children(tree_of((ROOT, 4)))[0]
    assert (child["available"], child["visits"], child["reward"]) == (0, 0, 0.0)


def test_a_child_starts_afresh_whatever_its_place_in_the_array_held():
    nodes = tree_of((ROOT, 4), (1, 5))
    nodes[2]["reward"], nodes[2]["visits"], nodes[2]["available"], nodes[2]["first_child"] = 3.0, 9, 9, 1
    add_child(nodes, ROOT, 2, 6)
    child = children(nodes)[1]
    assert (child["action"], child["available"], child["visits"], child["reward"]) == (6, 0, 0, 0.0)
    assert child["first_child"] == 0


@settings(deadline=None)
@given(st.data())
def test_any_tree_is_what_was_put_in(data):
    expected = {ROOT: []}
    links = []
    for number in range(1, data.draw(st.integers(1, 30)) + 1):
        parent = data.draw(st.sampled_from(sorted(expected)))
        action = len(links) if data.draw(st.booleans()) else 1000 - len(links)
        links.append((parent, action))
        expected[parent].append(action)
        expected[number] = []
    nodes = tree_of(*links)
    assert all(actions_of(nodes, parent) == sorted(actions) for parent, actions in expected.items())
