"""What an iteration leaves behind: backups by hand, weighted worlds, the scale of exploration, the early stop."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from bots.inference import pick_table
from bots.search.kernel import CHECK_INTERVAL, back_up, lead_in_visits, scaled_exploration, search
from bots.search.settings import Backup, Count, Extreme, Trail, workspace
from bots.search.tree import ROOT, children
from engine.rng import stream
from tests.bots.search.hand_made import GAME, edges, room, root_with, searched, settings_for
from tests.cases import random_game

SEATS = (0, 1, 2, 0, 3)  # who acts on the path
REWARDS = (0.5, 0.25, 1.0, 0.0)  # of seats 0 to 3


def backed_up(backup, redealt=False):
    """What each of five nodes on a path was rewarded with, two times; None if it was not visited."""
    settings = settings_for(backup=backup)
    work = room(settings)
    work.rewards[:] = REWARDS
    work.trail[Trail.NODE, : len(SEATS)] = range(1, len(SEATS) + 1)
    work.trail[Trail.SEAT, : len(SEATS)] = SEATS
    for _ in range(2):
        back_up(work.nodes, work.trail, work.rewards, settings, len(SEATS), redealt)
    path = work.nodes[1 : len(SEATS) + 1]
    assert set(path["visits"]) <= {0, 2}
    assert (path["squares"] * path["visits"] == path["reward"] ** 2).all()  # the same reward two times
    assert not work.nodes[len(SEATS) + 1 :]["visits"].any()
    return [float(node["reward"]) / 2 if node["visits"] else None for node in path]


def test_every_seat_wants_its_own_reward():
    assert backed_up("max_n") == [0.5, 0.25, 1.0, 0.5, 0.0]
    assert backed_up("self_only") == [0.5, 0.25, 1.0, 0.5, 0.0]


def test_to_a_paranoid_searcher_all_others_want_it_to_lose():
    assert backed_up("paranoid") == [0.5, 0.5, 0.5, 0.5, 0.5]
    settings = settings_for(seat=2, backup="paranoid")
    work = room(settings)
    work.rewards[:] = REWARDS
    work.trail[Trail.NODE, :3], work.trail[Trail.SEAT, :3] = (1, 2, 3), (0, 2, 3)
    back_up(work.nodes, work.trail, work.rewards, settings, 3, False)
    assert work.nodes["reward"][1:4].tolist() == [0.0, 1.0, 0.0]


def test_in_a_world_dealt_anew_the_searcher_is_not_rewarded():
    assert backed_up("max_n", redealt=True) == [None, 0.25, 1.0, None, 0.0]


def test_for_two_seats_paranoid_is_max_n():
    """One wins what the other loses: the trees are the same to the last bit."""
    info = engine.load("trick_or_repeat", players=2).new(seed=2).information_set()
    one, other = (searched(info, 2000, settings_for(backup=backup)).nodes.tobytes() for backup in ("max_n", "paranoid"))
    assert one == other


def test_for_more_seats_it_is_not():
    info = engine.load("trick_or_repeat", players=3).new(seed=2).information_set()
    one, other = (searched(info, 2000, settings_for(backup=backup)) for backup in ("max_n", "paranoid"))
    assert one.nodes.tobytes() != other.nodes.tobytes()
    assert int(Backup.PARANOID) == settings_for(backup="paranoid").backup


# --- Worlds ---------------------------------------------------------------------------------------


def test_a_search_chooses_among_its_worlds():
    """Two worlds, with weights 3/4 and 1/4: the cards of seat 1 are available as often as it holds them."""
    info = GAME.new(seed=3).information_set()
    rng = np.random.default_rng(1)
    worlds = [info.determinize(rng) for _ in range(2)]
    settings = settings_for()._replace(determinizes=False)
    table = pick_table(np.array([0.75, 0.25]))
    work = workspace(GAME, np.concatenate([world.records for world in worlds]), 4000, settings, table)
    search(work, settings, None, 4000, stream(1))
    root = max(range(1, 10), key=lambda number: work.nodes[number]["visits"])
    only_in_first = set(worlds[0].facts()["hands"][1]) - set(worlds[1].facts()["hands"][1])
    visits = int(work.nodes[root]["visits"])
    assert visits > 500
    for answer in children(work.nodes, root):
        held = [GAME.actions[answer["action"]] in world.facts()["hands"][1] for world in worlds]
        share = 0.75 * held[0] + 0.25 * held[1]
        assert abs(answer["available"] / visits - share) < 4 * (0.25 * 0.75 / visits) ** 0.5 + 40 / visits
    assert only_in_first


# --- Exploration ----------------------------------------------------------------------------------


def test_exploration_is_scaled_by_the_range_of_the_searchers_rewards():
    told = settings_for(exploration=0.7, normalise=True)
    work = room(told)
    assert scaled_exploration(work.extremes, told) == 0.7  # nothing seen yet
    work.extremes[[Extreme.LOWEST_REWARD, Extreme.HIGHEST_REWARD]] = 0.25, 0.75
    assert scaled_exploration(work.extremes, told) == pytest.approx(0.35)
    assert scaled_exploration(work.extremes, settings_for(exploration=0.7)) == 0.7
    work.extremes[[Extreme.LOWEST_REWARD, Extreme.HIGHEST_REWARD]] = 0.25, 0.25
    assert scaled_exploration(work.extremes, told) == 0.7


# --- Counts and the early stop --------------------------------------------------------------------


def test_depths_are_added_up():
    """The depth of an iteration is the number of nodes that it visited."""
    work = searched(GAME.new(seed=3).information_set(), 700, settings_for())
    assert work.counts[Count.ITERATIONS] == 700
    assert work.counts[Count.DEPTHS] == work.nodes[1 : work.counts[Count.SIZE]]["visits"].sum()
    assert work.counts[Count.DEEPEST] == max(len(path) for path, _ in edges(work))


@pytest.mark.parametrize(
    ("visits", "lead"),
    [((), 0), ((7,), 7), ((7, 7), 0), ((3, 9, 5), 4), ((9, 5, 3), 4), ((5, 3, 9), 4), ((0, 2, 2), 0)],
)
def test_the_lead_of_the_first_over_the_second(visits, lead):
    work = root_with(settings_for(), *((action, count, 0.0, 9, 0.0) for action, count in enumerate(visits)))
    assert lead_in_visits(work.nodes) == lead


@pytest.mark.parametrize("name", engine.names())
def test_an_early_stop_never_changes_the_choice_and_comes_as_soon_as_it_can(name):
    """Stopped and not, a search is the same as far as it goes."""
    budget, stops = 1000, 0
    patient, hasty = settings_for(exploration=0.2), settings_for(exploration=0.2, early_stop=True)
    for state in [*random_game(engine.load(name), 1)][:-1:7]:
        info = state.information_set()
        if len(info.legal_actions) == 1:
            continue
        told = [settings._replace(seat=info.seat) for settings in (patient, hasty)]
        whole, stopped = (searched(info, budget, settings) for settings in told)
        done = int(stopped.counts[Count.ITERATIONS])
        assert chosen(whole) == chosen(stopped)
        assert searched(info, done, told[0]).nodes[: done + 1].tobytes() == stopped.nodes[: done + 1].tobytes()
        if done < budget:
            stops += 1
            assert lead_in_visits(stopped.nodes) > budget - done
            before = done - CHECK_INTERVAL
            assert lead_in_visits(searched(info, before, told[0]).nodes) <= budget - before
    assert stops > 0


def chosen(work):
    root = children(work.nodes, ROOT)
    return int(root["action"][np.argmax(root["visits"])])
