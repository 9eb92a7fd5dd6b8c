"""Fits the evaluations to self-play and measures them: ``python -m tests.benchmarks.evaluation [GAME ...]``.

`rules` bots with a little chance mixed in play whole games. The weights are those of the highest likelihood of
the win shares in positions of these games (a multinomial logit, McFadden, 1974, "Conditional logit analysis of
qualitative choice behavior"). Prints the rows of `WEIGHTS` as they stand in bots/evaluation, then on games of
other seeds the log-loss in nats, between deals (for games of a single deal between rounds) and in a deal, of the
evaluation, of present standings (a softmax of the scores, one slope fitted to all positions), and of equal shares. The
time of a call comes first.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from tqdm import tqdm

import engine
from bots.evaluation import evaluation_of
from bots.evaluation.win_shares import expected_returns, fill_strengths, softmax
from bots.rule_based import weights_for
from bots.rule_based.scoring import choose_action
from engine import Game
from engine.compiling import rule
from engine.rng import chance, shuffle_deck
from engine.rules import (
    apply_action,
    awaits_deal,
    current_seat,
    deal,
    fill_ranks,
    fill_returns,
    is_terminal,
    legal_actions,
    num_seats,
    score,
)

EPSILON = 0.1  # chance mixed into the policy: a search meets odd positions too
# The chance that a position is kept: some tens in a game, as positions of one game tell little more than each other.
KEPT = {"daytime_minutes": 0.05, "day_and_night": 0.1, "trick_or_repeat": 0.2, "tricky_time_crisis": 0.08}
POSITIONS = 30_000  # to fit a row to; as many are held out
FIRST_HELD_OUT = 10**9
FEW = 500  # positions, for the clock
SMALLEST_FACTOR = 0.02  # by which a fit may change a weight
SMALLEST_SHARE = 1e-12  # the loss stays finite

# Where the search for the weights begins. They keep these signs.
START = {
    "daytime_minutes": [0.65, 0.8, 0.9, -0.6, 0.06, -1.0, 3.7, -2.0, 0.16, -3.0, -6.5],
    "day_and_night": [0.38, 2.7, 0.67, 0.31],
    "trick_or_repeat": [0.52, 0.1, 1.35, 0.25],
    "tricky_time_crisis": [1.0, 133.0, 174.0, 3.0, 1.8],
}
START_OF_STANDINGS = [0.2]

CASES = [
    *(("daytime_minutes", players, {}) for players in (3, 4, 5)),
    *(("day_and_night", players, {}) for players in (3, 4, 5)),
    *(("trick_or_repeat", players, {}) for players in (2, 3, 4, 5, 6)),
    *(("tricky_time_crisis", players, {}) for players in (3, 4, 5)),
    *(("tricky_time_crisis", players, {"mid_knight": "team_up"}) for players in (5, 6)),
]


class Sample(NamedTuple):
    """Positions of self-play games and how the games ended."""

    positions: np.ndarray  # (positions,) records
    returns: np.ndarray  # (positions, players) win shares


# --- Self-play --------------------------------------------------------------------------------------


def sample(game: Game, positions: int, first_seed: int) -> Sample:
    """`positions` from whole games on the deals of the seeds from `first_seed` on, each kept by chance."""
    found = Sample(np.repeat(game.empty_record(), positions), np.zeros((positions, game.players)))
    deck, scores = np.empty(len(game.deck), np.int64), np.empty(len(game.actions))
    actions, ranks = np.empty(len(game.actions), np.int64), np.empty(game.players, np.int64)
    arguments = (weights_for(game), KEPT[game.name], deck, actions, scores, ranks)
    size, seed = 0, first_seed
    while size < positions:
        size = play(game.empty_record(), found, size, seed, arguments)
        seed += 1
    return found


@rule
def play(states, found, size, seed, arguments):
    """Plays ``states[0]`` to the end and adds positions to `found`, which holds `size`; returns how many it holds."""
    weights, kept, deck, actions, scores, ranks = arguments
    state = states[0]
    rng = np.full(1, seed)
    first, deals = size, 0
    while not is_terminal(state):
        if size < len(found.positions) and deals > 0 and (awaits_deal(state) or chance(rng, kept)):
            found.positions[size] = state
            size += 1
        if awaits_deal(state):
            shuffle_deck(seed, deals, deck)
            deal(state, deck)
            deals += 1
        else:
            count = legal_actions(state, actions)
            action = choose_action(state, current_seat(state), actions, count, weights, scores, EPSILON, rng)
            apply_action(state, action)
    fill_ranks(state, ranks)
    for i in range(first, size):
        fill_returns(ranks, num_seats(state), found.returns[i])
    return size


def between_deals(game: Game, positions: np.ndarray) -> np.ndarray:
    """Which positions lie between deals, or at the beginning of a round but the first in a game of one deal."""
    phases = game.rules.Phase if hasattr(game.rules, "Phase") else engine.tricky_time_crisis.cards.Phase
    if game.name == "day_and_night":
        at_start = (positions["phase"] == phases.CHOOSE) & (positions["play"] == 0) & (positions["turn"] == 0)
        return at_start & (positions["rounds_over"] > 0)
    if game.name == "trick_or_repeat":
        at_start = (positions["phase"] == phases.PLACE) & (positions["stage"] == 0) & (positions["turn"] == 0)
        return at_start & (positions["rounds_over"] > 0)
    return positions["phase"] == phases.DEAL


def keep(found: Sample, chosen: np.ndarray) -> Sample:
    return Sample(found.positions[chosen], found.returns[chosen])


# --- Likelihood -------------------------------------------------------------------------------------


@rule
def fill_losses(positions, returns, weights, shares, losses):
    """Writes the log-loss of each of `positions`, with these weights."""
    for i in range(len(positions)):
        fill_strengths(positions[i], weights, shares)
        softmax(shares, len(shares))
        losses[i] = loss_of(shares, returns[i])


@rule
def fill_losses_of_standings(positions, returns, weights, shares, losses):
    """The same for shares by present scores alone, of which a point counts ``weights[0]``."""
    for i in range(len(positions)):
        for seat in range(len(shares)):
            shares[seat] = weights[0] * score(positions[i], seat)
        softmax(shares, len(shares))
        losses[i] = loss_of(shares, returns[i])


@rule
def loss_of(shares, returns):
    loss = 0.0
    for seat in range(len(returns)):
        if returns[seat] > 0.0:
            loss -= returns[seat] * np.log(max(shares[seat], SMALLEST_SHARE))
    return loss


def losses_of(fill, found: Sample, weights: np.ndarray) -> np.ndarray:
    """Shape (positions,)."""
    losses = np.empty(len(found.positions))
    fill(found.positions, found.returns, weights, np.empty(found.returns.shape[1]), losses)
    return losses


def fit(fill, found: Sample, start: np.ndarray) -> np.ndarray:
    """The weights of the highest likelihood, from `start` on; they keep their signs."""

    def loss(scaled):
        return losses_of(fill, found, scaled * start).mean()

    return minimize(loss, np.ones(len(start)), bounds=[(SMALLEST_FACTOR, None)] * len(start)).x * start


# --- What is printed --------------------------------------------------------------------------------


def losses_of_table(found: Sample, held_out: Sample) -> np.ndarray:
    """The losses in Daytime Minutes of the mean win shares that were found by everybody's tokens, order aside.

    A token vector counts as seen `players` times more, with equal shares.
    """
    players = held_out.returns.shape[1]
    sums, counts = defaultdict(float), defaultdict(int)
    for state, returns in zip(found.positions, found.returns, strict=True):
        tokens = state["tokens"][:players].tolist()
        for own, share in zip(tokens, returns, strict=True):
            sums[own, *sorted(tokens)] += share
            counts[own, *sorted(tokens)] += 1
    losses = []
    for state, returns in zip(held_out.positions, held_out.returns, strict=True):
        tokens = state["tokens"][:players].tolist()
        keys = [(own, *sorted(tokens)) for own in tokens]
        shares = np.array([(sums[key] + 1.0) / (counts[key] + players) for key in keys])
        losses.append(loss_of(shares / shares.sum(), returns))
    return np.array(losses)


@rule
def fill_returns_of(positions, times, returns):
    for _ in range(times):
        for i in range(len(positions)):
            expected_returns(positions[i], returns[i])


def shares_of(game: Game, positions: np.ndarray) -> np.ndarray:
    """The expected returns, shape (positions, players)."""
    evaluation_of(game)
    returns = np.empty((len(positions), game.players))
    fill_returns_of(positions, 1, returns)
    return returns


def microseconds(positions: np.ndarray, players: int) -> float:
    """The time of a call on some of the positions, which stay in the cache of the processor, the best of five."""
    few, times = positions[:FEW].copy(), 50
    returns, seconds = np.empty((FEW, players)), []
    for _ in range(6):  # the first time it compiles
        start = time.perf_counter()
        fill_returns_of(few, times, returns)
        seconds.append(time.perf_counter() - start)
    return 1e6 * min(seconds) / (FEW * times)


def report(game: Game) -> str:
    """The row of weights, the losses and the time for one game and number of players."""
    evaluation_of(game)
    found = sample(game, POSITIONS, 0)
    held_out = sample(game, POSITIONS, FIRST_HELD_OUT)
    weights = fit(fill_losses, found, np.array(START[game.name]))
    weights = np.array([float(f"{weight:.3g}") for weight in weights])
    slope = fit(fill_losses_of_standings, found, np.array(START_OF_STANDINGS))
    losses = losses_of(fill_losses, held_out, weights)
    of_standings = losses_of(fill_losses_of_standings, held_out, slope)
    between = between_deals(game, held_out.positions)
    lines = [f"{game.label}: {microseconds(held_out.positions, game.players):.2f} µs", f"        {weights.tolist()},"]
    for where, chosen in (("between deals", between), ("in a deal", ~between)):
        lines.append(
            f"    {where:13} {chosen.sum():6} positions: evaluation {losses[chosen].mean():.4f}, "
            f"standings {of_standings[chosen].mean():.4f}, equal shares {np.log(game.players):.4f}"
        )
    if game.name == "daytime_minutes":
        tables = [keep(part, between_deals(game, part.positions)) for part in (found, held_out)]
        lines.append(f"    a table of the tokens between deals: {losses_of_table(*tables).mean():.4f}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", default=engine.names(), help="default: all")
    chosen = parser.parse_args().games
    cases = [case for case in CASES if case[0] in chosen]
    for name, players, options in tqdm(cases, unit=" cases"):
        tqdm.write(report(engine.load(name, players=players, **options)))


if __name__ == "__main__":
    main()
