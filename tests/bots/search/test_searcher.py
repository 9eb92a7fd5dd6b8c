"""Spending a budget: threads, time, the early stop; and whole games with all kinds of options."""

from __future__ import annotations

import time
from types import SimpleNamespace

import numpy as np
import pytest

import bots
import engine
from bots.search import searcher
from bots.search.kernel import lead_in_visits, search
from bots.search.searcher import Searcher
from bots.search.settings import Count, workspace
from bots.search.tree import children
from engine.rng import stream
from tests.bots.search.hand_made import GAME
from tests.bots.table import seated
from tests.cases import every_case

INFO = GAME.new(seed=3).information_set()


def spent(seed=1, bot="ismcts", **options):
    """The work of each thread that spends a budget on the first decision of a game."""
    made = bots.load(bot, **options)
    return Searcher(GAME, made, np.random.default_rng(seed)).search(made.settings(INFO.seat), INFO.records)


def iterations(works):
    return [int(work.counts[Count.ITERATIONS]) for work in works]


def moves(count, seed=1, **options):
    bot = bots.load("ismcts", **options)
    bot.new_game(GAME, INFO.seat, np.random.default_rng(seed))
    return [bot.act(INFO) for _ in range(count)]


# --- Threads --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("threads", "shares"), [(1, [100]), (2, [50, 50]), (3, [33, 33, 34]), (7, [14] * 5 + [15] * 2)]
)
def test_threads_share_the_iterations(threads, shares):
    works = spent(iterations=100, threads=threads)
    assert sorted(iterations(works)) == shares
    assert sum(children(work.nodes)["visits"].sum() for work in works) == 100


def test_a_thread_searches_as_it_would_alone():
    rng = np.random.default_rng(1)
    seeds = [int(rng.integers(1 << 62)) for _ in range(3)]
    settings = bots.load("ismcts").settings(INFO.seat)
    for seed, work in zip(seeds, spent(iterations=300, threads=3), strict=True):
        alone = workspace(GAME, INFO.records, 100, settings)
        search(alone, settings, None, 100, stream(seed))
        assert alone.nodes.tobytes() == work.nodes.tobytes()


def test_the_same_seed_gives_the_same_moves_whatever_the_threads_do():
    for threads in (2, 5):
        found = {tuple(moves(6, iterations=30, threads=threads)) for _ in range(4)}
        assert len(found) == 1
        assert found != {tuple(moves(6, seed=2, iterations=30, threads=threads))}


def test_the_explanation_adds_the_threads_up():
    bot = bots.load("ismcts", iterations=100, threads=3)
    bot.new_game(GAME, INFO.seat, np.random.default_rng(1))
    bot.act(INFO)
    found = bot.explain()
    assert found.iterations == sum(row.visits for row in found.actions) == 100


# --- Time -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2])
def test_a_budget_of_time_is_used_up_and_not_much_more(threads):
    spent(milliseconds=1)  # compiles
    start = time.perf_counter()
    works = spent(milliseconds=100, threads=threads)
    assert 0.1 <= time.perf_counter() - start < 2
    assert all(count > 50 for count in iterations(works))


@pytest.fixture
def clock(monkeypatch):
    """A clock by which an iteration takes a millisecond, and nothing else takes any time."""
    clock = SimpleNamespace(now=0.0)

    def timed(work, settings, weights, count, rng):
        clock.now += count / 1000
        return search(work, settings, weights, count, rng)

    monkeypatch.setattr(searcher, "search", timed)
    monkeypatch.setattr(searcher, "time", SimpleNamespace(perf_counter=lambda: clock.now))
    return clock


@pytest.mark.parametrize("milliseconds", [1, 10, 100, 3000, 9000])
def test_the_clock_is_looked_at_often_enough(clock, milliseconds):
    """The last look comes on time, since the speed is known by then; the tree has grown to hold 9000 iterations."""
    (done,) = iterations(spent(milliseconds=milliseconds))
    assert milliseconds <= done <= milliseconds + 1


def test_worlds_searched_one_by_one_share_the_time(clock):
    bot = bots.load("pimc", milliseconds=1000, worlds=5)
    bot.new_game(GAME, INFO.seat, np.random.default_rng(1))
    bot.act(INFO)
    assert 1000 <= bot.explain().iterations <= 1000 + 5


def test_a_decision_that_is_clear_ends_before_its_time(clock):
    """Greedy: one action gets nearly all visits, and after half of the time no other can catch up."""
    options = {"milliseconds": 1000, "exploration": 0.0}
    (whole,), (stopped,) = spent(**options), spent(**options, early_stop=True)
    (done,) = iterations([stopped])
    assert 500 <= done < 700
    assert lead_in_visits(stopped.nodes) > 1000 - done
    first, again = (children(work.nodes) for work in (whole, stopped))
    assert first["action"][np.argmax(first["visits"])] == again["action"][np.argmax(again["visits"])]


# --- Whole games ----------------------------------------------------------------------------------

OPTION_SETS = (
    ("flat", {}),
    ("pimc", {"worlds": 3}),
    ("pimc", {"worlds": 2, "choose": "value", "prior": "puct", "threads": 2}),
    ("ismcts", {"playout_policy": "mast", "choose": "value"}),
    ("ismcts", {"playout_policy": "nast", "playout": "deal", "epsilon": 0.5}),
    ("ismcts", {"playout_policy": "rules", "cut": 3, "reward": "rank"}),
    ("ismcts", {"prior": "puct", "prior_depth": 2, "exploration": 2.0}),
    ("ismcts", {"prior": "bias", "temperature": 0.3, "backup": "paranoid"}),
    ("ismcts", {"backup": "self_only", "playout_policy": "mast"}),
    ("ismcts", {"backup": "self_only", "playout_policy": "rules", "playout": "deal"}),
    ("ismcts", {"redeal": 0.9, "margin": 0.5, "normalise": True}),
    ("ismcts", {"redeal": 0.5, "prior": "puct", "cut": 0, "margin": 1.0}),
    ("ismcts", {"threads": 3, "early_stop": True}),
    ("cheater", {"cut": 8, "reward": "rank", "playout_policy": "nast"}),
)


@every_case()
def test_never_an_illegal_action_over_whole_games(game):
    """Every set of options plays in one of the games; `apply` raises for an action that is not legal."""
    for number in range(0, len(OPTION_SETS), game.players):
        lineup = [*OPTION_SETS, *OPTION_SETS][number : number + game.players]
        seats = seated(game, [bots.load(bot, iterations=6, **options) for bot, options in lineup], number)
        state = game.new(seed=number)
        while not state.is_terminal:
            position = state if lineup[state.seat][0] == "cheater" else state.information_set()
            state = state.apply(seats[state.seat].act(position))


def test_every_set_of_options_repeats_itself():
    game = engine.load("trick_or_repeat", players=3)
    info = game.new(seed=4).information_set()
    for name, options in OPTION_SETS[:-1]:
        runs = []
        for _ in range(2):
            bot = bots.load(name, iterations=40, **options)
            bot.new_game(game, info.seat, np.random.default_rng(1))
            runs.append([(bot.act(info), bot.explain()) for _ in range(2)])
        assert runs[0] == runs[1]
