"""The file that a person's games are added to: game records, one JSON object a line."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any


class PlayedGames:
    """A file of game records that can be added to; it is made when there is something to write."""

    def __init__(self, path: Path):
        """Raises ValueError if `path` holds something else, and OSError if it cannot be written."""
        self.path = path
        if path.exists():
            with open(path, "rb+") as file:
                if (first := file.readline()) and not _is_object(first):
                    raise ValueError(f"--save {path}: expected a file of game records, or a new one")
        elif not os.access(path.parent, os.W_OK):
            raise ValueError(f"--save {path}: expected a folder that can be written to")

    def add(self, record: Mapping[str, Any]) -> int:
        """Adds a record as a line of its own and returns its number. Raises OSError."""
        line = json.dumps(record, separators=(",", ":")).encode() + b"\n"
        with open(self.path, "ab+") as file:
            file.seek(0)
            before = file.read()
            if before and not before.endswith(b"\n"):  # what wrote it was stopped
                line = b"\n" + line
            file.write(line)
        return (before + line).count(b"\n")


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
