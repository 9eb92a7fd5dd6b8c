"""Small searches for the tests of `tournaments`, as the text of their TOML files."""

from __future__ import annotations

from pathlib import Path

from tournaments.tuning import Tuning, read

GAME = '[game]\ngame = "daytime_minutes"\nplayers = 3'
RULES = '[bot]\nbot = "rules"'
ISMCTS = '[bot]\nbot = "ismcts"\niterations = 5'
EPSILON = "[parameters]\nepsilon = {start = 0.8, spread = 0.2, low = 0, high = 1}"
EXPLORATION = "[parameters]\nexploration = {low = 0.0}"


def text(*tables: str, **keys: object) -> str:
    """A search with these tables; keys are numbers, or text in TOML's quotes."""
    sizes = {"name": '"tuned"', "steps": 3, "population": 6, "blocks": 4, "holdout_blocks": 6}
    return "\n".join([*(f"{key} = {value}" for key, value in (sizes | keys).items()), *tables]) + "\n"


def write(folder: Path, *tables: str, **keys: object) -> Path:
    path = folder / "tuning.toml"
    path.write_text(text(*tables, **keys))
    return path


def tuning(folder: Path, *tables: str, **keys: object) -> Tuning:
    return read(write(folder, *tables, **keys))
