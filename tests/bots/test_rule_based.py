"""Rule-based bots: legal, blind to what their seat cannot see, deterministic, and better than chance."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import bots
import engine
from engine.rng import stream
from tests.bots import daytime_minutes_positions as positions
from tests.bots.table import played, win_share
from tests.cases import every_case, random_game

WORLDS = 3


def policy_of(game):
    return pytest.importorskip(f"bots.rule_based.{game.name}").policy


def decision(game, state):
    bot = bots.load("rules")
    bot.new_game(game, state.seat, np.random.default_rng(0))
    return game.actions[bot.act(state.information_set())]


@every_case()
def test_the_action_is_legal_in_every_position_of_random_games(game):
    policy = policy_of(game)
    for seed in range(6):
        *states, _ = random_game(game, seed)
        for state in states:
            info = state.information_set()
            assert policy(info.records[0], info.seat, stream(seed)) in state.legal_actions


@every_case()
def test_whole_games_of_rule_based_bots(game):
    policy_of(game)
    for seed in range(3):
        assert played(game, [bots.load("rules") for _ in range(game.players)], seed).is_terminal


@every_case()
def test_what_the_seat_cannot_see_does_not_matter(game):
    """The same action on what the seat sees, on the true state, and on states that look the same to the seat."""
    policy, rng = policy_of(game), np.random.default_rng(3)
    for seed in range(3):
        *states, _ = random_game(game, seed)
        for state in states:
            info = state.information_set()
            worlds = [state, *(info.determinize(rng) for _ in range(WORLDS))]
            expected = policy(info.records[0], info.seat, stream(7))
            assert {policy(world.records[0], info.seat, stream(7)) for world in worlds} == {expected}


@every_case()
def test_the_policy_leaves_the_state_as_it_was(game):
    policy = policy_of(game)
    *states, _ = random_game(game, 4)
    for state in states:
        records = state.records.copy()
        policy(records[0], state.seat, stream(1))
        assert records.tobytes() == state.records.tobytes()


@every_case()
def test_the_same_game_twice(game):
    policy_of(game)
    seats = [bots.load("rules") for _ in range(game.players)]
    assert played(game, seats, seed=5).record() == played(game, seats, seed=5).record()


def test_a_game_without_a_policy_is_named():
    game = SimpleNamespace(name="tiddlywinks")
    with pytest.raises(ValueError, match="there is no rule-based bot for tiddlywinks"):
        bots.load("rules").new_game(game, 0, np.random.default_rng(0))


# --- Daytime Minutes ---


@pytest.mark.parametrize(("players", "bound"), [(3, 0.47), (4, 0.4), (5, 0.34)])
def test_beats_random_bots(players, bound):
    """60 deals from every seat. Measured: 0.60, 0.54, 0.50 with 3, 4, 5 players, by chance 0.33, 0.25, 0.20.

    The standard error is 0.04 at most.
    """
    game = engine.load("daytime_minutes", players=players)
    opponents = [bots.load("random") for _ in range(players - 1)]
    assert win_share(game, bots.load("rules"), opponents, deals=60) > bound


@pytest.mark.parametrize(
    ("state", "card"),
    [
        pytest.param(positions.EXACT, "F10", id="a sure card makes exactly the plan"),
        pytest.param(positions.OVER, "A1", id="a taking card would go over"),
        pytest.param(positions.FEWEST, "F10", id="a sure card saves from the fewest minutes"),
        pytest.param(positions.WIN_BY_DUCKING, "F1", id="going over loses a token"),
    ],
)
def test_positions_on_which_all_good_players_agree(state, card):
    assert decision(positions.GAME, state) == card


@pytest.mark.parametrize(
    ("hand", "plan"), [("F1-3 A1-3 W1-3", "plan150"), ("F13-15 A13-15 W13-15", "plan240")], ids=["low", "high"]
)
def test_a_plan_for_a_hand_of_the_lowest_or_highest_cards(hand, plan):
    assert decision(positions.GAME, positions.choosing_a_plan(hand)) == plan
