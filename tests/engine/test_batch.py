"""Games stepped together are the games that `State` plays alone, whatever their number and their neighbours."""

from __future__ import annotations

import doctest

import numpy as np
import pytest

import engine
import engine.batch
from engine.observation import NO_SEAT
from tests.cases import every_case

GAMES = 4
FOUR = [engine.load(name, players=4) for name in engine.names()]
every_game = pytest.mark.parametrize("game", FOUR, ids=[game.name for game in FOUR])


def random_actions(masks, rng):
    """A legal action for each game; 0 where there is none."""
    return (masks * rng.random(masks.shape)).argmax(axis=1)


def seat_of(state):
    return NO_SEAT if state.seat is None else state.seat


def mask_of(state):
    mask = np.zeros(len(state.game.actions), bool)
    mask[list(state.legal_actions)] = True
    return mask


def contents(batch):
    return [batch.state(number).records.tobytes() for number in range(len(batch))]


@every_case()
def test_every_game_is_what_state_plays_alone(game):
    batch, rng = engine.Batch(game, GAMES, seed=5), np.random.default_rng(0)
    states = [game.new(seed=seed) for seed in batch.seeds.tolist()]
    assert len(set(states)) == GAMES
    while any(not state.is_terminal for state in states):
        masks = batch.legal()
        assert batch.seats.tolist() == [seat_of(state) for state in states]
        assert (masks == [mask_of(state) for state in states]).all()
        for vector, state in zip(batch.observe(), states, strict=True):
            seen = 0 if state.is_terminal else batch.layout.encode(state.information_set())
            assert (vector == seen).all()
        actions = random_actions(masks, rng)
        before = states
        states = [
            state if state.is_terminal else state.apply(action)
            for state, action in zip(states, actions.tolist(), strict=True)
        ]
        rewards, over = batch.step(actions)
        assert [batch.state(number) for number in range(GAMES)] == states
        assert over.tolist() == [state.is_terminal for state in states]
        ended = [new.is_terminal and not old.is_terminal for old, new in zip(before, states, strict=True)]
        nothing = (0.0,) * game.players
        expected = [state.returns if is_end else nothing for state, is_end in zip(states, ended, strict=True)]
        assert [tuple(row) for row in rewards.tolist()] == expected


@every_game
def test_what_a_game_becomes_does_not_depend_on_how_many_there_are(game):
    """Through several games in each place; the others are played differently."""
    few = engine.Batch(game, 2, seed=9, auto_reset=True)
    many = engine.Batch(game, 7, seed=9, auto_reset=True)
    rng, other_rng = np.random.default_rng(1), np.random.default_rng(2)
    endings = 0
    for _ in range(400):
        actions = random_actions(few.legal(), rng)
        all_actions = random_actions(many.legal(), other_rng)
        all_actions[:2] = actions
        rewards, over = few.step(actions)
        all_rewards, all_over = many.step(all_actions)
        endings += over.sum()
        assert contents(few) == contents(many)[:2]
        assert (rewards == all_rewards[:2]).all()
        assert (over == all_over[:2]).all()
    assert endings >= 2


def test_with_auto_reset_a_new_game_begins_when_one_ends():
    game = engine.load("trick_or_repeat", players=3, rounds=1, hand_size=2)  # a card and a bid of each seat: 6 moves
    batch, rng = engine.Batch(game, 5, seed=3, auto_reset=True), np.random.default_rng(0)
    seeds = [batch.seeds]
    for move in range(1, 19):
        rewards, over = batch.step(random_actions(batch.legal(), rng))
        assert over.all() == over.any() == (move % 6 == 0)
        assert rewards.sum(axis=1).tolist() == pytest.approx([float(move % 6 == 0)] * 5)
        if move % 6 == 0:
            seeds.append(batch.seeds)
            assert [batch.state(i) for i in range(5)] == [game.new(seed=int(seed)) for seed in batch.seeds]
            assert batch.seats.tolist() == [0] * 5
    assert len(np.unique(seeds)) == 20


