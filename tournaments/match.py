"""Playing the games of a deal block. A bot that fails costs itself, not the block."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from bots.bot import describe
from bots.process_bot import BotFaultError, ProcessBot
from bots.random_bot import RandomBot
from bots.search.explanation import explanation_of
from engine import Game, IllegalActionError, State
from tournaments.players import Players
from tournaments.schedule import Block, derive_seed


@dataclass(frozen=True)
class Fault:
    """What a bot did wrong. From then on a random bot played its seat, and it is ranked last."""

    seat: int
    bot: str
    reason: str  # "illegal action", or as in bots.process_bot.ProcessBot
    message: str
    action_number: int


@dataclass(frozen=True)
class GameResult:
    """A finished game. `ranks` are those that count: offenders come after everybody else."""

    id: str
    block: str
    game: str
    rotation: int
    record: dict[str, Any]
    ranks: list[int]
    faults: list[Fault] = field(default_factory=list)
    decisions: list[int] = field(default_factory=list)  # by seat
    seconds: list[float] = field(default_factory=list)  # by seat, spent in the bot
    stderr: list[str] = field(default_factory=list)  # by seat, the end of what the bot's process wrote there

    def full_record(self) -> dict[str, Any]:
        """The game record with the id of the game; with faults and the ranks that they cost, if there were any."""
        faults = [asdict(fault) for fault in self.faults]
        return {"id": self.id} | self.record | ({"faults": faults, "counted_ranks": self.ranks} if faults else {})


def play_block(players: Players, block: Block) -> list[GameResult]:
    """The games of a block, a function of the config and the block alone (but for `seconds` and `stderr`)."""
    game = players.config.games[block.game].load()
    return [_play_game(players, game, block, rotation, seating) for rotation, seating in enumerate(block.seatings())]


def _play_game(players: Players, game: Game, block: Block, rotation: int, seating: Sequence[str]) -> GameResult:
    seats = [Seat(players, game, block, seating, seat) for seat in range(game.players)]
    state = game.new(seed=block.seed)
    thoughts = []
    while not state.is_terminal:
        seat = seats[state.seat]
        state = seat.play(state, len(thoughts))
        thoughts.append(seat.thought())
    record = state.record() | {"bots": list(seating)}
    if players.config.explanations:
        record["thoughts"] = thoughts
    return GameResult(
        id=f"{block.id} r{rotation}",
        block=block.id,
        game=game.label,
        rotation=rotation,
        record=record,
        ranks=counted_ranks(record["ranks"], [seat.fault is not None for seat in seats]),
        faults=[seat.fault for seat in seats if seat.fault],
        decisions=[seat.decisions for seat in seats],
        seconds=[seat.seconds for seat in seats],
        stderr=[seat.leave(record) for seat in seats],
    )


class Seat:
    """A bot at the table, and what becomes of it."""

    def __init__(self, players: Players, game: Game, block: Block, seating: Sequence[str], seat: int):
        self.fault: Fault | None = None
        self.decisions = 0
        self.seconds = 0.0
        self._number = seat
        self._name = seating[seat]
        # Chance goes with the chair: where bots play alike, all rotations of the block are the same game.
        rng = np.random.default_rng(derive_seed(players.config.seed, block.id, seat))
        self._explains = players.config.explanations
        self._sees_all = players.config.bot(self._name).cheats
        self._substitute = RandomBot()
        self._substitute.new_game(game, seat, rng.spawn(1)[0])
        self._bot = None
        with self._blamed(0):
            self._bot = players.bot(self._name, seating[:seat].count(self._name), game)
            if hasattr(self._bot, "new_game"):
                self._bot.new_game(game, seat, rng)

    def play(self, state: State, number: int) -> State:
        """The state after this seat's action, which is the `number`-th of the game."""
        info = state.information_set()
        self.decisions += 1
        if self.fault is None:
            start = time.perf_counter()
            with self._blamed(number):
                after = state.apply(self._bot.act(state if self._sees_all else info))
            self.seconds += time.perf_counter() - start
            if self.fault is None:
                return after
        return state.apply(self._substitute.act(info))

    def thought(self) -> dict[str, Any] | None:
        """What the bot found of the actions before it took the last one; None if it has nothing to say."""
        if not self._explains or self.fault is not None:
            return None
        explanation = explanation_of(self._bot)
        return explanation and asdict(explanation)

    def leave(self, record: dict[str, Any]) -> str:
        """Tells a bot that is still there how the game ended; what its process wrote to stderr."""
        if not isinstance(self._bot, ProcessBot):
            return ""
        if self.fault is None:
            with suppress(BotFaultError):  # too late to count
                self._bot.end_game({key: record[key] for key in ("scores", "ranks", "returns")})
        return self._bot.output

    @contextmanager
    def _blamed(self, number: int) -> Iterator[None]:
        """Takes what is raised inside for the bot's fault."""
        try:
            yield
        except IllegalActionError as error:
            self._replace("illegal action", describe(error), number)
        except BotFaultError as error:
            self._replace(error.reason, str(error), number)
        except (KeyboardInterrupt, GeneratorExit):
            raise
        except BaseException as error:
            self._replace("exception", describe(error), number)

    def _replace(self, reason: str, message: str, number: int) -> None:
        told = message.encode(errors="backslashreplace").decode()  # whatever files and terminals can hold
        self.fault = Fault(self._number, self._name, reason, told, number)


def counted_ranks(ranks: list[int], at_fault: list[bool]) -> list[int]:
    """Ranks 1, 1, 3 by the game's ranks, offenders after everybody else and equal among themselves."""
    keys = [(fault, 0 if fault else rank) for rank, fault in zip(ranks, at_fault, strict=True)]
    return [1 + sum(other < key for other in keys) for key in keys]
