"""What a bot says about its decision, against NumPy on the rewards of every iteration, and by hand."""

from __future__ import annotations

import numpy as np
import pytest

import bots
import engine
from bots.search.explanation import explain
from bots.search.kernel import search
from bots.search.settings import Count, workspace
from bots.search.tree import ROOT, add_child, children
from engine.rng import stream
from tests.bots.search.hand_made import GAME, room, searched, searched_by_rules, settings_for


def logged(info, iterations, **options):
    """The work of a search done one iteration at a time, and the rewards of every action of the root in turn."""
    settings = settings_for(info.seat, **options)
    work, rng = workspace(info.game, info.records, iterations, settings), stream(1)
    rewards = {action: [] for action in info.legal_actions}
    before = {action: (0, 0.0) for action in info.legal_actions}
    for _ in range(iterations):
        search(work, settings, None, 1, rng)
        for node in children(work.nodes):
            action, visits, total = int(node["action"]), int(node["visits"]), float(node["reward"])
            if visits > before[action][0]:
                rewards[action].append(total - before[action][1])
                before[action] = visits, total
    return work, rewards


@pytest.mark.parametrize("options", [{}, {"reward": "rank"}, {"margin": 0.5}], ids=str)
def test_value_and_standard_error_are_those_of_the_rewards(options):
    info = engine.load("trick_or_repeat", players=3).new(seed=2).information_set()
    work, rewards = logged(info, 300, **options)
    found = explain(info.game, [work])
    assert {row.action for row in found.actions} == set(info.legal_actions)
    for row in found.actions:
        own = np.array(rewards[row.action])
        assert row.visits == len(own) > 1
        assert row.value == pytest.approx(own.mean())
        assert row.standard_error == pytest.approx(own.std(ddof=1) / np.sqrt(len(own)), abs=1e-9)


def test_one_search_at_a_time_is_one_search():
    info = GAME.new(seed=3).information_set()
    assert logged(info, 100)[0].nodes.tobytes() == searched(info, 100, settings_for()).nodes.tobytes()


def made(iterations, deepest, *rows):
    """The work of a search with root children of (action, visits, reward, squares, available, prior)."""
    work = room(settings_for())
    for number, (action, *fields) in enumerate(rows, 1):
        add_child(work.nodes, ROOT, number, action)
        for name, value in zip(("visits", "reward", "squares", "available", "prior"), fields, strict=True):
            work.nodes[number][name] = value
    work.counts[Count.SIZE] = 1 + len(rows)
    work.counts[Count.ITERATIONS], work.counts[Count.DEPTHS], work.counts[Count.DEEPEST] = iterations, 25, deepest
    return work


def test_the_figures_by_hand():
    """Rewards 1, 1, 0, 0 have a standard error of sqrt(1/3 / 4); the third action was never visited."""
    found = explain(
        GAME, [made(10, 4, (3, 4, 2.0, 2.0, 10, 0.5), (5, 1, 1.0, 1.0, 5, 0.25), (8, 0, 0.0, 0.0, 2, 0.25))]
    )
    first, second, third = found.actions
    assert (first.action, first.name, first.visits, first.value) == (3, GAME.actions[3], 4, 0.5)
    assert first.standard_error == pytest.approx((1 / 12) ** 0.5)
    assert (second.value, second.standard_error) == (1.0, None)
    assert (third.visits, third.value, third.standard_error) == (0, 0.0, None)
    assert [row.legal_share for row in found.actions] == [1.0, 0.5, 0.2]
    assert [row.prior for row in found.actions] == [0.5, 0.25, 0.25]
    assert (found.iterations, found.nodes, found.mean_depth, found.max_depth) == (10, 4, 2.5, 4)
    assert found.effective_worlds is None


def test_several_trees_are_added_up():
    """An action that is in one of two trees alone counts with the figures that it has there."""
    one = made(10, 4, (3, 4, 2.0, 2.0, 10, 0.5), (5, 6, 3.0, 3.0, 5, 0.5))
    two = made(30, 7, (5, 20, 5.0, 5.0, 30, 0.5))
    found = explain(GAME, [one, two])
    assert [(row.action, row.visits, row.value) for row in found.actions] == [(5, 26, 8 / 26), (3, 4, 0.5)]
    assert [row.legal_share for row in found.actions] == [35 / 40, 10 / 40]
    assert [row.prior for row in found.actions] == [0.5, 0.25]
    rewards = np.array([1.0] * 8 + [0.0] * 18)
    assert found.actions[0].standard_error == pytest.approx(rewards.std(ddof=1) / 26**0.5)
    assert (found.iterations, found.nodes, found.mean_depth, found.max_depth) == (40, 5, 50 / 40, 7)


def test_the_best_comes_first_by_visits_or_by_value():
    rows = (3, 4, 2.0, 2.0, 10, 0.0), (5, 6, 1.5, 1.5, 10, 0.0), (8, 4, 3.0, 3.0, 10, 0.0)
    assert [row.action for row in explain(GAME, [made(14, 1, *rows)]).actions] == [5, 8, 3]
    assert [row.action for row in explain(GAME, [made(14, 1, *rows)], by_value=True).actions] == [8, 3, 5]


def test_priors_add_up_to_one():
    info = GAME.new(seed=3).information_set()
    settings = settings_for(prior="puct")
    works = [searched_by_rules(info, 50, settings, seed) for seed in (1, 2)]
    assert sum(row.prior for row in explain(GAME, works).actions) == pytest.approx(1, rel=1e-5)


@pytest.mark.parametrize("choose", ["visits", "value"])
@pytest.mark.parametrize("name", ["flat", "pimc", "ismcts"])
def test_a_bot_plays_what_it_explains_best(name, choose):
    info = GAME.new(seed=3).information_set()
    bot = bots.load(name, iterations=100, choose=choose)
    bot.new_game(GAME, info.seat, np.random.default_rng(1))
    assert bot.explain() is None
    action = bot.act(info)
    found = bot.explain()
    assert found.actions[0].action == action
    key = {"visits": lambda row: row.visits, "value": lambda row: row.value}[choose]
    assert key(found.actions[0]) == max(map(key, found.actions))


def test_without_a_choice_there_is_nothing_to_explain():
    """Whatever the decision before was."""
    state = GAME.new(seed=3)
    bot = bots.load("ismcts", iterations=20)
    bot.new_game(GAME, state.seat, np.random.default_rng(1))
    bot.act(state.information_set())
    assert bot.explain() is not None
    while len(state.legal_actions) > 1:
        state = state.apply(state.legal_actions[0])
    assert bot.act(state.information_set()) == state.legal_actions[0]
    assert bot.explain() is None
