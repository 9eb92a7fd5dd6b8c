"""What a person at the table looks at."""

from __future__ import annotations

import pytest

import engine
from tests.cases import every_case, random_game
from tournaments.play.tableau import coloured, tableau, worth


@every_case()
def test_every_position_of_every_game_can_be_shown_to_every_seat(game):
    for state in random_game(game, 3):
        for seat in range(game.players):
            shown = tableau(state.information_set(seat))
            assert [len(row) for row in shown.rows] == [len(shown.columns)] * game.players
            assert "None" not in str(shown)


def test_the_table_of_day_and_night_worked_by_hand():
    """Seat 0 holds B1 B2 B3 B4 B5 B6 B7 and so on in canonical order; U13 is revealed. 4 and 1 make 5 in blue."""
    game = engine.load("day_and_night", players=3)
    deck = ["U1"] * 2 + [card for card in game.deck if card not in ("U1", "U13")]
    removed, rest = deck[:33], deck[33:]
    state = game.new(decks=[[*removed, *rest[:21], "U13", *rest[21:], "U13"]])
    first = [state.information_set(seat).facts()["hands"][seat][0] for seat in range(3)]
    for card in first:
        state = state.apply(card)
    shown = tableau(state.information_set())
    assert [row[:3] for row in shown.rows] == [["0", "0", card] for card in first]
    assert shown.question == "choose your second card of the round"
    totals = {"U": 13}
    for card in first:
        totals[card[0]] = totals.get(card[0], 0) + int(card[1:])
    assert f"U (purple) {totals['U']}" in "".join(shown.lines)
    assert all(f"{colour} (" in "".join(shown.lines) for colour in totals)


@pytest.mark.parametrize(
    ("game", "action", "said"),
    [
        ("daytime_minutes", "F3", "5 min"),
        ("daytime_minutes", "W4", "15 min"),
        ("daytime_minutes", "A15", "60 min"),
        ("daytime_minutes", "plan180", ""),
        ("day_and_night", "B1", "4★"),
        ("day_and_night", "take:U11", "3★"),
        ("day_and_night", "P7", "☾"),
        ("tricky_time_crisis", "V20", ""),
    ],
)
def test_what_is_printed_on_a_card(game, action, said):
    assert worth(engine.load(game), action) == said


def test_cards_are_coloured_and_words_are_not():
    shown = coloured("seat 1 D+2, seat 10 take:D5 (D) Dr. KD5 D56x", engine.load("tricky_time_crisis"), person=1)
    assert str(shown) == "seat 1 (you) D+2, seat 10 take:D5 (D) Dr. KD5 D56x"
    assert [str(shown)[span.start : span.end] for span in shown.spans if span.style == "green"] == ["D+2", "D5", "D"]
    assert [str(shown)[span.start : span.end] for span in shown.spans if span.style == "bold"] == ["seat 1 (you)"]
