"""Who is better: Elo ratings of bots from games of any number of players.

Composite Bradley-Terry: every game says of each pair of its bots who came first (ties half), weighed
1 / (players - 1) so that a game counts the same for a bot at any table, with an effect for every seat.
One virtual draw of every bot, and of every seat, against a ghost of strength 0 keeps the undefeated
finite. Elo = 400 / ln 10 times strength: the expected share of pairs won is 1 / (1 + 10 ** (-difference / 400)).

The games of a deal block are not independent: the standard errors are those of the sandwich clustered
on blocks, with t quantiles of (blocks - 1) degrees of freedom. (Bradley and Terry, 1952; Liang and
Zeger, 1986; Cameron and Miller, 2015.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import linalg, sparse, special

ELO = 400 / np.log(10)
CONFIDENCE = 0.95
_MAX_STEPS = 100
_TOLERANCE = 1e-10


@dataclass(frozen=True)
class Games:
    """Finished games of one table size, as arrays of one row per game."""

    table: int  # tables of different numbers have seat effects of their own
    blocks: np.ndarray  # (games,) int, number of the deal block
    bots: np.ndarray  # (games, players) int, number of the bot by seat
    ranks: np.ndarray  # (games, players) int, 1 is best


@dataclass(frozen=True)
class Ratings:
    """A fit: `elo` and its `covariance`, shapes (bots,) and (bots, bots), in Elo and Elo squared.

    Relative to the anchor, or to a mean of 0.
    """

    elo: np.ndarray
    covariance: np.ndarray
    seats: dict[int, np.ndarray]  # by table: the effect of each seat in Elo, mean 0
    num_blocks: int  # blocks that say something: in which different bots met
    anchor: int | None = None

    @property
    def standard_errors(self) -> np.ndarray:
        return np.sqrt(np.diag(self.covariance))

    @property
    def quantile(self) -> float:
        """How many standard errors an interval of several blocks reaches to each side."""
        return special.stdtrit(self.num_blocks - 1, 0.5 + CONFIDENCE / 2)

    def intervals(self) -> np.ndarray:
        """Shape (bots, 2): lower and upper end of the 95 % interval; infinite with a single block."""
        half = self._half_width(self.standard_errors)
        if self.anchor is not None:
            half[self.anchor] = 0.0
        return np.stack([self.elo - half, self.elo + half], axis=1)

    def difference(self, one: int, other: int) -> tuple[float, float, float]:
        """Elo of `one` minus Elo of `other`, with its 95 % interval: (difference, low, high)."""
        difference = self.elo[one] - self.elo[other]
        half = float(self._half_width(self._difference_error(one, other))) if one != other else 0.0
        return difference, difference - half, difference + half

    def superiority(self, one: int, other: int) -> float:
        """Likelihood of superiority: the probability that `one` is the stronger bot."""
        error = self._difference_error(one, other)
        difference = self.elo[one] - self.elo[other]
        return 0.5 if error == 0 else float(special.ndtr(difference / error))

    def _difference_error(self, one: int, other: int) -> float:
        c = self.covariance
        return float(np.sqrt(max(0.0, c[one, one] + c[other, other] - 2 * c[one, other])))

    def _half_width(self, error):
        return self.quantile * error if self.num_blocks > 1 else np.full_like(error, np.inf)


def fit(games: Sequence[Games], num_bots: int, anchor: int | None = None) -> Ratings:
    """Ratings of bots 0 .. num_bots - 1, which must be connected by games (see `pools`)."""
    pairs = _pairs(games, num_bots)
    strengths, hessian = _maximise(pairs)
    surprise = pairs.weight * (pairs.share - _expected(pairs, strengths))
    scores = _scores(pairs, surprise)
    num_blocks = _num_meetings(games)
    correction = num_blocks / (num_blocks - 1) if num_blocks > 1 else 1.0
    bread = linalg.cho_solve(linalg.cho_factor(hessian), np.eye(len(strengths)))
    covariance = correction * bread @ (scores.T @ scores).toarray() @ bread

    contrast = np.eye(num_bots, len(strengths))
    reference = np.full(num_bots, 1 / num_bots) if anchor is None else np.eye(num_bots)[anchor]
    contrast[:, :num_bots] -= reference
    return Ratings(
        elo=ELO * contrast @ strengths,
        covariance=ELO**2 * contrast @ covariance @ contrast.T,
        seats={
            table: ELO * (effects - effects.mean())
            for table, effects in ((t, strengths[c]) for t, c in pairs.seat_columns.items())
        },
        num_blocks=num_blocks,
        anchor=anchor,
    )


def _num_meetings(games: Sequence[Games]) -> int:
    """The number of blocks in which different bots met."""
    met = [group.blocks[(group.bots != group.bots[:, :1]).any(axis=1)] for group in games]
    return len(np.unique(np.concatenate(met)))


def pools(games: Sequence[Games], num_bots: int) -> np.ndarray:
    """Shape (bots,): bots with equal numbers are connected by games and can be compared."""
    links = sparse.lil_matrix((num_bots, num_bots), dtype=bool)
    for group in games:
        for seat in range(1, group.bots.shape[1]):
            for one, other in np.unique(group.bots[:, [0, seat]], axis=0):
                links[one, other] = True
    return sparse.csgraph.connected_components(links, directed=False)[1]


@dataclass(frozen=True)
class _Pairs:
    """Two seats of a game each. A strength vector holds the bots, then the seats of every table."""

    block: np.ndarray  # (pairs,)
    plus: np.ndarray  # (pairs, 2) columns of strength that speak for the first of the pair: bot, seat
    minus: np.ndarray  # (pairs, 2) the same for the second
    share: np.ndarray  # (pairs,) 1 if the first came before the second, 0.5 for a tie, 0 otherwise
    weight: np.ndarray  # (pairs,)
    size: int  # number of strengths
    seat_columns: dict[int, slice]


def _pairs(games: Sequence[Games], num_bots: int) -> _Pairs:
    columns, block, plus, minus, share, weight = {}, [], [], [], [], []
    size = num_bots
    for group in games:
        players = group.bots.shape[1]
        if group.table not in columns:
            columns[group.table] = slice(size, size + players)
            size += players
        first_seat = columns[group.table].start
        for one in range(players):
            for other in range(one + 1, players):
                block.append(group.blocks)
                plus.append(_columns(group.bots[:, one], first_seat + one))
                minus.append(_columns(group.bots[:, other], first_seat + other))
                share.append((1 + np.sign(group.ranks[:, other] - group.ranks[:, one])) / 2)
                weight.append(np.full(len(group.bots), 1 / (players - 1)))
    return _Pairs(*map(np.concatenate, (block, plus, minus, share, weight)), size, columns)


def _columns(bots: np.ndarray, seat: int) -> np.ndarray:
    return np.stack([bots, np.full_like(bots, seat)], axis=1)


def _expected(pairs: _Pairs, strengths: np.ndarray) -> np.ndarray:
    difference = strengths[pairs.plus].sum(axis=1) - strengths[pairs.minus].sum(axis=1)
    return 1 / (1 + np.exp(-difference))


def _maximise(pairs: _Pairs) -> tuple[np.ndarray, np.ndarray]:
    """The strengths of the highest composite likelihood, by Newton's method, and the negative Hessian there."""
    strengths = np.zeros(pairs.size)
    design = _design(pairs)
    for _ in range(_MAX_STEPS):
        expected = _expected(pairs, strengths)
        virtual = 1 / (1 + np.exp(-strengths))  # of a draw against strength 0
        gradient = design.T @ (pairs.weight * (pairs.share - expected)) + 0.5 - virtual
        curvature = sparse.diags_array(pairs.weight * expected * (1 - expected))
        hessian = (design.T @ curvature @ design).toarray() + np.diag(virtual * (1 - virtual))
        step = linalg.solve(hessian, gradient, assume_a="pos")
        largest = np.abs(step).max()
        strengths += step / max(1.0, largest)  # at most one unit at a time: far off, Newton overshoots
        if largest < _TOLERANCE:
            return strengths, hessian
    raise RuntimeError(f"the ratings did not converge in {_MAX_STEPS} steps")


def _design(pairs: _Pairs) -> sparse.csr_array:
    """Shape (pairs, strengths): +1 and -1 for the bot and the seat on each side of a pair."""
    rows = np.repeat(np.arange(len(pairs.block)), 4)
    columns = np.concatenate([pairs.plus, pairs.minus], axis=1).ravel()
    signs = np.tile([1.0, 1.0, -1.0, -1.0], len(pairs.block))
    return sparse.coo_array((signs, (rows, columns)), (len(pairs.block), pairs.size)).tocsr()


def _scores(pairs: _Pairs, surprise: np.ndarray) -> sparse.csr_array:
    """Shape (blocks, strengths): the gradient of the composite likelihood, block by block."""
    members = sparse.coo_array((surprise, (pairs.block, np.arange(len(surprise)))))
    return (members.tocsr() @ _design(pairs)).tocsr()
