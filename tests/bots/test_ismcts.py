"""Single-observer ISMCTS: its counts against what Cowling, Powley and Whitehouse (2012) say, and its moves."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest
from scipy.stats import chisquare

import bots
import engine
from bots.search import searcher
from bots.search.descent import expand, select
from bots.search.kernel import search
from bots.search.rewards import fill_rewards
from bots.search.settings import Count, grown, workspace
from bots.search.tree import NODE, ROOT, add_child, children
from engine.rng import stream
from tests.bots import daytime_minutes_positions as positions
from tests.bots.table import played, win_share
from tests.cases import every_case, random_game

GAME = engine.load("daytime_minutes")
EXPLORATION = 0.7


def settings_for(seat=0, **options):
    return bots.load("ismcts", **options).settings(seat)


def searched(info, iterations, seed=1, **options):
    settings = settings_for(info.seat, **{"playout": "deal", **options})
    work = workspace(info.game, info.records, iterations, settings)
    search(work, settings, None, iterations, stream(seed))
    return work


def moves(info, count=3, seed=1, **options):
    bot = bots.load("ismcts", **options)
    bot.new_game(info.game, info.seat, np.random.default_rng(seed))
    return [info.game.actions[bot.act(info)] for _ in range(count)]


# --- Selection and expansion on trees made by hand ---


def root_with(*options):
    """Scratch space whose root has children of (action, visits, reward, available)."""
    work = workspace(GAME, GAME.empty_record(), 100, settings_for())
    for number, (action, visits, reward, available) in enumerate(options, 1):
        add_child(work.nodes, ROOT, number, action)
        work.nodes[number]["visits"], work.nodes[number]["reward"] = visits, reward
        work.nodes[number]["available"] = available
        work.counts[Count.SIZE] += 1
    return work


def chosen(work, legal, exploration=EXPLORATION):
    """Action that `select` chooses among `legal` ones, and how many of these have no child."""
    work.actions[: len(legal)] = legal
    child, untried = select(work, ROOT, len(legal), exploration)
    return int(work.nodes[child]["action"]), untried


def test_an_action_is_judged_against_the_iterations_in_which_it_was_legal():
    work = root_with((3, 1, 0.5, 1), (8, 1, 0.5, 1))
    for iteration in range(20):
        chosen(work, [3, 8] if iteration % 2 else [3])
    assert children(work.nodes)["available"].tolist() == [21, 11]


def test_the_bound_counts_the_times_an_action_was_available_not_the_visits_of_its_parent():
    """0.50 + 0.7 sqrt(ln 101 / 10) = 0.976 against 0.52 + 0.7 sqrt(ln 21 / 10) = 0.906; with equal counts 8 leads."""
    assert math.isclose(0.5 + 0.7 * math.sqrt(math.log(101) / 10), 0.976, abs_tol=5e-4)
    assert chosen(root_with((3, 10, 5.0, 100), (8, 10, 5.2, 20)), [3, 8]) == (3, 0)
    assert chosen(root_with((3, 10, 5.0, 100), (8, 10, 5.2, 100)), [3, 8]) == (8, 0)


def test_without_exploration_the_best_mean_is_chosen_and_with_much_of_it_the_rarest():
    options = (3, 10, 6.0, 40), (5, 30, 24.0, 40), (8, 2, 0.4, 40)
    assert chosen(root_with(*options), [3, 5, 8], exploration=0.0) == (5, 0)
    assert chosen(root_with(*options), [3, 5, 8], exploration=50.0) == (8, 0)


def test_an_action_that_is_not_legal_now_is_not_chosen_however_good():
    assert chosen(root_with((3, 10, 1.0, 40), (8, 10, 9.0, 40)), [3]) == (3, 0)


def test_legal_actions_without_a_child_are_counted_and_each_can_be_added():
    added = []
    for pick in range(3):
        work = root_with((3, 10, 1.0, 40), (8, 10, 9.0, 40))
        assert chosen(work, [1, 3, 4, 9])[1] == 3
        child = expand(work, ROOT, 4, pick)
        assert (child, work.counts[Count.SIZE]) == (3, 4)
        added.append(int(work.nodes[child]["action"]))
        assert len(children(work.nodes)) == 3
    assert added == [1, 4, 9]


def test_counts_of_an_earlier_visit_do_not_linger():
    work = root_with((3, 1, 0.5, 1))
    assert chosen(work, [1, 3, 4])[1] == 2
    assert chosen(work, [3]) == (3, 0)
    assert chosen(work, [4])[1] == 1


# --- Counts of whole searches ---


@every_case()
def test_visits_and_availability_at_the_root(game):
    """What the searcher may do is legal in every world: child k, added in iteration k, was available ever since."""
    iterations = 200
    for state in [*random_game(game, 2)][:-1:9]:
        info = state.information_set()
        options = children(searched(info, iterations).nodes)
        assert tuple(options["action"]) == info.legal_actions
        assert options["visits"].sum() == iterations
        available = sorted(options["available"].tolist(), reverse=True)
        assert available == list(range(iterations, iterations - len(options), -1))


@every_case()
def test_counts_below_the_root(game):
    work = searched(game.new(seed=3).information_set(), 2000)
    for node in range(1, work.counts[Count.SIZE]):
        options = children(work.nodes, node)
        visits, available = work.nodes[node]["visits"], work.nodes[node]["available"]
        assert 1 <= visits <= available
        assert 0 <= work.nodes[node]["reward"] <= visits
        assert options["visits"].sum() <= visits - 1  # the first visit ended here
        assert all(options["available"] <= visits - 1)
        assert len(set(options["action"])) == len(options)
    assert work.counts[Count.SIZE] <= 2001


def test_the_first_child_is_any_legal_action_with_equal_chance():
    info = GAME.new(seed=3).information_set()
    added = [int(searched(info, 1, seed).nodes[1]["action"]) for seed in range(900)]
    assert chisquare([added.count(action) for action in info.legal_actions]).pvalue > 1e-4
    assert set(added) == set(info.legal_actions)


def test_a_card_of_another_seat_is_available_in_the_worlds_in_which_it_holds_the_card():
    """Of the 36 cards that seat 0 does not see seat 1 holds nine: each in one world of four, whatever seat 0 leads."""
    work = searched(GAME.new(seed=3).information_set(), 20_000)
    led = max(range(1, 10), key=lambda node: work.nodes[node]["visits"])
    visits, options = work.nodes[led]["visits"], children(work.nodes, led)
    assert visits > 2000
    assert len(options) == 36
    assert all(0.2 < available / visits < 0.3 for available in options["available"])


def test_a_larger_tree_is_the_same_search():
    info = GAME.new(seed=3).information_set()
    work = searched(info, 64)
    settings = settings_for(info.seat)
    larger = grown(work, GAME, settings)
    assert len(larger.nodes) >= 2 * 64
    assert larger.counts[Count.SIZE] == work.counts[Count.SIZE]
    assert children(larger.nodes).tobytes() == children(work.nodes).tobytes()
    search(larger, settings, None, 64, stream(2))
    assert children(larger.nodes)["visits"].sum() == 128


def test_a_node_fits_in_a_few_words():
    assert NODE.itemsize <= 40


# --- Rewards ---


@pytest.mark.parametrize(
    ("tokens", "win_shares", "by_rank"),
    [
        ((3, 2, 2, 0), (1, 0, 0, 0), (1, 1 / 2, 1 / 2, 0)),  # ranks 1 2 2 4
        ((2, 2, 0, 1), (1 / 2, 1 / 2, 0, 0), (5 / 6, 5 / 6, 0, 1 / 3)),  # ranks 1 1 4 3
        ((1, 1, 1, 1), (1 / 4,) * 4, (1 / 2,) * 4),
    ],
)
def test_rewards(tokens, win_shares, by_rank):
    """By rank: the share of the other seats that a seat is ahead of, ties half."""
    work = workspace(GAME, GAME.empty_record(), 1, settings_for())
    work.states[0] = GAME.new(seed=1).records[0]
    work.states[0].tokens[:4] = tokens
    for reward, expected in (("win_share", win_shares), ("rank", by_rank)):
        fill_rewards(work.states[0], work, settings_for(reward=reward))
        assert work.rewards.tolist() == pytest.approx(expected)


# --- Moves ---


@every_case()
@pytest.mark.parametrize("options", [{}, {"playout": "deal", "reward": "rank"}], ids=["plain", "deal, rank"])
def test_never_an_illegal_action_over_whole_games(game, options):
    seats = [bots.load("ismcts", iterations=5 + 10 * seat, **options) for seat in range(game.players)]
    assert played(game, seats, seed=2).is_terminal


@every_case()
def test_the_same_seed_gives_the_same_moves(game):
    info = game.new(seed=4).information_set()
    assert moves(info, 8, iterations=3) == moves(info, 8, iterations=3) != moves(info, 8, seed=2, iterations=3)


@pytest.mark.parametrize("options", [{}, {"playout": "deal"}, {"reward": "rank"}, {"exploration": 0.1}], ids=str)
@pytest.mark.parametrize(
    ("state", "card"),
    [(positions.WIN_BY_DUCKING, "F1"), (positions.WIN_BY_TAKING, "F10")],
    ids=["by ducking", "by taking"],
)
def test_a_win_that_is_certain_is_found(state, card, options):
    end = state.apply(card)
    while end.facts()["trick"] == 9 and not end.is_terminal:  # the evening: one card each
        end = end.apply(end.legal_actions[0])
    assert end.returns[3] == 1
    assert moves(state.information_set(), iterations=200, **options) == [card] * 3


@pytest.mark.parametrize(("state", "card"), [(positions.EXACT, "F10"), (positions.OVER, "A1")], ids=["exact", "over"])
def test_tokens_are_worth_having(state, card):
    assert moves(state.information_set(), iterations=1000) == [card] * 3


def test_beats_random_bots():
    """10 deals from every seat. Measured with 100 iterations: 0.63; by chance 0.25, standard error 0.08."""
    opponents = [bots.load("random") for _ in range(3)]
    assert win_share(GAME, bots.load("ismcts", iterations=100), opponents, deals=10) > 0.4


def test_a_single_legal_action_needs_no_search():
    state = positions.EXACT.apply("F10")  # now everybody holds one card
    assert len(state.legal_actions) == 1
    start = time.perf_counter()
    assert moves(state.information_set(), 1, milliseconds=60_000) == list(state.legal_names)
    assert time.perf_counter() - start < 1


def test_a_budget_of_time_is_kept_and_the_tree_grows_with_it(monkeypatch):
    sizes = []
    monkeypatch.setattr(searcher, "FIRST_ROOM", 64)
    monkeypatch.setattr(searcher, "grown", lambda work, *rest: sizes.append(len(work.nodes)) or grown(work, *rest))
    info = GAME.new(seed=3).information_set()
    moves(info, 1, milliseconds=1)  # compiles
    sizes.clear()
    start = time.perf_counter()
    moves(info, 1, milliseconds=300)
    assert 0.3 <= time.perf_counter() - start < 2
    assert len(sizes) >= 2
    assert sizes == sorted(set(sizes))
