"""What an information set knows of the past: all that was done but for what is still hidden."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import engine
from engine.day_and_night import card_name
from engine.rules import holds_secrets
from engine.state import Past
from tests.cases import every_case, random_game


def steps(game, seed):
    """(state before, mover and action, state after) of a random game."""
    states = list(random_game(game, seed))
    actions = [game.action_ids[name] for name in states[-1].record()["actions"]]
    return [
        (before, (before.seat, action), after)
        for before, action, after in zip(states[:-1], actions, states[1:], strict=True)
    ]


def shown(info):
    """The actions of others that an information set shows, by position."""
    return {at: move for at, move in enumerate(info.history) if move[0] != info.seat and move[1] is not None}


@every_case()
def test_the_history_is_what_was_done_in_order_and_own_actions_are_known(game):
    done = []
    for _, move, after in steps(game, 1):
        done.append(move)
        for seat in range(game.players):
            history = after.information_set(seat).history
            assert [who for who, _ in history] == [who for who, _ in done]
            assert all(action == did for (who, action), (_, did) in zip(history, done, strict=True) if who == seat)
            assert all(action in (did, None) for (_, action), (_, did) in zip(history, done, strict=True))


@every_case()
def test_what_was_shown_once_stays_shown(game):
    for before, _, after in steps(game, 2):
        for seat in range(game.players):
            assert shown(before.information_set(seat)).items() <= shown(after.information_set(seat)).items()


@every_case()
def test_all_is_known_when_a_deal_or_the_game_is_over(game):
    for before, _, after in steps(game, 3):
        if after.is_terminal or after.num_deals > before.num_deals:
            assert all(action is not None for _, action in after.information_set(0).history)


@pytest.mark.parametrize("name", ["daytime_minutes", "tricky_time_crisis"])
def test_where_all_play_openly_all_know_everything(name):
    for _, _, after in steps(engine.load(name), 4):
        assert after.information_set(0).history == after.information_set(1).history
        assert not holds_secrets(after.records[0])


def hidden(info):
    return [who for who, action in info.history if action is None]


def test_a_card_of_day_and_night_is_hidden_until_all_are_shown():
    state = engine.load("day_and_night", players=3).new(seed=1)
    for play in range(2):
        for seat in range(3):
            assert hidden(state.information_set(2)) == [0, 1][:seat], f"card {play}"
            assert hidden(state.information_set(0)) == [1][: max(0, seat - 1)]
            state = state.apply(state.legal_actions[0])
    assert all(hidden(state.information_set(seat)) == [] for seat in range(3))


def test_placements_and_bids_of_trick_or_repeat_are_hidden_until_the_round_is_resolved():
    """Even where a hand has come back: seat 0 of two sees what seat 1 took of it only as a set."""
    state = engine.load("trick_or_repeat", players=2, hand_size=3).new(seed=1)
    for count in range(6):  # two placements and a bid each
        assert hidden(state.information_set(0)) == [1] * (count // 2)
        assert hidden(state.information_set(1)) == [0] * ((count + 1) // 2)
        state = state.apply(state.legal_actions[-1])
    assert state.facts()["round"] == 2
    assert hidden(state.information_set(0)) == hidden(state.information_set(1)) == []
    state = state.apply(state.legal_actions[0])
    assert state.information_set(1).history[:6] == state.information_set(0).history[:6]
    assert hidden(state.information_set(1)) == [0]


@every_case()
def test_states_that_a_seat_cannot_tell_apart_have_equal_histories_for_it(game):
    """Every hidden action is exchanged for another one that its seat could have taken."""
    states = list(random_game(game, 5))
    for state in states[: 12 * game.players]:
        for seat in range(game.players):
            twin = other_state(state, seat)
            if twin is not None and twin.information_set(seat) == state.information_set(seat):
                assert twin.information_set(seat).history == state.information_set(seat).history


def other_state(state, seat):
    """The same game with the last hidden action of another seat exchanged; None if there is nothing to exchange."""
    history = state.information_set(seat).history
    places = [at for at, (_, action) in enumerate(history) if action is None]
    if not places:
        return None
    record = state.record()
    twin = state.game.new(seed=record["seed"])
    for at, name in enumerate(record["actions"]):
        others = [action for action in twin.legal_names if action != name]
        if at == places[-1] and others:
            name = others[0]
        if name not in twin.legal_names:
            return None
        twin = twin.apply(name)
    return twin


@pytest.mark.parametrize(("name", "seat"), [("day_and_night", 2), ("trick_or_repeat", 1)])
def test_exchanged_actions_are_looked_at_at_all(name, seat):
    state = engine.load(name).new(seed=1)
    for _ in range(seat):
        state = state.apply(state.legal_actions[0])
    twin = other_state(state, seat)
    assert twin != state
    assert twin.information_set(seat) == state.information_set(seat)
    assert twin.information_set(seat).history == state.information_set(seat).history
    assert twin.information_set(0).history != state.information_set(0).history or seat > 1


@every_case()
def test_nothing_hidden_is_in_what_is_pickled(game):
    """Two states that differ in hidden things only give the same bytes."""
    for state in list(random_game(game, 6))[: 6 * game.players]:
        seat = (state.seat or 0) + 1 if (state.seat or 0) + 1 < game.players else 0
        twin = other_state(state, seat)
        if twin is not None and twin.information_set(seat) == state.information_set(seat):
            assert pickle.dumps(twin.information_set(seat)) == pickle.dumps(state.information_set(seat))


@every_case()
def test_a_deal_starts_where_the_number_of_deals_goes_up(game):
    start = 0
    for number, (before, _, after) in enumerate(steps(game, 7), 1):
        if after.num_deals > before.num_deals:
            start = number
        info = after.information_set(0)
        assert info.deal_start == start <= len(info.history)


@every_case()
def test_histories_survive_pickling(game):
    for state in list(random_game(game, 8))[::7]:
        info = state.information_set(0)
        copy = pickle.loads(pickle.dumps(info))
        assert (copy.history, copy.deal_start) == (info.history, info.deal_start)
        assert pickle.loads(pickle.dumps(state)).information_set(0).history == info.history


def test_a_sampled_world_has_no_history():
    state = engine.load("day_and_night").new(seed=1)
    world = state.apply(state.legal_actions[0]).information_set().determinize(np.random.default_rng(0))
    for later in (world, world.apply(world.legal_actions[0])):
        assert later.information_set().history is None
        assert later.information_set().deal_start is None


def test_the_history_does_not_count_for_equality():
    info = engine.load("daytime_minutes").new(seed=1).information_set()
    without = engine.InformationSet(info.game, info.records, info.seat)
    assert without.history is None
    assert without == info
    assert hash(without) == hash(info)


def test_a_secret_that_outlasts_a_deal_stays_one():
    """No game here has one; a user's may."""
    past = Past().at_deal().after(0, 7, False).after(1, 8, True).at_deal().after(0, 9, True)
    assert past.known_to(0).actions == ((0, 7), (1, None), (0, 9))
    assert past.known_to(1).actions == ((0, 7), (1, 8), (0, None))
    assert past.deal_start == 2
    later = past.after(1, 6, False)
    assert later.known_to(0).actions == later.actions == ((0, 7), (1, 8), (0, 9), (1, 6))
    assert later.deal_start == 2
    assert past.at_deal().at_deal().actions == past.actions


def test_a_game_that_says_nothing_of_secrets_is_one_of_public_actions():
    state = engine.load("tests.engine.high_card", rounds=2).new(decks=[["c3", "c6", "c1", "c4", "c2", "c5"]])
    state = state.apply("c3")
    assert state.information_set(1).history == ((0, 2),)
    state = state.apply("c4")
    assert state.information_set(0).history == ((0, 2), (1, 3))
    assert state.information_set(0).deal_start == 2


def test_the_reveals_of_day_and_night_are_remembered():
    expected = []
    for state in random_game(engine.load("day_and_night", players=3), 2):
        if state.facts()["round"] > len(expected):
            expected.append(state.facts()["revealed"])
        reveals = state.information_set(0).records[0].reveals.tolist()
        assert [card_name(card) for card in reveals] == expected + [None] * (9 - len(expected))
    assert expected[-1] is None  # RULES.md section 2: three players play the ninth round without a reveal
    assert len(expected) == 9
