"""The way down a tree whose edges are what the searcher sees: SO-ISMCTS + POM.

Cowling, Powley and Whitehouse (2012): moves that the searcher cannot tell apart share an edge, so that it
does not plan as if it knew them. Here an action of another seat that stays hidden has no edge until it is
shown, and is chosen as in a playout.
"""

from __future__ import annotations

from bots.search.descent import child_of, expand, select
from bots.search.playout_policy import policy_action
from bots.search.settings import Trail
from bots.search.tree import NO_NODE, ROOT
from engine.compiling import called_rule, rule
from engine.rng import below
from engine.rules import apply_action, awaits_deal, current_seat, holds_secrets, is_terminal, legal_actions


@called_rule
def descend_observing(state, work, settings, weights, exploration, rng):
    """Walks down the tree and adds a node; leaves `state` behind its action. Returns the length of the path."""
    node = ROOT
    depth = 0
    hidden = 0  # actions not shown yet: their seats and actions stand in the trail behind the path
    while depth + hidden < settings.max_depth and not (is_terminal(state) or awaits_deal(state)):
        seat = current_seat(state)
        count = legal_actions(state, work.actions)
        action = work.actions[0]
        if seat != settings.seat and (hidden > 0 or would_be_hidden(work.states, action)):
            action = policy_action(state, work, settings, weights, count, depth, rng)
            apply_action(state, action)
            work.trail[Trail.SEAT, depth + hidden] = seat
            work.trail[Trail.ACTION, depth + hidden] = action
            hidden += 1
        else:
            child, untried = select(work, node, count, exploration)
            if untried > 0:
                child = expand(work, node, count, below(rng, untried))
            if child == NO_NODE:
                return depth
            for i in range(depth + hidden, depth, -1):  # the searcher's own action comes before what it sees later
                work.trail[Trail.SEAT, i] = work.trail[Trail.SEAT, i - 1]
                work.trail[Trail.ACTION, i] = work.trail[Trail.ACTION, i - 1]
            work.trail[Trail.NODE, depth] = child
            work.trail[Trail.SEAT, depth] = seat
            work.trail[Trail.ACTION, depth] = work.nodes[child].action
            apply_action(state, int(work.nodes[child].action))
            depth += 1
            if work.nodes[child].visits == 0:
                return depth
            node = child
        while hidden > 0 and not holds_secrets(state):
            node = child_of(work.nodes, work.counts, node, work.trail[Trail.ACTION, depth])
            if node == NO_NODE:
                return depth
            work.trail[Trail.NODE, depth] = node
            depth += 1
            hidden -= 1
            if work.nodes[node].visits == 0:
                return depth
    return depth


@rule
def would_be_hidden(states, action):
    """Whether `action` in ``states[0]`` would not be shown at once; ``states[1]`` is scratch space."""
    states[1] = states[0]
    apply_action(states[1], action)
    return holds_secrets(states[1])
