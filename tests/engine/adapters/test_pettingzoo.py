"""The environments pass PettingZoo's own tests, and show a seat nothing that it may not know."""

from __future__ import annotations

import doctest
import pickle
import subprocess
import sys

import numpy as np
import pettingzoo.test
import pytest
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

import engine
from engine.adapters import pettingzoo as adapter
from tests.cases import every_case, random_game

CYCLES = 120  # each is a move of every agent: some games of each kind
GAMES = [(name, 4, {}) for name in engine.names()] + [("tricky_time_crisis", 6, {"mid_knight": "team_up"})]
every_game = pytest.mark.parametrize(("name", "players", "options"), GAMES, ids=[f"{g[0]}/{g[1]}" for g in GAMES])

# PettingZoo says this of every environment with action masks that is not on the list of its own.
masks_are_meant = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be:UserWarning",
)


def play(env, rng, moves=10**9):
    """Random moves, at most so many, to the end of the game; yields the agent, what it was shown and its action."""
    for agent in env.agent_iter():
        observation, _, is_over, _, _ = env.last()
        if moves == 0:
            return
        moves -= 1
        action = None if is_over else int(rng.choice(np.flatnonzero(observation["action_mask"])))
        yield agent, observation, action
        env.step(action)


@masks_are_meant
@every_game
def test_api(name, players, options):
    pettingzoo.test.api_test(adapter.env(name, players, **options), num_cycles=CYCLES)


@every_game
def test_seeds(name, players, options):
    pettingzoo.test.seed_test(lambda: adapter.env(name, players, **options), num_cycles=CYCLES)


@every_game
def test_parallel_rollout(name, players, options):
    env = turn_based_aec_to_parallel(adapter.env(name, players, **options))
    pettingzoo.test.parallel_api_test(env, num_cycles=2 * CYCLES)


def test_rendering(capsys):
    pettingzoo.test.render_test(adapter.env)
    capsys.readouterr()
    env = adapter.env("trick_or_repeat", 3, render_mode="human")
    env.reset(seed=4)
    env.step(int(env.observe("seat_0")["action_mask"].argmax()))
    state = engine.load("trick_or_repeat", players=3).new(seed=4)
    assert capsys.readouterr().out == f"{state}\n\n{state.apply(state.legal_actions[0])}\n\n"


