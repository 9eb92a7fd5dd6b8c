"""What stands before a person's game: which game, who is invited, and where they sit."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bots import names as built_in
from bots.bot import options_of
from engine.game import unknown
from tournaments import config as configs
from tournaments.checkup import entry_of
from tournaments.config import BotEntry, Config, GameEntry

PERSON = "person"  # the name in the record
_ADVISER_MILLISECONDS = 1000


def game_entry(name: str, players: int | None, options: Sequence[str]) -> GameEntry:
    """The game to be played, with `options` as ``KEY=VALUE``. Raises ValueError."""
    entry = GameEntry(game=name, players=players, **dict(map(_option, options)))
    entry.load()
    return entry


def _option(text: str) -> tuple[str, Any]:
    """Key and value; what is no value in TOML is a word."""
    key, equals, value = (part.strip() for part in text.partition("="))
    if not (equals and key.isidentifier()) or key in GameEntry.model_fields:
        raise ValueError(f"--option {text}: expected KEY=VALUE, an option of the game (timetricks games)")
    try:
        return key, tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key, value


def bots_for(
    game: GameEntry, listed: str | None, default: str, file: Path | None, milliseconds: float | None
) -> tuple[list[str], Config]:
    """The bots that are `listed` with commas, in order, and an experiment of them and the game. Raises ValueError.

    Without a `file` they are bots by name, and those that search are given `milliseconds` if these are not None. In a
    `file`, a config, they are found by the names they have there; all of them are taken if none is listed.
    """
    order = None if listed is None else [name.strip() for name in listed.split(",")]
    if order is not None and not all(order):
        raise ValueError(f"--bots {listed!r}: expected names with commas between them")
    if file is not None:
        if milliseconds is not None:
            raise ValueError(
                f"--milliseconds {milliseconds:g}: expected it without --config, which says it for each bot"
            )
        whole = configs.read(file)
        order = order or whole.bot_names
        for name in order:
            if name not in whole.bot_names:
                raise ValueError(f"--bots: {unknown('bot', name, whole.bot_names)}")
        _refuse_cheaters([whole.bot(name) for name in order])
        return order, whole.model_copy(update={"games": [game], "bots": [whole.bot(n) for n in dict.fromkeys(order)]})
    order = order or [default]
    entries = [{"name": name, "bot": name} | _time_to_think(name, milliseconds) for name in dict.fromkeys(order)]
    _refuse_cheaters([BotEntry(name=name, bot=name) for name in order])
    return order, configs.check({"name": "play", "games": [game.model_dump()], "bots": entries}, "--bots")


def _refuse_cheaters(entries: Sequence[BotEntry]) -> None:
    for entry in entries:
        if entry.cheats:
            raise ValueError(
                f"--bots: {entry.name!r} sees all hands; expected players, which know what their seats know"
            )


def _time_to_think(bot: str, milliseconds: float | None) -> dict[str, float]:
    has_clock = bot in built_in() and any(name == "milliseconds" for name, *_ in options_of(bot))
    return {} if milliseconds is None or not has_clock else {"milliseconds": milliseconds}


def table(game: GameEntry, order: Sequence[str], person: int) -> list[str]:
    """Who sits where: the person, then the bots to the left, from the first one again while there are seats left.

    Raises ValueError.
    """
    players = game.load().players
    if person >= players:
        raise ValueError(f"--seat {person}: expected 0 to {players - 1}")
    if len(order) >= players:
        raise ValueError(f"--bots: {', '.join(order)}: expected at most {players - 1} at a table of {players} with you")
    seats = [PERSON, *(order[number % len(order)] for number in range(players - 1))]
    return [seats[(seat - person) % players] for seat in range(players)]


def adviser(bot: str) -> BotEntry:
    """The bot that advises; one that searches by the clock if it can. Raises ValueError."""
    options = [f"{key}={value}" for key, value in _time_to_think(bot, _ADVISER_MILLISECONDS).items()]
    entry = entry_of(bot, [], options, None)
    entry.load()
    return entry
