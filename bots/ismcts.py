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

import numpy as np
from pydantic import Field, model_validator

from bots import inference
from bots.bot import configurable
from bots.search.reuse import node_after
from bots.search.searching_bot import SearchingBot
from bots.search.settings import Workspace
from engine import Game, InformationSet


@configurable
class ISMCTSBot(SearchingBot):
    """Single-observer ISMCTS (Cowling, Powley and Whitehouse, 2012)."""

    observe: bool = Field(False, description="edges are what the searcher sees, not what is hidden from it (POM)")
    redeal: float = Field(
        0.0,
        ge=0,
        le=0.9,
        description="share of iterations dealt anew as the first opponent to move sees it, for the others to learn",
    )
    belief_worlds: int = Field(
        0, ge=0, le=1_000_000, description="worlds weighed by how plausible the actions seen are; 0 weighs none"
    )
    belief_temperature: float | None = Field(
        None, gt=0, description="of the softmax that makes a model of the policy's scores; default: the game's own"
    )
    belief_floor: float = Field(
        inference.DEFAULT_FLOOR, gt=0, le=1, description="share of random actions in that model"
    )
    reuse: bool = Field(False, description="keep what the last tree holds below the actions taken since")

    @model_validator(mode="after")
    def _can_be_combined(self):
        if self.observe and (self.redeal or self.reuse or self.prior != "none" or self.backup == "self_only"):
            raise ValueError("observe = true: expected no redeal, reuse, prior or backup = 'self_only' beside it")
        return self

    def new_game(self, game: Game, seat: int, rng: np.random.Generator) -> None:
        super().new_game(game, seat, rng)
        self._kept = None
        if self.belief_worlds:
            model = {"temperature": self.belief_temperature, "floor": self.belief_floor}
            self._model = inference.model_for(game, **model)

    def _search(self, info: InformationSet) -> list[Workspace]:
        settings = self.settings(info.seat, redeal=float(self.redeal), observes=self.observe)
        worlds, table = info.records, None
        if self.belief_worlds:
            settings = settings._replace(determinizes=False)
            belief = inference.believe(info, self._model, self.belief_worlds, self._searcher.random_stream)
            worlds, table = belief.worlds, belief.table
            self._effective_worlds = inference.effective_sample_size(belief.weights)
        works = self._searcher.search(settings, worlds, table, seeds=self._tree_below(info))
        if self.reuse:
            self._kept = info.history, works
        return works

    def _tree_below(self, info: InformationSet) -> list[tuple[np.ndarray, int]] | None:
        """For each thread the nodes of its last tree and the one that stands for `info`, if there is one."""
        if not self._kept:
            return None
        before, works = self._kept
        since = [action for _, action in info.history[len(before) :]]
        if len(before) < info.deal_start or None in since:
            return None
        found = [(work.nodes, node_after(work.nodes, since)) for work in works]
        return found if all(node is not None for _, node in found) else None
