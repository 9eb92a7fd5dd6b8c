"""Simulated tournaments among bots of known strength."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from tournaments.ratings import Games

ELO = 400 / np.log(10)
STRENGTHS = np.array([-160, -90, -10, 30, 90, 140]) / ELO
SEATS = np.array([30, 10, -10, -30]) / ELO
TABLES = np.array(list(combinations(range(6), 4)))


def simulate(rng, strengths, rounds: int, hand_luck: float) -> Games:
    """All tables of four, `rounds` blocks each, in four cyclic rotations of one deal.

    A seat's performance is strength + effect of the seat + luck of its hand, which the block shares,
    + Gumbel noise: without luck one bot beats another with exactly the chance of Bradley and Terry.
    """
    tables = rng.permuted(np.repeat(TABLES, rounds, axis=0), axis=1)
    bots = np.stack([np.roll(tables, rotation, axis=1) for rotation in range(4)], axis=1)  # block, rotation, seat
    luck = hand_luck * rng.standard_normal((len(tables), 1, 4))
    performance = strengths[bots] + SEATS + luck + rng.gumbel(size=bots.shape)
    ranks = 1 + (-performance).argsort(axis=-1).argsort(axis=-1)
    return Games(0, np.repeat(np.arange(len(tables)), 4), bots.reshape(-1, 4), ranks.reshape(-1, 4))
