"""State and InformationSet: the immutable face of a game that bots and people use.

Both hold one record of the compiled rules. Every call is checked here; the rules below are not.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from engine import rules
from engine.game import Game, Immutable, unknown
from engine.rng import stream

FORMAT = "timetricks/1"
_LARGEST_SEED = (1 << 63) - 1


class IllegalActionError(ValueError):
    """An action that is not legal in the state it was applied to."""


@dataclass(frozen=True)
class Deals:
    """Where the decks of a game come from: explicit ones first, then those of the seed (None: seed 0)."""

    seed: int | None
    decks: tuple[tuple[int, ...], ...] = ()  # card numbers, top first

    def deck(self, game: Game, number: int) -> np.ndarray:
        """Deck `number` in card numbers."""
        if number < len(self.decks):
            return np.array(self.decks[number])
        return game.shuffled_deck(self.seed or 0, number)


class Past(NamedTuple):
    """What was done since the game began, each action a pair (seat, action id), in order.

    Split so that an action copies those of its deal only, and that all seats share what all know.
    """

    earlier: tuple[tuple[int, int], ...] = ()  # public at the last deal
    public: tuple[tuple[int, int], ...] = ()  # became public since
    secret: tuple[tuple[int, int | None], ...] = ()  # taken since; each seat knows its own, None stands for the rest
    deal_start: int = 0  # how many were taken before the last deal

    def after(self, seat: int, action: int, is_secret: bool) -> Past:
        """With one more action, after which a secret is held or not."""
        earlier, public, secret, deal_start = self
        secret = (*secret, (seat, action))
        if is_secret:
            return Past(earlier, public, secret, deal_start)
        return Past(earlier, public + secret, (), deal_start)

    def at_deal(self) -> Past:
        """A deal is made."""
        public = self.earlier + self.public
        return Past(public, (), self.secret, len(public) + len(self.secret))

    def known_to(self, seat: int) -> Past:
        """Without the actions that are hidden from `seat`."""
        earlier, public, secret, deal_start = self
        if not secret:
            return self
        return Past(earlier, public, tuple([(who, did if who == seat else None) for who, did in secret]), deal_start)

    @property
    def actions(self) -> tuple[tuple[int, int | None], ...]:
        return self.earlier + self.public + self.secret


def copied(records: np.ndarray) -> np.ndarray:
    """Records to write to. (The copy of a structured array takes NumPy many times longer.)"""
    return np.frombuffer(bytearray(records.tobytes()), records.dtype)


def plain_int(number: int) -> int:
    """The value of an integer of any kind, whatever its class makes of comparisons and conversions."""
    return number.item() if isinstance(number, np.integer) else int.__index__(number)


class _Position(Immutable):
    """A game and a record: what State and InformationSet have in common."""

    def __init__(self, game: Game, records: np.ndarray):
        frozen = np.frombuffer(records.tobytes(), records.dtype)  # cannot be made writable again
        self._set(_game=game, _records=frozen)

    @property
    def game(self) -> Game:
        return self._game

    @property
    def is_terminal(self) -> bool:
        return self._status[0]

    @property
    def scores(self) -> tuple[int, ...]:
        """Game points by seat; before the end the running totals."""
        scores = np.empty(self._game.players, np.int64)
        rules.fill_scores(self._records, scores)
        return tuple(scores.tolist())

    @cached_property
    def _legal(self) -> tuple[int, ...]:
        actions = np.empty(len(self._game.actions), np.int64)
        return tuple(actions[: rules.fill_legal(self._records, actions)].tolist())

    @property
    def legal_names(self) -> tuple[str, ...]:
        return tuple(self._game.actions[action] for action in self.legal_actions)

    @cached_property
    def _status(self) -> tuple[bool, int | None]:
        """Whether the game is over, and the seat to move."""
        _, is_over, seat = rules.status(self._records)
        return bool(is_over), None if is_over else int(seat)

    @property
    def _seat_to_move(self) -> int | None:
        return self._status[1]

    @property
    def records(self) -> np.ndarray:
        """The record of the compiled rules, a read-only array of shape (1,), for kernels."""
        return self._records

    def facts(self) -> dict[str, Any]:
        """Everything that is known, as plain names and numbers that JSON can hold."""
        game = {"game": self._game.name, "players": self._game.players, "options": self._game.options}
        return {**game, "seat_to_move": self._seat_to_move, **self._game.rules.facts(self._records[0])}

    def _content(self):
        return self._game, self._records.tobytes()

    def __eq__(self, other):
        return type(self) is type(other) and self._content() == other._content()

    def __hash__(self):
        return hash(self._content())

    def __str__(self):
        return self._game.rules.text(self.facts())


class State(_Position):
    """A position with everything known: what a referee sees. `Game.new` and `apply` make one.

    Two states are equal if the game and the position are; how they came about does not count.
    """

    def __init__(self, game: Game, records: np.ndarray, deals: Deals, num_deals: int, past: Past | None):
        super().__init__(game, records)
        self._set(_deals=deals, _num_deals=num_deals, _past=past)  # no past in a sampled world

    @classmethod
    def start(cls, game: Game, deals: Deals) -> State:
        records = game.empty_record()
        is_due, _, _ = rules.status(records)
        return cls._settled(game, records, is_due, deals, 0, Past())

    @classmethod
    def _settled(cls, game, records, is_due, deals, num_deals, past) -> State:
        """The state once every deal that is due has been made."""
        while is_due:
            is_due = rules.make_deal(records, deals.deck(game, num_deals))
            num_deals += 1
            past = past and past.at_deal()
        return cls(game, records, deals, num_deals, past)

    @property
    def seat(self) -> int | None:
        """The seat to move, None at the end."""
        return self._seat_to_move

    @property
    def num_deals(self) -> int:
        """How many deals were made so far; in a sampled world, since it was drawn."""
        return self._num_deals

    @property
    def legal_actions(self) -> tuple[int, ...]:
        """Ids of the legal actions, ascending; empty at the end."""
        return self._legal

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """Rank by seat, 1 is best, ties shared; before the end by the running totals."""
        ranks = np.empty(self._game.players, np.int64)
        rules.fill_ranks(self._records[0], ranks)
        return tuple(ranks.tolist())

    @property
    def returns(self) -> tuple[float, ...]:
        """Win share by seat: 1.0 split equally among the seats of rank 1."""
        returns = np.empty(self._game.players)
        rules.fill_returns(np.array(self.ranks), self._game.players, returns)
        return tuple(returns.tolist())

    def apply(self, action: int | str) -> State:
        """The state after the seat to move plays `action`, an id or a name. Raises IllegalActionError."""
        action_id = self._checked(action)
        records = copied(self._records)
        seat, is_due, is_secret = rules.advance(records, action_id)
        past = self._past and self._past.after(int(seat), action_id, is_secret)
        return self._settled(self._game, records, is_due, self._deals, self._num_deals, past)

    def _checked(self, action: int | str) -> int:
        if isinstance(action, str):
            action = str.__str__(action)
            if action not in self._game.action_ids:
                raise IllegalActionError(unknown("action", action, self.legal_names))
            action = self._game.action_ids[action]
        if not isinstance(action, int | np.integer) or isinstance(action, bool):
            raise IllegalActionError(f"action {action!r}: expected the id or the name of an action")
        action = plain_int(action)
        if action not in self.legal_actions:
            name = self._game.actions[action] if 0 <= action < len(self._game.actions) else "no action"
            who = (
                "the game is over" if self.is_terminal else f"legal for seat {self.seat}: {', '.join(self.legal_names)}"
            )
            raise IllegalActionError(f"action {action} ({name}) is not legal; {who}")
        return action

    def information_set(self, seat: int | None = None) -> InformationSet:
        """What `seat` knows (default: the seat to move). Raises ValueError."""
        seat = self.seat if seat is None else seat
        if seat is None:
            raise ValueError(f"the game is over and no seat is to move: name a seat, 0 to {self._game.players - 1}")
        is_integer = isinstance(seat, int | np.integer) and not isinstance(seat, bool)
        if not is_integer or seat not in range(self._game.players):
            raise ValueError(f"seat = {seat!r}: expected an integer from 0 to {self._game.players - 1}")
        seat = plain_int(seat)
        records = copied(self._records)
        rules.conceal(records, seat)
        return InformationSet(self._game, records, seat, self._past and self._past.known_to(seat))

    def decks_to_come(self, count: int) -> np.ndarray:
        """The next `count` decks of this game in card numbers, int64 array of shape (count, cards)."""
        numbers = range(self._num_deals, self._num_deals + count)
        return np.array([self._deals.deck(self._game, number) for number in numbers])

    def record(self) -> dict[str, Any]:
        """The game so far as a JSON-able dict in the format ``timetricks/1``: decks, actions, scores.

        Raises ValueError for a sampled world: its past is not known.
        """
        if self._past is None:
            raise ValueError("a world drawn by determinize has no record: what happened before it is not known")
        decks = [self._deals.deck(self._game, number) for number in range(self._num_deals)]
        return {
            "format": FORMAT,
            "game": self._game.name,
            "players": self._game.players,
            "options": self._game.options,
            "seed": self._deals.seed,
            "bots": None,
            "decks": [[self._game.deck[card] for card in deck] for deck in decks],
            "actions": [self._game.actions[action] for _, action in self._past.actions],
            "scores": list(self.scores),
            "ranks": list(self.ranks),
            "returns": list(self.returns),
        }

    def __reduce__(self):
        return State, (self._game, self._records, self._deals, self._num_deals, self._past)

    def __repr__(self):
        return f"<State of {self._game.name}: {'over' if self.is_terminal else f'seat {self.seat} to move'}>"


class InformationSet(_Position):
    """What one seat knows: the record after the rules have erased everything else.

    Two are equal if the game, the record and the seat are; how it came about, the history, does not count.
    """

    def __init__(self, game: Game, records: np.ndarray, seat: int, past: Past | None = None):
        super().__init__(game, records)
        self._set(_seat=seat, _past=past)

    @property
    def seat(self) -> int:
        """The seat that knows this."""
        return self._seat

    @property
    def legal_actions(self) -> tuple[int, ...]:
        """Ids of the legal actions of this seat, ascending; empty unless it is to move."""
        return self._legal if self._seat_to_move == self._seat else ()

    @cached_property
    def history(self) -> tuple[tuple[int, int | None], ...] | None:
        """(seat, action id) of all that was done since the game began, the id None while it is hidden from this seat.

        None if the past is not known: in a world drawn by `determinize`, and to a bot in a process of its own.
        """
        return self._past and self._past.actions

    @property
    def deal_start(self) -> int | None:
        """Index into `history` of the first action since the last deal; None like `history`."""
        return self._past and self._past.deal_start

    def determinize(self, rng: np.random.Generator) -> State:
        """A state that agrees with all this seat knows, drawn with the weights of the game's rules."""
        records = copied(self._records)
        rules.draw_world(records, self._seat, stream(int(rng.integers(_LARGEST_SEED))))
        return State(self._game, records, Deals(int(rng.integers(_LARGEST_SEED))), 0, None)

    def facts(self) -> dict[str, Any]:
        """Everything this seat knows, as plain names and numbers; an unknown card is ``"?"``."""
        return {"seat": self._seat, **super().facts()}

    def _content(self):
        return *super()._content(), self._seat

    def __str__(self):
        return f"{self._game.title}, as seat {self._seat} sees it\n{super().__str__()}"

    def __reduce__(self):
        return InformationSet, (self._game, self._records, self._seat, self._past)

    def __repr__(self):
        return f"<InformationSet of seat {self._seat} in {self._game.name}>"
