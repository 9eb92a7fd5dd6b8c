"""The options that the searching bots have in common, and what the kernel is told of them."""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic import Field, model_validator

from bots.bot import configurable
from bots.rule_based import weights_for
from bots.search.settings import MAX_DEPTH, NO_CUT, Backup, PlayoutPolicy, Prior, Reward, Settings
from engine import Game

MAX_ITERATIONS = 10**8  # 6 GB of tree
MAX_MILLISECONDS = 3_600_000


@configurable
class Budget:
    """What a decision may cost."""

    iterations: int | None = Field(
        None, ge=1, le=MAX_ITERATIONS, description="per decision; 1000 unless milliseconds is given"
    )
    milliseconds: float | None = Field(
        None, gt=0, le=MAX_MILLISECONDS, description="per decision, instead of iterations"
    )
    threads: int = Field(1, ge=1, le=64, description="trees searched side by side, their root visits added up")

    @model_validator(mode="after")
    def _one_budget(self):
        if self.iterations and self.milliseconds:
            raise ValueError("expected iterations or milliseconds, not both")
        if not self.milliseconds:
            self.iterations = self.iterations or 1000
        return self


@configurable
class SearchOptions(Budget):
    """Selection, playouts and rewards of a search."""

    early_stop: bool = Field(False, description="end when the second action can't catch up in visits")
    choose: Literal["visits", "value"] = Field("visits", description='"visits" or "value": which action of the root')
    exploration: float = Field(0.7, ge=0, description="c of UCB, or of PUCT")
    normalise: bool = Field(False, description="scale c by the range of rewards seen in the search")
    playout: Literal["game", "deal"] = Field("game", description='"game" or "deal": to the end of which to play out')
    cut: int | None = Field(None, ge=0, description="moves after which a playout ends before that")
    playout_policy: Literal["uniform", "mast", "nast", "rules"] = Field(
        "uniform", description='"uniform", "mast", "nast" or "rules": who moves in playouts'
    )
    epsilon: float = Field(0.2, ge=0, le=1, description="chance of a random move in playouts that are not uniform")
    reward: Literal["win_share", "rank", "equity"] = Field(
        "win_share", description='"win_share", "rank" or "equity" (expected win share): what an end is worth'
    )
    margin: float = Field(0.0, ge=0, le=1, description="share of the normalised score margin in the reward")
    backup: Literal["max_n", "paranoid", "self_only"] = Field(
        "max_n", description='"max_n", "paranoid" or "self_only": what the other seats are taken to want'
    )
    prior: Literal["none", "bias", "puct"] = Field(
        "none", description='"none", "bias" or "puct": use of the rule-based policy in the tree'
    )
    prior_weight: float = Field(1.0, ge=0, description="of the progressive bias")
    prior_depth: int = Field(MAX_DEPTH, ge=0, description="moves from the root within which there are priors")
    temperature: float = Field(1.0, gt=0, description="of the softmax that makes priors of the policy's scores")

    def weights(self, game: Game) -> np.ndarray | None:
        """The weights of the rule-based policy if this search makes use of it."""
        uses_rules = self.playout_policy == "rules" or self.prior != "none"
        return weights_for(game) if uses_rules else None

    def settings(self, seat: int, **changed) -> Settings:
        """What the kernel is told when it searches for `seat`."""
        settings = Settings(
            seat=seat,
            exploration=float(self.exploration),
            normalise=self.normalise,
            max_depth=MAX_DEPTH,
            determinizes=True,
            redeal=0.0,
            observes=False,
            backup=int(Backup[self.backup.upper()]),
            prior=int(Prior[self.prior.upper()]),
            prior_weight=float(self.prior_weight),
            prior_depth=self.prior_depth,
            temperature=float(self.temperature),
            policy=int(PlayoutPolicy[self.playout_policy.upper()]),
            epsilon=float(self.epsilon),
            whole_game=self.playout == "game",
            cut=NO_CUT if self.cut is None else self.cut,
            reward=int(Reward[self.reward.upper()]),
            margin=float(self.margin),
            stops_early=self.early_stop,
            every_seat=False,
            regret_matching=False,
            gamma=0.0,
        )
        return settings._replace(**changed)
