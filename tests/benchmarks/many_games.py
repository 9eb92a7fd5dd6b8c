"""Writes a results folder of synthetic four-player games among bots of known strength, and measures `rate`.

python -m tests.benchmarks.many_games 1000000 100 FOLDER
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
from tqdm import tqdm

from tests.tournaments.experiments import named
from tests.tournaments.simulation import ELO, SEATS
from tournaments.config import Config
from tournaments.match import GameResult
from tournaments.schedule import Block, Schedule
from tournaments.store import Store

PLAYERS = 4
LABEL = f"daytime_minutes/{PLAYERS}"
SPREAD = 150  # Elo, standard deviation of the strengths
HAND_LUCK = 1.0  # standard deviation of what the cards of a seat are worth to whoever holds them
BLOCKS_PER_TRANSACTION = 1000


def main(games: int, num_bots: int, folder: str) -> None:
    names = [f"bot-{number:03}" for number in range(num_bots)]
    config = named(names, players=PLAYERS)
    blocks = games // PLAYERS
    tables = len(Schedule(config))
    config = named(names, players=PLAYERS, blocks_per_table=-(-blocks // tables))
    write(config, blocks, Path(folder))
    measure("rate", folder)


def write(config: Config, count: int, folder: Path) -> None:
    """The first `count` blocks of the schedule."""
    blocks = islice(Schedule(config), count)
    rng = np.random.default_rng(1)
    strengths = dict(zip(config.bot_names, rng.normal(0, SPREAD / ELO, len(config.bots)), strict=True))
    with Store.create_or_open(folder, config) as store, tqdm(total=count, unit=" blocks") as bar:
        while batch := list(islice(blocks, BLOCKS_PER_TRANSACTION)):
            store.add_blocks(play(block, strengths, rng) for block in batch)
            bar.update(len(batch))


def play(block: Block, strengths: dict[str, float], rng: np.random.Generator) -> Iterator[GameResult]:
    """The games of a block as `tests.tournaments.simulation` plays them, with rounded scores."""
    luck = HAND_LUCK * rng.standard_normal(PLAYERS)
    for rotation, bots in enumerate(block.seatings()):
        performance = np.array([strengths[bot] for bot in bots]) + SEATS + luck + rng.gumbel(size=PLAYERS)
        scores = np.rint(5 * performance).astype(int).tolist()
        yield GameResult(
            id=f"{block.id} r{rotation}",
            block=block.id,
            game=LABEL,
            rotation=rotation,
            record={"bots": bots, "scores": scores},
            ranks=[1 + sum(other > score for other in scores) for score in scores],
            decisions=[11] * PLAYERS,
            seconds=rng.exponential(0.01, PLAYERS).round(6).tolist(),
            stderr=[""] * PLAYERS,
        )


def measure(command: str, *arguments: str) -> None:
    """Runs a `timetricks` command and prints what it took; its own output goes nowhere."""
    start = time.perf_counter()
    line = [sys.executable, "-m", "tournaments.cli", command, *arguments]
    subprocess.run(line, stdout=subprocess.DEVNULL, check=True)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"timetricks {command} {' '.join(arguments)}: {seconds:.1f} s, {peak:.0f} MB at most")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
