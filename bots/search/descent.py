"""The way down a tree: which action is taken at a node, and which node is added.

UCB with availability counts (Cowling, Powley and Whitehouse, 2012): an action is judged against the
iterations in which it could have been chosen. With priors from the game's rule-based policy: progressive
bias (Chaslot et al., 2008), or PUCT (Rosin, 2011; in the form of Silver et al., 2017).
"""

from __future__ import annotations

import math

import numpy as np

from bots.rule_based.scoring import fill_policy
from bots.search.playout_policy import policy_action
from bots.search.settings import Backup, Count, Prior, Trail
from bots.search.tree import NO_NODE, ROOT, add_child
from engine.compiling import called_rule, rule
from engine.rng import below, chance
from engine.rules import apply_action, awaits_deal, current_seat, determinize, hide, is_terminal, legal_actions

MIDDLE = 0.5  # value of an action where nothing is known


@rule
def descend(state, work, settings, weights, exploration, rng):
    """Walks down the tree and adds a node; leaves `state` behind its action.

    Returns the length of the path, and whether the world was dealt anew on the way.
    """
    node = ROOT
    redealt = False
    redeals = settings.redeal > 0.0 and chance(rng, settings.redeal)
    for depth in range(settings.max_depth):
        if is_terminal(state) or awaits_deal(state):
            return depth, redealt
        seat = current_seat(state)
        if redeals:
            if redealt and seat == settings.seat:
                return depth, redealt  # its own cards are others now: what is best with them is of no interest
            if not redealt and seat != settings.seat:
                deal_anew(state, seat, rng)
                redealt = True
        count = legal_actions(state, work.actions)
        if settings.backup == Backup.SELF_ONLY and seat != settings.seat:
            action = policy_action(state, work, settings, weights, count, depth, rng)
            child = child_of(work.nodes, work.counts, node, action)
        elif weights is not None and settings.prior != Prior.NONE and depth < settings.prior_depth:
            child = choose_by_prior(state, work, settings, weights, exploration, node, count)
        else:
            child, untried = select(work, node, count, exploration)
            if untried > 0:
                child = expand(work, node, count, below(rng, untried))
        if child == NO_NODE:  # there is no more room
            return depth, redealt
        work.trail[Trail.NODE, depth] = child
        work.trail[Trail.SEAT, depth] = seat
        work.trail[Trail.ACTION, depth] = work.nodes[child].action
        apply_action(state, int(work.nodes[child].action))
        if work.nodes[child].visits == 0:
            return depth + 1, redealt
        node = child
    return settings.max_depth, redealt


@called_rule
def deal_anew(state, seat, rng):
    """Draws another world that `seat` could be in (Goodman, 2019)."""
    hide(state, seat)
    determinize(state, seat, rng)


@rule
def mark_legal(counts, legal_at, actions, count):
    """Marks ``actions[:count]`` with the stamp of a new visit, which it returns."""
    counts[Count.STAMP] += 1
    stamp = counts[Count.STAMP]
    for i in range(count):
        legal_at[actions[i]] = stamp
    return stamp


@rule
def select(work, node, count, exploration, rng=None):
    """The available child of the highest UCB, and how many of the `count` legal actions have no child yet.

    Of equals any is chosen by `rng`, or the one added last.
    """
    stamp = mark_legal(work.counts, work.legal_at, work.actions, count)
    best = NO_NODE
    best_bound = -1.0
    equals = 1
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
                equals = 1
            elif rng is not None and bound == best_bound:
                equals += 1
                if below(rng, equals) == 0:
                    best = child
        child = int(option.next_sibling)
    return best, untried


@rule
def expand(work, node, count, pick):
    """Adds the child for legal action number `pick` of those that `select` left without one."""
    action = work.actions[0]
    for i in range(count):
        if work.legal_at[work.actions[i]] == work.counts[Count.STAMP]:
            action = work.actions[i]
            if pick == 0:
                break
            pick -= 1
    child = add(work.nodes, work.counts, node, action)
    if child != NO_NODE:
        work.nodes[child].available = 1
    return child


@rule
def add(nodes, counts, node, action):
    """A new child of `node`, or NO_NODE when there is no more room."""
    size = counts[Count.SIZE]
    if size == len(nodes):
        return NO_NODE
    counts[Count.SIZE] += 1
    return add_child(nodes, node, size, action)


@rule
def child_of(nodes, counts, node, action):
    """The child of `node` for `action`, added if need be; NO_NODE when there is no more room."""
    child = int(nodes[node].first_child)
    while child != NO_NODE and nodes[child].action != action:
        child = int(nodes[child].next_sibling)
    if child == NO_NODE:
        child = add(nodes, counts, node, action)
    if child != NO_NODE:
        nodes[child].available += 1
    return child


@rule
def choose_by_prior(state, work, settings, weights, exploration, node, count):
    """The available child of the highest bound with priors, after every legal action has been given a child."""
    stamp = mark_legal(work.counts, work.legal_at, work.actions, count)
    untried = count
    visits, rewards = 0, 0.0
    child = int(work.nodes[node].first_child)
    while child != NO_NODE:
        option = work.nodes[child]
        if work.legal_at[option.action] == stamp:
            work.legal_at[option.action] = 0
            untried -= 1
            option.available += 1
            visits += option.visits
            rewards += option.reward
        child = int(option.next_sibling)
    if untried > 0:
        add_with_priors(state, work, settings, weights, node, count)
    for i in range(count):
        work.legal_at[work.actions[i]] = stamp
    return best_by_prior(work, settings, exploration, node, rewards / visits if visits > 0 else MIDDLE)


@called_rule
def add_with_priors(state, work, settings, weights, node, count):
    """Adds a child for each of the legal actions that are still marked."""
    fill_policy(state, current_seat(state), work.actions, count, weights, settings.temperature, work.scores)
    for i in range(count):
        action = work.actions[i]
        if work.legal_at[action] == work.counts[Count.STAMP]:
            child = add(work.nodes, work.counts, node, action)
            if child != NO_NODE:
                work.nodes[child].prior = work.scores[i]
                work.nodes[child].available = 1


@rule
def best_by_prior(work, settings, exploration, node, mean):
    """The marked child of the highest bound. `mean` is taken for the value of one never visited."""
    best = NO_NODE
    best_bound = -np.inf
    child = int(work.nodes[node].first_child)
    while child != NO_NODE:
        option = work.nodes[child]
        if work.legal_at[option.action] == work.counts[Count.STAMP]:
            visits = int(option.visits)
            bound = option.reward / visits if visits > 0 else mean
            if settings.prior == Prior.PUCT:
                bound += exploration * option.prior * math.sqrt(float(option.available)) / (1 + visits)
            else:
                bound += settings.prior_weight * option.prior / (1 + visits)
                bound += exploration * math.sqrt(work.logarithms[option.available] / max(visits, 0.5))
            if bound > best_bound:
                best_bound = bound
                best = child
        child = int(option.next_sibling)
    return best
