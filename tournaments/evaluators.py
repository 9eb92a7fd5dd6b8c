"""What bots return in deal blocks of their own, outside any tournament: the values that a tuner goes by.

Two ways behind one face: policies in compiled whole games, thousands a second, and any bots as in a tournament.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np

from bots import arena
from bots.rule_based import weights_for
from engine import Game
from tournaments.config import BotEntry, Config
from tournaments.match import GameResult
from tournaments.runner import Runner, compile_kernels, keeping_ray
from tournaments.schedule import Block
from tournaments.tuning import Tuning

BLOCKS_AT_ONCE = 500  # in compiled code, which no signal reaches


class Job(NamedTuple):
    """The same table on several deals."""

    table: tuple[BotEntry, ...]  # (players,); member m sits at seat (m - r) mod players in rotation r
    seeds: np.ndarray  # (blocks,)


class Evaluator(ABC):
    """Plays blocks and keeps count."""

    def __init__(self, game: Game):
        self.games = 0  # played so far
        self.faults = 0  # of bots so far, each in a game that it lost by it
        self.first_fault = ""
        self.progress: Callable[[int], None] = lambda games: None  # called with the number of games just played
        self._game = game

    @abstractmethod
    def prepare(self) -> None:
        """Compiles what is needed, so that nothing waits for it later."""

    @abstractmethod
    def returns(self, title: str, jobs: Sequence[Job]) -> list[np.ndarray]:
        """The mean returns of each member of each table in each block, (blocks, players) for each job.

        All chance of the bots follows from the seed of the config, from `title` and from the place of a block in
        the jobs (compiled: from the seed of the block). Raises ValueError for weights that a policy cannot play with.
        """

    def _count(self, games: int) -> None:
        self.games += games
        self.progress(games)


@contextmanager
def evaluator(config: Tuning, workers: int | None = None, ray_address: str | None = None) -> Iterator[Evaluator]:
    """The fastest way to play what `config` asks for. Workers are for bots that are no compiled policies."""
    game = config.game.load()
    if all(map(_is_policy, (config.bot, *config.opponents))):
        yield CompiledGames(game)
        return
    with keeping_ray(workers, ray_address):
        yield AnyGames(config, game, workers, ray_address)


def _is_policy(entry: BotEntry) -> bool:
    return entry.limits is None and entry.bot in ("rules", "random")


class CompiledGames(Evaluator):
    """Rule-based policies and chance, in this process."""

    def prepare(self) -> None:
        arena.play_blocks(self._game, [arena.chance(self._game)] * self._game.players, np.zeros(1, np.int64))

    def returns(self, title: str, jobs: Sequence[Job]) -> list[np.ndarray]:
        return [self._played(job) for job in jobs]

    def _played(self, job: Job) -> np.ndarray:
        policies = [self._policy(entry) for entry in job.table]
        parts = [np.zeros((0, self._game.players))]
        for start in range(0, len(job.seeds), BLOCKS_AT_ONCE):
            try:
                parts.append(arena.play_blocks(self._game, policies, job.seeds[start : start + BLOCKS_AT_ONCE]))
            except ArithmeticError as error:  # compiled code cannot tell whose
                options = [entry.model_extra for entry in job.table]
                expected = "expected bounds of the parameters that keep off such values"
                raise ValueError(f"{self._game.label}: {error} with one of the options {options}; {expected}") from None
            self._count(parts[-1].size)  # as many games in a block as seats
        return np.concatenate(parts)

    def _policy(self, entry: BotEntry) -> arena.Policy:
        if entry.bot == "random":
            return arena.chance(self._game)
        bot = entry.load()
        return arena.Policy(weights_for(self._game, bot.weights), bot.epsilon)


class AnyGames(Evaluator):
    """Any bots, on all workers, as in a tournament: a bot that fails costs itself."""

    def __init__(self, config: Tuning, game: Game, workers: int | None, ray_address: str | None):
        super().__init__(game)
        self._config = config
        self._workers = workers
        self._ray_address = ray_address

    def prepare(self) -> None:
        compile_kernels(self._tournament([self._config.bot, *self._config.opponents]))

    def returns(self, title: str, jobs: Sequence[Job]) -> list[np.ndarray]:
        seated = {entry.model_dump_json(): entry for job in jobs for entry in job.table}
        names = {content: f"bot {number}" for number, content in enumerate(seated)}
        places = {}
        blocks = []
        for number, job in enumerate(jobs):
            table = tuple(names[entry.model_dump_json()] for entry in job.table)
            for place, seed in enumerate(job.seeds):
                block = Block(f"{title}, table {number} #{place}", 0, table, int(seed))
                places[block.id] = (number, place)
                blocks.append(block)
        returns = [np.zeros((len(job.seeds), self._game.players)) for job in jobs]
        config = self._tournament([entry.model_copy(update={"name": names[c]}) for c, entry in seated.items()])
        for played in Runner(config, self._workers, self._ray_address).play(blocks):
            for results in played:
                number, place = places[results[0].block]
                returns[number][place] = self._counted(results)
        return returns

    def _counted(self, results: list[GameResult]) -> np.ndarray:
        """The mean returns of the members of a table in a block: of ranks that count, so that a fault loses."""
        returns = np.zeros(self._game.players)
        for result in results:
            shares = np.array(result.ranks) == 1
            returns += np.roll(shares / shares.sum(), result.rotation)  # seat s holds member s + r
            self.faults += len(result.faults)
            self.first_fault = self.first_fault or next((f"{f.reason}: {f.message}" for f in result.faults), "")
        self._count(len(results))
        return returns / len(results)

    def _tournament(self, entries: list[BotEntry]) -> Config:
        return Config(
            name="tuning", seed=self._config.seed, limits=self._config.limits, games=[self._config.game], bots=entries
        )
