"""Games: loading them, what they are equal by, and what their errors say. Games from outside: test_own_game.py."""

from __future__ import annotations

import pickle
import re

import numpy as np
import pytest

import engine
from engine.game import Option
from tests.cases import every_case


def test_an_unknown_game_is_named_with_the_closest_one_and_all_that_there_are():
    with pytest.raises(ValueError, match="unknown game 'daytime_minute'; did you mean 'daytime_minutes'") as raised:
        engine.load("daytime_minute")
    assert all(name in str(raised.value) for name in engine.names())


@pytest.mark.parametrize("name", ["", "daytime minutes", "no.such", ".daytime_minutes", "a..b", "engine."])
def test_a_name_that_leads_nowhere(name):
    with pytest.raises(ValueError, match=re.escape(f"game {name!r}")):
        engine.load(name)


@pytest.mark.parametrize("name", engine.names())
def test_the_default_number_of_players_is_four(name):
    """RULES.md: "default 4" in the heading of every game."""
    assert engine.load(name).players == 4


@pytest.mark.parametrize("players", [2, 6, 0, -3, 4.0, "4", True])
def test_a_wrong_number_of_players(players):
    words = re.escape(f"daytime_minutes: players = {players!r}: expected an integer from 3 to 5")
    with pytest.raises(ValueError, match=words):
        engine.load("daytime_minutes", players=players)


@pytest.mark.parametrize("name", engine.names())
def test_an_unknown_option(name):
    with pytest.raises(ValueError, match=f"^{name}: unknown option 'colour'"):
        engine.load(name, colour="red")


def test_an_option_says_what_it_expects():
    hands = Option("hands", 5, range(2, 6), "cards for each seat")
    wild = Option("wild", "off", ("off", "on"), "whether a card is wild")
    assert (hands.check(2), hands.check(5), wild.check("on")) == (2, 5, "on")
    for value in (1, 6, 5.0, "5", True):
        with pytest.raises(ValueError, match=re.escape(f"option hands = {value!r}: expected an integer from 2 to 5")):
            hands.check(value)
    with pytest.raises(ValueError, match="option wild = 'maybe': expected one of 'off', 'on'"):
        wild.check("maybe")


@every_case()
def test_options_are_complete_and_a_copy(game):
    assert game.options == engine.load(game.name, players=game.players, **game.options).options
    game.options["players"] = 99
    assert "players" not in game.options


@every_case()
def test_games_are_values(game):
    twin = engine.load(game.name, players=game.players, **game.options)
    for same in (twin, pickle.loads(pickle.dumps(game)), eval(repr(game), {"engine": engine})):
        assert same == game
        assert hash(same) == hash(game)
        assert same.label == game.label
        assert same.actions == game.actions
    assert game != game.name


def test_games_cannot_be_changed():
    game = engine.load("daytime_minutes")
    with pytest.raises(AttributeError, match="never change"):
        game.players = 5


def test_games_for_other_numbers_of_players_differ():
    games = {engine.load("daytime_minutes", players=players) for players in (3, 4, 5, 4)}
    assert {game.label for game in games} == {"daytime_minutes/3", "daytime_minutes/4", "daytime_minutes/5"}


@every_case()
def test_actions_and_cards_have_names_and_ids(game):
    assert len(set(game.actions)) == len(game.actions)
    assert [game.action_ids[name] for name in game.actions] == list(range(len(game.actions)))
    assert isinstance(game.deck, tuple)
    assert set(game.deck) <= set(game.actions)


@every_case()
def test_a_deck_of_a_seed_holds_all_cards(game):
    assert sorted(game.shuffled_deck(3, 2).tolist()) == list(range(len(game.deck)))
    assert game.shuffled_deck(3, 2).tolist() != game.shuffled_deck(3, 1).tolist()


@every_case()
def test_a_wrong_deck_is_refused_with_its_number_and_cards(game):
    deck, first, last = list(game.deck), game.deck[0], game.deck[-1]
    for decks, words in (
        ([deck[1:]], f"deck 0: .*lacks {first}$"),
        ([[*deck, last]], f"deck 0: .*has too many {last}$"),
        ([[last, *deck[1:]]], f"deck 0: .*lacks {first} and has too many {last}$"),
    ):
        with pytest.raises(ValueError, match=words):
            game.new(decks=decks)


@pytest.mark.parametrize("seed", [-1, 1 << 63, 1.0, "1", True, np.int64(3)])
def test_a_wrong_seed(seed):
    words = re.escape(f"seed = {seed!r}: expected an integer from 0 to 2**63 - 1")
    with pytest.raises(ValueError, match=words):
        engine.load("daytime_minutes").new(seed=seed)


def test_seeds_reach_to_two_to_the_63():
    game = engine.load("daytime_minutes")
    for seed in (0, (1 << 63) - 1):
        assert game.new(seed=seed).record()["seed"] == seed


def test_without_a_seed_every_game_is_another_one():
    game = engine.load("daytime_minutes")
    states = [game.new() for _ in range(3)]
    assert len({state.record()["seed"] for state in states}) == 3
    assert len(set(states)) == 3
    assert all(game.new(seed=state.record()["seed"]) == state for state in states)


def test_the_position_before_the_first_deal_is_not_for_writing():
    game = engine.load("daytime_minutes")
    game.empty_record()["tokens"] = 99
    assert game.new(seed=1).scores == (3, 3, 3, 3)
