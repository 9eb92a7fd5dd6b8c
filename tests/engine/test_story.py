"""A recorded game told in words."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import engine
from engine.story import tell
from tests.cases import every_case, random_game

GOLDEN = Path(__file__).parent.parent / "golden"


def test_the_first_tricks_of_the_reviewed_game():
    """As worked by hand in test_golden: F5 A7 F13 and the caller's A5; then A3 A2 A9 and its F2, which is discarded."""
    lines = list(tell(json.loads((GOLDEN / "daytime_minutes.jsonl").read_text(encoding="utf-8").splitlines()[0])))
    assert lines[0] == "Daytime Minutes, 3 players"
    first = lines.index("    Morning: seat 1 collects A5 A7 and has 45 minutes")
    assert lines[first - 2] == "  seat 0 F5, seat 1 A7, seat 2 F13"
    assert lines[first - 1] == "    Morning: the unknown caller flipped A5"
    assert lines[first + 1] == "    Morning: seat 2 collects F5 F13 and has 75 minutes"
    assert "    Afternoon: seat 1 collects A2 A3 A9 and has 85 minutes" in lines
    assert not any("collects F2" in line for line in lines[: lines.index("deal 2")])


@every_case()
def test_every_deal_every_action_and_every_score_is_told(game):
    *states, last = random_game(game, 5)
    record = last.record() | {"bots": [f"bot {seat}" for seat in range(game.players)]}
    lines = list(tell(record))
    assert [line for line in lines if line.startswith("deal")] == [f"deal {k + 1}" for k in range(len(record["decks"]))]
    told = [move for line in lines if re.match(r"  seat \d+ ", line) for move in line.strip().split(", ")]
    played = zip(states, record["actions"], strict=True)
    assert told == [f"seat {state.seat} {action}" for state, action in played]
    scores = [f"seat {s} (bot {s}): score {last.scores[s]}, rank {last.ranks[s]}" for s in range(game.players)]
    assert lines[-game.players :] == scores
    assert "?" not in "".join(lines)


def test_a_wrong_record_is_not_told():
    *_, last = random_game(engine.load("day_and_night"), 1)
    with pytest.raises(engine.RecordError, match="scores"):
        list(tell(last.record() | {"scores": [0, 0, 0, 0]}))
