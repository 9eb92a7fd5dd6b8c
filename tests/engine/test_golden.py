"""Golden game records: whatever becomes of the code, these games, written down once, stay as they are.

The files are made by tests/golden/generate.py; a new game's file golden/GAME.jsonl is picked up by its name.

Reviewed by eye against RULES.md section 1, from the decks and actions of the file alone: the whole first hand
(legal cards with two suits, collecting by suit, evening, who leads, the end, tokens, start player, chooser, seat
of the unknown caller) of daytime_minutes.jsonl, lines 1 (3 players) and 5 (4 players). What came out is in REVIEWED:
* 3 players, plan 180, d = 0. Led by seats 0 2 1 1 1 1 1 1. Trick 1: F5 A7 F13, caller A5: seat 2 takes 75, seat 1
  45. Trick 2 (2, caller, 0, 1): A3 F2 A2 A9: seat 1 40, the caller's F2 is discarded. Trick 4: A4 W3 W12 W9: seat 1
  15, the caller's W12 beats W9. Trick 5: W2 F9 A11 A1: 5 and 30. Trick 7: W13 W4 A10 A12: seat 1 75, now exactly
  180 and not over; seat 0 90. Trick 8: W11 F10 F12 F4: seat 1 45, over. Tricks 3 and 6 are evenings.
* 4 players, plan 180. Led by seats 0 3 2 2. Trick 1: A13 F11 A12 A14: seat 3 takes 165, seat 1 45. Trick 2: F9 F5
  F6 F12: seat 2 105. Trick 3, evening. Trick 4: W15 W8 A5 A6: seat 2 90, over with 195; seat 1 30.

Also read by eye, as `timetricks show` tells them, against sections 2 to 4: the first three rounds of line 4 of
day_and_night.jsonl (time, totals, order of taking, stars), the whole of line 4 of trick_or_repeat.jsonl (trumps,
leaders, winners, bids, points), and the first five tricks of line 4 of tricky_time_crisis.jsonl (D+2 at 25 against
25, the later totals, K0, forced takings). The other lines rest on the independent referees.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import engine
from tests.cases import referee

FOLDER = Path(__file__).parent.parent / "golden"
RECORDS = [
    pytest.param(json.loads(line), id=f"{path.stem}-{number}")
    for path in sorted(FOLDER.glob("*.jsonl"))
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
]
REVIEWED = [
    {
        "players": 3,
        "line": 1,
        "tricks": [
            ([0, 45, 75], [0, 12, 18]),
            ([0, 85, 75], [0, 26, 18]),
            ([0, 85, 75], [0, 26, 18]),
            ([0, 100, 75], [0, 30, 18]),
            ([0, 105, 105], [0, 32, 27]),
            ([0, 105, 105], [0, 32, 27]),
            ([90, 180, 105], [22, 49, 27]),
        ],
        "next": {"tokens": [2, 2, 3], "start": 0, "seat_to_move": 1, "caller": {"before": 1, "card": None}},
    },
    {
        "players": 4,
        "line": 5,
        "tricks": [
            ([0, 45, 0, 165], [0, 11, 0, 39]),
            ([0, 45, 105, 165], [0, 11, 32, 39]),
            ([0, 45, 105, 165], [0, 11, 32, 39]),
        ],
        "next": {"tokens": [2, 3, 2, 3], "start": 0, "seat_to_move": 2, "caller": None},
    },
]


def game_of(record):
    return engine.load(record["game"], players=record["players"], **record["options"])


@pytest.mark.parametrize("record", RECORDS)
def test_a_golden_game_replays(record):
    state = engine.replay(record)
    assert state.is_terminal
    assert state.record() == record


@pytest.mark.parametrize("record", RECORDS)
def test_the_referee_agrees_on_a_golden_game(record):
    judge = referee(engine.replay(record))
    assert judge.seat is None
    assert judge.deals == len(record["decks"])
    for key in ("scores", "ranks", "returns"):
        assert list(getattr(judge, key)) == record[key]


@pytest.mark.parametrize("record", [parameters for parameters in RECORDS if parameters.values[0]["seed"] is not None])
def test_the_seed_of_a_golden_game_still_gives_its_decks(record):
    """A change of the random stream would make every seed that somebody noted mean another game."""
    state = game_of(record).new(seed=record["seed"])
    for action in record["actions"]:
        state = state.apply(action)
    assert state.record()["decks"] == record["decks"]


@pytest.mark.parametrize("reviewed", REVIEWED, ids=lambda reviewed: f"{reviewed['players']} players")
def test_the_first_hand_is_what_the_review_found(reviewed):
    lines = (FOLDER / "daytime_minutes.jsonl").read_text(encoding="utf-8").splitlines()
    record = json.loads(lines[reviewed["line"] - 1])
    state = game_of(record).new(decks=record["decks"])
    actions = iter(record["actions"])
    for number, (minutes, talk) in enumerate(reviewed["tricks"], 2):
        while state.facts()["trick"] < number:
            state = state.apply(next(actions))
        assert (state.facts()["minutes"], state.facts()["talk"]) == (minutes, talk)
    for _ in range(reviewed["players"]):  # the trick that ends the hand
        state = state.apply(next(actions))
    assert {key: state.facts()[key] for key in reviewed["next"]} == reviewed["next"]
    assert state.facts()["phase"] == "plan"
