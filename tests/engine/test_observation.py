"""What stands where in an observation, by hand; and that it holds all that a seat knows, and nothing else."""

from __future__ import annotations

import doctest

import numpy as np
import pytest

import engine
import engine.observation
from engine.observation import ObservationLayout, number, set_of
from tests.cases import every_case, random_game

CANONICAL = {name: [engine.load(name, players=4).deck] for name in engine.names()}  # each seat gets neighbours


def observed(info):
    """The numbers by field, in the shapes that the layout tells."""
    layout = engine.observation_layout(info.game)
    vector = layout.encode(info)
    assert vector.dtype == np.float32
    assert vector.shape == (layout.size,)
    assert [field.start for field in layout] == [0, *[field.stop for field in layout][:-1]]
    return {field.name: vector[field.start : field.stop].reshape(field.shape) for field in layout}


def elements(numbers):
    return np.flatnonzero(numbers).tolist()


def test_daytime_minutes_after_two_cards():
    """Seat 0 holds F1 to F9, seat 1 F10 to F15 and A1 to A3, seat 2 A4 to A12. Seat 2 looks."""
    state = engine.load("daytime_minutes", players=4).new(decks=CANONICAL["daytime_minutes"])
    fields = observed(state.apply("F2").apply("A3").information_set())
    assert elements(fields["observer"]) == [2]
    assert elements(fields["turn"]) == [0]
    assert elements(fields["start"]) == [2]  # seat 0 is two to the left of seat 2
    assert elements(fields["trick"]) == [0]
    assert elements(fields["hand"]) == list(range(18, 27))
    assert elements(fields["played"]) == [1, 17]
    assert [elements(row) for row in fields["table"]] == [[], [], [1], [17]]
    assert [elements(row) for row in fields["collected"]] == [[], [], [], []]
    assert elements(fields["led_suit"]) == [0]
    assert elements(fields["suits"]) == [0, 1]
    assert fields["tokens"].tolist() == [1, 1, 1, 1]
    assert fields["plan"] == 0.75  # 180 of 240


def test_daytime_minutes_of_a_seat_that_is_not_to_move():
    state = engine.load("daytime_minutes", players=4).new(decks=CANONICAL["daytime_minutes"])
    fields = observed(state.apply("F2").information_set(3))
    assert elements(fields["turn"]) == [2]  # seat 1, two to the left of seat 3
    assert elements(fields["hand"]) == list(range(27, 36))
    assert [elements(row) for row in fields["table"]] == [[], [1], [], []]


def test_day_and_night_while_cards_are_chosen():
    """Sixteen cards are removed, B1 to a second B8; seat 0 holds B8 B9 B9 B10 B10 B11 B11, seat 1 B12 B12 ..."""
    state = engine.load("day_and_night", players=4).new(decks=CANONICAL["day_and_night"])
    fields = observed(state.apply("B9").information_set(0))
    held = [[7, 8, 9, 10], [9, 10], []]  # at least one, two, three copies
    assert [elements(level) for level in fields["hand"]] == held
    assert elements(fields["chosen"]) == [8]
    assert elements(fields["turn"]) == [1]
    assert fields["hand_size"].tolist() == [pytest.approx(6 / 7), 1, 1, 1]
    other = observed(state.apply("B9").information_set(1))
    assert elements(other["chosen"]) == []
    assert other["hand_size"].tolist() == [1, 1, 1, pytest.approx(6 / 7)]  # seat 0 is three to the left


def test_trick_or_repeat_once_hands_are_passed():
    """Hands are A1 to A5, A6 to B1, B2 to B6, B7 to C2; each seat places its lowest card."""
    state = engine.load("trick_or_repeat", players=4).new(decks=CANONICAL["trick_or_repeat"])
    for card in ("A1", "A6", "B2", "B7"):
        state = state.apply(card)
    fields = observed(state.information_set(0))
    assert elements(fields["stage"]) == [1]
    assert elements(fields["hand_at"][0, 0]) == [0, 1, 2, 3, 4]  # dealt to itself
    assert elements(fields["hand_at"][3, 1]) == [16, 17, 18, 19]  # dealt to the seat on its right, now its own
    assert fields["hand_at"].sum() == 9  # and it has seen no other
    assert elements(fields["placed"][0, 0]) == [0]
    assert fields["placed"].sum() == 1
    assert [elements(row) for row in fields["rabbit"]] == [[20], [21], [22], [23], [24]]


