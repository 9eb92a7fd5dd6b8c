"""A tree whose edges are what the searcher sees, in a Trick or Repeat small enough to say what that is."""

from __future__ import annotations

import pytest

import bots
import engine
from bots.search.kernel import search
from bots.search.settings import Count, workspace
from bots.search.tree import ROOT, children
from engine.rng import stream
from tests.bots.table import played
from tests.cases import every_case

TINY = engine.load("trick_or_repeat", players=2, suits=2, ranks=3, hand_size=2, rounds=1)


def searched(observes, iterations=2000):
    info = TINY.new(seed=5).information_set()
    settings = bots.load("ismcts").settings(info.seat, observes=observes)
    work = workspace(TINY, info.records, iterations, settings)
    search(work, settings, None, iterations, stream(1))
    return info, work


def below(work, node):
    """Action names and node numbers of the children of `node`."""
    numbers = [number for number in range(1, work.counts[Count.SIZE]) if is_child(work.nodes, node, number)]
    return {TINY.actions[work.nodes[number]["action"]]: number for number in numbers}


def is_child(nodes, node, number):
    child = int(nodes[node]["first_child"])
    while child and child != number:
        child = int(nodes[child]["next_sibling"])
    return child == number


def test_a_card_laid_face_down_has_no_edge_before_it_is_shown():
    """Both lay a card, then bid, then all is shown: the searcher's card is followed by its bid, and that by what

    the other seat laid and bid. With the textbook's edges its card is followed by the other's.
    """
    info, work = searched(observes=True)
    first = below(work, ROOT)
    assert set(first) == set(info.legal_names)
    for number in first.values():
        own_bids = below(work, number)
        assert set(own_bids) == {"bid0", "bid1", "bid2"}
        for bid in own_bids.values():
            shown = below(work, bid)
            assert shown or work.nodes[bid]["visits"] == 1
            assert not any(name.startswith("bid") for name in shown)
            for card in shown.values():
                assert set(below(work, card)) <= {"bid0", "bid1", "bid2"}
    _, textbook = searched(observes=False)
    for number in below(textbook, ROOT).values():
        assert not any(name.startswith("bid") for name in below(textbook, number))


def test_every_iteration_takes_an_action_of_the_root():
    _, work = searched(observes=True, iterations=500)
    assert children(work.nodes)["visits"].sum() == 500


@every_case()
def test_where_all_is_seen_it_is_the_textbooks_tree(game):
    info = game.new(seed=2).information_set()
    trees = []
    for observes in (False, True):
        settings = bots.load("ismcts").settings(info.seat, observes=observes)
        work = workspace(game, info.records, 300, settings)
        search(work, settings, None, 300, stream(1))
        trees.append(work.nodes.tobytes())
    assert (trees[0] == trees[1]) == (game.name in ("daytime_minutes", "tricky_time_crisis"))


@every_case()
def test_never_an_illegal_action(game):
    assert played(
        game, [bots.load("ismcts", iterations=20, observe=True) for _ in range(game.players)], seed=2
    ).is_terminal


@pytest.mark.parametrize("options", [{"redeal": 0.5}, {"reuse": True}, {"prior": "puct"}, {"backup": "self_only"}])
def test_what_does_not_go_with_it_is_refused(options):
    with pytest.raises(ValueError, match=r"observe = true: expected no redeal, reuse, prior or backup"):
        bots.load("ismcts", observe=True, **options)
