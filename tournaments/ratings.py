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

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, pairwise

import numpy as np
from scipy import linalg, sparse, special

ELO = 400 / np.log(10)
CONFIDENCE = 0.95
_MAX_STEPS = 100
_TOLERANCE = 1e-10
_ROUNDING = 1e-3  # Elo: what is less is no error, and says nothing of who is better
_CHUNK = 20_000  # blocks whose part of a covariance is summed at a time, to need little memory


@dataclass(frozen=True)
class Games:
    """Finished games of one table size, as arrays of one row per game."""

    table: int  # tables of different numbers have seat effects of their own
    blocks: np.ndarray  # (games,) int from 0, number of the deal block
    bots: np.ndarray  # (games, players) int, number of the bot by seat
    ranks: np.ndarray  # (games, players) int, 1 is best

    @property
    def players(self) -> int:
        return self.bots.shape[1]

    def share(self, one: int, other: int) -> np.ndarray:
        """Shape (games,): 1 where seat `one` came before seat `other`, 0.5 for a tie, 0 otherwise."""
        return (1 + np.sign(self.ranks[:, other] - self.ranks[:, one])) / 2

    def where(self, mask: np.ndarray) -> Games:
        """The games for which `mask`, shape (games,), holds."""
        return replace(self, blocks=self.blocks[mask], bots=self.bots[mask], ranks=self.ranks[mask])


@dataclass(frozen=True)
class Ratings:
    """A fit: `elo` and its `covariance`, shapes (bots,) and (bots, bots), in Elo and Elo squared.

    Relative to the anchor, or to a mean of 0.
    """

    elo: np.ndarray
    covariance: np.ndarray
    covariance_by_game: np.ndarray  # the same if the games of a block were independent
    seats: dict[int, np.ndarray]  # by table: the effect of each seat in Elo, mean 0
    seat_covariances: dict[int, np.ndarray]  # by table, shape (players, players)
    pairs_won: np.ndarray  # (bots,) share of pairs with other bots, ties half; NaN for a bot that met none
    num_blocks: int  # blocks that say something: in which different bots met
    anchor: int | None = None

    @property
    def standard_errors(self) -> np.ndarray:
        return _errors(np.diag(self.covariance))

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

    def seat_intervals(self, table: int) -> np.ndarray:
        """Shape (players, 2): as `intervals`, of the effects of the seats."""
        half = self._half_width(_errors(np.diag(self.seat_covariances[table])))
        return np.stack([self.seats[table] - half, self.seats[table] + half], axis=1)

    def difference(self, one: int, other: int) -> tuple[float, float, float]:
        """Elo of `one` minus Elo of `other`, with its 95 % interval: (difference, low, high)."""
        difference = self.elo[one] - self.elo[other]
        half = float(self._half_width(self._errors_of_differences[one, other])) if one != other else 0.0
        return difference, difference - half, difference + half

    @cached_property
    def superiority(self) -> np.ndarray:
        """Shape (bots, bots): the probability that the bot of a row is stronger than that of a column.

        By the t distribution, as the intervals are; NaN with a single block, which says nothing of it.
        """
        if self.num_blocks < 2:
            return np.full_like(self.covariance, np.nan)
        difference = self.elo[:, None] - self.elo
        return special.stdtr(self.num_blocks - 1, difference / np.maximum(self._errors_of_differences, _ROUNDING))

    @cached_property
    def tiers(self) -> np.ndarray:
        """Shape (bots,), int, 1 is best. A tier begins with the first bot that is significantly weaker than the
        best of the tier before: by t tests of all differences, at 5 % after Holm's adjustment.
        """
        one, other = np.triu_indices(len(self.elo), 1)
        adjusted = np.ones_like(self.covariance)
        adjusted[one, other] = holm(2 * np.minimum(self.superiority[one, other], self.superiority[other, one]))
        adjusted = np.minimum(adjusted, adjusted.T)
        tiers = np.ones(len(self.elo), np.int64)
        order = self.order.tolist()
        best = order[0]
        for before, bot in pairwise(order):
            begins = adjusted[best, bot] <= 1 - CONFIDENCE
            tiers[bot] = tiers[before] + begins
            best = bot if begins else best
        return tiers

    @property
    def order(self) -> np.ndarray:
        """Shape (bots,): the bots, best first."""
        return np.argsort(-self.elo, kind="stable")

    @cached_property
    def _errors_of_differences(self) -> np.ndarray:
        return _errors(_variances_of_differences(self.covariance))

    def _half_width(self, error):
        return self.quantile * error if self.num_blocks > 1 else np.full_like(error, np.inf)


