"""Two bots against each other until a sequential test has its verdict: what `timetricks compare` plays."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from engine.game import unknown
from tournaments.compare import Interval, Sprt, block_score
from tournaments.config import Config, ConfigError
from tournaments.schedule import Block, Schedule
from tournaments.store import Store


def between(config: Config, new: str, old: str) -> Config:
    """The games of `config` between two of its bots: `pairs`, with rounds for as many blocks as the test may take.

    Raises ConfigError.
    """
    for name in (new, old):
        if name not in config.bot_names:
            raise ConfigError(unknown("bot", name, config.bot_names))
    if new == old:
        raise ConfigError(f"{new!r} is compared with itself; expected two bots")
    entries = [config.bot(name) for name in (new, old)]
    keys = {"name": f"{config.name}-{new}-{old}", "bots": entries, "schedule": "pairs", "challengers": None}
    once = config.model_copy(update=keys | {"blocks_per_table": 1, "anchor": None})
    rounds = -(-config.compare.max_blocks // len(Schedule(once)))
    return once.model_copy(update={"blocks_per_table": rounds})


class Duel:
    """The state of a comparison. Blocks may come in any order: they are counted in that of the schedule,

    up to the verdict, so that it is the same for any number of workers, and for a run that was stopped.
    """

    def __init__(self, config: Config, new: str, old: str):
        self.new = new
        self.old = old
        self.cheats = [name for name in (new, old) if config.bot(name).cheats]
        self._schedule = list(islice(Schedule(config), config.compare.max_blocks))
        self.sprt = Sprt(config.compare, sum(len(block.table) for block in self._schedule) / len(self._schedule))
        self._scores: dict[str, float] = {}  # of blocks that may have some before them still to come

    def pending(self, store: Store) -> Iterator[Block]:
        """Counts the blocks in `store`; those to be played, as long as there is no verdict."""
        stored = store.placings()
        for block_id, games in stored.items():
            self.take(block_id, games)
        return (block for block in self._schedule if block.id not in stored and self.sprt.verdict is None)

    def take(self, block_id: str, games: Iterable[tuple[list[str], list[int]]]) -> None:
        """Counts a block, the bots and the ranks by seat of its games, once its turn has come."""
        self._scores[block_id] = block_score(games, self.new, self.old)
        while self.sprt.num_blocks < len(self._schedule) and self.sprt.verdict is None:
            score = self._scores.get(self._schedule[self.sprt.num_blocks].id)
            if score is None:
                return
            self.sprt.add(score)

    def as_json(self) -> dict[str, Any]:
        sprt = self.sprt
        return {
            "new": self.new,
            "old": self.old,
            "cheats": self.cheats,
            "verdict": sprt.verdict,
            "llr": sprt.llr,
            "bounds": [sprt.lower, sprt.upper],
            "blocks": sprt.num_blocks,
            "elo": _limits(sprt.elo()) if sprt.num_blocks else None,
            "normalized_elo": _limits(sprt.normalized_elo()) if sprt.num_blocks else None,
            "design": sprt.design.model_dump(),
        }


def _limits(estimate: Interval) -> dict[str, float | None]:
    """An estimate for JSON, which holds no infinity."""
    return {key: number if math.isfinite(number) else None for key, number in estimate._asdict().items()}
