"""A recorded game as a story that a person can follow: deals, what was played, who won it and why, scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from engine.cards import parse_deck
from engine.game import Game
from engine.record import replay


def tell(record: Mapping[str, Any]) -> Iterator[str]:
    """The lines of the story of a game record. Raises RecordError if the record is wrong."""
    game = replay(record).game
    records = game.empty_record()
    names = [
        f"seat {seat} ({bot})" if bot else f"seat {seat}"
        for seat, bot in enumerate(record.get("bots") or [None] * game.players)
    ]
    yield f"{game.title}, {game.players} players" + "".join(f", {k} {v}" for k, v in game.options.items())
    decks = iter(record["decks"])
    yield from _deal(game, records, next(decks), 1)
    moves: list[str] = []
    number = 1
    for action in record["actions"]:
        before = records.copy()
        moves.append(f"seat {int(game.rules.current_seat(records[0]))} {action}")
        game.rules.apply_action(records[0], game.action_ids[action])
        events = game.rules.events(before[0], action, records[0])
        if events:
            yield f"  {', '.join(moves)}"
            yield from (f"    {event}" for event in events)
            moves.clear()
        if game.rules.awaits_deal(records[0]):
            number += 1
            yield from _deal(game, records, next(decks), number)
    if moves:
        yield f"  {', '.join(moves)}"
    for name, score, rank in zip(names, record["scores"], record["ranks"], strict=True):
        yield f"{name}: score {score}, rank {rank}"


def _deal(game: Game, records, deck: list[str], number: int) -> Iterator[str]:
    game.rules.deal(records[0], np.array(parse_deck(deck, game.deck)))
    yield ""
    yield f"deal {number}"
    yield from (f"  {line}" for line in game.rules.text(game.rules.facts(records[0])).splitlines())
