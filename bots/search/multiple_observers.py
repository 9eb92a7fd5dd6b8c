"""The way down the trees of all seats at once: MO-ISMCTS, and regret matching at choices that others do not see.

Cowling, Powley and Whitehouse (2012): each seat has a tree of its own, whose edges are what that seat observes.
All trees descend together, and the seat to move selects in its own. A move that is hidden from a seat has no
edge in the tree of that seat until it is shown; so seats that choose at the same time choose without knowing of
each other ("decoupled" selection). The tree of a seat is brought up to date when the seat is to move.

Such choices are made by UCB like all others, or by regret matching (Hart and Mas-Colell, 2000; in tree search
Tak, Lanctot and Winands, 2014, and Bošanský, Lisý, Lanctot, Čermák and Winands, 2016; in information sets
Lisý, 2014). What an action not taken would have won is unknown here. It is estimated without bias by importance
sampling, with the mean reward of the action as baseline (Schmid et al., 2019).
"""

from __future__ import annotations

from bots.search.descent import child_of, choose_by_prior, expand, mark_legal, select
from bots.search.playout_policy import policy_action
from bots.search.rewards import reward_to
from bots.search.settings import Backup, Prior, Trail
from bots.search.tree import NO_NODE, NOT_AVAILABLE, ROOT
from engine.compiling import rule
from engine.rng import below, uniform
from engine.rules import apply_action, awaits_deal, current_seat, holds_secrets, is_terminal, legal_actions

NOT_MATCHED = -1  # in place of a node: the move was not chosen by regret matching
OUT_OF_ROOM = -2  # in place of a node: there is no more room for it


@rule
def descend_together(state, work, observers, settings, weights, exploration, rng):
    """Walks down the trees and adds a node; leaves `state` behind its action. Returns the length of the path."""
    start(observers, settings.seat)
    shown = 0  # moves of the trail that all seats have seen
    for depth in range(settings.max_depth):
        if is_terminal(state) or awaits_deal(state):
            return depth
        seat = current_seat(state)
        count = legal_actions(state, work.actions)
        hides = holds_secrets(state)
        observers.choices[depth] = NOT_MATCHED
        child = NO_NODE
        if settings.backup == Backup.SELF_ONLY and seat != settings.seat:
            action = policy_action(state, work, settings, weights, count, depth, rng)
        else:
            node = catch_up(observers, work.nodes, work.counts, work.trail, seat, shown, len(work.actions))
            if node == OUT_OF_ROOM:
                return depth
            untried = 0
            if settings.regret_matching and observers.mixtures[node].hides == 1:
                child, untried = match_regrets(work, observers.mixtures, node, count, settings.gamma, rng)
                if untried == 0:
                    observers.choices[depth] = node
            elif weights is not None and settings.prior != Prior.NONE and depth < settings.prior_depth:
                child = choose_by_prior(state, work, settings, weights, exploration, node, count)
            else:
                child, untried = select(work, node, count, exploration, rng)
            if untried > 0:
                child = expand(work, node, count, below(rng, untried))
            if child == NO_NODE:  # there is no more room
                return depth
            action = int(work.nodes[child].action)
            observers.positions[seat] = child
        work.trail[Trail.NODE, depth] = child
        work.trail[Trail.SEAT, depth] = seat
        work.trail[Trail.ACTION, depth] = action
        apply_action(state, action)
        if not holds_secrets(state):
            shown = depth + 1
        if child != NO_NODE:
            if settings.regret_matching and (hides or shown <= depth):
                observers.mixtures[node].hides = 1
            if work.nodes[child].visits == 0:
                return depth + 1
    return settings.max_depth


@rule
def start(observers, searcher):
    """Sets every tree to its root."""
    players = len(observers.positions)
    for i in range(players):
        observers.positions[(searcher + i) % players] = ROOT + i
        observers.known[i] = 0


