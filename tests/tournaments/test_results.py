"""Stored rows as arrays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments import results
from tournaments.results import Faults, collect

NAMES = ["x", "y", 'a "],[" b']  # the last one looks like JSON


def fault(bot: int, message: str, reason: str = "exception") -> str:
    return f'[{{"seat":0,"bot":"{NAMES[bot]}","reason":"{reason}","message":"{message}","action_number":3}}]'


ROWS = [  # of three blocks of two games, and one of another game, in order
    ("g/2", "A", 0, '["x","y"]', "[1,-2]", "[1,2]", fault(1, "first"), "[3,4]", "[0.5,0.25]"),
    ("g/2", "A", 1, '["y","x"]', "[5,5]", "[1,1]", fault(0, "x"), "[3,4]", "[0.5,1e-06]"),
    ("g/2", "B", 0, '["x","a \\"],[\\" b"]', "[0,7]", "[2,1]", fault(1, "slow", "time"), "[0,4]", "[0.0,2]"),
    ("g/2", "B", 1, '["a \\"],[\\" b","x"]', "[7,0]", "[1,2]", fault(1, "second"), "[3,4]", "[0.5,0.25]"),
    ("g/2", "C", 0, '["y","y"]', "[1,2]", "[2,1]", "[]", "[3,4]", "[0.5,0.25]"),
    ("g/2", "C", 1, '["y","y"]', "[1,2]", "[2,1]", "[]", "[3,4]", "[0.5,0.25]"),
    ("h/3", "AA", 0, '["x","y","x"]', "[1,2,3]", "[3,2,1]", "[]", "[1,1,1]", "[0,0,0]"),
]


@given(st.permutations(ROWS), st.integers(1, 8))
def test_rows_in_any_order_and_any_parts_are_the_same_arrays(rows, chunk):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(results, "CHUNK", chunk)
        one, other = collect(rows, NAMES)
    assert (one.game, other.game) == ("g/2", "h/3")
    assert one.blocks.tolist() == [0, 0, 2, 2, 3, 3]  # A, B and C among A, AA, B, C
    assert other.blocks.tolist() == [1]
    assert one.bots.tolist() == [[0, 1], [1, 0], [0, 2], [2, 0], [1, 1], [1, 1]]
    assert one.scores.tolist() == [[1, -2], [5, 5], [0, 7], [7, 0], [1, 2], [1, 2]]
    assert one.ranks.tolist() == [[1, 2], [1, 1], [2, 1], [1, 2], [2, 1], [2, 1]]
    assert one.decisions.tolist()[2] == [0, 4]
    assert one.seconds.tolist()[:3] == [[0.5, 0.25], [0.5, 1e-6], [0, 2]]
    assert other.ranks.tolist() == [[3, 2, 1]]
    assert one.faults == [
        Faults("y", "exception", 2, "first"),
        Faults("x", "exception", 1, "x"),
        Faults("y", "time", 1, "slow"),
    ]
    assert other.faults == []


def test_no_rows_are_no_results():
    assert collect([], NAMES) == []


def test_a_bot_of_another_name_and_broken_lists_are_errors():
    game, block, rotation, _, *lists = ROWS[0]
    with pytest.raises(KeyError, match="stranger"):
        collect([(game, block, rotation, '["x","stranger"]', *lists)], NAMES)
    with pytest.raises(ValueError, match="reshape"):
        collect([ROWS[0], (*ROWS[1][:4], "[1,2,3]", *ROWS[1][5:])], NAMES)
    with pytest.raises(ValueError, match="line 1"):
        collect([(*ROWS[0][:4], "[1,", *ROWS[0][5:])], NAMES)
