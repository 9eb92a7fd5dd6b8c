"""What a game is: its name, players, options, actions and deck; and the registry of games."""

from __future__ import annotations

import importlib
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import rules as generic_rules
from engine.cards import parse_deck
from engine.rng import shuffle_deck

if TYPE_CHECKING:
    from engine.state import State

_BUILT_IN = ("daytime_minutes", "day_and_night", "trick_or_repeat", "tricky_time_crisis")
_IN_PLAIN_PYTHON = ("setup", "deck_names", "action_names", "facts", "text", "events")
_REGISTERED: dict[str, Rules] = {}


def _always(players: int, options: Mapping[str, Any]) -> bool:
    return True


@dataclass(frozen=True)
class Option:
    """An option of a game: its default, the values it may have, what it means, and when it applies."""

    name: str
    default: Any  # or a function of the number of players
    values: Sequence[Any]  # a range for numbers
    meaning: str
    applies: Callable[[int, Mapping[str, Any]], bool] = _always  # by players and the options before this one

    def default_for(self, players: int) -> Any:
        return self.default(players) if callable(self.default) else self.default

    def check(self, value: Any) -> Any:
        """`value` if it is allowed, else ValueError."""
        if type(value) is not type(self.values[0]) or value not in self.values:
            raise ValueError(f"option {self.name} = {value!r}: expected {describe(self.values)}")
        return value


@dataclass(frozen=True, eq=False)
class Rules:
    """The rules of a game as its module registers them, for all player counts and options.

    `module` holds the functions that `engine.rules` names and, in plain Python:
    ``setup(state, players, options)`` writes the position before the first deal to a record of zeros
    (and raises ValueError when options do not fit together); ``deck_names(players, options)`` and
    ``action_names(players, options)`` list names, the index being the number; ``facts(state)`` is a
    JSON-able dict; ``text(facts)`` the same for people; ``events(before, action, after)`` the lines that
    say what an action, given by name, brought about and all seats know: before and after are records, no
    deal in between. It may also hold ``observed(players, options)``, the fields that learners see: see
    `engine.observation`.
    """

    title: str
    players: range
    default_players: int
    options: tuple[Option, ...]
    state: np.dtype
    module: ModuleType

    @property
    def name(self) -> str:
        """What `load` calls the game: for one from elsewhere the name of its module."""
        return self.module.__name__.removeprefix("engine.")


def register(rules: Rules) -> Rules:
    """Adds a game to the registry. Raises TypeError when its module lacks a function."""
    generic_rules.register(rules.state, rules.module, _IN_PLAIN_PYTHON)
    _REGISTERED[rules.name] = rules
    return rules


def names() -> tuple[str, ...]:
    """The names of the games that come with this package."""
    return _BUILT_IN


def find(name: str) -> Rules:
    """The rules of a game by name; ``"package.module"`` imports a game from elsewhere. Raises ValueError."""
    if not isinstance(name, str):
        raise ValueError(f"game {name!r}: expected a name, one of {', '.join(_BUILT_IN)}")
    if name in _BUILT_IN:
        importlib.import_module(f"engine.{name}")
    elif name not in _REGISTERED and "." in name:
        try:
            return importlib.import_module(name).RULES
        except (Exception, SystemExit) as error:
            expected = "expected a module with a game called RULES"
            raise ValueError(f"game {name!r}: {expected} ({type(error).__name__}: {error})") from error
    return registered(name)


def registered(name: str) -> Rules:
    """The rules of a game whose module is imported already. Raises ValueError."""
    if name not in _REGISTERED:
        raise ValueError(unknown("game", name, _BUILT_IN))
    return _REGISTERED[name]


