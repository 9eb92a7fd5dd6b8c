"""PIMC: a tree for each world, sums over worlds, and the fault that it is known for."""

from __future__ import annotations

import numpy as np
import pytest

import bots
import engine
from bots.search import searching_bot
from bots.search.explanation import explain
from bots.search.tree import children
from tests.bots import guess
from tests.bots.search.hand_made import edges, world_of
from tests.cases import every_case, random_game

GUESS = engine.load(guess.__name__)


@pytest.fixture
def works(monkeypatch):
    """The work of every world searched, in turn."""
    seen = []
    monkeypatch.setattr(
        searching_bot, "explain", lambda game, done, *rest: seen.extend(done) or explain(game, done, *rest)
    )
    return seen


def decided(name, info, seed=1, **options):
    """The name of the action that a bot takes, and what it says."""
    bot = bots.load(name, **options)
    bot.new_game(info.game, info.seat, np.random.default_rng(seed))
    return info.game.actions[bot.act(info)], bot.explain()


@every_case()
def test_each_tree_holds_what_is_legal_in_its_world(works, game):
    """And the worlds are such as the searcher holds possible."""
    states = [state for state in random_game(game, 2) if not state.is_terminal and len(state.legal_actions) > 1]
    info = states[len(states) // 3].information_set()
    decided("pimc", info, worlds=4, iterations=60)
    assert len(works) == 4
    for work in works:
        start = world_of(game, work.worlds)
        assert start.information_set(info.seat) == info
        for path, _ in edges(work):
            state = start
            for action in path:
                state = state.apply(action)  # raises if it is not legal


def test_visits_are_added_up_over_worlds(works):
    info = engine.load("daytime_minutes").new(seed=3).information_set()
    _, found = decided("pimc", info, worlds=7, iterations=50)
    assert found.iterations == sum(row.visits for row in found.actions) == 7 * 50
    assert len({work.worlds.tobytes() for work in works}) == 7
    visits = np.sum([children(work.nodes)["visits"] for work in works], axis=0)
    rewards = np.sum([children(work.nodes)["reward"] for work in works], axis=0)
    ordered = sorted(found.actions, key=lambda row: row.action)
    assert [row.visits for row in ordered] == visits.tolist()
    assert [row.value for row in ordered] == pytest.approx((rewards / visits).tolist())


def test_strategy_fusion():
    """Guess: PIMC believes that it will know the card, and guesses; ISMCTS knows that it will not, and stays."""
    info = GUESS.new(seed=1).information_set()
    action, found = decided("pimc", info, worlds=30, iterations=200)
    values = {row.name: row.value for row in found.actions}
    assert action == "guess"
    assert values["guess"] > 0.9
    assert values["stay"] == 0.5
    action, found = decided("ismcts", info, iterations=6000)
    values = {row.name: row.value for row in found.actions}
    assert action == "stay"
    assert values["stay"] == 0.5
    assert values["guess"] == pytest.approx(1 / 3, abs=0.1)
