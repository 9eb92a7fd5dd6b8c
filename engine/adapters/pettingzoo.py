"""The games as turn-based environments (AEC) of PettingZoo (Terry et al., 2021, arXiv:2009.14471).

>>> from engine.adapters import pettingzoo
>>> env = pettingzoo.env("trick_or_repeat", players=4, rounds=1)
>>> env.reset(seed=7)
>>> for agent in env.agent_iter():
...     observation, reward, terminated, truncated, _ = env.last()
...     if terminated or truncated:
...         action = None
...     else:
...         action = env.action_space(agent).sample(observation["action_mask"])  # where a policy would choose
...     env.step(action)

Agents are ``seat_0``, ``seat_1``, ... An observation is a dict of what the seat knows and of what it may do:
    `observation`: float32, shape (size,), from 0 up. ``print(engine.observation_layout(game))`` says what stands where;
    it is the same vector as `engine.Batch` gives.
    `action_mask`: int8, shape (actions,), ones for the legal actions; all zeros for a seat that is not to move.
Actions are the ids of ``game.actions``, in a `Discrete` space. An illegal one raises IllegalActionError and changes
    nothing; ``wrappers.TerminateIllegalWrapper(raw_env(...), illegal_reward=-1)`` makes it end the game instead.
Rewards are the returns, given once at the end: a win share for each seat, 1 in all, 0 until then.
Seeds: the game after ``reset(seed=s)`` is ``game.new(seed=s)``; those after a bare ``reset()`` follow from the last
    seed given, from a random one if there was none.
Hidden simultaneous choices are turns: seats choose one after the other and cannot see what was chosen before.
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np

import engine
from engine.rng import derived_seed

try:
    import gymnasium
    import pettingzoo
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise ImportError("PettingZoo is not here; expected pettingzoo: pip install 'timetricks[pettingzoo]'") from error


def env(game: str = "daytime_minutes", players: int | None = None, render_mode: str | None = None, **options: Any):
    """The environment of a game by name, with PettingZoo's checks of the order of calls. Raises ValueError."""
    return wrappers.OrderEnforcingWrapper(raw_env(game, players, render_mode, **options))


class raw_env(pettingzoo.AECEnv):  # noqa: N801 (what PettingZoo calls it everywhere)
    """The environment itself. ``env.state_of_game`` is the position as an `engine.State`.

    `render_mode`: "ansi", `render` returns the table as text with all hands open; "human", it is printed after every
    move; None, nothing is shown.
    """

    metadata = {"name": "timetricks_v0", "render_modes": ["human", "ansi"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self, game: str = "daytime_minutes", players: int | None = None, render_mode: str | None = None, **options: Any
    ):
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode = {render_mode!r}: expected None, 'human' or 'ansi'")
        super().__init__()
        self.game = engine.load(game, players=players, **options)
        self.layout = engine.observation_layout(self.game)
        self.metadata = self.metadata | {"name": f"{self.game.name}_v0"}
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self.game.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.action_spaces = {
            agent: gymnasium.spaces.Discrete(len(self.game.actions)) for agent in self.possible_agents
        }
        self.observation_spaces = {agent: self._new_observation_space() for agent in self.possible_agents}
        self._seed = None
        self._resets = 0  # since the seed was set

    def _new_observation_space(self) -> gymnasium.spaces.Dict:
        high = self.layout.high
        return gymnasium.spaces.Dict(
            {
                "observation": gymnasium.spaces.Box(np.zeros_like(high), high, dtype=np.float32),
                "action_mask": gymnasium.spaces.Box(0, 1, (len(self.game.actions),), np.int8),
            }
        )

    def observation_space(self, agent: str) -> gymnasium.spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a new game. `options` are not used: those of the game are fixed."""
        if seed is not None or self._seed is None:
            self._seed = secrets.randbits(63) if seed is None else int(seed)
            self._resets = 0
        next_seed = self._seed if self._resets == 0 else int(derived_seed(self._seed, self._resets))
        self._resets += 1
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._proceed_to(self.game.new(seed=next_seed))

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        state = self.state_of_game.apply(action)
        if state.is_terminal:
            self.rewards = dict(zip(self.agents, state.returns, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
        self._proceed_to(state)

    def _proceed_to(self, state: engine.State) -> None:
        self.state_of_game = state
        self.agent_selection = self.possible_agents[state.seat or 0]
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        info = self.state_of_game.information_set(self._seats[agent])
        mask = np.zeros(len(self.game.actions), np.int8)
        mask[list(info.legal_actions)] = 1
        return {"observation": self.layout.encode(info), "action_mask": mask}

    def render(self) -> str | None:
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing: expected a render_mode, 'human' or 'ansi', in env(...)")
            return None
        if self.render_mode == "ansi":
            return str(self.state_of_game)
        print(self.state_of_game, end="\n\n")
        return None

    def close(self) -> None:
        """Nothing is held open."""
