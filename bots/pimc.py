"""Perfect-information Monte Carlo: worlds are searched one by one, as if all cards lay open.

Levy (1989), Ginsberg (2001); here each world gets a UCT tree (Kocsis and Szepesvári, 2006) of its own,
since exact solvers do not reach far with three seats and more: "determinized UCT" in Cowling, Powley and
Whitehouse (2012). What the trees found at their roots is added up.
"""

from __future__ import annotations

import numpy as np
from pydantic import Field

from bots.bot import configurable
from bots.search.searching_bot import SearchingBot
from bots.search.settings import Workspace
from engine import InformationSet
from engine.rules import draw_world


@configurable
class PIMCBot(SearchingBot):
    """Determinized UCT (Levy, 1989; Ginsberg, 2001): a tree for each of a number of worlds."""

    worlds: int = Field(
        20, ge=1, le=100_000, description="each searched with all the iterations, or its part of the time"
    )

    def _search(self, info: InformationSet) -> list[Workspace]:
        settings = self.settings(info.seat, determinizes=False)
        works = []
        for _ in range(self.worlds):
            world = np.frombuffer(bytearray(info.records.tobytes()), info.records.dtype)
            draw_world(world, info.seat, self._searcher.random_stream)
            works += self._searcher.search(settings, world, portion=1 / self.worlds)
        return works
