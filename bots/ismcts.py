"""Single-observer information-set Monte Carlo tree search.

Cowling, Powley and Whitehouse (2012), "Information set Monte Carlo tree search", IEEE TCIAIG 4(2).
One tree per decision over the actions as the searcher sees them. Each iteration draws a fresh
determinization, descends through the actions that are legal in it (UCB with availability counts: an
action is judged against the iterations in which it could have been chosen), adds one node, plays out
at random, and rewards every action with the result of the seat that took it (max^n). The tree ends
where the deal ends: what is dealt next has no part in this information set.

With the default options this is the algorithm of the paper. The options add what others have proposed
since, each on its own.
"""

from __future__ import annotations

from pydantic import Field

from bots.bot import configurable
from bots.search.searching_bot import SearchingBot
from bots.search.settings import Workspace
from engine import InformationSet


@configurable
class ISMCTSBot(SearchingBot):
    """Single-observer ISMCTS (Cowling, Powley and Whitehouse, 2012)."""

    redeal: float = Field(
        0.0, ge=0, le=1, description="share of iterations dealt anew as the first opponent to move sees it"
    )

    def _search(self, info: InformationSet) -> list[Workspace]:
        return self._searcher.search(info.records, self.settings(info.seat, redeal=float(self.redeal)))
