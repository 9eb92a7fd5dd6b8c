"""UCT on the true state: what a search could do if all cards lay open. An upper bound, not a player.

Kocsis and Szepesvári (2006), "Bandit based Monte-Carlo planning". Later deals stay unknown to it too.
"""

from __future__ import annotations

from typing import ClassVar

from bots.bot import configurable
from bots.search.searching_bot import SearchingBot
from bots.search.settings import Workspace
from engine import State


@configurable
class CheaterBot(SearchingBot):
    """UCT (Kocsis and Szepesvári, 2006) on the true state: sees all hands, refused in tournaments unless allowed."""

    cheats: ClassVar[bool] = True

    def _search(self, state: State) -> list[Workspace]:
        return self._searcher.search(self.settings(state.seat, determinizes=False), state.records)
