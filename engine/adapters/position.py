"""A game in which the deals are events: what libraries need that treat chance as a player."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from hashlib import blake2b
from typing import Any

import numpy as np

from engine import Game, InformationSet, State, rules
from engine.cards import parse_deck
from engine.rng import stream
from engine.state import Deals, Past, copied

_SEEDS = 1 << 53


@dataclass(frozen=True, eq=False)
class Position:
    """A position, also one that awaits a deal. It never changes, so copies share it. Actions are not checked."""

    game: Game
    records: np.ndarray  # of the compiled rules, shape (1,); not to be written to
    past: Past = field(default_factory=Past)
    deck: tuple[int, ...] = ()  # cards of the deal under way, top first, the first copy for all copies
    future: int | None = None  # in a sampled world: the seed of the next deck, which is then no event
    before: Position | None = None  # the position before the last action or deal
    digests: dict[int, bytes] = field(default_factory=dict)  # by seat, see `seen`: filled when they are asked for

    @classmethod
    def start(cls, game: Game) -> Position:
        """Before the first deal."""
        return cls(game, game.empty_record(), digests=dict.fromkeys(range(game.players), b""))

    @classmethod
    def known_by(cls, info: InformationSet) -> Position:
        """What the seat of `info` knows. Hidden fields stay erased: only a `world` drawn from it can be played."""
        digests = dict.fromkeys(range(info.game.players), b"") | {info.seat: _digest(info.records.tobytes())}
        return cls(info.game, info.records, info._past or Past(), digests=digests)

    def __deepcopy__(self, memo: dict) -> Position:
        return self

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: without the positions before, and with what the seats saw of them."""
        digests = {seat: self.seen(seat) for seat in range(self.game.players)}
        return self.__dict__ | {"before": None, "digests": digests}

    @cached_property
    def status(self) -> tuple[bool, bool, int]:
        """Whether a deal is due, whether the game is over, and the seat to move."""
        is_due, is_over, seat = rules.status(self.records)
        return bool(is_due), bool(is_over), int(seat)

    @property
    def legal_actions(self) -> list[int]:
        """Ids, ascending. Means nothing while a deal is due."""
        actions = np.empty(len(self.game.actions), np.int64)
        return actions[: rules.fill_legal(self.records, actions)].tolist()

    @property
    def next_cards(self) -> list[tuple[int, float]]:
        """Which cards may come next in the deal under way, and how likely. The first copy of a card stands for all."""
        cards = self.game.deck
        copies = np.bincount(_first_copies(cards), minlength=len(cards)) - np.bincount(self.deck, minlength=len(cards))
        left = len(cards) - len(self.deck)
        return [(int(card), copies[card] / left) for card in np.flatnonzero(copies)]

    @property
    def returns(self) -> list[float]:
        """Win share by seat, at the end."""
        players = self.game.players
        ranks, returns = np.empty(players, np.int64), np.empty(players)
        rules.fill_ranks(self.records[0], ranks)
        rules.fill_returns(ranks, players, returns)
        return returns.tolist()

    def after(self, action: int) -> Position:
        """`action` is taken, which must be legal."""
        records = copied(self.records)
        seat, is_due, is_secret = rules.advance(records, action)
        past = self.past.after(int(seat), action, is_secret)
        position = Position(self.game, records, past, future=self.future, before=self)
        while is_due and position.future is not None:
            position = position.with_deck(self.game.shuffled_deck(position.future, 0))
            is_due = position.status[0]
        return position

    def with_card(self, card: int) -> Position:
        """The next card of the deal that is due. With the last but one comes the last, which is certain then."""
        position = replace(self, deck=(*self.deck, card))
        if len(position.deck) < len(self.game.deck) - 1:
            return position
        [(last, _)] = position.next_cards
        names = [self.game.deck[card] for card in (*position.deck, last)]
        return self.with_deck(np.array(parse_deck(names, self.game.deck)))

    def with_deck(self, deck: np.ndarray) -> Position:
        """The deal that is due is made: int64 card numbers of shape (cards,), top first."""
        records = copied(self.records)
        rules.make_deal(records, deck)
        future = None if self.future is None else self.future + 1
        return Position(self.game, records, self.past.at_deal(), future=future, before=self)

    def information_set(self, seat: int) -> InformationSet:
        """What `seat` knows."""
        records = np.frombuffer(_hidden(self.records, seat), self.records.dtype)
        return InformationSet(self.game, records, seat, self.past.known_to(seat))

    def seen(self, seat: int) -> bytes:
        """Names all information sets that `seat` has had since the start."""
        unnamed, position = [], self
        while seat not in position.digests:
            unnamed.append(position)
            position = position.before
        digest = position.digests[seat]
        for position in reversed(unnamed):
            digest = _digest(digest + _hidden(position.records, seat))
            position.digests[seat] = digest
        return digest

    def memory(self, seat: int) -> str:
        """All that `seat` ever knew: what it knows to have been done, and a digest of what it has seen.

        Equal for two positions if and only if the seat cannot tell apart how they came about (perfect recall).
        """
        actions = self.game.actions
        known = [f"{who}:{'?' if did is None else actions[did]}" for who, did in self.past.known_to(seat).actions]
        return f"seat {seat} | {' '.join(known)} | {self.seen(seat).hex()}"

    def world(self, seat: int, rng: np.random.Generator) -> Position:
        """A position drawn exactly from those that `seat` cannot tell from this one, read off what it knows only.

        What the other seats have seen begins with it, and the decks to come are part of it.
        """
        records = np.frombuffer(bytearray(_hidden(self.records, seat)), self.records.dtype)
        rules.draw_world(records, seat, stream(int(rng.integers(_SEEDS))))
        digests = {
            other: self.seen(seat) if other == seat else _digest(_hidden(records, other))
            for other in range(self.game.players)
        }
        return Position(self.game, records, self.past.known_to(seat), (), int(rng.integers(_SEEDS)), None, digests)

    def __str__(self):
        if self.status[0]:
            dealt = " ".join(self.game.deck[card] for card in self.deck)
            return f"{self.game.title}: a deal, so far {dealt or 'nothing'}"
        return f"{self.game.title}\n{State(self.game, self.records, Deals(None), 0, None)}"


@cache
def _first_copies(deck: tuple[str, ...]) -> np.ndarray:
    """By card number: the number of the first card of that name."""
    return np.array([deck.index(name) for name in deck])


def _hidden(records: np.ndarray, seat: int) -> bytes:
    """The record as `seat` knows it."""
    records = copied(records)
    rules.conceal(records, seat)
    return records.tobytes()


def _digest(seen: bytes) -> bytes:
    return blake2b(seen, digest_size=16).digest()