def test_without_auto_reset_a_game_that_is_over_rests():
    game = engine.load("trick_or_repeat", players=2, rounds=1, hand_size=2)
    batch, rng = engine.Batch(game, 3), np.random.default_rng(0)
    for _ in range(4):
        _, over = batch.step(random_actions(batch.legal(), rng))
    assert over.all()
    at_end = contents(batch)
    assert batch.seats.tolist() == [NO_SEAT] * 3
    assert not batch.legal().any()
    assert not batch.observe().any()
    rewards, over = batch.step(np.array([-5, 0, 10**6]))  # nobody looks at these
    assert not rewards.any()
    assert over.all()
    assert contents(batch) == at_end


def test_reset_goes_on_to_the_next_games_or_back_to_a_seed():
    game = FOUR[0]
    batch = engine.Batch(game, 3, seed=4)
    first = batch.seeds
    batch.reset()
    assert not set(batch.seeds) & set(first)
    second = batch.seeds
    batch.reset(4)
    assert (batch.seeds == first).all()
    batch.reset()
    assert (batch.seeds == second).all()
    batch.reset(5)
    assert not set(batch.seeds) & {*first, *second}
    assert (first >= 0).all()


@every_game
def test_an_illegal_action_is_reported_and_nothing_is_played(game):
    batch = engine.Batch(game, 6, seed=1)
    actions = batch.legal().argmax(axis=1)
    before = contents(batch)
    illegal = int((~batch.legal()[3]).argmax())
    actions[3], actions[5] = illegal, -1
    with pytest.raises(engine.IllegalActionError) as error:
        batch.step(actions)
    words = f"game 3 of 6: action {illegal} ({game.actions[illegal]}) is not legal; legal for seat"
    assert str(error.value).startswith(words)
    assert contents(batch) == before


@pytest.mark.parametrize("action", [-1, 10**9])
def test_a_number_that_is_no_action(action):
    batch = engine.Batch(FOUR[0], 1)
    with pytest.raises(engine.IllegalActionError, match=rf"game 0 of 1: action {action} \(no action\)"):
        batch.step(np.array([action]))


def test_any_seat_can_look():
    game = engine.load("daytime_minutes", players=3)
    batch = engine.Batch(game, 4, seed=2)
    batch.step(batch.legal().argmax(axis=1))
    seats = np.array([0, 2, NO_SEAT, 1], np.int32)
    seen = batch.observe(seats=seats)
    for number, seat in enumerate(seats.tolist()):
        info = None if seat == NO_SEAT else batch.state(number).information_set(seat)
        assert (seen[number] == (0 if info is None else batch.layout.encode(info))).all()


def test_arrays_of_the_user_are_filled():
    batch = engine.Batch(FOUR[1], 3, seed=2)
    masks = np.ones((3, len(FOUR[1].actions)), bool)
    observations = np.full((5, 3, batch.layout.size), np.nan, np.float32)  # of five steps
    assert batch.legal(out=masks) is masks
    assert (masks == batch.legal()).all()
    batch.observe(out=observations[2])
    assert (observations[2] == batch.observe()).all()
    assert np.isnan(observations[[0, 1, 3, 4]]).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda batch: engine.Batch(batch.game, 0), "games = 0: expected an integer from 1"),
        (lambda batch: engine.Batch(batch.game, 2.0), "games = 2.0: expected an integer"),
        (lambda batch: engine.Batch(batch.game, 2, seed=-1), "seed = -1: expected an integer from 0 to"),
        (lambda batch: batch.reset(1 << 63), "expected an integer from 0 to 2..63 - 1"),
        (lambda batch: batch.step(np.zeros(2, int)), r"actions of type int64, shape \(2,\): .* shape \(3,\)"),
        (lambda batch: batch.step(np.zeros(3)), "actions of type float64, .*: expected integers"),
        (lambda batch: batch.observe(seats=np.array([0, 1, 4])), "seats: expected 0 to 3, or -1 for nobody"),
        (lambda batch: batch.legal(out=np.zeros((3, 5), bool)), "out: expected an array of type bool, shape"),
        (lambda batch: batch.observe(out=np.zeros((3, batch.layout.size))), "expected an array of type float32"),
    ],
)
def test_what_is_wrong_is_said(call, message):
    with pytest.raises(ValueError, match=message):
        call(engine.Batch(FOUR[0], 3))


def test_the_example_runs():
    result = doctest.testmod(engine.batch)
    assert result.attempted > 3
    assert result.failed == 0
