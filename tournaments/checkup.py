"""Plays a bot through every game and says what is wrong with it, before it enters a tournament."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from typing import Any

import engine
from bots.bot import cheats
from engine.game import find
from tournaments.config import BotEntry, Config, GameEntry
from tournaments.config import check as checked
from tournaments.match import GameResult, play_block
from tournaments.players import Players
from tournaments.schedule import Schedule

_OPPONENT = "random"


@dataclass(frozen=True)
class Finding:
    """How a bot fared in one game at one table size."""

    game: str  # GAME/PLAYERS
    games: int
    faults: Counter[str] = field(default_factory=Counter)  # how often, by reason
    messages: list[str] = field(default_factory=list)  # the first of every reason
    repeatable: bool = True  # a second run, in new processes, went the same way
    ms_per_move: float = 0.0

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"clean": self.is_clean}

    @property
    def is_clean(self) -> bool:
        return not self.faults and self.repeatable


def entry_of(
    bot: str | None,
    command: list[str],
    options: Sequence[str],
    milliseconds: float | None,
    allow_cheating: bool = False,
) -> BotEntry:
    """The entry of the bot to be checked; `options` are ``KEY=VALUE`` with values as in TOML. Raises ValueError."""
    if (bot is None) == (not command):
        raise ValueError("expected either a bot, package.module:Class, or --command")
    try:
        own = tomllib.loads("\n".join(options))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"--option {' '.join(options)}: {error}; expected KEY=VALUE as in TOML") from None
    limits = {"limits": {"milliseconds": milliseconds}} if milliseconds is not None else {}
    if cheats(bot) and not allow_cheating:
        raise ValueError(f"bot {bot!r} sees all hands; expected a player, which knows what its seat knows")
    keys = own | limits | {"name": "bot", "bot": bot, "command": command or None}
    content = {"name": "check", "games": [{"game": engine.names()[0]}], "bots": [keys]}
    return checked(content | {"allow_cheating": allow_cheating}, "the bot").bots[0]


def check(bot: BotEntry, names: Sequence[str], blocks: int) -> Iterator[Finding]:
    """What is found in each game of these names, in `blocks` deal blocks at every number of players that
    the default options allow.

    At each table the bot holds between one seat and all but one; chance plays the others.
    """
    games = [GameEntry(game=name, players=players) for name in names for players in find(name).players]
    opponent = BotEntry(name=_OPPONENT, bot=_OPPONENT)
    for game in filter(_can_be_played, games):
        config = Config(name="check", blocks_per_table=blocks, games=[game], bots=[bot, opponent])
        schedule = list(islice(Schedule(config), blocks))
        runs = []
        for _ in range(2):
            with Players(config) as players:
                runs.append([result for block in schedule for result in play_block(players, block)])
        yield _finding(bot.name, *runs)


def _can_be_played(game: GameEntry) -> bool:
    try:
        game.load()
    except ValueError:
        return False
    return True


def _finding(name: str, first: list[GameResult], second: list[GameResult]) -> Finding:
    faults = [fault for result in first for fault in result.faults if fault.bot == name]
    seats = [
        (result.seconds[seat], result.decisions[seat])
        for result in first
        for seat, bot in enumerate(result.record["bots"])
        if bot == name
    ]
    seconds, decisions = map(sum, zip(*seats, strict=True))
    return Finding(
        game=first[0].game,
        games=len(first),
        faults=Counter(fault.reason for fault in faults),
        messages=list({f.reason: f"{f.reason}: {f.message}" for f in reversed(faults)}.values()),
        repeatable=[r.record["actions"] for r in first] == [r.record["actions"] for r in second],
        ms_per_move=1000 * seconds / decisions,
    )
