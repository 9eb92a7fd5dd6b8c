"""A recorded game frame by frame, as JSON that is small: every frame is told as what it changes of the one before.

`static/frames.js` reads it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

import numpy as np

from engine import Game, InformationSet, State, replay, rules
from engine.cards import parse_deck
from engine.state import Deals

UNKNOWN = "?"  # in the facts of a seat: a card or a bid that it does not know


@dataclass(frozen=True)
class Frame:
    """A position to look at: after an action, or after a deal (seat and action None), the first one included.

    Where an action ends a deal, there is a frame before the next one is made.
    """

    seat: int | None
    action: str | None
    is_secret: bool  # whether others cannot know yet which action it was
    events: tuple[str, ...]  # what the action brought about, in words
    facts: dict[str, Any]
    views: tuple[dict[str, Any], ...]  # facts as each seat knows them


def frames(record: Mapping[str, Any]) -> Iterator[Frame]:
    """The frames of a game record, at least one. Raises RecordError if the record is wrong."""
    game = replay(record).game
    records = game.empty_record()
    decks = iter(record["decks"])
    is_due, _, _ = rules.status(records)
    while is_due:
        is_due = _make_deal(game, records, next(decks))
    yield _after_deal(game, records)
    for action in record["actions"]:
        before = records.copy()
        seat, is_due, is_secret = rules.advance(records, game.action_ids[action])
        events = game.rules.events(before[0], action, records[0])
        yield Frame(int(seat), action, bool(is_secret), tuple(events), *_known(game, records, is_due))
        while is_due:
            is_due = _make_deal(game, records, next(decks))
            yield _after_deal(game, records, is_due)


def _make_deal(game: Game, records: np.ndarray, deck: Sequence[str]) -> bool:
    return rules.make_deal(records, np.array(parse_deck(deck, game.deck)))


def _after_deal(game: Game, records: np.ndarray, is_due: bool = False) -> Frame:
    return Frame(None, None, False, (), *_known(game, records, is_due))


def _known(game: Game, records: np.ndarray, is_due: bool) -> tuple[dict[str, Any], tuple[dict[str, Any], ...]]:
    """The facts, and those that each seat knows."""
    facts = State(game, records, Deals(None), 0, None).facts()
    views = [_view(game, records, seat) for seat in range(game.players)]
    if is_due:  # nobody is to move
        facts, *views = ({**known, "seat_to_move": None} for known in (facts, *views))
    return facts, tuple(views)


def _view(game: Game, records: np.ndarray, seat: int) -> dict[str, Any]:
    hidden = records.copy()
    rules.conceal(hidden, seat)
    facts = InformationSet(game, hidden, seat).facts()
    del facts["seat"]
    return facts


def compact(record: Mapping[str, Any]) -> dict[str, Any]:
    """The frames of a record as JSON.

    ``frames`` holds [seat, action, 1 if it is secret, difference from the frame before, events] each; ``views``
    for every seat [frame, difference of its view from the facts of that frame and the following ones] where it
    changes.
    Raises RecordError.
    """
    shown: list[list[Any]] = []
    views: list[list[Any]] = [[] for _ in range(record["players"])]
    before: Any = None
    for number, frame in enumerate(frames(record)):
        told = difference(before, frame.facts)
        shown.append([frame.seat, frame.action, int(frame.is_secret), told, list(frame.events)])
        before = frame.facts
        for seat, view in enumerate(frame.views):
            mask = difference(frame.facts, view)
            if not views[seat] or views[seat][-1][1] != mask:
                views[seat].append([number, mask])
    return {"frames": shown, "views": views}


def difference(old: Any, new: Any) -> Any:
    """What makes `new` of `old`, both JSON values.

    Of a list it is "?" if all of it becomes "?", or a list of changes [start, how many go, what comes …], the
    last one first; of a list or an object, an object of differences by index or key; of anything, [new]. But of
    what is no list and no object it is `new` itself.
    """
    if not isinstance(old, list | dict):
        return new
    if type(old) is not type(new):
        return [new]
    if isinstance(old, dict):
        return _by_key(old, new, old) if old.keys() == new.keys() else [new]
    if len(new) == len(old) and all(item == UNKNOWN for item in new):
        return UNKNOWN
    told = [_changes(old, new)]
    if len(old) == len(new):
        told.append(_by_key(old, new, range(len(old))))
    return min(told, key=lambda change: len(json.dumps(change)))


def _by_key(old: Any, new: Any, keys: Iterable[Any]) -> dict[str, Any]:
    return {str(key): difference(old[key], new[key]) for key in keys if old[key] != new[key]}


def _changes(old: list, new: list) -> list[list[Any]]:
    texts = ([json.dumps(item) for item in items] for items in (old, new))
    steps = SequenceMatcher(None, *texts, autojunk=False).get_opcodes()
    return [[start, end - start, *new[low:high]] for kind, start, end, low, high in reversed(steps) if kind != "equal"]
