"""Playing the games of a deal block. A bot that fails costs itself, not the block."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bots.bot import describe
from bots.random_bot import RandomBot
from engine import Game, IllegalActionError, State
from tournaments.config import BotEntry, Config
from tournaments.schedule import Block, derive_seed

_NOT_OF_A_BOT = (KeyboardInterrupt, GeneratorExit)


@dataclass(frozen=True)
class Fault:
    """What a bot did wrong. From then on a random bot played its seat, and it is ranked last."""

    seat: int
    bot: str
    reason: str  # "exception" or "illegal action"
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
    stderr: list[str] = field(default_factory=list)  # by seat, what the bot's process wrote there


def play_block(config: Config, block: Block) -> list[GameResult]:
    """The games of a block, a function of the config and the block alone (but for `seconds`)."""
    game = config.games[block.game].load()
    return [
        play_game(game, [config.bot(name) for name in seating], block, rotation, config.seed)
        for rotation, seating in enumerate(block.seatings())
    ]


def play_game(game: Game, entries: list[BotEntry], block: Block, rotation: int, seed: int) -> GameResult:
    game_id = f"{block.id} r{rotation}"
    seats = [
        _Seat(game, seat, entry, np.random.default_rng(derive_seed(seed, game_id, seat)))
        for seat, entry in enumerate(entries)
    ]
    state = game.new(seed=block.seed)
    number = 0
    while not state.is_terminal:
        state = seats[state.seat].play(state, number)
        number += 1
    record = state.record() | {"bots": [entry.name for entry in entries]}
    return GameResult(
        id=game_id,
        block=block.id,
        game=game.label,
        rotation=rotation,
        record=record,
        ranks=_counted_ranks(record["ranks"], [seat.fault is not None for seat in seats]),
        faults=[seat.fault for seat in seats if seat.fault],
        decisions=[seat.decisions for seat in seats],
        seconds=[seat.seconds for seat in seats],
    )


class _Seat:
    """A bot at the table, and what becomes of it."""

    def __init__(self, game: Game, seat: int, entry: BotEntry, rng: np.random.Generator):
        self.fault: Fault | None = None
        self.decisions = 0
        self.seconds = 0.0
        self._number = seat
        self._name = entry.name
        self._substitute = RandomBot()
        self._substitute.new_game(game, seat, rng.spawn(1)[0])
        try:
            self._bot = entry.load()
            if hasattr(self._bot, "new_game"):
                self._bot.new_game(game, seat, rng)
        except _NOT_OF_A_BOT:
            raise
        except BaseException as error:
            self._replace("exception", error, 0)

    def play(self, state: State, number: int) -> State:
        """The state after this seat's action, which is the `number`-th of the game."""
        info = state.information_set()
        self.decisions += 1
        start = time.perf_counter()
        try:
            return state.apply(self._bot.act(info))
        except IllegalActionError as error:
            self._replace("illegal action", error, number)
        except _NOT_OF_A_BOT:
            raise
        except BaseException as error:
            self._replace("exception", error, number)
        finally:
            self.seconds += time.perf_counter() - start
        return state.apply(self._bot.act(info))

    def _replace(self, reason: str, error: BaseException, number: int) -> None:
        self.fault = Fault(self._number, self._name, reason, describe(error), number)
        self._bot = self._substitute


def _counted_ranks(ranks: list[int], at_fault: list[bool]) -> list[int]:
    """Ranks 1, 1, 3 by the game's ranks, offenders after everybody else and equal among themselves."""
    keys = [(fault, 0 if fault else rank) for rank, fault in zip(ranks, at_fault, strict=True)]
    return [1 + sum(other < key for other in keys) for key in keys]
