"""The four games registered with OpenSpiel (Lanctot et al., 2019, arXiv:1908.09453), for its algorithms and bots.

>>> import pyspiel
>>> import engine.adapters.openspiel  # registers timetricks_daytime_minutes and the others
>>> game = pyspiel.load_game("timetricks_trick_or_repeat(players=2,hand_size=3,rounds=1)")

Parameters
    `players` and the options of the game; 0 and "" stand for the game's own default.
Chance
    The deck, and every card is a chance event of its own (explicit stochastic): a permutation as one event would have
    too many outcomes to list, and sampled events would shut out the algorithms that need probabilities, and cannot be
    serialized for games in Python. A history names a game completely.
Turns and returns
    Hidden simultaneous choices are turns: seats choose one after the other, and cannot see what was chosen before.
    Returns are win shares, which sum to 1 (constant sum), 0 before the end.
Information states
    Two histories have the same string if and only if the seat cannot tell them apart, with perfect recall of all
    information sets that it has had. The observation string is what the seat knows now, in words.
Tensors
    The fields of ``engine.observation_layout(game)`` by name, flat the vector that `engine.Batch` gives too. The
    information state tensor adds `past` (actions of the longest deal, players + bits): what the seat knows to have
    been done since the last deal, who it was, one-hot from the observer to the left, and the action id + 1 in binary,
    the lowest bit first, 0 while it is hidden.
Worlds
    `resample_from_infostate` draws from the exact sampler (`engine.InformationSet.determinize`). What it returns
    carries nothing of the true state but what the seat knows, and no history. Decks to come are part of a world: in it
    no chance events are left, so that playouts do not deal card by card. The strings of the other seats begin anew in
    it: they are those of a search inside the world.

OpenSpiel 2.0 calls `resample_from_infostate` of a game written in Python from Python only. So its IS-MCTS that plays
these games is ``open_spiel.python.algorithms.ismcts.ISMCTSBot``. The one in C++, ``pyspiel.ISMCTSBot``, cannot sample a
world of any such game, and its `step` takes Python down with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import engine
from engine import Game, InformationSet, day_and_night, daytime_minutes
from engine.adapters.position import Position
from engine.game import Option, find
from engine.tricky_time_crisis.cards import HAND_SIZE

try:
    import pyspiel
except ImportError as error:
    raise ImportError("OpenSpiel is not here; expected pyspiel: pip install 'timetricks[openspiel]'") from error

PREFIX = "timetricks_"
_SEEDS = 1 << 53
_OWN_DEFAULT = {int: 0, str: ""}


# --- How long games are ---------------------------------------------------------------------------


def _daytime_minutes(players: int, options: dict[str, Any]) -> tuple[int, int]:
    return daytime_minutes.TRICKS * players + 1, daytime_minutes.MAX_HANDS  # with the choice of the plan


def _day_and_night(players: int, options: dict[str, Any]) -> tuple[int, int]:
    rounds = day_and_night.MAX_ROUNDS - (players > 3)
    return (day_and_night.PLAYS + 1) * players * rounds, 1  # cards played, and one taken


def _trick_or_repeat(players: int, options: dict[str, Any]) -> tuple[int, int]:
    return players * options["hand_size"] * options["rounds"], 1  # a bid in place of the last placement


def _tricky_time_crisis(players: int, options: dict[str, Any]) -> tuple[int, int]:
    takes = 2 + 2 * players  # two of the villain, two of Mid-Knight, a card and a question for all others
    return HAND_SIZE * (players + takes), options["rounds"]


_LENGTHS: dict[str, Callable[[int, dict[str, Any]], tuple[int, int]]] = {
    "daytime_minutes": _daytime_minutes,
    "day_and_night": _day_and_night,
    "trick_or_repeat": _trick_or_repeat,
    "tricky_time_crisis": _tricky_time_crisis,
}


def lengths(game: Game) -> tuple[int, int]:
    """Bounds of how many actions are taken after a deal, and of how many deals a game has."""
    return _LENGTHS[game.name](game.players, game.options)


# --- OpenSpiel's classes --------------------------------------------------------------------------


class TimetricksGame(pyspiel.Game):
    """A game as OpenSpiel loads it. The classes below say which: what OpenSpiel keeps must outlive Python's objects."""

    name: str  # ours

    def __init__(self, params: dict[str, Any] | None = None):
        params = params or {}
        given = {key: value for key, value in params.items() if value not in _OWN_DEFAULT.values()}
        try:
            self.engine_game = engine.load(self.name, **given)
        except ValueError as error:
            raise pyspiel.SpielError(str(error)) from None
        self.start = Position.start(self.engine_game)
        super().__init__(_game_type(self.name), self._info(), params)

    def _info(self) -> pyspiel.GameInfo:
        game = self.engine_game
        longest_deal, most_deals = lengths(game)
        return pyspiel.GameInfo(
            num_distinct_actions=len(game.actions),
            max_chance_outcomes=len(game.deck),
            num_players=game.players,
            min_utility=0.0,
            max_utility=1.0,
            utility_sum=1.0,
            max_game_length=longest_deal * most_deals,
        )

    def max_chance_nodes_in_history(self) -> int:
        return (len(self.engine_game.deck) - 1) * lengths(self.engine_game)[1]

    def new_initial_state(self) -> TimetricksState:
        return TimetricksState(self)

    def state_at(self, position: Position) -> TimetricksState:
        """A state that begins at `position`, without a history."""
        state = TimetricksState(self)
        state.position = position
        return state

    def make_py_observer(self, iig_obs_type=None, params=None) -> Observer | None:
        """An observer of all that one seat sees; None, as OpenSpiel has it, for a part of it or for all seats."""
        if params:
            raise ValueError(f"observation parameters {params}: expected none")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        sees_one_seat = kind.public_info and kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        return Observer(self.engine_game, kind.perfect_recall) if sees_one_seat else None


