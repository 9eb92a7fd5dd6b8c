"""What the end of an iteration is worth to each seat, in [0, 1]."""

from __future__ import annotations

import numpy as np

from bots.evaluation import expected_returns
from bots.search.settings import Backup, Extreme, Reward
from engine.compiling import called_rule, rule
from engine.rules import fill_ranks, fill_returns, num_seats, score


@rule
def fill_rewards(state, work, settings):
    """Writes the reward of each seat from how `state` stands, and notes the extremes of the searcher's."""
    if settings.reward == Reward.RANK:
        fill_rank_rewards(state, work)
    elif settings.reward == Reward.EQUITY:
        fill_equities(state, work.rewards)
    else:
        fill_ranks(state, work.ranks)
        fill_returns(work.ranks, num_seats(state), work.rewards)
    if settings.margin > 0.0:
        mix_in_margins(state, work, settings.margin)
    own = work.rewards[settings.seat]
    work.extremes[Extreme.LOWEST_REWARD] = min(work.extremes[Extreme.LOWEST_REWARD], own)
    work.extremes[Extreme.HIGHEST_REWARD] = max(work.extremes[Extreme.HIGHEST_REWARD], own)


@called_rule
def fill_equities(state, rewards):
    """The expected win shares by the game's own evaluation."""
    expected_returns(state, rewards)


@rule
def reward_to(rewards, settings, seat):
    """What `seat` is taken to have won."""
    if settings.backup == Backup.PARANOID and seat != settings.seat:
        return 1.0 - rewards[settings.seat]
    return rewards[seat]


@rule
def fill_rank_rewards(state, work):
    """The share of the other seats that a seat has beaten, ties half."""
    players = num_seats(state)
    fill_ranks(state, work.ranks)
    for seat in range(players):
        beaten = 0.0
        for other in range(players):
            if work.ranks[seat] < work.ranks[other]:
                beaten += 1.0
            elif other != seat and work.ranks[seat] == work.ranks[other]:
                beaten += 0.5
        work.rewards[seat] = beaten / (players - 1)


@rule
def mix_in_margins(state, work, share):
    """Gives the lead over the best other seat, scaled by the extremes of this search, a `share` of the reward."""
    players = num_seats(state)
    for seat in range(players):
        margin = lead(state, seat)
        work.extremes[Extreme.LOWEST_MARGIN] = min(work.extremes[Extreme.LOWEST_MARGIN], margin)
        work.extremes[Extreme.HIGHEST_MARGIN] = max(work.extremes[Extreme.HIGHEST_MARGIN], margin)
    lowest = work.extremes[Extreme.LOWEST_MARGIN]
    extent = work.extremes[Extreme.HIGHEST_MARGIN] - lowest
    for seat in range(players):
        scaled = (lead(state, seat) - lowest) / extent if extent > 0.0 else 0.5
        work.rewards[seat] += share * (scaled - work.rewards[seat])


@rule
def lead(state, seat):
    """Game points of `seat` above those of the best other seat."""
    best = -np.inf
    for other in range(num_seats(state)):
        if other != seat:
            best = max(best, float(score(state, other)))
    return score(state, seat) - best
