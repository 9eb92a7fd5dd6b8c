"""Bit sets against Python's sets."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import bits

elements = st.sets(st.integers(0, 62))
some_elements = st.sets(st.integers(0, 62), min_size=1)


def mask_of(elements):
    return sum(1 << element for element in elements)


@settings(deadline=None)
@given(elements)
def test_count(elements):
    assert bits.count(mask_of(elements)) == len(elements)


@settings(deadline=None)
@given(some_elements)
def test_lowest(elements):
    assert bits.lowest(mask_of(elements)) == min(elements)


@settings(deadline=None)
@given(some_elements, st.data())
def test_nth(elements, data):
    n = data.draw(st.integers(0, len(elements) - 1))
    assert bits.nth(mask_of(elements), n) == sorted(elements)[n]


@settings(deadline=None)
@given(elements)
def test_fill_writes_the_elements_ascending_and_nothing_behind_them(elements):
    array = np.full(63, -7)
    assert bits.fill(mask_of(elements), array) == len(elements)
    assert array.tolist() == sorted(elements) + [-7] * (63 - len(elements))


def test_masks_out_of_records_are_as_good_as_numbers():
    """Fields of records are NumPy integers."""
    mask = np.int64(0b1011 << 59)
    assert (bits.count(mask), bits.lowest(mask), bits.nth(mask, 2)) == (3, 59, 62)