@every_case()
def test_a_seat_is_shown_the_same_in_worlds_that_it_cannot_tell_apart(game):
    env = adapter.raw_env(game.name, game.players, **game.options)
    env.reset(seed=0)
    rng = np.random.default_rng(0)
    states = [*random_game(game, 1)]
    differ = 0
    for state in states[:: max(1, len(states) // 20)]:
        for seat, agent in enumerate(env.possible_agents):
            shown = []
            for world in (state, state.information_set(seat).determinize(rng)):
                env.state_of_game = world
                shown.append({name: numbers.tobytes() for name, numbers in env.observe(agent).items()})
                differ += world != state
            assert shown[0] == shown[1]
    assert differ > 0


@every_game
def test_masks_are_the_legal_actions_of_the_seat_to_move_alone(name, players, options):
    env = adapter.env(name, players, **options)
    env.reset(seed=3)
    state = engine.load(name, players=players, **options).new(seed=3)
    for agent, observation, action in play(env, np.random.default_rng(1)):
        legal = {other: np.flatnonzero(env.observe(other)["action_mask"]).tolist() for other in env.agents}
        expected = {other: [] for other in env.agents}
        if action is not None:
            assert agent == f"seat_{state.seat}"
            expected[agent] = list(state.legal_actions)
            known = engine.observation_layout(state.game).encode(state.information_set())
            assert (observation["observation"] == known).all()
            state = state.apply(action)
        assert legal == expected
    assert state.is_terminal


@every_game
def test_rewards_are_the_returns_at_the_end(name, players, options):
    env = adapter.env(name, players, **options)
    env.reset(seed=6)
    rewards = dict.fromkeys(env.agents, 0.0)
    for agent, _, action in play(env, np.random.default_rng(2)):
        _, reward, is_over, is_cut, _ = env.last()
        rewards[agent] += reward
        assert reward == 0 or (is_over and action is None)
        assert not is_cut
    assert env.agents == []
    assert tuple(rewards.values()) == env.unwrapped.state_of_game.returns
    assert sum(rewards.values()) == pytest.approx(1)


def test_the_batch_observes_the_same():
    game = engine.load("day_and_night", players=3)
    batch, env = engine.Batch(game, 1, seed=8), adapter.env("day_and_night", 3)
    env.reset(seed=int(batch.seeds[0]))
    for _, observation, action in play(env, np.random.default_rng(3)):
        if action is not None:
            assert (batch.observe()[0] == observation["observation"]).all()
            assert (batch.legal()[0] == observation["action_mask"]).all()
            batch.step(np.array([action]))
    assert batch.seats.tolist() == [-1]


def test_an_illegal_action_is_refused_and_changes_nothing():
    env = adapter.env("daytime_minutes", 3)
    env.reset(seed=1)
    state, agent = env.unwrapped.state_of_game, env.agent_selection
    illegal = int(env.observe(agent)["action_mask"].argmin())
    with pytest.raises(engine.IllegalActionError, match=rf"action {illegal} \(.*\) is not legal; legal for seat 0"):
        env.step(illegal)
    assert env.unwrapped.state_of_game is state
    assert env.agent_selection == agent
    assert env.agents == env.possible_agents


def test_games_after_a_bare_reset_follow_from_the_seed():
    env = adapter.raw_env("trick_or_repeat", 2)
    games = []
    for seed in (7, None, None, 8, None, 7, None, None):
        env.reset(seed=seed)
        games.append(env.state_of_game)
    assert games[0] == engine.load("trick_or_repeat", players=2).new(seed=7)
    assert games[5:] == games[:3]
    assert len(set(games)) == 5
    fresh = adapter.raw_env("trick_or_repeat", 2), adapter.raw_env("trick_or_repeat", 2)
    for one in fresh:
        one.reset()
    assert fresh[0].state_of_game != fresh[1].state_of_game


def test_an_environment_can_be_pickled_in_the_middle_of_a_game():
    """Vectorising libraries send them to other processes."""
    env = adapter.raw_env("tricky_time_crisis", 3)
    env.reset(seed=2)
    assert len([*play(env, np.random.default_rng(4), moves=20)]) == 20
    twin = pickle.loads(pickle.dumps(env))
    ends = []
    for one in (env, twin):
        assert [*play(one, np.random.default_rng(5))]
        ends.append(one.state_of_game)
    assert ends[0].is_terminal
    assert ends[0] == ends[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"game": "tick_or_repeat"}, "did you mean 'trick_or_repeat'"),
        ({"players": 9}, "players = 9: expected an integer from 3 to 5"),
        ({"render_mode": "rgb_array"}, "render_mode = 'rgb_array': expected None, 'human' or 'ansi'"),
        ({"game": "trick_or_repeat", "hand": 3}, "unknown option 'hand'; did you mean 'hand_size'"),
    ],
)
def test_what_is_wrong_is_said(arguments, message):
    with pytest.raises(ValueError, match=message):
        adapter.env(**arguments)


def test_the_engine_starts_without_pettingzoo_and_the_adapter_says_what_to_install():
    script = (
        "import sys; sys.modules['pettingzoo'] = None\n"
        "import engine\n"
        "try:\n    import engine.adapters.pettingzoo\nexcept ImportError as error:\n    print(error)"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    expected = "PettingZoo is not here; expected pettingzoo: pip install 'timetricks[pettingzoo]'\n"
    assert run.stdout == expected


def test_the_example_runs():
    result = doctest.testmod(adapter)
    assert result.attempted > 3
    assert result.failed == 0