def load(name: str, /, players: int | None = None, **options: Any) -> Game:
    """A game for a number of players (default: the game's own). Raises ValueError, which says what exists."""
    rules = find(name)
    players = rules.default_players if players is None else players
    if type(players) is not int or players not in rules.players:
        raise ValueError(f"{name}: players = {players!r}: expected {describe(rules.players)}")
    try:
        return Game(rules, players, _complete(rules, players, options))
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _complete(rules: Rules, players: int, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options that apply, defaults filled in. Raises ValueError."""
    names = tuple(option.name for option in rules.options)
    for name in given:
        if name not in names:
            raise ValueError(unknown("option", name, names))
    complete: dict[str, Any] = {}
    for option in rules.options:
        if option.applies(players, complete):
            complete[option.name] = option.check(given.get(option.name, option.default_for(players)))
        elif option.name in given:
            raise ValueError(f"option {option.name} does not apply with {players} players and {complete}")
    return complete


class Immutable:
    """An object whose attributes are set when it is made and never again."""

    def _set(self, **attributes: Any) -> None:
        self.__dict__.update(attributes)

    def __setattr__(self, name: str, value: Any):
        raise AttributeError(f"{type(self).__name__} objects never change")


class Game(Immutable):
    """A game with its number of players and options fixed. Equal, hashable and picklable by these."""

    rules: ModuleType
    name: str
    title: str
    players: int
    deck: tuple[str, ...]  # card names in canonical order, copies included
    actions: tuple[str, ...]  # action names, the index being the id

    def __init__(self, rules: Rules, players: int, options: Mapping[str, Any]):
        first = np.zeros(1, rules.state)
        rules.module.setup(first[0], players, options)
        self._set(
            rules=rules.module,
            name=rules.name,
            title=rules.title,
            players=players,
            deck=tuple(rules.module.deck_names(players, options)),
            actions=tuple(rules.module.action_names(players, options)),
            _options=dict(options),
            _known_options=rules.options,
            _first=first,
        )

    @property
    def options(self) -> dict[str, Any]:
        """All options, defaults filled in."""
        return dict(self._options)

    @property
    def label(self) -> str:
        """``GAME/PLAYERS``, with the options that are not at their defaults in brackets."""
        changed = [
            f"{option.name}={self._options[option.name]}"
            for option in self._known_options
            if option.name in self._options and self._options[option.name] != option.default_for(self.players)
        ]
        return f"{self.name}/{self.players}" + (f"[{','.join(changed)}]" if changed else "")

    @cached_property
    def action_ids(self) -> Mapping[str, int]:
        """Action ids by name."""
        return MappingProxyType({name: action for action, name in enumerate(self.actions)})

    def new(self, seed: int | None = None, decks: Sequence[Sequence[str]] = ()) -> State:
        """The state after the first deal.

        `decks` are the first deals, lists of card names, top first; later ones follow from `seed`
        (default: a fresh one, or 0 after explicit decks). Raises ValueError.
        """
        from engine.state import Deals, State

        if seed is not None and (type(seed) is not int or not 0 <= seed < 1 << 63):
            raise ValueError(f"seed = {seed!r}: expected an integer from 0 to 2**63 - 1")
        if seed is None and not decks:
            seed = secrets.randbits(63)
        return State.start(self, Deals(seed, tuple(self._parse_deck(*numbered) for numbered in enumerate(decks))))

    def _parse_deck(self, number: int, deck: Sequence[str]) -> tuple[int, ...]:
        try:
            return parse_deck(deck, self.deck)
        except ValueError as error:
            raise ValueError(f"deck {number}: {error}") from None

    def empty_record(self) -> np.ndarray:
        """A fresh record array of shape (1,): the position before the first deal."""
        return self._first.copy()

    def shuffled_deck(self, seed: int, number: int) -> np.ndarray:
        """Deck `number` of the game with `seed` in card numbers, int64 array of shape (len(deck),)."""
        deck = np.empty(len(self.deck), np.int64)
        shuffle_deck(seed, number, deck)
        return deck

    def _key(self):
        return self.name, self.players, tuple(sorted(self._options.items()))

    def __eq__(self, other):
        return isinstance(other, Game) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    def __reduce__(self):
        return _reload, (self.name, self.players, self._options)

    def __repr__(self):
        options = "".join(f", {name}={value!r}" for name, value in self._options.items())
        return f"engine.load({self.name!r}, players={self.players}{options})"


def _reload(name: str, players: int, options: dict[str, Any]) -> Game:
    return load(name, players, **options)


def describe(values: Sequence[Any]) -> str:
    """The allowed values in words."""
    if isinstance(values, range):
        return f"an integer from {values[0]} to {values[-1]}"
    return "one of " + ", ".join(repr(value) for value in values)


def unknown(kind: str, name: str, known: Sequence[str]) -> str:
    """The words for a name that is not known, with the closest one that is."""
    close = get_close_matches(name, known, 1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    return f"unknown {kind} {name!r}{hint} (known: {', '.join(known) or 'none'})"
