"""Playouts: averages after trails made by hand, the share of random moves, and where a playout ends."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chisquare

import engine
from bots.rule_based import weights_for
from bots.rule_based.scoring import score_actions
from bots.search.playout_policy import ENOUGH, learn_averages, play_by_policy, policy_action, score_by_averages
from bots.search.settings import NO_CUT, TRAIL_LENGTH, Count, Trail
from engine.rng import stream
from tests.bots.search.hand_made import GAME, at_start, room, searched, settings_for, world_of

ALONE = len(GAME.actions)  # the row of moves whatever came before
SUM, NUMBER = 0, 1


def learned(policy, *iterations):
    """Scratch space after iterations of ([(seat, action), ...], [reward by seat])."""
    settings = settings_for(playout_policy=policy)
    work = room(settings)
    for moves, rewards in iterations:
        for number, (seat, action) in enumerate(moves):
            work.trail[Trail.SEAT, number], work.trail[Trail.ACTION, number] = seat, action
        work.rewards[:] = rewards
        learn_averages(work, settings, len(moves))
    return work


def scores(work, policy, seat, actions, before=None):
    """The score of each of `actions` for `seat`, after the move `before`."""
    work.actions[: len(actions)] = actions
    if before is not None:
        work.trail[Trail.ACTION, 0] = before
    score_by_averages(work, settings_for(playout_policy=policy), seat, len(actions), 0 if before is None else 1)
    return work.scores[: len(actions)].tolist()


TWO_ITERATIONS = (
    ([(0, 3), (1, 8), (2, 5), (0, 8)], [1.0, 0.25, 0.0, 0.0]),
    ([(0, 3), (1, 8)], [0.5, 0.75, 0.0, 0.0]),
)  # fmt: skip


@pytest.mark.parametrize("policy", ["mast", "nast"])
def test_a_move_is_worth_what_its_seat_got_on_average(policy):
    table = learned(policy, *TWO_ITERATIONS).averages[:, ALONE]
    expected = np.zeros_like(table)
    expected[0, 3] = 1.5, 2
    expected[0, 8] = 1.0, 1
    expected[1, 8] = 1.0, 2
    expected[2, 5] = 0.0, 1
    assert (table == expected).all()


def test_a_pair_of_moves_belongs_to_the_seat_of_the_second():
    table = learned("nast", *TWO_ITERATIONS).averages[:, :ALONE]
    expected = np.zeros_like(table)
    expected[1, 3, 8] = 1.0, 2
    expected[2, 8, 5] = 0.0, 1
    expected[0, 5, 8] = 1.0, 1
    assert (table == expected).all()
    assert (learned("mast", *TWO_ITERATIONS).averages[:, :ALONE] == 0).all()


def test_scores_are_averages_and_what_was_never_tried_is_worth_most():
    work = learned("mast", *TWO_ITERATIONS)
    assert scores(work, "mast", 0, [3, 4, 8]) == [0.75, 1.0, 1.0]
    assert scores(work, "mast", 1, [3, 8]) == [1.0, 0.5]


def test_pairs_count_half_once_there_are_enough_of_them():
    """Seat 1 got 1/4 whenever it answered 3 by 8, and 1 whenever it answered 4."""
    answers = [([(0, 3), (1, 8)], [0, 0.25, 0, 0])] * ENOUGH
    others = [([(0, 4), (1, 8)], [0, 1.0, 0, 0])] * ENOUGH
    alone = (0.25 + 1.0) / 2
    work = learned("nast", *answers, *others)
    assert scores(work, "nast", 1, [8], before=3) == [(alone + 0.25) / 2]
    assert scores(work, "nast", 1, [8], before=4) == [(alone + 1.0) / 2]
    assert scores(work, "nast", 1, [8], before=5) == [alone]
    assert scores(work, "nast", 1, [8]) == [alone]
    assert scores(work, "mast", 1, [8], before=3) == [alone]
    too_few = learned("nast", *answers[1:])
    too_few.averages[1, ALONE, 8] = 3.0, 4
    assert scores(too_few, "nast", 1, [8], before=3) == [0.75]


# --- One move -------------------------------------------------------------------------------------


def moves_of_seat_0(work, settings, weights=None, count=2000):
    """How often each action is taken of those of seat 0 at the start."""
    state, rng = at_start(work), stream(1)
    legal = world_of(GAME, work.states).legal_actions
    taken = []
    for _ in range(count):
        work.actions[: len(legal)] = legal
        taken.append(int(policy_action(state, work, settings, weights, len(legal), 0, rng)))
    return legal, np.array([taken.count(action) for action in legal])


@pytest.mark.parametrize("epsilon", [0.0, 0.2, 1.0])
def test_epsilon_is_the_share_of_random_moves(epsilon):
    settings = settings_for(playout_policy="mast", epsilon=epsilon)
    work = room(settings)
    legal, _ = moves_of_seat_0(work, settings, count=1)
    work.averages[0, ALONE, :] = 1.0, 2
    work.averages[0, ALONE, legal[4]] = 1.5, 2
    _, counts = moves_of_seat_0(work, settings)
    expected = np.full(len(legal), epsilon / len(legal))
    expected[4] += 1 - epsilon
    possible = expected > 0
    assert counts[~possible].sum() == 0
    assert not epsilon or chisquare(counts[possible], 2000 * expected[possible]).pvalue > 1e-4


def test_any_of_equals_may_be_taken():
    settings = settings_for(playout_policy="mast", epsilon=0.0)
    work = room(settings)
    legal, counts = moves_of_seat_0(work, settings)  # nothing was tried yet
    assert chisquare(counts).pvalue > 1e-4
    work.averages[0, ALONE, :] = 1.0, 2
    work.averages[0, ALONE, legal[2]] = work.averages[0, ALONE, legal[7]] = 1.5, 2
    _, counts = moves_of_seat_0(work, settings)
    assert np.flatnonzero(counts).tolist() == [2, 7]


def test_a_uniform_policy_takes_every_action_equally_often():
    settings = settings_for(playout_policy="uniform", epsilon=0.0)
    _, counts = moves_of_seat_0(room(settings), settings)
    assert chisquare(counts).pvalue > 1e-4


def test_a_single_action_needs_no_chance():
    settings = settings_for(playout_policy="mast")
    work, rng = room(settings), stream(1)
    work.actions[0] = 7
    assert policy_action(at_start(work), work, settings, None, 1, 0, rng) == 7
    assert rng == stream(1)


# --- Whole playouts -------------------------------------------------------------------------------


def played_out(settings, game=GAME, start=0, weights=None, seed=1):
    """The world before a playout, the one after it, and the trail that it left."""
    work = room(settings, game)
    at_start(work, game)
    before = world_of(game, work.states)
    length = play_by_policy(work.states[0], work, settings, weights, start, stream(seed))
    trail = work.trail[[Trail.SEAT, Trail.ACTION], start:length].T.tolist()
    return before, world_of(game, work.states), trail


@pytest.mark.parametrize("policy", ["uniform", "mast", "nast"])
@pytest.mark.parametrize("name", engine.names())
def test_the_trail_holds_the_moves_of_the_playout(name, policy):
    game = engine.load(name)
    state, end, trail = played_out(settings_for(playout_policy=policy, cut=6), game)
    assert len(trail) == 6
    for seat, action in trail:
        assert state.seat == seat
        state = state.apply(action)  # and is legal
    assert state.records[0].tobytes() == end.records[0].tobytes()


@pytest.mark.parametrize("cut", [0, 1, 5])
def test_a_cut_counts_the_moves_of_the_playout(cut):
    before, after, trail = played_out(settings_for(cut=cut), start=2)
    assert len(trail) == cut
    assert (before == after) == (cut == 0)


def test_a_playout_ends_with_the_deal_or_with_the_game():
    """A hand of Daytime Minutes is over after nine tricks at the latest, and three tokens outlast one hand here."""
    settings = settings_for(playout_policy="mast")
    assert settings.cut == NO_CUT
    _, end, trail = played_out(settings)
    assert end.is_terminal
    assert len(trail) > 4 * 9
    _, end, trail = played_out(settings_for(playout="deal", playout_policy="mast"))
    assert not end.is_terminal
    assert GAME.rules.awaits_deal(end.records[0])
    assert len(trail) <= 4 * 9 + 1


def test_a_long_playout_outgrows_the_trail_but_not_its_array():
    _, end, trail = played_out(settings_for(playout_policy="mast"), start=TRAIL_LENGTH - 3)
    assert end.is_terminal
    assert len(trail) == 3


@pytest.mark.parametrize("name", engine.names())
def test_the_rules_choose_an_action_of_the_highest_score(name):
    game = engine.load(name)
    weights = weights_for(game)
    settings = settings_for(playout_policy="rules", epsilon=0.0, cut=25)
    state, _, trail = played_out(settings, game, weights=weights)
    for _, action in trail:
        legal = np.array(state.legal_actions)
        scored = np.empty(len(legal))
        score_actions(state.records[0], state.seat, legal, len(legal), weights, scored)
        assert scored[legal.tolist().index(action)] == scored.max()
        state = state.apply(action)


# --- In a search ----------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["mast", "nast"])
def test_a_search_learns_from_the_moves_in_the_tree_and_after_it(policy):
    """Three moves after the tree in each of 50 iterations: no hand of nine tricks ends before."""
    settings = settings_for(playout_policy=policy, cut=3)
    work = searched(GAME.new(seed=3).information_set(), 50, settings)
    moves = work.counts[Count.DEPTHS] + 3 * 50
    assert work.averages[:, ALONE, :, NUMBER].sum() == moves
    assert (work.averages[..., SUM] <= work.averages[..., NUMBER]).all()
    pairs = work.averages[:, :ALONE, :, NUMBER].sum()
    assert pairs == (moves - 50 if policy == "nast" else 0)
    assert work.averages[0, ALONE, :, NUMBER].sum() >= 50  # the searcher leads


def test_cut_at_once_all_that_counts_is_how_the_position_stands():
    """At the start all four hold three tokens: a quarter of a win each."""
    work = searched(GAME.new(seed=3).information_set(), 40, settings_for(cut=0, exploration=100.0))
    nodes = work.nodes[1 : work.counts[Count.SIZE]]
    assert (nodes["reward"] == 0.25 * nodes["visits"]).all()