def test_tricky_time_crisis_after_a_card():
    """Seat 0 holds S3 to S9 without S13, seat 1 S13 and twelve cards of D; left of the dealer leads."""
    state = engine.load("tricky_time_crisis", players=4).new(decks=CANONICAL["tricky_time_crisis"])
    fields = observed(state.apply("S13").information_set(0))
    assert elements(fields["turn"]) == [2]
    assert elements(fields["leader"]) == [1]
    assert elements(fields["card_of_slot"][0]) == [7]
    assert elements(fields["seat_of_slot"][0]) == [1]
    assert elements(fields["on_table"]) == [1]
    ranks = "3445566677889"
    levels = [sorted({int(rank) - 3 for rank in ranks if ranks.count(rank) > level}) for level in range(3)]
    assert [elements(level) for level in fields["hand"]] == levels
    assert fields["hand_size"].tolist() == [1, pytest.approx(12 / 13), 1, 1]


@every_case()
def test_two_observations_are_equal_exactly_if_the_seat_knows_the_same(game):
    layout = engine.observation_layout(game)
    vectors, known = {}, {}
    for seed in range(3):
        for state in random_game(game, seed):
            for seat in range(game.players):
                info = state.information_set(seat)
                vector = layout.encode(info)
                assert (vector >= 0).all()
                assert (vector <= layout.high).all()
                assert vectors.setdefault(info, vector.tobytes()) == vector.tobytes()
                assert known.setdefault(vector.tobytes(), info) == info


def test_a_game_that_says_nothing_is_observed_bit_by_bit():
    game = engine.load("tests.engine.high_card")  # the record: rounds, rounds over, due, two hands, table, two points
    state = game.new(decks=[["c3", "c6", "c1", "c4", "c2", "c5"]]).apply("c6")
    fields = observed(state.information_set())
    assert elements(fields.pop("observer")) == [1]
    assert {name: numbers.shape for name, numbers in fields.items()} == {
        **dict.fromkeys(("rounds", "rounds_over", "due", "table"), (64,)),
        **dict.fromkeys(("hand", "points"), (2, 64)),
    }
    assert elements(fields["hand"][0]) == list(range(1, 64))  # HIDDEN is -2
    assert elements(fields["hand"][1]) == [0, 3]
    assert elements(fields["table"]) == [0, 2]  # c6 has the number 5
    assert elements(fields["rounds"]) == [1]


def test_a_layout_can_be_read():
    lines = str(engine.observation_layout(engine.load("trick_or_repeat", players=4))).splitlines()
    assert lines[0] == "trick_or_repeat/4: float32, shape (2432,)"
    assert lines[1].split() == ["0:4", "observer", "4", "absolute", "seat,", "one-hot"]
    assert any("hand_at" in line and "4x5x36" in line and "by seat from the observer" in line for line in lines)


@pytest.mark.parametrize(
    ("observed", "message"),
    [
        ({"hnad": set_of(6)}, "observed names hnad: expected fields of its record, rounds, rounds_over, due, hand"),
        ({"hand": set_of(6), "round": number(1, 3)}, "observed names round: expected"),
    ],
)
def test_a_field_that_is_not_there(monkeypatch, observed, message):
    game = engine.load("tests.engine.high_card")
    monkeypatch.setattr(game.rules, "observed", lambda players, options: observed, raising=False)
    with pytest.raises(TypeError, match=message):
        ObservationLayout(game)


def test_an_information_set_of_another_game():
    layout = engine.observation_layout(engine.load("trick_or_repeat", players=4))
    info = engine.load("trick_or_repeat", players=3).new(seed=1).information_set()
    with pytest.raises(ValueError, match=r"players=3.*: expected one of .*players=4"):
        layout.encode(info)


def test_the_example_runs():
    result = doctest.testmod(engine.observation)
    assert result.attempted > 3
    assert result.failed == 0
