"""Writes the golden files: `python -m tests.golden.generate perft` and `python -m tests.golden.generate GAME`.

`perft` rewrites perft.json for all of tests.cases.CASES, counted by the independent referees alone (a
few minutes in all). A game's name writes GAME.jsonl: three random games for each of its cases, to be
reviewed by eye before they are committed. A golden file changes only in a commit that says why.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import engine
from tests import reference_perft
from tests.cases import CASES, random_game

HERE = Path(__file__).parent
SEED = 1
DEPTH = 5
DEPTH_ACROSS_A_DEAL = 5
MOVES_BEFORE_THE_DEAL = 2
DECKS_TO_COME = 1
RECORD_SEEDS = (11, 12, 13)


def cases():
    return [engine.load(name, players=players, **options) for name, players, options in CASES]


def write_perft() -> None:
    lines = []
    for game in cases():
        late = reference_perft.before_second_deal(game, SEED, MOVES_BEFORE_THE_DEAL)
        for state, depth in ((game.new(seed=SEED), DEPTH), (late, DEPTH_ACROSS_A_DEAL)):
            record = state.record()
            position = {key: record[key] for key in ("game", "players", "options", "actions")}
            position["decks"] = record["decks"] + reference_perft.names(state, state.decks_to_come(DECKS_TO_COME))
            counts = [reference_perft.count(state, level) for level in range(1, depth + 1)]
            lines.append(json.dumps(position | {"counts": counts}))
            print(lines[-1], flush=True)
    text = '{"written_by": "python -m tests.golden.generate perft",\n"positions": [\n' + ",\n".join(lines) + "\n]}\n"
    (HERE / "perft.json").write_text(text, encoding="utf-8")


def write_records(name: str) -> None:
    with open(HERE / f"{name}.jsonl", "w", encoding="utf-8") as file:
        for game in cases():
            if game.name == name:
                for seed in RECORD_SEEDS:
                    *_, last = random_game(game, seed)
                    file.write(json.dumps(last.record()) + "\n")


if __name__ == "__main__":
    _, what = sys.argv
    write_perft() if what == "perft" else write_records(what)
