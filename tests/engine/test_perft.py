"""Numbers of action sequences and sums of scores, against brute force through the independent referees."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import engine
from tests import reference_perft
from tests.cases import every_case, random_game

GOLDEN = json.loads((Path(__file__).parent.parent / "golden" / "perft.json").read_text(encoding="utf-8"))["positions"]


@every_case()
def test_from_the_first_deal(game):
    state = game.new(seed=2)
    for depth in range(5):
        assert engine.perft(state, depth) == reference_perft.count(state, depth)


@every_case()
@pytest.mark.parametrize("moves", [1, 2])
def test_across_the_second_deal_or_the_end(game, moves):
    for seed in range(3):
        state = reference_perft.before_second_deal(game, seed, moves)
        for depth in range(1, 4):
            assert engine.perft(state, depth) == reference_perft.count(state, depth)


@every_case()
def test_sequences_end_where_the_game_ends(game):
    *_, before_last, last = random_game(game, 3)
    for depth in (0, 1, 5):
        assert engine.perft(last, depth) == (1, last.scores)
    assert engine.perft(before_last, 1)[0] == len(before_last.legal_actions)


def test_perft_does_not_touch_the_state():
    state = engine.load("daytime_minutes").new(seed=1)
    before = state.records.tobytes()
    engine.perft(state, 3)
    assert state.records.tobytes() == before


@pytest.mark.parametrize("position", GOLDEN, ids=range(len(GOLDEN)))
def test_deep_counts(position):
    """Counted once by the referees (golden/generate.py), deeper than they could in a test."""
    game = engine.load(position["game"], players=position["players"], **position["options"])
    state = game.new(decks=position["decks"])
    for action in position["actions"]:
        state = state.apply(action)
    counts = [
        [count, list(totals)] for count, totals in (engine.perft(state, d + 1) for d in range(len(position["counts"])))
    ]
    assert counts == position["counts"]
