"""Searches and trees for the tests: settings, scratch space, roots made by hand, and searches on their own."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import bots
import engine
from bots.rule_based import weights_for
from bots.search.kernel import search
from bots.search.settings import Count, Settings, Workspace, workspace
from bots.search.tree import NO_NODE, ROOT, add_child
from engine.rng import stream
from engine.state import Deals, State

GAME = engine.load("daytime_minutes")
TINY = engine.load("trick_or_repeat", players=2, suits=2, ranks=4, hand_size=2, rounds=1)


def settings_for(seat: int = 0, bot: str = "ismcts", **options) -> Settings:
    return bots.load(bot, **options).settings(seat)


def room(settings: Settings, game: engine.Game = GAME, iterations: int = 100) -> Workspace:
    """Scratch space in which no search has been yet."""
    return workspace(game, game.empty_record(), iterations, settings)


def root_with(settings: Settings, *options) -> Workspace:
    """Scratch space whose root has children of (action, visits, reward, available, prior)."""
    work = room(settings)
    for number, (action, visits, reward, available, prior) in enumerate(options, 1):
        add_child(work.nodes, ROOT, number, action)
        node = work.nodes[number]
        node["visits"], node["reward"], node["available"], node["prior"] = visits, reward, available, prior
        work.counts[Count.SIZE] += 1
    return work


def searched(position, iterations: int, settings: Settings, seed: int = 1, weights=None) -> Workspace:
    """The work of a search from an information set, or from a world if `settings` do not determinize."""
    work = workspace(position.game, position.records, iterations, settings)
    search(work, settings, weights, iterations, stream(seed))
    return work


def searched_by_rules(position, iterations: int, settings: Settings, seed: int = 1) -> Workspace:
    return searched(position, iterations, settings, seed, weights_for(position.game))


def world_of(game: engine.Game, records: np.ndarray) -> State:
    """The state of a record, with decks of its own for the deals to come."""
    return State(game, records, Deals(0), 1, None)


def at_start(work: Workspace, game: engine.Game = GAME, seed: int = 3):
    """The record in `work` after the first deal of a game."""
    work.states[0] = game.new(seed=seed).records[0]
    return work.states[0]


def edges(work: Workspace, node: int = ROOT, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every node of a tree but the root: the actions that lead to it, and its number."""
    child = int(work.nodes[node]["first_child"])
    while child != NO_NODE:
        actions = (*path, int(work.nodes[child]["action"]))
        yield actions, child
        yield from edges(work, child, actions)
        child = int(work.nodes[child]["next_sibling"])
