"""Laws of every game, checked at every decision of random games."""

from __future__ import annotations

import json
import pickle
from collections import Counter

import numpy as np
import pytest

import engine
from tests.cases import every_case, random_game

SEEDS = range(4)


@every_case()
def test_every_decision_has_a_legal_action_and_the_end_has_none(game):
    for seed in SEEDS:
        for state in random_game(game, seed):
            assert bool(state.legal_actions) == (not state.is_terminal) == (state.seat is not None)
            assert len(set(state.legal_names)) == len(state.legal_names)
            assert state.information_set(0).scores == state.scores


@every_case()
def test_hiding_twice_is_hiding_once_and_keeps_what_the_seat_may_do(game):
    for state in random_game(game, 1):
        for seat in range(game.players):
            info = state.information_set(seat)
            records = info.records.copy()
            game.rules.hide(records[0], seat)
            assert records.tobytes() == info.records.tobytes()
            assert info.legal_actions == (state.legal_actions if seat == state.seat else ())


@every_case()
def test_a_sampled_world_looks_the_same_to_its_seat_and_holds_the_same_cards(game):
    rng = np.random.default_rng(5)
    for seed in SEEDS:
        for state in random_game(game, seed):
            for seat in range(game.players):
                info = state.information_set(seat)
                world = info.determinize(rng)
                assert world.information_set(seat) == info
                assert world.scores == state.scores
                assert "?" not in json.dumps(world.facts())


@every_case()
def test_a_sampled_world_reads_nothing_hidden(game):
    """Two states that a seat cannot tell apart give the same world for the same random numbers."""
    for state in random_game(game, 2):
        for seat in range(game.players):
            info = state.information_set(seat)
            other = info.determinize(np.random.default_rng(1)).information_set(seat)
            assert info.determinize(np.random.default_rng(9)) == other.determinize(np.random.default_rng(9))


@every_case()
def test_an_information_set_shows_own_cards_and_hides_those_of_others(game):
    state = game.new(seed=3)
    for seat in range(game.players):
        shown = state.information_set(seat).facts()["hands"]
        assert shown[seat] == state.facts()["hands"][seat]
        assert all(set(hand) == {"?"} for other, hand in enumerate(shown) if other != seat)


@every_case()
def test_facts_are_json_and_text_is_readable(game):
    for state in random_game(game, 4):
        assert json.loads(json.dumps(state.facts())) == state.facts()
        assert len(str(state).splitlines()) > game.players
        assert str(state.information_set(0)) != ""


@every_case()
def test_states_are_values(game):
    for state in random_game(game, 6):
        twin = pickle.loads(pickle.dumps(state))
        assert twin == state
        assert hash(twin) == hash(state)
        assert twin.record() == state.record()
        info = state.information_set(0)
        assert pickle.loads(pickle.dumps(info)) == info
        with pytest.raises(ValueError, match="read-only"):
            state.records[0] = state.records[0]


@every_case()
def test_the_same_seed_gives_the_same_deals_whatever_is_played(game):
    one, other = ([*random_game(game, 7)][-1].record()["decks"], game.new(seed=7).record()["decks"])
    assert one[0] == other[0]
    rng = np.random.default_rng(0)
    state = game.new(seed=7)
    while not state.is_terminal:
        state = state.apply(int(rng.choice(state.legal_actions)))
    shared = min(len(one), state.num_deals)
    assert state.record()["decks"][:shared] == one[:shared]
    assert all(Counter(deck) == Counter(game.deck) for deck in one)


@every_case()
def test_a_finished_game_shares_out_one_win(game):
    for seed in SEEDS:
        *_, last = random_game(game, seed)
        winners = [seat for seat, rank in enumerate(last.ranks) if rank == 1]
        assert last.returns == tuple(1 / len(winners) if s in winners else 0.0 for s in range(game.players))
        assert engine.replay(last.record()) == last


@every_case()
def test_a_state_is_small(game):
    assert game.new(seed=0).records.nbytes <= 2048