class DaytimeMinutes(TimetricksGame):
    name = "daytime_minutes"


class DayAndNight(TimetricksGame):
    name = "day_and_night"


class TrickOrRepeat(TimetricksGame):
    name = "trick_or_repeat"


class TrickyTimeCrisis(TimetricksGame):
    name = "tricky_time_crisis"


class TimetricksState(pyspiel.State):
    """A state as OpenSpiel's algorithms use it. The names of the methods are OpenSpiel's."""

    def __init__(self, game: TimetricksGame):
        super().__init__(game)
        self.position = game.start

    def current_player(self) -> int:
        is_due, is_over, seat = self.position.status
        if is_over:
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.CHANCE if is_due else seat

    def is_terminal(self) -> bool:
        return self.position.status[1]

    def returns(self) -> list[float]:
        return self.position.returns if self.is_terminal() else [0.0] * self.num_players()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.position.next_cards

    def resample_from_infostate(self, player: int, rng: Callable[[], float]) -> TimetricksState:
        """A state that `player` cannot tell from this one, drawn exactly; `rng` gives numbers in [0, 1)."""
        chance = np.random.default_rng(int(rng() * _SEEDS))
        return self.get_game().state_at(self.position.world(player, chance))

    def information_set(self, player: int) -> InformationSet:
        """What `player` knows, as the bots of this project take it."""
        return self.position.information_set(player)

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal_actions

    def _apply_action(self, action: int) -> None:
        is_due = self.position.status[0]
        self.position = self.position.with_card(action) if is_due else self.position.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        game = self.position.game
        return f"deal {game.deck[action]}" if player == pyspiel.PlayerId.CHANCE else game.actions[action]

    def __str__(self):
        return str(self.position)


class Observer:
    """What one seat sees, as a string, a flat `tensor` of float32, and the parts of it by name in `dict`."""

    def __init__(self, game: Game, has_perfect_recall: bool):
        self._game = game
        self._layout = engine.observation_layout(game)
        past = (lengths(game)[0], game.players + len(game.actions).bit_length()) if has_perfect_recall else (0, 0)
        self.tensor = np.zeros(self._layout.size + past[0] * past[1], np.float32)
        self.dict = {field.name: self.tensor[field.start : field.stop].reshape(field.shape) for field in self._layout}
        self._has_perfect_recall = has_perfect_recall
        if has_perfect_recall:
            self.dict["past"] = self.tensor[self._layout.size :].reshape(past)

    def set_from(self, state: TimetricksState, player: int) -> None:
        """Writes what `player` sees of `state`."""
        info = state.position.information_set(player)
        self.tensor[: self._layout.size] = self._layout.encode(info)
        if self._has_perfect_recall:
            self._write_past(player, info.history[info.deal_start :])

    def _write_past(self, player: int, actions: Sequence[tuple[int, int | None]]) -> None:
        places, players = np.arange(len(self._game.actions).bit_length()), self._game.players
        self.dict["past"][:] = 0
        for row, (who, action) in zip(self.dict["past"], actions, strict=False):
            row[(who - player) % players] = 1
            if action is not None:
                row[players:] = (action + 1) >> places & 1

    def string_from(self, state: TimetricksState, player: int) -> str:
        if self._has_perfect_recall:
            return state.position.memory(player)
        position = state.position
        return f"seat {player}: a deal" if position.status[0] else str(position.information_set(player))


# --- Registration ---------------------------------------------------------------------------------


def short_name(name: str) -> str:
    """What OpenSpiel calls a game of ours."""
    return PREFIX + name


def load(game: Game) -> TimetricksGame:
    """A game of ours as one of OpenSpiel's. Raises ValueError for a game that is not registered."""
    if game.name not in _LENGTHS:
        raise ValueError(f"game {game.name}: expected one that is registered with OpenSpiel: {', '.join(_LENGTHS)}")
    return pyspiel.load_game(short_name(game.name), {"players": game.players, **game.options})


def _default(option: Option) -> Any:
    """In OpenSpiel a parameter has one default: for one that depends on others there is a word for the game's own."""
    return _OWN_DEFAULT[type(option.values[0])]


def _game_type(name: str) -> pyspiel.GameType:
    rules_of = find(name)
    return pyspiel.GameType(
        short_name=short_name(name),
        long_name=rules_of.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.CONSTANT_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=rules_of.players[-1],
        min_num_players=rules_of.players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            "players": rules_of.default_players,
            **{option.name: _default(option) for option in rules_of.options},
        },
    )


for _game in (DaytimeMinutes, DayAndNight, TrickOrRepeat, TrickyTimeCrisis):
    pyspiel.register_game(_game_type(_game.name), _game)
