"""Bots of OpenSpiel at our tables: ``bot = "openspiel:NAME"``. They play in a process of their own, as yours do.

NAME is one of
    ``ismcts``: its information set MCTS in Python (the one in C++ cannot sample a world of a game in Python);
    a bot that is registered with OpenSpiel, such as ``uniform_random``; options are its parameters;
    ``package.module:factory``: any other. ``factory(game, player, rng, **options)`` returns a ``pyspiel.Bot`` for a
    seat of a game of `engine.adapters.openspiel`; `rng` is a numpy Generator, the bot's own.

Nothing hidden reaches them. All that there is to build OpenSpiel's state from is the information set of the seat: the
state is a world drawn from it, and its `resample_from_infostate` hides all from the seat again and draws anew. A bot
that looks into the state sees what might be. It is told of its own turns only, by `step`, and the strings of its
information states tell what it knows now, not what was done before.
"""

from __future__ import annotations

import importlib
import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import Field

from bots.bot import configurable, describe
from engine import Game, InformationSet

if TYPE_CHECKING:
    import pyspiel

_SEEDS = 1 << 31


class OpenSpielBot(ABC):
    """A bot of OpenSpiel, made anew for every game. Raises ImportError if OpenSpiel is not here."""

    def __init__(self, **options: Any):
        from engine.adapters import openspiel

        self._openspiel = openspiel
        self._options = options

    def new_game(self, game: Game, seat: int, rng: np.random.Generator) -> None:
        self._rng = rng
        self._game = self._openspiel.load(game)
        self._bot = self.make(self._game, seat, rng)

    def act(self, info: InformationSet) -> int:
        """Any world will do as a state to think about: one that the seat cannot tell from the true one."""
        world = self._openspiel.Position.known_by(info).world(info.seat, self._rng)
        return self._bot.step(self._game.state_at(world))

    @abstractmethod
    def make(self, game: pyspiel.Game, player: int, rng: np.random.Generator) -> pyspiel.Bot:
        """OpenSpiel's bot for a seat."""


@configurable
class ISMCTS(OpenSpielBot):
    """OpenSpiel's information set MCTS (Cowling, Powley and Whitehouse, 2012) with random rollouts."""

    iterations: int = Field(1000, ge=1, description="simulations of a decision")
    uct_c: float = Field(0.7, ge=0, description="exploration; what is maximised are win shares")
    rollouts: int = Field(1, ge=1, description="playouts of a leaf")
    worlds: int | None = Field(None, ge=1, description="worlds that are drawn for a decision; none: one an iteration")

    def __post_init__(self):
        super().__init__()

    def make(self, game: pyspiel.Game, player: int, rng: np.random.Generator) -> pyspiel.Bot:
        from open_spiel.python.algorithms.ismcts import UNLIMITED_NUM_WORLD_SAMPLES, ISMCTSBot
        from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

        chance = np.random.RandomState(rng.integers(_SEEDS))  # what OpenSpiel takes
        bot = ISMCTSBot(
            game=game,
            evaluator=RandomRolloutEvaluator(self.rollouts, chance),
            uct_c=self.uct_c,
            max_simulations=self.iterations,
            max_world_samples=UNLIMITED_NUM_WORLD_SAMPLES if self.worlds is None else self.worlds,
            random_state=chance,
        )
        bot.set_resampler(lambda state, seat: state.resample_from_infostate(seat, rng.random))  # else by the clock
        return bot


class Registered(OpenSpielBot):
    """A bot by the name under which OpenSpiel knows it."""

    name: str

    def __init__(self, **options: Any):
        super().__init__(**options)
        import pyspiel

        known = ", ".join(pyspiel.registered_bots())
        if not pyspiel.is_bot_registered(self.name):
            raise ValueError(f"OpenSpiel has no bot {self.name!r}; expected ismcts, package.module:factory or {known}")

    def make(self, game: pyspiel.Game, player: int, rng: np.random.Generator) -> pyspiel.Bot:
        import pyspiel

        return pyspiel.load_bot(self.name, game, player, {"seed": int(rng.integers(_SEEDS)), **self._options})


class Made(OpenSpielBot):
    """A bot that a function of the user makes."""

    factory: Callable[..., pyspiel.Bot]

    def __init__(self, **options: Any):
        super().__init__(**options)
        inspect.signature(self.factory).bind("game", "player", "rng", **options)  # TypeError now, not in the game

    def make(self, game: pyspiel.Game, player: int, rng: np.random.Generator) -> pyspiel.Bot:
        return self.factory(game, player, rng, **self._options)


def find(name: str) -> type[OpenSpielBot]:
    """The class of a bot by what follows ``openspiel:``. Raises ValueError."""
    if name == "ismcts":
        return ISMCTS
    module, _, factory = name.partition(":")
    if not factory:
        return type(Registered.__name__, (Registered,), {"name": name})
    try:
        made = getattr(importlib.import_module(module), factory)
    except (Exception, SystemExit) as error:
        raise ValueError(f"bot 'openspiel:{name}': expected 'package.module:factory' ({describe(error)})") from error
    return type(Made.__name__, (Made,), {"factory": staticmethod(made)})
