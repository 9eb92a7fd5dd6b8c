"""What a bot makes of the decisions of a recorded game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from bots.bot import cheats, describe
from bots.search.explanation import ActionStatistics, Explanation, explanation_of
from engine import State, replay
from tournaments.config import BotEntry


@dataclass(frozen=True)
class Decision:
    """A position of a recorded game, with its history, and what was played there."""

    ply: int  # actions taken before
    state: State
    played: str | None  # None where an unfinished record ends

    @property
    def has_choice(self) -> bool:
        return len(self.state.legal_actions) > 1


@dataclass(frozen=True)
class Opinion:
    """What a bot would have played, and what it can say about it."""

    decision: Decision
    choice: str
    explanation: Explanation | None  # None if there was no choice, or the bot explains nothing

    @cached_property
    def value_lost(self) -> float | None:
        """Value of the choice above that of the action played, in the bot's rewards; None where it is not known."""
        pair = self._compared()
        return pair and pair[0].value - pair[1].value

    @cached_property
    def standard_error(self) -> float | None:
        """Of `value_lost`, as if the two values were independent."""
        pair = self._compared()
        if pair is None or pair[0] is pair[1]:
            return pair and 0.0
        errors = [statistics.standard_error for statistics in pair]
        return None if None in errors else float(np.hypot(*errors))

    def _compared(self) -> tuple[ActionStatistics, ActionStatistics] | None:
        """What the search found of the choice and of the action played; None if it tried one of them never."""
        found = {row.name: row for row in self.explanation.actions if row.visits} if self.explanation else {}
        names = (self.choice, self.decision.played)
        return (found[names[0]], found[names[1]]) if found.keys() >= set(names) else None

    def as_json(self) -> dict[str, Any]:
        return {
            "ply": self.decision.ply,
            "seat": self.decision.state.seat,
            "legal": list(self.decision.state.legal_names),
            "played": self.decision.played,
            "choice": self.choice,
            "value_lost": self.value_lost,
            "standard_error": self.standard_error,
        }

    def explanation_as_json(self) -> dict[str, Any] | None:
        return self.explanation and asdict(self.explanation)


@dataclass(frozen=True)
class Summary:
    """What a bot makes of all that a seat decided."""

    seat: int
    decisions: int  # in which it had a choice
    agreed: int  # the bot would have played the same
    value_lost: float | None  # mean over the decisions where it is known


def decisions(record: Mapping[str, Any]) -> list[Decision]:
    """Every position of a record in which a seat is to move, forced moves too. Raises RecordError."""
    state = replay(record).game.new(seed=record["seed"], decks=record["decks"])
    found = []
    for ply, action in enumerate(record["actions"]):
        found.append(Decision(ply, state, action))
        state = state.apply(action)
    if not state.is_terminal:
        found.append(Decision(len(found), state, None))
    return found


def opinion(entry: BotEntry, decision: Decision, seed: int) -> Opinion:
    """Asks a new bot, which has seen nothing of the game before. Its chance is a function of `seed` and the ply.

    Raises ValueError if the bot fails.
    """
    state = decision.state
    info = state.information_set()
    bot = entry.load()
    try:
        if hasattr(bot, "new_game"):
            bot.new_game(state.game, state.seat, np.random.default_rng((seed, decision.ply)))
        action = bot.act(state if cheats(entry.bot) else info)
        state.apply(action)
        explanation = explanation_of(bot)
    except Exception as error:
        raise ValueError(f"the bot failed at ply {decision.ply}, {describe(error)}") from error
    return Opinion(decision, action if isinstance(action, str) else state.game.actions[action], explanation)


def summaries(opinions: Sequence[Opinion]) -> Iterator[Summary]:
    """One for each seat that had a choice, in the order of the seats."""
    for seat in sorted({opinion.decision.state.seat for opinion in opinions}):
        own = [opinion for opinion in opinions if opinion.decision.state.seat == seat]
        lost = [opinion.value_lost for opinion in own if opinion.value_lost is not None]
        agreed = sum(opinion.choice == opinion.decision.played for opinion in own)
        yield Summary(seat, len(own), agreed, sum(lost) / len(lost) if lost else None)
