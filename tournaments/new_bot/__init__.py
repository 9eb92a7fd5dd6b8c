"""A new bot of one's own: a small folder with a bot that plays, its test, and a tournament that rates it."""

from __future__ import annotations

import keyword
import re
import shlex
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from string import Template

_ENDING = ".template"


def write(name: str, parent: Path) -> Path:
    """Writes the folder `name` in `parent` and returns it. Raises ValueError, and OSError."""
    if not re.fullmatch("[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise ValueError(f"{name!r}: expected a name for a Python module, in lower case, such as my_bot")
    folder = parent / name
    if folder.exists():
        raise ValueError(f"{folder} is there already; nothing was written; expected another name, or another --to")
    found = find_spec(name)
    if found is not None and found.origin is not None:  # a plain folder has none
        raise ValueError(f"{name!r}: Python has a module of that name already; expected another name")
    folder.mkdir(parents=True)
    for template in files(__package__).iterdir():
        if template.name.endswith(_ENDING):
            path = folder / template.name.removesuffix(_ENDING).replace("NAME", name)
            path.write_text(Template(template.read_text("utf-8")).substitute(name=name), encoding="utf-8")
    return folder


def next_steps(folder: Path) -> list[str]:
    """Commands for a shell, with remarks."""
    name = folder.name
    return [
        f"cd {shlex.quote(str(folder))}",
        f"timetricks check-bot {name}:Bot --game daytime_minutes --blocks 1  # does it keep to the rules?",
        f"timetricks run {name}.toml  # how strong is it?",
        f"pytest  # whenever you have changed {name}.py (`pip install pytest` once)",
    ]
