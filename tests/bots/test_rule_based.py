"""Rule-based bots: legal, blind to what their seat cannot see, deterministic, and better than chance.

What is asked of every game's policy; positions of each game are in tests/bots/rule_based.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import bots
import engine
from bots import arena
from bots.rule_based import policy_of, weights_for
from bots.rule_based.scoring import choose_action, score_actions
from engine.rng import stream
from tests.bots.table import played
from tests.cases import every_case, random_game

WORLDS = 3
GAMES = pytest.mark.parametrize("name", engine.names())


def positions(game, seed):
    """Every position of a random game in which a seat is to move."""
    *states, _ = random_game(game, seed)
    return states


def scores(game, state, weights):
    """The score of every legal action of `state`, which may be a world or an information set."""
    policy_of(game)
    legal = state.legal_actions
    actions, written = np.full(len(game.actions), -1), np.full(len(game.actions), np.nan)
    actions[: len(legal)] = legal
    score_actions(state.records[0], state.seat, actions, len(legal), weights, written)
    assert actions[: len(legal)].tolist() == list(legal)
    return written[: len(legal)].tolist()


@every_case()
def test_every_legal_action_has_a_finite_score(game):
    weights = weights_for(game)
    for seed in range(4):
        for state in positions(game, seed):
            assert np.isfinite(scores(game, state.information_set(), weights)).all()


@every_case()
def test_what_the_seat_cannot_see_does_not_matter(game):
    """The same scores on what the seat sees, on the true state, and on states that look the same to the seat."""
    weights, rng = weights_for(game), np.random.default_rng(3)
    for seed in range(2):
        for state in positions(game, seed):
            info = state.information_set()
            expected = scores(game, info, weights)
            for world in (state, *(info.determinize(rng) for _ in range(WORLDS))):
                assert scores(game, world, weights) == expected


@every_case()
def test_the_policy_leaves_the_state_as_it_was(game):
    weights = weights_for(game)
    for state in positions(game, 4):
        records = state.records.copy()
        legal = np.array(state.legal_actions)
        score_actions(records[0], state.seat, legal, len(legal), weights, np.empty(len(legal)))
        assert records.tobytes() == state.records.tobytes()


@every_case()
def test_the_bot_plays_an_action_of_the_highest_score(game):
    bot, weights = bots.load("rules"), weights_for(game)
    for state in positions(game, 1):
        info = state.information_set()
        bot.new_game(game, info.seat, np.random.default_rng(0))
        found = scores(game, info, weights)
        assert found[info.legal_actions.index(bot.act(info))] == max(found)


@every_case()
def test_whole_games_end_the_same_twice(game):
    seats = [bots.load("rules") for _ in range(game.players)]
    once = played(game, seats, seed=5)
    assert once.is_terminal
    assert once.record() == played(game, seats, seed=5).record()


@GAMES
def test_without_weights_all_actions_are_equally_good(name):
    game = engine.load(name)
    nothing = np.zeros(len(policy_of(game).FEATURES))
    for state in positions(game, 2):
        assert len(set(scores(game, state.information_set(), nothing))) == 1


@GAMES
def test_epsilon_is_the_chance_of_any_action(name):
    """With epsilon 1 the legal actions come about equally often: chi-square within six standard deviations."""
    game = engine.load(name)
    state = max(positions(game, 3), key=lambda state: len(state.legal_actions))
    legal, rng, weights = np.array(state.legal_actions), stream(1), weights_for(game)
    arguments = (state.records[0], state.seat, legal, len(legal), weights, np.empty(len(legal)))
    drawn = [int(choose_action(*arguments, 1.0, rng)) for _ in range(200 * len(legal))]
    counts = np.array([drawn.count(action) for action in legal])
    degrees = len(legal) - 1
    assert abs(((counts - 200) ** 2 / 200).sum() - degrees) < 6 * (2 * degrees) ** 0.5
    assert {int(choose_action(*arguments, 0.0, rng)) for _ in range(20)} == {
        int(legal[np.argmax(scores(game, state, weights))])
    }


@GAMES
@pytest.mark.parametrize("extreme", [min, max], ids=["fewest players", "most players"])
def test_twice_the_fair_share_against_chance(name, extreme):
    """Half the table for two players is the fair share of one, so there it must be three quarters."""
    players = extreme(engine.game.find(name).players)
    options = {"mid_knight": "team_up"} if (name, players) == ("tricky_time_crisis", 6) else {}
    game = engine.load(name, players=players, **options)
    returns = arena.play_blocks(game, [arena.rules(game)] + [arena.chance(game)] * (players - 1), np.arange(300))
    assert returns[:, 0].mean() > min(0.7, 1.8 / players)


def test_a_game_without_a_policy_is_named():
    game = SimpleNamespace(name="tiddlywinks")
    with pytest.raises(ValueError, match="there is no rule-based bot for tiddlywinks"):
        bots.load("rules").new_game(game, 0, np.random.default_rng(0))


def test_a_weight_of_no_feature_is_named():
    game = engine.load("daytime_minutes")
    with pytest.raises(ValueError, match="unknown feature 'luck'"):
        bots.load("rules", weights={"luck": 1.0}).new_game(game, 0, np.random.default_rng(0))
