"""Flat Monte Carlo: UCB over the actions of the root, and playouts.

The baseline of every tree search: what is left of `ismcts` when its tree is one move deep. UCB1 by Auer,
Cesa-Bianchi and Fischer (2002); each iteration draws a fresh determinization.
"""

from __future__ import annotations

from bots.bot import configurable
from bots.search.searching_bot import SearchingBot
from bots.search.settings import Workspace
from engine import InformationSet


@configurable
class FlatBot(SearchingBot):
    """Flat Monte Carlo with UCB (Auer, Cesa-Bianchi and Fischer, 2002) over sampled worlds."""

    def _search(self, info: InformationSet) -> list[Workspace]:
        return self._searcher.search(self.settings(info.seat, max_depth=1), info.records)
