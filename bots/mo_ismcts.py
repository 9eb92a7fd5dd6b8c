"""Multiple-observer information-set Monte Carlo tree search.

Cowling, Powley and Whitehouse (2012), "Information set Monte Carlo tree search", IEEE TCIAIG 4(2). Like
`ismcts`, but with a tree for each seat, whose edges are what that seat observes from the decision on: nobody
plans as if it knew a card that lies face down. Where every move is seen by all it is the same search.

What was hidden before the decision has no edge: it is in the sampled world, and is not told apart when it
is shown.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from bots.bot import configurable
from bots.search.searching_bot import SearchingBot
from bots.search.settings import Workspace
from engine import InformationSet
from engine.rng import uniform


@configurable
class MOISMCTSBot(SearchingBot):
    """Multiple-observer ISMCTS (Cowling, Powley and Whitehouse, 2012)."""

    simultaneous: Literal["uct", "regret_matching"] = Field(
        "uct", description='"uct" or "regret_matching": who chooses what others do not see at once'
    )
    gamma: float = Field(0.2, gt=0, le=1, description="share of random actions in regret matching")
    average_strategy: Literal["draw", "mode"] = Field(
        "draw", description='"draw" or "mode": the action that is taken of the average strategy of regret matching'
    )

    @model_validator(mode="after")
    def _stops_by_visits(self):
        if self.early_stop and self.simultaneous == "regret_matching":
            raise ValueError("simultaneous = 'regret_matching': expected no early_stop, which counts visits")
        return self

    def act(self, info: InformationSet) -> int:
        best = super().act(info)
        if self._explanation is None or self.average_strategy == "mode":
            return best
        threshold = uniform(self._searcher.random_stream)
        for row in self._explanation.actions:
            if row.strategy is None or threshold < row.strategy:
                return row.action
            threshold -= row.strategy
        return best

    def _search(self, info: InformationSet) -> list[Workspace]:
        settings = self.settings(
            info.seat,
            every_seat=True,
            regret_matching=self.simultaneous == "regret_matching",
            gamma=float(self.gamma),
        )
        return self._searcher.search(settings, info.records)