@rule
def catch_up(observers, nodes, counts, trail, seat, shown, actions):
    """Leads the tree of `seat` along the first `shown` moves of the others. Returns where it stands, or OUT_OF_ROOM.

    The edge for what the seat k further did is numbered as the action and k times the number of `actions`: what
    lay hidden at the root may decide whose turn it is, so moves of several seats can follow the same node.
    """
    node = observers.positions[seat]
    for i in range(observers.known[seat], shown):
        further = trail[Trail.SEAT, i] - seat
        if further != 0:
            if further < 0:
                further += len(observers.positions)
            node = child_of(nodes, counts, node, trail[Trail.ACTION, i] + further * actions)
            if node == NO_NODE:
                return OUT_OF_ROOM
    observers.known[seat] = shown
    return node


@rule
def match_regrets(work, mixtures, node, count, gamma, rng):
    """An available child drawn by its regret, and how many of the `count` legal actions have no child yet.

    The strategy plays actions in proportion to their positive regrets, or any if there is none. It is added to
    the average and mixed with a share `gamma` of random actions. With untried actions nothing is drawn.
    """
    stamp = mark_legal(work.counts, work.legal_at, work.actions, count)
    untried = count
    regrets = 0.0
    child = int(work.nodes[node].first_child)
    while child != NO_NODE:
        option = work.nodes[child]
        mixtures[child].chance = NOT_AVAILABLE
        if work.legal_at[option.action] == stamp:
            work.legal_at[option.action] = 0
            untried -= 1
            option.available += 1
            mixtures[child].chance = max(mixtures[child].regret, 0.0)
            regrets += mixtures[child].chance
        child = int(option.next_sibling)
    if untried > 0:
        return NO_NODE, untried
    threshold = uniform(rng)
    drawn = NO_NODE
    child = int(work.nodes[node].first_child)
    while child != NO_NODE:
        mixture = mixtures[child]
        if mixture.chance != NOT_AVAILABLE:
            mixture.chance = mixture.chance / regrets if regrets > 0.0 else 1.0 / count
            mixture.total += mixture.chance
            if threshold >= 0.0:  # rounding may leave a little: then it is the last one
                drawn = child
            threshold -= explored(mixture.chance, count, gamma)
        child = int(work.nodes[child].next_sibling)
    return drawn, untried


@rule
def explored(chance, count, gamma):
    """The chance with which an action is taken in the search."""
    return (1.0 - gamma) * chance + gamma / count


@rule
def learn_regrets(observers, nodes, trail, rewards, settings, depth):
    """Updates the regrets at the choices of the path made by regret matching; the means are those before."""
    if observers is not None and settings.regret_matching:
        for i in range(depth):
            if observers.choices[i] != NOT_MATCHED:
                reward = reward_to(rewards, settings, trail[Trail.SEAT, i])
                taken = trail[Trail.NODE, i]
                add_regrets(nodes, observers.mixtures, observers.choices[i], taken, reward, settings.gamma)


@rule
def add_regrets(nodes, mixtures, parent, taken, reward, gamma):
    """Adds what each action would have won above the strategy of `parent`, when `taken` won `reward`.

    An action is worth its mean reward so far; the one taken, what it won beyond that divided by its chance too.
    """
    count = 0
    expected = 0.0
    child = int(nodes[parent].first_child)
    while child != NO_NODE:
        if mixtures[child].chance != NOT_AVAILABLE:
            count += 1
            expected += mixtures[child].chance * mean(nodes[child])
        child = int(nodes[child].next_sibling)
    surprise = (reward - mean(nodes[taken])) / explored(mixtures[taken].chance, count, gamma)
    expected += mixtures[taken].chance * surprise
    child = int(nodes[parent].first_child)
    while child != NO_NODE:
        if mixtures[child].chance != NOT_AVAILABLE:
            mixtures[child].regret += mean(nodes[child]) - expected
        child = int(nodes[child].next_sibling)
    mixtures[taken].regret += surprise


@rule
def mean(node):
    """The mean reward of a node, 0 if it was never visited."""
    return node.reward / node.visits if node.visits > 0 else 0.0
