"""The way down the tree: priors by the formulas, the seats that do not choose, and worlds dealt anew.

What `select` and `expand` do is in tests/bots/test_ismcts.py.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.special import softmax
from scipy.stats import chisquare

import engine
from bots.rule_based import weights_for
from bots.rule_based.scoring import score_actions
from bots.search.descent import child_of, choose_by_prior, deal_anew
from bots.search.kernel import search
from bots.search.settings import Count, workspace
from bots.search.tree import NO_NODE, ROOT, children
from engine.rng import stream
from tests.bots.search.hand_made import (
    GAME,
    TINY,
    at_start,
    edges,
    root_with,
    searched,
    searched_by_rules,
    settings_for,
    world_of,
)


def chosen(settings, legal, *options, exploration=1.0):
    """The action that is chosen at a root of children (action, visits, reward, available, prior)."""
    work = root_with(settings, *options)
    state = at_start(work)
    work.actions[: len(legal)] = legal
    child = choose_by_prior(state, work, settings, weights_for(GAME), exploration, ROOT, len(legal))
    return int(work.nodes[child]["action"])


# --- PUCT and progressive bias --------------------------------------------------------------------


def test_puct_by_hand():
    """With 100 iterations behind both: 0.5 + P 10 / 10 against 0.3 + P 10 / 5."""
    puct = settings_for(prior="puct")
    three = (3, 9, 4.5, 99, 0.1)
    assert chosen(puct, [3, 8], three, (8, 4, 1.2, 99, 0.16)) == 8  # 0.60, 0.62
    assert chosen(puct, [3, 8], three, (8, 4, 1.2, 99, 0.14)) == 3  # 0.60, 0.58
    assert chosen(puct, [3, 8], three, (8, 4, 1.2, 99, 0.16), exploration=0.1) == 3  # 0.510, 0.332


def test_the_bias_fades_with_the_visits():
    """Without exploration: 0.5 + 2 P / 10 against 0.3 + 2 P / 5."""
    bias = settings_for(prior="bias", prior_weight=2.0)
    three = (3, 9, 4.5, 99, 0.1)
    assert chosen(bias, [3, 8], three, (8, 4, 1.2, 99, 0.6), exploration=0.0) == 8  # 0.52, 0.54
    assert chosen(bias, [3, 8], three, (8, 4, 1.2, 99, 0.5), exploration=0.0) == 3  # 0.52, 0.50
    assert chosen(bias, [3, 8], three, (8, 9, 2.7, 99, 0.6), exploration=0.0) == 3  # 0.52, 0.42


def test_an_action_never_visited_is_taken_for_as_good_as_the_others_on_average():
    """PUCT: (4.5 + 0.9) / 12 = 0.45, and P 10 / 1, against 0.5 + 0.1 10 / 10 and 0.3 + 0.1 10 / 4."""
    puct = settings_for(prior="puct")
    others = (3, 9, 4.5, 99, 0.1), (8, 3, 0.9, 99, 0.1)
    assert chosen(puct, [3, 5, 8], *others, (5, 0, 0.0, 99, 0.016)) == 5  # 0.60, 0.55, 0.61
    assert chosen(puct, [3, 5, 8], *others, (5, 0, 0.0, 99, 0.014)) == 3  # 0.60, 0.55, 0.59


def test_what_is_not_legal_is_not_chosen():
    for prior in ("puct", "bias"):
        assert chosen(settings_for(prior=prior), [3], (3, 9, 0.0, 99, 0.1), (8, 4, 4.0, 99, 0.9)) == 3


def bounds(settings, exploration, options):
    """The bounds of all children, all legal, by the formulas of the papers."""
    visits, rewards, available, priors = (np.array(column, float) for column in list(zip(*options, strict=True))[1:])
    available += 1  # this visit
    mean = rewards.sum() / visits.sum() if visits.sum() else 0.5
    values = np.where(visits > 0, rewards / np.maximum(visits, 1), mean)
    if settings.prior == settings_for(prior="puct").prior:
        return values + exploration * priors * np.sqrt(available) / (1 + visits)
    explored = np.sqrt(np.log(available) / np.maximum(visits, 0.5))
    return values + settings.prior_weight * priors / (1 + visits) + exploration * explored


@settings(deadline=None)
@given(st.data(), st.sampled_from(["puct", "bias"]), st.floats(0, 3), st.floats(0, 3))
def test_the_child_of_the_highest_bound_is_chosen(data, prior, exploration, weight):
    told = settings_for(prior=prior, prior_weight=weight)
    options = []
    for action in range(data.draw(st.integers(1, 6))):
        visits = data.draw(st.integers(0, 40))
        reward = visits * data.draw(st.floats(0, 1))
        available = data.draw(st.integers(max(visits, 1), 90))
        options.append((action, visits, reward, available, float(np.float32(data.draw(st.floats(0, 1))))))
    expected = bounds(told, exploration, options)
    assume(len(expected) == 1 or np.diff(np.sort(expected))[-1] > 1e-9)
    assert chosen(told, range(len(options)), *options, exploration=exploration) == np.argmax(expected)


@pytest.mark.parametrize("temperature", [0.5, 2.0])
@pytest.mark.parametrize("name", engine.names())
def test_priors_are_a_softmax_of_the_scores_of_the_rules(name, temperature):
    info = engine.load(name).new(seed=4).information_set()
    legal = np.array(info.legal_actions)
    scores = np.empty(len(legal))
    score_actions(info.records[0], info.seat, legal, len(legal), weights_for(info.game), scores)
    work = searched_by_rules(info, 1, settings_for(info.seat, prior="puct", temperature=temperature))
    nodes = children(work.nodes)
    assert nodes["action"].tolist() == legal.tolist()
    assert nodes["prior"] == pytest.approx(softmax(scores / temperature), rel=1e-5, abs=1e-12)


def test_with_priors_the_visits_at_the_root_still_add_up():
    info = GAME.new(seed=3).information_set()
    for prior in ("puct", "bias"):
        root = children(searched_by_rules(info, 300, settings_for(prior=prior)).nodes)
        assert root["visits"].sum() == 300
        assert root["prior"].sum() == pytest.approx(1, rel=1e-5)
        assert set(root["available"]) == {300}  # its own cards are legal in every world


def test_priors_end_where_they_are_told_to():
    info = GAME.new(seed=3).information_set()
    nothing = searched_by_rules(info, 300, settings_for(prior="puct", prior_depth=0))
    without = searched_by_rules(info, 300, settings_for())
    assert nothing.nodes[:301].tobytes() == without.nodes[:301].tobytes()
    at_the_root = searched_by_rules(info, 300, settings_for(prior="puct", prior_depth=1))
    with_priors = {len(path) for path, number in edges(at_the_root) if at_the_root.nodes[number]["prior"] > 0}
    assert with_priors == {1}


# --- Seats that do not choose ---------------------------------------------------------------------


def test_a_child_is_found_or_added_while_there_is_room():
    work = root_with(settings_for(), (3, 1, 0.5, 1, 0.0))
    assert child_of(work.nodes, work.counts, ROOT, 3) == 1
    assert work.nodes[1]["available"] == 2
    assert child_of(work.nodes, work.counts, ROOT, 4) == 2
    assert (work.nodes[2]["action"], work.nodes[2]["available"]) == (4, 1)
    work.counts[Count.SIZE] = len(work.nodes)
    assert child_of(work.nodes, work.counts, ROOT, 5) == NO_NODE


def test_self_only_the_others_play_as_in_playouts():
    """In the true world, with uniform playouts: the placements of seat 1 come equally often, whatever they bring."""
    game = engine.load("trick_or_repeat", players=3)
    told = settings_for(backup="self_only", playout="deal")._replace(determinizes=False)
    work = searched(game.new(seed=2), 4000, told)
    root = max(range(1, 6), key=lambda number: work.nodes[number]["visits"])
    answers = children(work.nodes, root)
    assert len(answers) == 5
    assert chisquare(answers["visits"]).pvalue > 1e-4
    choosing = children(searched(game.new(seed=2), 4000, told._replace(backup=0)).nodes, root)
    assert chisquare(choosing["visits"]).pvalue < 1e-4


# --- Depth ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_tree_is_no_deeper_than_it_may_be(depth):
    work = searched(GAME.new(seed=3).information_set(), 2000, settings_for()._replace(max_depth=depth))
    assert work.counts[Count.DEEPEST] == depth
    assert max(len(path) for path, _ in edges(work)) == depth


def test_a_tree_ends_where_nothing_is_left_to_do():
    """Two placements, a last card and a bid for each of two seats."""
    work = searched(TINY.new(seed=1), 5000, settings_for()._replace(determinizes=False))
    longest = 0
    state = TINY.new(seed=1)
    while not state.is_terminal:
        state, longest = state.apply(state.legal_actions[0]), longest + 1
    assert work.counts[Count.DEEPEST] == longest
    for path, _ in edges(work):
        state = TINY.new(seed=1)
        for action in path:
            state = state.apply(action)  # and is legal


# --- Worlds dealt anew ----------------------------------------------------------------------------


def test_a_world_dealt_anew_is_one_that_the_opponent_could_be_in():
    world = GAME.new(seed=3)
    seen = world.information_set(1)
    hands, rng = set(), stream(1)
    for _ in range(50):
        records = world.records.copy()
        deal_anew(records[0], 1, rng)
        other = world_of(GAME, records)
        assert other.information_set(1) == seen
        hands.add(tuple(other.facts()["hands"][0]))
    assert len(hands) > 40  # of 94 million


def test_in_worlds_dealt_anew_the_searcher_learns_nothing_of_its_own_actions():
    """With every iteration dealt anew each of its cards is counted once, when it joined the tree; answers go on."""
    info = GAME.new(seed=3).information_set()
    work = searched(info, 500, settings_for()._replace(redeal=1.0))
    root = children(work.nodes)
    assert root["visits"].tolist() == [1] * len(info.legal_actions)
    answers = [int(work.nodes[number]["visits"]) for path, number in edges(work) if len(path) == 2]
    assert sum(answers) == 500 - len(root)
    assert work.counts[Count.ITERATIONS] == 500
    played_by_others = {path[-1] for path, _ in edges(work) if len(path) in (3, 4)}
    assert played_by_others & set(info.legal_actions)  # cards that the searcher holds


def test_a_share_is_dealt_anew():
    """Of 4000 iterations a quarter is not counted at the root, within four standard deviations."""
    told = settings_for()._replace(redeal=0.25)
    root = children(searched(GAME.new(seed=3).information_set(), 4000, told).nodes)
    assert abs(root["visits"].sum() - 3000) < 4 * math.sqrt(4000 * 0.25 * 0.75) + len(root)
    assert root["available"].max() == 4000


# --- A full tree ----------------------------------------------------------------------------------


def test_when_there_is_no_more_room_iterations_go_on_without():
    info = GAME.new(seed=3).information_set()
    for told, weights, expected in ((settings_for(), None, 5), (settings_for(prior="puct"), weights_for(GAME), 50)):
        work = workspace(GAME, info.records, 50, told)
        work = work._replace(nodes=work.nodes[:6].copy())
        assert search(work, told, weights, 50, stream(1)) == 50
        assert (work.counts[Count.SIZE], work.counts[Count.ITERATIONS]) == (6, 50)
        assert len(children(work.nodes)) == 5 < len(info.legal_actions)
        assert children(work.nodes)["visits"].sum() == expected  # all untried ones are tried first, or by their priors
