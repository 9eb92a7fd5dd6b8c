"""Random play and counting: playouts, perft, whole-game loops. Kernels for any game's record."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.compiling import rule
from engine.rng import below, shuffle
from engine.rules import apply_action, awaits_deal, deal, is_terminal, legal_actions, score

if TYPE_CHECKING:
    from engine.state import State


@rule
def playout(state, whole_game, deck, actions, rng):
    """Plays uniformly random actions to the end of the game, or of the deal, and returns how many.

    Scratch space: `deck`, a permutation of the card numbers, and `actions`, of the size of the game's
    number of actions.
    """
    moves = 0
    while not is_terminal(state):
        if awaits_deal(state):
            if not whole_game:
                return moves
            shuffle(rng, deck, len(deck))
            deal(state, deck)
        else:
            count = legal_actions(state, actions)
            apply_action(state, actions[below(rng, count)])
            moves += 1
    return moves


@rule
def playouts(states, games, deck, actions, rng):
    """Plays `games` random games from ``states[0]``, in ``states[1]``, and returns the number of moves."""
    moves = 0
    for _ in range(games):
        states[1] = states[0]
        moves += playout(states[1], True, deck, actions, rng)
    return moves


@rule
def count_sequences(states, actions, depth, decks, totals):
    """The kernel of `perft`: level d of `states` and of `actions` is scratch space for d actions to go.

    ``decks[0]`` is the next deck to be dealt.
    """
    state = states[depth]
    if awaits_deal(state):
        deal(state, decks[0])
        decks = decks[1:]
    if depth == 0 or is_terminal(state):
        for seat in range(len(totals)):
            totals[seat] += score(state, seat)
        return 1
    count = 0
    for i in range(legal_actions(state, actions[depth])):
        states[depth - 1] = state
        apply_action(states[depth - 1], actions[depth, i])
        count += count_sequences(states, actions, depth - 1, decks, totals)
    return count


def perft(state: State, depth: int) -> tuple[int, tuple[int, ...]]:
    """The number of action sequences of length `depth` from `state`, or shorter where the game ends,

    and the scores by seat summed over the positions they lead to: the count alone would not notice a
    wrong score. Later deals are those of the game.
    """
    game = state.game
    states = np.repeat(state.records, depth + 1)
    actions = np.empty((depth + 1, len(game.actions)), np.int64)
    totals = np.zeros(game.players, np.int64)
    count = count_sequences(states, actions, depth, state.decks_to_come(depth + 1), totals)
    return count, tuple(totals.tolist())
