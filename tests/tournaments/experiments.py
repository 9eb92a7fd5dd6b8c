"""Small experiments for the tests of `tournaments`: configs, the rows they leave, and the command line."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tournaments.config import Config
from tournaments.match import GameResult, play_block
from tournaments.players import Players
from tournaments.runner import Runner, pending_blocks
from tournaments.schedule import Schedule
from tournaments.store import FILE_NAME, Store

RANDOM = {"name": "random", "bot": "random"}
SEARCH = {"name": "search", "bot": "ismcts", "iterations": 20}


def scripted(bot: str, name: str = "bad", **options: Any) -> dict[str, Any]:
    """The entry of a bot of `scripted_bots`."""
    return {"name": name, "bot": f"tests.tournaments.scripted_bots:{bot}", **options}


def content(*bots: dict[str, Any], players: int = 3, **keys: Any) -> dict[str, Any]:
    """What the TOML file of an experiment holds: one game of Daytime Minutes unless `games` says otherwise."""
    games = [{"game": "daytime_minutes", "players": players}]
    return {"name": "experiment", "blocks_per_table": 1, "games": games, "bots": [*bots]} | keys


def experiment(*bots: dict[str, Any], players: int = 3, **keys: Any) -> Config:
    """A config, which may hold bots that no file could name because making them fails."""
    return Config.model_validate(content(*bots, players=players, **keys))


def named(names: list[str], **keys: Any) -> Config:
    """A config of random bots under these names."""
    return experiment(*({"name": name, "bot": "random"} for name in names), **keys)


def toml(content: dict[str, Any]) -> str:
    """`content` as TOML; its values are strings, numbers, tables, and lists of tables."""
    plain = [f"{key} = {_toml_value(value)}" for key, value in content.items() if not isinstance(value, list)]
    tables = [
        f"[[{key}]]\n" + "\n".join(f"{k} = {_toml_value(v)}" for k, v in entry.items())
        for key, value in content.items()
        if isinstance(value, list)
        for entry in value
    ]
    return "\n".join([*plain, *tables]) + "\n"


def _toml_value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_toml_value(item)}" for key, item in value.items()) + "}"
    return json.dumps(value)


def write_config(folder: Path, *bots: dict[str, Any], **keys: Any) -> Path:
    path = folder / "experiment.toml"
    path.write_text(toml(content(*bots, **keys)))
    return path


def play(config: Config) -> list[list[GameResult]]:
    """The games of every block, in schedule order."""
    with Players(config) as players:
        return [play_block(players, block) for block in Schedule(config)]


def store_of(folder: Path, config: Config, blocks: list[list[GameResult]]) -> Path:
    """`folder`, in which these blocks are stored."""
    with Store.create_or_open(folder, config) as store:
        for results in blocks:
            store.add_blocks([results])
    return folder


def run_into(folder: Path, config: Config, workers: int = 0, order: Callable = list) -> Path:
    """`folder`, in which the pending blocks are stored as they come; `order` puts them in another order."""
    with Store.create_or_open(folder, config) as store:
        for played in Runner(config, workers).play(order(list(pending_blocks(config, store)))):
            store.add_blocks(played)
    return folder


def stored_games(folder: Path) -> list[tuple]:
    """What must not depend on how a tournament was run: every game, by id, with its record."""
    columns = "id, block, game, rotation, bots, scores, ranks, faults, record"
    return query(folder, f"SELECT {columns} FROM games JOIN records USING (number) ORDER BY id")


def query(folder: Path, sql: str) -> list[tuple]:
    connection = sqlite3.connect(f"file:{folder / FILE_NAME}?mode=ro", uri=True)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def command(*arguments: object) -> list[str]:
    """The command line of `timetricks` with these arguments."""
    return [sys.executable, "-m", "tournaments.cli", *map(str, arguments)]


def timetricks(*arguments: object, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a command in `folder` to its end."""
    return subprocess.run(command(*arguments), cwd=folder, capture_output=True, text=True, timeout=120)


def read_json(text: str) -> Any:
    """Strict JSON: no NaN, no Infinity."""
    return json.loads(text, parse_constant=lambda constant: pytest.fail(f"{constant} is no JSON"))
