"""What an end is worth, by hand, and against SciPy's ranks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

from bots.search.rewards import fill_rewards
from bots.search.settings import Extreme
from tests.bots.search.hand_made import at_start, room, settings_for

TOKENS = st.lists(st.integers(0, 9), min_size=4, max_size=4)


def rewards(work, tokens, settings):
    """The rewards of seats that hold `tokens`, which are their game points."""
    state = at_start(work)
    state.tokens[:4] = tokens
    fill_rewards(state, work, settings)
    return work.rewards.tolist()


@settings(deadline=None)
@given(TOKENS)
def test_by_rank_a_seat_is_worth_how_many_it_has_beaten(tokens):
    told = settings_for(reward="rank")
    places = rankdata([-token for token in tokens])  # ties share the mean of their places
    assert rewards(room(told), tokens, told) == pytest.approx((4 - places) / 3)


@settings(deadline=None)
@given(TOKENS)
def test_by_win_share_the_leaders_share_one(tokens):
    told = settings_for()
    leads = np.array(tokens) == max(tokens)
    assert rewards(room(told), tokens, told) == pytest.approx(leads / leads.sum())


def test_the_margin_is_the_lead_over_the_best_other_seat_in_the_range_of_this_search():
    """Leads 1, -1, -1, -3 in a range of 4 are 1, 1/2, 1/2, 0. Then four leads of 0 are 3/4 each."""
    told = settings_for(margin=0.25)
    work = room(told)
    assert rewards(work, (3, 2, 2, 0), told) == pytest.approx([1, 1 / 8, 1 / 8, 0])
    assert rewards(work, (1, 1, 1, 1), told) == pytest.approx([0.75 / 4 + 0.75 / 4] * 4)
    assert work.extremes[[Extreme.LOWEST_MARGIN, Extreme.HIGHEST_MARGIN]].tolist() == [-3, 1]


def test_a_margin_of_one_is_nothing_else():
    """Leads 4, -5, -4, -8 in a range of 12."""
    told = settings_for(margin=1.0, reward="rank")
    assert rewards(room(told), (9, 4, 5, 1), told) == pytest.approx([1, 3 / 12, 4 / 12, 0])


def test_where_all_ends_were_equal_a_margin_is_worth_half():
    told = settings_for(margin=1.0)
    assert rewards(room(told), (2, 2, 2, 2), told) == [0.5] * 4


@settings(deadline=None)
@given(st.lists(TOKENS, min_size=1, max_size=5), st.floats(0, 1), st.sampled_from(["win_share", "rank"]))
def test_rewards_stay_between_zero_and_one_and_the_extremes_of_the_searcher_are_kept(ends, margin, reward):
    told = settings_for(seat=2, margin=margin, reward=reward)
    work = room(told)
    own = []
    for tokens in ends:
        found = rewards(work, tokens, told)
        assert all(-1e-12 <= value <= 1 + 1e-12 for value in found)
        own.append(found[2])
    assert work.extremes[[Extreme.LOWEST_REWARD, Extreme.HIGHEST_REWARD]].tolist() == [min(own), max(own)]
