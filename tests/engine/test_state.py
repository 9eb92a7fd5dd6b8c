"""State and InformationSet: what they refuse and how they say it, and where their decks come from."""

from __future__ import annotations

import copy
import re

import numpy as np
import pytest

import engine
from engine import IllegalActionError
from tests.cases import every_case, random_game

DECK = [f"{suit}{talk}" for suit in "FAW" for talk in range(1, 16)]  # RULES.md section 1: canonical order


def daytime(players=4):
    """Daytime Minutes with unshuffled cards: seat 0 holds F1 to F9, seat 1 F10 to A3."""
    return engine.load("daytime_minutes", players=players).new(decks=[DECK])


# --- apply ---


@every_case()
def test_an_action_by_name_is_the_action_by_id(game):
    *states, _ = random_game(game, 1)
    for state in states[:40]:
        for action, name in zip(state.legal_actions, state.legal_names, strict=True):
            assert state.apply(action) == state.apply(name) == state.apply(np.int64(action))


def test_apply_plays_the_card_that_is_named():
    after = daytime().apply("F3").apply("A1")
    assert after.facts()["table"] == ["F3", "A1", None, None]
    assert after.seat == 2
    assert after.record()["actions"] == ["F3", "A1"]


@pytest.mark.parametrize("name", ["F99", "f1", "", "F1 ", "take:F1"])
def test_an_unknown_name(name):
    with pytest.raises(
        IllegalActionError, match=f"^unknown action '{name}'.*known: F1, F2, F3, F4, F5, F6, F7, F8, F9"
    ):
        daytime().apply(name)


def test_an_unknown_name_suggests_a_legal_one():
    with pytest.raises(IllegalActionError, match="did you mean 'F9'"):
        daytime().apply("F99")


@pytest.mark.parametrize("action", [True, np.bool_(True), 1.0, np.float64(1), None, b"F1", ("F1",)])
def test_what_is_neither_id_nor_name(action):
    with pytest.raises(IllegalActionError, match=re.escape(f"action {action!r}: expected the id or the name")):
        daytime().apply(action)


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("A1", "action 15 (A1) is not legal"),
        (15, "action 15 (A1) is not legal"),
        ("plan180", "action 46 (plan180) is not legal"),
        (49, "action 49 (no action) is not legal"),
        (-1, "action -1 (no action) is not legal"),
        (1 << 70, f"action {1 << 70} (no action) is not legal"),
    ],
)
def test_an_illegal_action(action, words):
    words += "; legal for seat 0: F1, F2, F3, F4, F5, F6, F7, F8, F9"
    with pytest.raises(IllegalActionError, match=f"^{re.escape(words)}$"):
        daytime().apply(action)


@every_case()
def test_nothing_is_legal_when_the_game_is_over(game):
    *_, last = random_game(game, 2)
    for action in (0, game.actions[0]):
        with pytest.raises(IllegalActionError, match="the game is over"):
            last.apply(action)


@every_case()
def test_apply_leaves_the_state_as_it_was(game):
    state = game.new(seed=4)
    before = state.records.tobytes(), state.record(), state.facts()
    for _ in range(2):  # one state, two futures
        later = state
        for _ in range(20):
            later = later if later.is_terminal else later.apply(later.legal_actions[-1])
    assert (state.records.tobytes(), state.record(), state.facts()) == before
    assert later != state


def test_states_cannot_be_written_to():
    state = daytime()
    with pytest.raises(ValueError, match="read-only"):
        state.records["tokens"] = 9
    with pytest.raises(AttributeError):
        state.scores = (9, 9, 9, 9)
    state.facts()["tokens"].append(9)
    assert state.facts()["tokens"] == [3, 3, 3, 3]
    assert copy.deepcopy(state) == state


# --- Information sets ---


@every_case()
def test_the_information_set_is_by_default_that_of_the_seat_to_move(game):
    for state in list(random_game(game, 3))[:-1]:
        assert state.information_set() == state.information_set(state.seat)
        assert state.information_set().seat == state.seat


