"""Bots of OpenSpiel at our tables: what they are handed, what they play, and what is refused."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import bots
import engine
from tests.bots import daytime_minutes_positions as positions
from tests.bots.table import played, seated
from tests.tournaments.experiments import RANDOM, experiment, play

pytest.importorskip("pyspiel")

from tests.bots import openspiel_bots

SPY = "openspiel:tests.bots.openspiel_bots:spy"
UNIFORM = "openspiel:uniform_random"
ISMCTS = "openspiel:ismcts"


def moves(bot, info, count=3, seed=1):
    bot.new_game(info.game, info.seat, np.random.default_rng(seed))
    return [info.game.actions[bot.act(info)] for _ in range(count)]


@pytest.fixture
def spied():
    openspiel_bots.SEEN.clear()
    return openspiel_bots.SEEN


# --- What they play ---


@pytest.mark.parametrize("name", engine.names())
def test_any_bot_of_openspiel_plays_a_game_to_the_end(name):
    game = engine.load(name)
    others = [bots.load(bot) for bot in (UNIFORM, SPY)]
    search = bots.load(ISMCTS, iterations=2)
    seats = [search, *others, *(bots.load("random") for _ in range(game.players - 3))]
    assert played(game, seats, seed=1).is_terminal


@pytest.mark.parametrize(
    ("state", "card"),
    [
        (positions.EXACT, "F10"),
        (positions.OVER, "A1"),
        (positions.FEWEST, "F10"),
        (positions.WIN_BY_TAKING, "F10"),
        (positions.WIN_BY_DUCKING, "F1"),
    ],
)
def test_its_search_finds_plain_moves(state, card):
    bot = bots.load(ISMCTS, iterations=300, uct_c=0.7)
    assert moves(bot, state.information_set(), count=1) == [card]


@pytest.mark.parametrize(("bot", "options"), [(ISMCTS, {"iterations": 5}), (UNIFORM, {})])
def test_the_same_seed_gives_the_same_moves(bot, options):
    info = engine.load("day_and_night").new(seed=3).information_set()
    first, again, other = (moves(bots.load(bot, **options), info, count=8, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_options_reach_the_bot(spied):
    info = engine.load("daytime_minutes").new(seed=1).information_set()
    assert moves(bots.load(SPY), info, count=1) == [info.legal_names[0]]
    assert moves(bots.load(SPY, last=True), info, count=1) == [info.legal_names[-1]]
    action = info.legal_actions[3]
    bot = bots.load("openspiel:fixed_action_preference", actions=f"{action}")
    assert moves(bot, info, count=1) == [info.game.actions[action]]


# --- What they see ---


@pytest.mark.parametrize("name", engine.names())
def test_a_bot_is_handed_a_world_that_its_seat_cannot_tell_from_the_true_one(name, spied):
    game = engine.load(name)
    [bot] = [bots.load(SPY)]
    state, truth, true_worlds = game.new(seed=2), [], 0
    seated(game, [bot], seed=2)
    while not state.is_terminal:
        if state.seat == 0:
            truth.append(state)
            bot.act(state.information_set())
        state = state.apply(state.legal_actions[0])
    for handed, true in zip(spied, truth, strict=True):
        assert handed.information_set(0) == true.information_set(0)
        assert handed.current_player() == 0
        assert tuple(handed.legal_actions()) == true.legal_actions
        assert handed.history() == []
        true_worlds += handed.position.records.tobytes() == true.records.tobytes()
    assert true_worlds <= len(truth) // 4  # late in a deal a world may be the true one by chance


@pytest.mark.parametrize("name", engine.names())
def test_what_is_hidden_from_a_seat_changes_nothing_of_what_its_bot_is_handed(name, spied):
    info = engine.load(name).new(seed=1).information_set()
    twin = info.determinize(np.random.default_rng(5)).information_set(info.seat)
    for known in (info, twin):
        moves(bots.load(SPY), known, count=2, seed=9)
    first, second = spied[:2], spied[2:]
    assert [s.position.records.tobytes() for s in first] == [s.position.records.tobytes() for s in second]
    assert first[0].position.records.tobytes() != first[1].position.records.tobytes()


# --- In a tournament ---


def test_they_sit_in_tournaments_in_processes_of_their_own():
    search = {"name": "theirs", "bot": ISMCTS, "iterations": 3}
    config = experiment({"name": "uniform", "bot": UNIFORM}, search, RANDOM)
    assert [entry.plays_apart for entry in config.bots] == [True, True, False]
    records = []
    for _ in range(2):
        [block] = play(config)
        assert [result.faults for result in block] == [[], [], []]
        records.append([result.record for result in block])
    assert records[0] == records[1]


# --- What is refused ---


@pytest.mark.parametrize(
    ("bot", "options", "words"),
    [
        ("openspiel:nobody", {}, "no bot 'nobody'; expected ismcts, package.module:factory or .*uniform_random"),
        (ISMCTS, {"iterations": 0}, "iterations = 0: expected greater than or equal to 1"),
        (ISMCTS, {"iteration": 5}, "unknown option 'iteration'; did you mean 'iterations'"),
        (SPY, {"colour": "red"}, "unexpected keyword argument 'colour'"),
        ("openspiel:nowhere:make", {}, "expected 'package.module:factory'"),
        ("openspiel:tests.bots.openspiel_bots:nothing", {}, "expected 'package.module:factory'"),
    ],
)
def test_what_is_wrong_is_said_before_a_game(bot, options, words):
    with pytest.raises(ValueError, match=words):
        bots.load(bot, **options)


def test_without_openspiel_it_is_said_what_to_install():
    script = "import sys; sys.modules['pyspiel'] = None; import bots; bots.load('openspiel:ismcts')"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert run.stderr.splitlines()[-1].endswith("pip install 'timetricks[openspiel]'")


def test_a_game_that_openspiel_does_not_know_is_refused():
    bot = bots.load(UNIFORM)
    with pytest.raises(ValueError, match="expected one that is registered with OpenSpiel"):
        bot.new_game(engine.load("tests.engine.high_card"), 0, np.random.default_rng(1))
