"""Writes random games of every game, player count and set of options of the tests, for `timetricks verify`.

python -m tests.benchmarks.random_records 2000 records.jsonl
timetricks verify records.jsonl
"""

from __future__ import annotations

import json
import sys

from tqdm import tqdm

import engine
from tests.cases import CASES, random_game


def main(games: int, path: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        for name, players, options in tqdm(CASES, unit=" cases"):
            game = engine.load(name, players=players, **options)
            for seed in range(games):
                *_, last = random_game(game, seed)
                file.write(json.dumps(last.record()) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