def test_an_information_set_names_its_seat():
    state = daytime()
    infos = {state.information_set(seat) for seat in range(4)}
    assert len(infos) == 4
    assert [state.information_set(seat).facts()["seat"] for seat in range(4)] == [0, 1, 2, 3]
    assert "as seat 2 sees it" in str(state.information_set(2))
    assert state.information_set(0) != state
    assert state.information_set(0) == daytime(4).information_set(0) != daytime(5).information_set(0)


@pytest.mark.parametrize("seat", [4, -1, "0", 1.0, True])
def test_a_wrong_seat(seat):
    with pytest.raises(ValueError, match=re.escape(f"seat = {seat!r}: expected an integer from 0 to 3")):
        daytime().information_set(seat)


@every_case()
def test_when_the_game_is_over_a_seat_must_be_named(game):
    *_, last = random_game(game, 2)
    with pytest.raises(ValueError, match=f"name a seat, 0 to {game.players - 1}"):
        last.information_set()
    assert last.information_set(0).scores == last.scores


# --- Sampled worlds ---


def test_a_sampled_world_has_no_record():
    world = daytime().information_set(1).determinize(np.random.default_rng(0))
    for state in (world, world.apply(world.legal_actions[0])):
        with pytest.raises(ValueError, match="a world drawn by determinize has no record"):
            state.record()


def test_equal_generators_draw_equal_worlds_with_equal_futures():
    info = daytime().information_set(1)
    one, other, third = (info.determinize(np.random.default_rng(seed)) for seed in (5, 5, 6))
    assert one == other != third
    assert one.decks_to_come(3).tolist() == other.decks_to_come(3).tolist() != third.decks_to_come(3).tolist()


@every_case()
def test_a_sampled_world_can_be_played_to_the_end_with_decks_of_its_own(game):
    state = game.new(seed=9)
    world = state.information_set().determinize(np.random.default_rng(1))
    assert world.num_deals == 0
    assert world.decks_to_come(2).tolist() != state.decks_to_come(2).tolist()
    while not world.is_terminal:
        world = world.apply(world.legal_actions[0])
    assert sum(world.returns) == pytest.approx(1)


# --- Decks ---


def names(game, decks):
    return [[game.deck[card] for card in deck] for deck in decks]


def test_explicit_decks_come_first_then_those_of_the_seed():
    game = engine.load("daytime_minutes")
    *_, last = random_game(game, 3, decks=[DECK, DECK[::-1]])
    record = last.record()
    assert record["seed"] == 3
    assert record["decks"][:2] == [DECK, DECK[::-1]]
    assert len(record["decks"]) >= 3
    assert record["decks"][2:] == names(game, (game.shuffled_deck(3, number) for number in range(2, last.num_deals)))


def test_after_explicit_decks_without_a_seed_come_those_of_seed_0():
    state = daytime()
    assert state.record()["seed"] is None
    assert names(state.game, state.decks_to_come(2)) == names(
        state.game, (state.game.shuffled_deck(0, number) for number in (1, 2))
    )


@every_case()
def test_the_decks_to_come_are_those_that_come(game):
    states = list(random_game(game, 6))
    deals = states[-1].num_deals
    announced = names(game, states[0].decks_to_come(deals))
    assert states[0].num_deals == 1
    assert states[0].record()["decks"] + announced[: deals - 1] == states[-1].record()["decks"]
    assert len(announced) == deals


def test_a_wrong_deck_further_on_is_refused_when_it_is_due():
    game = engine.load("daytime_minutes")
    with pytest.raises(ValueError, match=r"deck 1: .*lacks F1$"):
        list(random_game(game, 3, decks=[DECK, DECK[1:]]))


def test_a_deck_is_copied():
    deck = list(DECK)
    state = engine.load("daytime_minutes").new(decks=[deck])
    deck.reverse()
    assert state.record()["decks"] == [DECK]
