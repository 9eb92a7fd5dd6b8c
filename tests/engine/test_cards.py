"""Lists of card names that people and files give."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import names_in, parse_deck

NAMES = ("A1", "A2", "A2", "B1", "B7")  # two copies of A2


@given(st.sets(st.integers(0, 44)))
def test_names_in_a_set_of_cards_come_in_canonical_order(cards):
    names = [f"card{card}" for card in range(45)]
    assert names_in(sum(1 << card for card in cards), names) == [names[card] for card in sorted(cards)]


def test_a_deck_by_names():
    assert parse_deck(["B7", "A1", "B1", "A2", "A2"], NAMES) == (4, 0, 3, 1, 2)


@given(st.permutations(range(45)))
def test_names_of_a_permutation_read_back(deck):
    names = [f"card{card}" for card in range(45)]
    assert parse_deck([names[card] for card in deck], names) == tuple(deck)


@given(st.permutations(NAMES))
def test_copies_take_their_numbers_in_ascending_order(deck):
    numbers = list(parse_deck(deck, NAMES))
    assert [NAMES[number] for number in numbers] == list(deck)
    assert numbers.index(1) < numbers.index(2)


@pytest.mark.parametrize(
    ("deck", "words"),
    [
        (["A1", "A2", "A2", "B1"], "this one lacks B7$"),
        (["A1", "A2", "B1"], "this one lacks A2, B7$"),
        (["A1", "A2", "A2", "B1", "B7", "B7"], "this one has too many B7$"),
        (["A1", "A2", "A2", "A2", "B7"], "this one lacks B1 and has too many A2$"),
        (["A1", "A2", "A2", "B1", "Z9"], "this one lacks B7 and has too many Z9$"),
        ([], "this one lacks A1, A2, A2, B1, B7$"),
    ],
)
def test_a_wrong_deck_is_refused_with_the_cards_that_are_wrong(deck, words):
    with pytest.raises(ValueError, match=words):
        parse_deck(deck, NAMES)
