"""One tree per decision, searched in sampled worlds: all of the search but its budget."""

from __future__ import annotations

from bots.inference import pick
from bots.search.descent import descend
from bots.search.multiple_observers import descend_together, learn_regrets
from bots.search.observing import descend_observing
from bots.search.playout_policy import learn_averages, play_by_policy
from bots.search.rewards import fill_rewards, reward_to
from bots.search.settings import NO_CUT, Count, Extreme, PlayoutPolicy, Trail
from bots.search.tree import NO_NODE, ROOT
from engine.compiling import rule
from engine.playout import playout
from engine.rules import determinize

CHECK_INTERVAL = 64  # iterations between two looks whether the search is settled


@rule
def search(work, settings, weights, iterations, rng):
    """Adds up to `iterations` to the tree in `work`, and returns how many.

    `weights` are those of the rule-based policy, or None for a search that does without: then the
    compiled kernel knows nothing of that policy.
    """
    return iterate(work, work.observers, settings, weights, iterations, rng)


@rule
def iterate(work, observers, settings, weights, iterations, rng):
    """`search` in the tree of the searcher, or if there are `observers` in those of all seats."""
    for number in range(iterations):
        if settings.stops_early and number % CHECK_INTERVAL == 0 and lead_in_visits(work.nodes) > iterations - number:
            return number
        work.states[0] = work.worlds[0 if settings.determinizes else pick(work.table, rng)]
        state = work.states[0]
        if settings.determinizes:
            determinize(state, settings.seat, rng)
        exploration = scaled_exploration(work.extremes, settings)
        if observers is not None:
            depth, redealt = descend_together(state, work, observers, settings, weights, exploration, rng), False
        elif settings.observes:
            depth, redealt = descend_observing(state, work, settings, weights, exploration, rng), False
        else:
            depth, redealt = descend(state, work, settings, weights, exploration, rng)
        if settings.policy == PlayoutPolicy.UNIFORM and settings.cut == NO_CUT:
            playout(state, settings.whole_game, work.deck, work.actions, rng)
            length = depth
        else:
            length = play_by_policy(state, work, settings, weights, depth, rng)
        fill_rewards(state, work, settings)
        learn_regrets(observers, work.nodes, work.trail, work.rewards, settings, depth)
        back_up(work.nodes, work.trail, work.rewards, settings, depth, redealt)
        if settings.policy == PlayoutPolicy.MAST or settings.policy == PlayoutPolicy.NAST:
            learn_averages(work, settings, length)
        work.counts[Count.ITERATIONS] += 1
        work.counts[Count.DEPTHS] += depth
        work.counts[Count.DEEPEST] = max(work.counts[Count.DEEPEST], depth)
    return iterations


@rule
def scaled_exploration(extremes, settings):
    """c for rewards in [0, 1], or in the range that this search has seen."""
    extent = extremes[Extreme.HIGHEST_REWARD] - extremes[Extreme.LOWEST_REWARD]
    return settings.exploration * extent if settings.normalise and extent > 0.0 else settings.exploration


@rule
def back_up(nodes, trail, rewards, settings, depth, redealt):
    """Rewards every node of the path with the result of the seat that acted.

    In a world dealt anew as an opponent sees it, what the searcher did on the way proves nothing.
    """
    for i in range(depth):
        seat = trail[Trail.SEAT, i]
        if redealt and seat == settings.seat:
            continue
        reward = reward_to(rewards, settings, seat)
        node = nodes[trail[Trail.NODE, i]]
        node.visits += 1
        node.reward += reward
        node.squares += reward * reward


@rule
def lead_in_visits(nodes):
    """Visits of the most visited action above those of the second."""
    first, second = 0, 0
    child = int(nodes[ROOT].first_child)
    while child != NO_NODE:
        visits = int(nodes[child].visits)
        if visits > first:
            first, second = visits, first
        elif visits > second:
            second = visits
        child = int(nodes[child].next_sibling)
    return first - second
