"""How an iteration goes on where it leaves the tree.

*Uniform*: random moves. *Rules*: the game's rule-based policy. *MAST*, move-average sampling technique
(Finnsson and Björnsson, 2008): the move with the best average reward over all iterations of this search in
which its seat made it. *NAST*, n-gram-average sampling technique, here with n = 2 (Tak, Winands and
Björnsson, 2012; Powley, Cowling and Whitehouse, 2014): this averaged with the same after the move before.
All but uniform are mixed with random moves, a share of epsilon.
"""

from __future__ import annotations

from bots.rule_based.scoring import score_actions
from bots.search.settings import TRAIL_LENGTH, PlayoutPolicy, Trail
from engine.compiling import called_rule, rule
from engine.rng import below, chance, shuffle
from engine.rules import apply_action, awaits_deal, current_seat, deal, is_terminal, legal_actions

UNSEEN = 1.0  # average of a move never made: it is tried
ENOUGH = 7  # visits from which on a pair of moves counts (Tak et al.)


@called_rule
def play_by_policy(state, work, settings, weights, length, rng):
    """Plays to the end of the game or the deal, or to the cut, and returns the new length of the trail."""
    moves = 0
    while moves < settings.cut and not is_terminal(state):
        if awaits_deal(state):
            if not settings.whole_game:
                break
            shuffle(rng, work.deck, len(work.deck))
            deal(state, work.deck)
        else:
            seat = current_seat(state)
            count = legal_actions(state, work.actions)
            action = policy_action(state, work, settings, weights, count, length, rng)
            apply_action(state, action)
            if length < TRAIL_LENGTH:
                work.trail[Trail.SEAT, length] = seat
                work.trail[Trail.ACTION, length] = action
                length += 1
            moves += 1
    return length


@called_rule
def policy_action(state, work, settings, weights, count, length, rng):
    """The action that the playout policy takes of ``work.actions[:count]``, after a trail of `length` moves."""
    if count == 1:
        return work.actions[0]
    if settings.policy == PlayoutPolicy.UNIFORM or (settings.epsilon > 0.0 and chance(rng, settings.epsilon)):
        return work.actions[below(rng, count)]
    seat = current_seat(state)
    if settings.policy == PlayoutPolicy.RULES:
        if weights is not None:
            score_actions(state, seat, work.actions, count, weights, work.scores)
    else:
        score_by_averages(work, settings, seat, count, length)
    first = below(rng, count)  # of equals any may be the one
    best = first
    for i in range(1, count):
        other = (first + i) % count
        if work.scores[other] > work.scores[best]:
            best = other
    return work.actions[best]


@rule
def score_by_averages(work, settings, seat, count, length):
    """Scores ``work.actions[:count]`` by the average rewards of the search so far."""
    alone = len(work.actions)
    before = work.trail[Trail.ACTION, length - 1] if settings.policy == PlayoutPolicy.NAST and length > 0 else alone
    for i in range(count):
        action = work.actions[i]
        visits = work.averages[seat, alone, action, 1]
        work.scores[i] = work.averages[seat, alone, action, 0] / visits if visits > 0 else UNSEEN
        pairs = work.averages[seat, before, action, 1]
        if before != alone and pairs >= ENOUGH:
            work.scores[i] = 0.5 * (work.scores[i] + work.averages[seat, before, action, 0] / pairs)


@rule
def learn_averages(work, settings, length):
    """Adds the rewards of the present iteration to the averages of all its moves."""
    alone = len(work.actions)
    for i in range(length):
        seat = work.trail[Trail.SEAT, i]
        action = work.trail[Trail.ACTION, i]
        reward = work.rewards[seat]
        work.averages[seat, alone, action, 0] += reward
        work.averages[seat, alone, action, 1] += 1.0
        if settings.policy == PlayoutPolicy.NAST and i > 0:
            before = work.trail[Trail.ACTION, i - 1]
            work.averages[seat, before, action, 0] += reward
            work.averages[seat, before, action, 1] += 1.0
