"""A recorded game as a story that a person can follow: deals, what was played, who won it and why, scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.record import replay
from engine.state import State


def tell(record: Mapping[str, Any]) -> Iterator[str]:
    """The lines of the story of a game record. Raises RecordError if the record is wrong."""
    game = replay(record).game
    state = game.new(seed=record["seed"], decks=record["decks"])
    names = [
        f"seat {seat} ({bot})" if bot else f"seat {seat}"
        for seat, bot in enumerate(record.get("bots") or [None] * game.players)
    ]
    yield f"{game.title}, {game.players} players" + "".join(f", {k} {v}" for k, v in game.options.items())
    yield from _deal(state)
    moves: list[str] = []
    for action in record["actions"]:
        moves.append(f"seat {state.seat} {action}")
        if events := outcome(state, action):
            yield f"  {', '.join(moves)}"
            yield from (f"    {event}" for event in events)
            moves.clear()
        before, state = state, state.apply(action)
        if state.num_deals > before.num_deals:
            yield from _deal(state)
    if moves:
        yield f"  {', '.join(moves)}"
    for name, score, rank in zip(names, record["scores"], record["ranks"], strict=True):
        yield f"{name}: score {score}, rank {rank}"


def outcome(state: State, action: str) -> list[str]:
    """The lines that say what a legal action brings about in `state`, of which all seats know; often none."""
    after = state.records.copy()
    state.game.rules.apply_action(after[0], state.game.action_ids[action])
    return state.game.rules.events(state.records[0], action, after[0])


def _deal(state: State) -> Iterator[str]:
    yield ""
    yield f"deal {state.num_deals}"
    yield from (f"  {line}" for line in state.game.rules.text(state.facts()).splitlines())