def holm(p_values: np.ndarray) -> np.ndarray:
    """Shape (tests,): adjusted so that any below a level is a false alarm in that share of all cases at most.

    (Holm, 1979.)
    """
    order = np.argsort(p_values, kind="stable")
    stepped = np.maximum.accumulate(p_values[order] * np.arange(len(order), 0, -1))
    adjusted = np.empty_like(stepped)
    adjusted[order] = np.minimum(stepped, 1)
    return adjusted


def design_effect(ratings: Iterable[Ratings]) -> float | None:
    """The variance of rating differences, clustered on blocks, relative to that of independent games (Kish, 1965).

    Below 1 rotating the deals has saved games. Summed over all pairs of bots of each fit; None where
    there is nothing to compare.
    """
    told = [fit for fit in ratings if fit.num_blocks > 1]
    by_block, by_game = (
        sum(_variances_of_differences(covariance).sum() for covariance in covariances)
        for covariances in ([fit.covariance for fit in told], [fit.covariance_by_game for fit in told])
    )
    return float(by_block / by_game) if by_game > 0 else None


def _variances_of_differences(covariance: np.ndarray) -> np.ndarray:
    variances = np.diag(covariance)
    return variances[:, None] + variances - 2 * covariance


def _errors(variances: np.ndarray) -> np.ndarray:
    """Roots, where rounding may have left a little less than 0."""
    return np.sqrt(np.maximum(0.0, variances))


def pools(games: Sequence[Games], num_bots: int) -> np.ndarray:
    """Shape (bots,): bots with equal numbers are connected by games and can be compared."""
    links = sparse.csr_array((num_bots, num_bots))
    for group in games:
        for seat in range(1, group.players):
            edges = (np.ones(len(group.bots)), (group.bots[:, 0], group.bots[:, seat]))
            links += sparse.coo_array(edges, links.shape).tocsr()
    return sparse.csgraph.connected_components(links, directed=False)[1]


def fit(games: Sequence[Games], num_bots: int, anchor: int | None = None) -> Ratings:
    """Ratings of bots 0 .. num_bots - 1, which must be connected by games (see `pools`)."""
    seats, size = _seat_columns(games, num_bots)
    pairs = _count_pairs(games, num_bots, seats)
    strengths, hessian = _maximise(pairs, size)
    bread = ELO * linalg.cho_solve(linalg.cho_factor(hessian), np.eye(size))
    num_blocks, num_games = _count_clusters(games)
    meats = zip(_meats(games, strengths, seats), (num_blocks, num_games), strict=True)
    by_block, by_game = (_correction(clusters) * bread @ meat @ bread for meat, clusters in meats)

    reference = np.full(num_bots, 1 / num_bots) if anchor is None else np.eye(num_bots)[anchor]
    relative = np.eye(num_bots, size)
    relative[:, :num_bots] -= reference
    centred = {table: _centred(columns, size) for table, columns in seats.items()}
    return Ratings(
        elo=ELO * relative @ strengths,
        covariance=relative @ by_block @ relative.T,
        covariance_by_game=relative @ by_game @ relative.T,
        seats={table: ELO * contrast @ strengths for table, contrast in centred.items()},
        seat_covariances={table: contrast @ by_block @ contrast.T for table, contrast in centred.items()},
        pairs_won=_share_won(pairs, num_bots),
        num_blocks=num_blocks,
        anchor=anchor,
    )


def _seat_columns(games: Sequence[Games], num_bots: int) -> tuple[dict[int, slice], int]:
    """Where the seats of each table stand in a strength vector, which holds the bots first; and its size."""
    columns, size = {}, num_bots
    for group in games:
        if group.table not in columns:
            columns[group.table] = slice(size, size + group.players)
            size += group.players
    return columns, size


def _centred(columns: slice, size: int) -> np.ndarray:
    """Shape (columns, size): takes from a strength vector these columns, less their mean."""
    contrast = np.zeros((columns.stop - columns.start, size))
    contrast[:, columns] = np.eye(len(contrast)) - 1 / len(contrast)
    return contrast


# --- The maximum of the likelihood ----------------------------------------------------------------


@dataclass(frozen=True)
class _Pairs:
    """Pairs of bots, each in a seat of its own, and what they did: one row for all games of the same four."""

    sides: np.ndarray  # (rows, 4) columns of a strength vector: bot and seat of the one, bot and seat of the other
    number: np.ndarray  # (rows,) games
    won: np.ndarray  # (rows,) by the one, ties half
    weight: np.ndarray  # (rows,) of each game


def _count_pairs(games: Sequence[Games], num_bots: int, seats: dict[int, slice]) -> _Pairs:
    rows = []
    for group in games:
        first_seat = seats[group.table].start
        for one, other in combinations(range(group.players), 2):
            code = group.bots[:, one] * num_bots + group.bots[:, other]
            number = np.bincount(code, minlength=num_bots**2)
            won = np.bincount(code, weights=group.share(one, other), minlength=num_bots**2)
            met = np.flatnonzero(number)
            bots = np.divmod(met, num_bots)
            sides = np.broadcast_arrays(bots[0], first_seat + one, bots[1], first_seat + other)
            weight = np.full(len(met), 1 / (group.players - 1))
            rows.append((np.stack(sides, axis=1), number[met], won[met], weight))
    return _Pairs(*map(np.concatenate, zip(*rows, strict=True)))


