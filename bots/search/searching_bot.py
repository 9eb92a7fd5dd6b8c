"""What the searching bots have in common: they search, take the best action and can say why."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bots.bot import configurable
from bots.search.explanation import Explanation, explain
from bots.search.options import SearchOptions
from bots.search.searcher import Searcher
from bots.search.settings import Workspace
from engine import Game, InformationSet


@configurable
class SearchingBot(SearchOptions):
    """A bot that searches when it has a choice. Subclasses say how, in `_search`."""

    def new_game(self, game: Game, seat: int, rng: np.random.Generator) -> None:
        self._searcher = Searcher(game, self, rng)
        self._explanation = None
        self._effective_worlds = None

    def act(self, info: InformationSet) -> int:
        self._explanation = None
        if len(info.legal_actions) == 1:
            return info.legal_actions[0]
        explanation = explain(info.game, self._search(info), self.choose == "value")
        self._explanation = replace(explanation, effective_worlds=self._effective_worlds)
        return self._explanation.actions[0].action

    def explain(self) -> Explanation | None:
        """What the search found for the last action; None if there was no choice."""
        return self._explanation

    def _search(self, info: InformationSet) -> list[Workspace]:
        raise NotImplementedError
