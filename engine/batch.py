"""Many games of one kind stepped at once in compiled code, for learners.

>>> import engine, numpy as np
>>> game, rng = engine.load("day_and_night", players=4), np.random.default_rng(1)
>>> batch, wins = engine.Batch(game, games=256, seed=7, auto_reset=True), np.zeros(4)
>>> for _ in range(300):
...     observations, masks, seats = batch.observe(), batch.legal(), batch.seats
...     actions = (masks * rng.random(masks.shape)).argmax(axis=1)  # where a learner's policy would choose
...     rewards, over = batch.step(actions)
...     wins += rewards.sum(axis=0)
>>> observations.shape, masks.shape, seats.shape, rewards.shape, over.shape
((256, 1514), (256, 104), (256,), (256, 4), (256,))

The games do not know of each other: what happens in one depends on the seed, its number and its actions
alone. ``batch.state(i)`` is the game as a `State`, and ``game.new(seed=batch.seeds[i])`` how it began.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.compiling import record, rule
from engine.game import Game
from engine.observation import NO_SEAT, observation_layout
from engine.rng import derived_seed, shuffle_deck
from engine.rules import (
    apply_action,
    awaits_deal,
    current_seat,
    deal,
    fill_ranks,
    fill_returns,
    hide,
    is_terminal,
    legal_actions,
)
from engine.state import Deals, IllegalActionError, State

_LARGEST_SEED = (1 << 63) - 1

# What the batch keeps of each game beside its record.
PLACE = record(
    [
        ("begun", np.int64),  # games begun here since the seed was set
        ("seed", np.int64),  # of the present game
        ("deals", np.int64),  # that it made
        ("seat", np.int64),  # to move, NO_SEAT when it is over
    ],
    __file__,
)


class Step(NamedTuple):
    """What a step brought about."""

    rewards: np.ndarray  # float64, shape (games, players): the returns of a game that ended in this step, else 0
    over: np.ndarray  # bool, shape (games,): whether it ended, in this step or, without auto-reset, earlier


class Batch:
    """`games` games of `game`, stepped together. Arrays by game, in the same order for good.

    The methods write to an array given as `out`, else to one of the batch's own which the next call
    overwrites. With `auto_reset` a game that ends begins anew in the same step, with the next seed.
    Raises ValueError.
    """

    def __init__(self, game: Game, games: int, seed: int = 0, *, auto_reset: bool = False):
        if type(games) is not int or games < 1:
            raise ValueError(f"games = {games!r}: expected an integer from 1")
        self.game = game
        self.auto_reset = auto_reset
        self.layout = observation_layout(game)
        self._first = game.empty_record()
        self._states = np.repeat(self._first, games)
        self._places = np.zeros(games, PLACE)
        self._hidden = np.empty(games, self._first.dtype)
        self._deck = np.empty(len(game.deck), np.int64)
        self._ids = np.empty(len(game.actions), np.int64)
        self._masks = np.empty((games, len(game.actions)), np.bool_)
        self._observations = np.empty((games, self.layout.size), np.float32)
        self._rewards = np.zeros((games, game.players))
        self._over = np.zeros(games, np.bool_)
        self.reset(seed)

    def __len__(self) -> int:
        return len(self._states)

    @property
    def seats(self) -> np.ndarray:
        """The seat to move, int64 of shape (games,); NO_SEAT when a game is over."""
        return self._places["seat"].copy()

    @property
    def seeds(self) -> np.ndarray:
        """Seeds of the present games, int64 of shape (games,): ``game.new(seed=...)`` makes the same deals."""
        return self._places["seed"].copy()

    def reset(self, seed: int | None = None) -> None:
        """Begins a new game everywhere: with the next seeds, or with those that follow from `seed`."""
        if seed is not None:
            if type(seed) is not int or not 0 <= seed <= _LARGEST_SEED:
                raise ValueError(f"seed = {seed!r}: expected an integer from 0 to 2**63 - 1")
            self._places["begun"] = 0
            self._seed = seed
        self._over[:] = True
        begin_over(self._states, self._places, self._first, self._seed, self._deck, self._over)
        self._over[:] = False

    def legal(self, out: np.ndarray | None = None) -> np.ndarray:
        """Which actions are legal, bool of shape (games, actions); none when a game is over."""
        masks = self._checked(out, self._masks)
        fill_masks(self._states, self._places, self._ids, masks)
        return masks

    def observe(self, out: np.ndarray | None = None, seats: np.ndarray | None = None) -> np.ndarray:
        """What the seat to move knows, float32 of shape (games, layout.size); zeros when a game is over.

        `layout` says what stands where. With `seats`, integers of shape (games,), what these seats know.
        """
        observations = self._checked(out, self._observations)
        seats = self._places["seat"] if seats is None else self._integers("seats", seats)
        if ((seats < NO_SEAT) | (seats >= self.game.players)).any():
            raise ValueError(f"seats: expected 0 to {self.game.players - 1}, or {NO_SEAT} for nobody")
        seats = np.ascontiguousarray(seats)
        hide_all(self._states, seats, self._hidden)
        self.layout.encode_records(self._hidden, seats, observations)
        return observations

    def step(self, actions: np.ndarray) -> Step:
        """Plays ``actions[i]``, integers of shape (games,), in game i; it is ignored where the game is over.

        Raises IllegalActionError, which names the first game with an illegal action; nothing is played then.
        """
        actions = self._integers("actions", actions)
        illegal = first_illegal(self._states, self._places, self._ids, actions)
        if illegal < len(self):
            try:
                self.state(illegal).apply(int(actions[illegal]))
            except IllegalActionError as error:
                raise IllegalActionError(f"game {illegal} of {len(self)}: {error}") from None
        apply_all(self._states, self._places, self._deck, actions, self._rewards, self._over)
        if self.auto_reset:
            begin_over(self._states, self._places, self._first, self._seed, self._deck, self._over)
        return Step(self._rewards, self._over)

    def state(self, number: int) -> State:
        """Game `number` as a State. What was done in it is not kept: `record` is not possible."""
        place = self._places[number]
        return State(self.game, self._states[number : number + 1], Deals(int(place.seed)), int(place.deals), None)

    def _integers(self, name: str, given: np.ndarray) -> np.ndarray:
        array = np.asarray(given)
        if array.shape != (len(self),) or array.dtype.kind not in "iu":
            expected = f"expected integers, shape ({len(self)},)"
            raise ValueError(f"{name} of type {array.dtype}, shape {array.shape}: {expected}")
        return array.astype(np.int64)

    def _checked(self, out: np.ndarray | None, like: np.ndarray) -> np.ndarray:
        if out is None:
            return like
        if not isinstance(out, np.ndarray) or out.shape != like.shape or out.dtype != like.dtype:
            raise ValueError(f"out: expected an array of type {like.dtype}, shape {like.shape}")
        return out


# --- Kernels --------------------------------------------------------------------------------------
# Arrays by game, as the methods name them. `deck` and `ids` are scratch space.


@rule
def begin_over(states, places, first, seed, deck, over):
    """Begins the next game wherever one is over: it depends on `seed`, the place and how many were begun there."""
    for i in range(len(states)):
        if over[i]:
            states[i] = first[0]
            places[i].seed = derived_seed(derived_seed(seed, i), places[i].begun)
            places[i].begun += 1
            places[i].deals = 0
            settle(states[i], places[i], deck)


@rule
def settle(state, place, deck):
    """Makes the deals that are due, and notes whose turn it is."""
    while awaits_deal(state):
        shuffle_deck(place.seed, place.deals, deck)
        deal(state, deck)
        place.deals += 1
    place.seat = NO_SEAT if is_terminal(state) else current_seat(state)


@rule
def fill_masks(states, places, ids, masks):
    for i in range(len(states)):
        for action in range(masks.shape[1]):
            masks[i, action] = False
        if places[i].seat != NO_SEAT:
            for k in range(legal_actions(states[i], ids)):
                masks[i, ids[k]] = True


@rule
def first_illegal(states, places, ids, actions):
    """The first game whose action is not legal, or the number of games."""
    for i in range(len(states)):
        if places[i].seat == NO_SEAT:
            continue
        is_legal = False
        for k in range(legal_actions(states[i], ids)):
            if ids[k] == actions[i]:
                is_legal = True
        if not is_legal:
            return i
    return len(states)


@rule
def apply_all(states, places, deck, actions, rewards, over):
    """Plays an action, which must be legal, in every game that is not over."""
    players = rewards.shape[1]
    ranks = np.empty(players, np.int64)
    for i in range(len(states)):
        for seat in range(players):
            rewards[i, seat] = 0.0
        if places[i].seat != NO_SEAT:
            apply_action(states[i], actions[i])
            settle(states[i], places[i], deck)
            if places[i].seat == NO_SEAT:
                fill_ranks(states[i], ranks)
                fill_returns(ranks, players, rewards[i])
        over[i] = places[i].seat == NO_SEAT


@rule
def hide_all(states, seats, hidden):
    """Copies the records and erases what the seats may not know."""
    for i in range(len(states)):
        hidden[i] = states[i]
        if seats[i] != NO_SEAT:
            hide(hidden[i], seats[i])