def _maximise(pairs: _Pairs, size: int) -> tuple[np.ndarray, np.ndarray]:
    """The strengths of the highest composite likelihood, by Newton's method, and the negative Hessian there."""
    strengths = np.zeros(size)
    rows = np.repeat(np.arange(len(pairs.sides)), 4)
    signs = np.tile([1.0, 1.0, -1.0, -1.0], len(pairs.sides))
    design = sparse.coo_array((signs, (rows, pairs.sides.ravel())), (len(pairs.sides), size)).tocsr()
    for _ in range(_MAX_STEPS):
        expected = special.expit(design @ strengths)
        virtual = special.expit(strengths)  # of a draw against strength 0
        gradient = design.T @ (pairs.weight * (pairs.won - pairs.number * expected)) + 0.5 - virtual
        curvature = sparse.diags_array(pairs.weight * pairs.number * expected * (1 - expected))
        hessian = (design.T @ curvature @ design).toarray() + np.diag(virtual * (1 - virtual))
        step = linalg.solve(hessian, gradient, assume_a="pos")
        largest = np.abs(step).max()
        strengths += step / max(1.0, largest)  # at most one unit at a time: far off, Newton overshoots
        if largest < _TOLERANCE:
            return strengths, hessian
    raise RuntimeError(f"the ratings did not converge in {_MAX_STEPS} steps")


def _share_won(pairs: _Pairs, num_bots: int) -> np.ndarray:
    """Shape (bots,): see `Ratings.pairs_won`."""
    one, _, other, _ = pairs.sides.T
    differ = one != other
    won, lost = pairs.won * differ, (pairs.number - pairs.won) * differ
    total = np.bincount(one, won, num_bots) + np.bincount(other, lost, num_bots)
    number = np.bincount(one, won + lost, num_bots) + np.bincount(other, won + lost, num_bots)
    return np.divide(total, number, out=np.full(num_bots, np.nan), where=number > 0)


# --- The sandwich ---------------------------------------------------------------------------------


def _meats(games: Sequence[Games], strengths: np.ndarray, seats: dict[int, slice]) -> tuple[np.ndarray, np.ndarray]:
    """Sums of u u' over clusters, u being a cluster's gradient of the likelihood: over blocks, and over games."""
    by_block, by_game = np.zeros((2, len(strengths), len(strengths)))
    for first in range(0, max(group.blocks.max() for group in games) + 1, _CHUNK):
        scores, blocks = [], []
        for group in games:
            part = group.where((group.blocks >= first) & (group.blocks < first + _CHUNK))
            scores.append(_scores(part, strengths, seats[group.table]))
            blocks.append(part.blocks - first)
        by_one_game = sparse.vstack(scores, format="csr")
        block = np.concatenate(blocks)
        members = sparse.coo_array((np.ones(len(block)), (block, np.arange(len(block)))), (_CHUNK, len(block)))
        for meat, score in ((by_block, members.tocsr() @ by_one_game), (by_game, by_one_game)):
            meat += (score.T @ score).toarray()
    return by_block, by_game


def _scores(games: Games, strengths: np.ndarray, seats: slice) -> sparse.csr_array:
    """Shape (games, strengths): the gradient of the composite likelihood, game by game."""
    own = strengths[games.bots] + strengths[seats]
    surprise = np.zeros_like(own)  # how far a seat did better than expected: the gradient for its bot and for itself
    for one, other in combinations(range(games.players), 2):
        expected = special.expit(own[:, one] - own[:, other])
        difference = (games.share(one, other) - expected) / (games.players - 1)
        surprise[:, one] += difference
        surprise[:, other] -= difference
    columns = np.concatenate([games.bots, np.broadcast_to(np.r_[seats], own.shape)], axis=1)
    starts = np.arange(len(own) + 1) * columns.shape[1]
    values = np.concatenate([surprise, surprise], axis=1)
    return sparse.csr_array((values.ravel(), columns.ravel(), starts), (len(own), len(strengths)))


def _count_clusters(games: Sequence[Games]) -> tuple[int, int]:
    """The number of blocks and of games that say something: in which different bots met."""
    met = [group.blocks[(group.bots != group.bots[:, :1]).any(axis=1)] for group in games]
    per_block = np.bincount(np.concatenate(met))
    return int(np.count_nonzero(per_block)), int(per_block.sum())


def _correction(clusters: int) -> float:
    """For few clusters (Cameron and Miller, 2015)."""
    return clusters / (clusters - 1) if clusters > 1 else 1.0
