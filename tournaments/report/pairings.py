"""Every two bots that met: what happened between them, what the ratings expected of it, and who beats whom in circles.

Two questions are put to each pair, by t tests whose clusters are the deal blocks in which it met, adjusted by Holm
for all the pairs of a table. Does the share of the one differ from what the ratings expected? And from a half?
They are score tests: the variance is taken about the share that is tested, so that a clean sheet in two blocks proves
nothing. The expected share counts as known, though it was fitted to the same games, and its variance never for less
than that of independent games. All of this errs on the side of finding nothing. (Liang and Zeger, 1986; Holm, 1979.)
"""

from __future__ import annotations

import math
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from scipy import special

from tournaments.ratings import CONFIDENCE, ELO, holm
from tournaments.standings import Pool

SIGNIFICANT = 1 - CONFIDENCE


@dataclass(frozen=True)
class Pairing:
    """Two bots that met. Shares are those of `one`: of their comparisons in which it came first, ties half."""

    one: str  # the one that is rated higher
    other: str
    comparisons: int  # of a seat of the one with a seat of the other
    blocks: int
    observed: float
    expected: float  # by the ratings of the two and the effects of the seats that they had
    p_deviation: float | None  # of `observed` from `expected`, Holm-adjusted; None if they met in a single block
    p_half: float | None  # the same, from 0.5

    @property
    def deviates(self) -> bool:
        """Whether the ratings are significantly wrong here."""
        return self.p_deviation is not None and self.p_deviation <= SIGNIFICANT

    @property
    def is_settled(self) -> bool:
        """Whether it is significant who beats whom."""
        return self.p_half is not None and self.p_half <= SIGNIFICANT

    @property
    def is_upset(self) -> bool:
        """Whether the one that is rated lower beats the other, significantly."""
        return self.is_settled and self.observed < 0.5


@dataclass(frozen=True)
class Cycle:
    """Bots of which each beats the next significantly, and the last the first."""

    bots: list[str]
    shares: list[float]  # of each against the next


def pairings(pools: Sequence[Pool], names: Sequence[str]) -> list[Pairing]:
    """Every two different bots that met, by rating; `names` are those of the bots in the config."""
    found = [(pool, *tested) for pool in pools for tested in _tested(pool)]
    adjusted = [_adjusted([tallies.p_value(against) for *_, tallies in found]) for against in ("expected", "half")]
    return [
        Pairing(
            one=names[pool.members[one]],
            other=names[pool.members[other]],
            comparisons=int(tallies.comparisons.sum()),
            blocks=len(tallies.comparisons),
            observed=float(tallies.won.sum() / tallies.comparisons.sum()),
            expected=float(tallies.expected.sum() / tallies.comparisons.sum()),
            p_deviation=p_deviation,
            p_half=p_half,
        )
        for (pool, one, other, tallies), p_deviation, p_half in zip(found, *adjusted, strict=True)
    ]


@dataclass(frozen=True)
class _Tallies:
    """What two bots did in each block in which they met, shapes (blocks,)."""

    comparisons: np.ndarray
    won: np.ndarray
    expected: np.ndarray
    variance: np.ndarray  # of `won` if all comparisons were independent, at the expected shares

    def p_value(self, against: str) -> float:
        """Of the t test that the share won is the one expected, or a half; NaN with a single block."""
        if len(self.won) < 2:
            return math.nan
        if against == "expected":
            surprise, least = self.won - self.expected, self.variance.sum()
        else:
            surprise, least = self.won - self.comparisons / 2, 0.0  # where all is won, sure after a few blocks
        clustered = len(self.won) / (len(self.won) - 1) * (surprise**2).sum()
        error = math.sqrt(max(clustered, least))
        return 2 * special.stdtr(len(self.won) - 1, -abs(surprise.sum()) / error) if error else 1.0


def _tested(pool: Pool) -> Iterator[tuple[int, int, _Tallies]]:
    """Two bots of a pool each, the one that is rated higher first, best first, and what they did."""
    place = np.argsort(pool.ratings.order)
    parts = list(_comparisons(pool, place))
    if not parts:
        return
    pair, block, *values = map(np.concatenate, zip(*parts, strict=True))
    size = block.max(initial=0) + 1
    keys, row = np.unique(pair * size + block, return_inverse=True)  # a row per pair and block
    sums = [np.bincount(row), *(np.bincount(row, value) for value in values)]
    codes, starts = np.unique(keys // size, return_index=True)
    for code, *of_pair in zip(codes.tolist(), *(np.split(column, starts[1:]) for column in sums), strict=True):
        one, other = divmod(code, len(place))
        yield int(pool.ratings.order[one]), int(pool.ratings.order[other]), _Tallies(*of_pair)


def _comparisons(pool: Pool, place: np.ndarray) -> Iterator[tuple[np.ndarray, ...]]:
    """Of every two seats of every game that different bots held: the code of the pair, the block, the share that
    the bot in the first `place` won, what was expected of it, and the variance of that.
    """
    for group in pool.games:
        own = (pool.ratings.elo[group.bots] + pool.ratings.seats[group.table]) / ELO
        for one, other in permutations(range(group.players), 2):
            first, second = place[group.bots[:, one]], place[group.bots[:, other]]
            rows = first < second
            expected = special.expit(own[rows, one] - own[rows, other])
            pair = (first * len(place) + second)[rows]
            yield pair, group.blocks[rows], group.share(one, other)[rows], expected, expected * (1 - expected)


def _adjusted(p_values: Sequence[float]) -> list[float | None]:
    """By Holm, among those that are known."""
    values = np.array(p_values)
    known = np.isfinite(values)
    values[known] = holm(values[known])
    return [float(value) if math.isfinite(value) else None for value in values]


def cycles(found: Sequence[Pairing]) -> list[Cycle]:
    """For every upset the shortest circle that goes over it, if there is one; each circle once.

    Along every circle of significant results at least one bot beats another that is rated higher.
    """
    share = {}  # of a bot that beats another significantly
    for pairing in found:
        if pairing.is_settled:
            ahead = pairing.observed > 0.5
            pair = (pairing.one, pairing.other) if ahead else (pairing.other, pairing.one)
            share[pair] = pairing.observed if ahead else 1 - pairing.observed
    circles = {}
    for upset in (pairing for pairing in found if pairing.is_upset):
        path = _shortest_path(share, upset.one, upset.other)
        if path:
            first = path.index(min(path))
            circle = (*path[first:], *path[:first])
            circles[circle] = [share[pair] for pair in zip(circle, (*circle[1:], circle[0]), strict=True)]
    return [Cycle(list(circle), shares) for circle, shares in circles.items()]


def _shortest_path(arrows: Iterable[tuple[str, str]], start: str, end: str) -> list[str]:
    """The names on the way along the `arrows`, both ends included; empty if there is none."""
    after = defaultdict(list)
    for one, other in arrows:
        after[one].append(other)
    paths, seen = deque([[start]]), {start}
    while paths:
        path = paths.popleft()
        for name in after[path[-1]]:
            if name == end:
                return [*path, name]
            if name not in seen:
                seen.add(name)
                paths.append([*path, name])
    return []
