"""A small tournament with all that a report can show, among others a bot whose name and message are HTML."""

from __future__ import annotations

from tests.tournaments.experiments import experiment, run_into, scripted

BAD = "<b>bad</b> & $worse_1$ 悪い"
CONFIG = experiment(
    scripted("Raises", BAD, at=3),
    {"name": "random", "bot": "random"},
    {"name": "search-5", "bot": "ismcts", "iterations": 5},
    {"name": "search-20", "bot": "ismcts", "iterations": 20},
    name="a <i>small & slanted",
    games=[{"game": "daytime_minutes", "players": 4}, {"game": "trick_or_repeat", "players": 2}],
    blocks_per_table=3,
    anchor="random",
)
GAMES = 3 * 4 + 3 * 6 * 2  # a table of four, and six pairs


def play_into(folder):
    return run_into(folder, CONFIG)
