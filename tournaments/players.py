"""The bots of an experiment, ready to sit down: built-in ones here, all others in processes of their own."""

from __future__ import annotations

from collections import OrderedDict

import bots
from bots.bot import warm_up
from bots.process_bot import ProcessBot
from engine import Game
from tournaments.config import BotEntry, Config

MOST_PROCESSES = 12  # kept for the games to come


class Players:
    """What a worker plays with. Processes are kept from game to game; the one not used for longest goes first."""

    def __init__(self, config: Config):
        self.config = config
        self._processes: OrderedDict[tuple[str, int], ProcessBot] = OrderedDict()
        self._warm: set[tuple[str, Game]] = set()

    def bot(self, name: str, twin: int, game: Game) -> bots.Bot:
        """A bot for a game. Its seats at one table are its twins 0, 1, ..: no two share a process.

        Raises BotFaultError, or whatever the making of a built-in bot raises.
        """
        entry = self.config.bot(name)
        if entry.plays_apart:
            return self._process(entry, twin)
        if (name, game) not in self._warm:
            warm_up(game, entry.bot, entry.model_extra)
            self._warm.add((name, game))
        return entry.load()

    def _process(self, entry: BotEntry, twin: int) -> ProcessBot:
        bot = self._processes.pop((entry.name, twin), None)
        if bot is not None and not bot.is_alive:
            bot.close()
            bot = None
        if bot is None:
            while len(self._processes) >= MOST_PROCESSES:
                self._processes.popitem(last=False)[1].close()
            bot = entry.start(self.config.limits)
        self._processes[entry.name, twin] = bot
        return bot

    def close(self) -> None:
        while self._processes:
            self._processes.popitem()[1].close()

    def __enter__(self) -> Players:
        return self

    def __exit__(self, *_) -> None:
        self.close()
