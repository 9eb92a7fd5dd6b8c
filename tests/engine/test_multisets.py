"""Multisets as bit masks against collections.Counter."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import multisets

CARDS = 55
copies = st.dictionaries(st.integers(0, CARDS - 1), st.integers(1, 3), max_size=12).map(Counter)


def levels_of(counter):
    levels = np.zeros(multisets.LEVELS, np.int64)
    for card in counter.elements():
        multisets.add(levels, card)
    return levels


@settings(deadline=None)
@given(copies, st.randoms())
def test_adding_and_removing_in_any_order(counter, random):
    elements = list(counter.elements())
    random.shuffle(elements)
    levels = np.zeros(multisets.LEVELS, np.int64)
    for card in elements:
        multisets.add(levels, card)
    assert levels.tolist() == levels_of(counter).tolist()
    random.shuffle(elements)
    while elements:
        multisets.remove(levels, elements.pop())
        assert levels.tolist() == levels_of(Counter(elements)).tolist()


@settings(deadline=None)
@given(copies, st.data())
def test_what_is_missing(full, data):
    part = Counter({card: data.draw(st.integers(0, count)) for card, count in full.items()})
    cards = np.empty(200, np.int64)
    count = multisets.fill_missing(levels_of(full), levels_of(part), cards)
    assert Counter(cards[:count].tolist()) == full - part


def test_names_and_levels_of_a_deck():
    names = ["A1", "A2", "B1"]
    deck = ["A1", "A2", "A2", "B1", "B1", "B1"]
    levels = multisets.levels_of(names, deck)
    assert levels == [0b111, 0b110, 0b100]
    assert multisets.names_in(levels, names) == deck
