"""TOML for people to read: Python reads it, but does not write it."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any


def toml_text(content: Mapping[str, Any]) -> str:
    """What a TOML file of this content says; tables inside a table of a list are one level deep, then inline.

    Values are text, numbers, booleans, lists and tables, never None.
    """
    tables = {key: value for key, value in content.items() if _is_table(value) or _is_table_list(value)}
    parts = [_lines(content, but=tables)] if len(tables) < len(content) else []
    for key, value in tables.items():
        for table in value if _is_table_list(value) else [value]:
            parts += _parts(key, table, is_listed=_is_table_list(value))
    return "\n\n".join(parts) + "\n"


def _parts(key: str, table: Mapping[str, Any], is_listed: bool) -> Iterator[str]:
    """A table under its head, then the tables inside it."""
    head = f"[[{_key(key)}]]" if is_listed else f"[{_key(key)}]"
    inside = {name: value for name, value in table.items() if _is_table(value)}
    yield "\n".join([head, *filter(None, [_lines(table, but=inside)])])
    for name, value in inside.items():
        yield "\n".join([f"[{_key(key)}.{_key(name)}]", *filter(None, [_lines(value)])])


def _lines(table: Mapping[str, Any], but: Collection[str] = ()) -> str:
    return "\n".join(_assignment(key, value) for key, value in table.items() if key not in but)


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping)


def _is_table_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_table, value))


def _assignment(key: str, value: Any) -> str:
    return f"{_key(key)} = {_value(value)}"


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key, ensure_ascii=False)


def _value(value: Any) -> str:
    if _is_table(value):
        return "{" + ", ".join(_assignment(*pair) for pair in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)  # for text and numbers TOML is JSON
