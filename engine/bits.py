"""Sets of small integers (cards of a hand, suits of a trick) as bit masks in an int64.

int64 and never uint64: Numba turns ``uint64 + int`` into int64 while NumPy keeps uint64. A set holds
elements 0 to 62.
"""

from __future__ import annotations

import numba
from llvmlite import ir
from numba.extending import intrinsic

from engine.compiling import COMPILED, rule


def count(mask):
    """Number of elements in the set."""
    return int(mask).bit_count()


def lowest(mask):
    """Smallest element of a set that is not empty."""
    mask = int(mask)
    return (mask & -mask).bit_length() - 1


if COMPILED:

    @intrinsic
    def _population_count(_typing, mask):
        def generate(_context, builder, _signature, arguments):
            return builder.ctpop(arguments[0])

        return numba.int64(numba.int64), generate

    @intrinsic
    def _trailing_zeros(_typing, mask):
        def generate(_context, builder, _signature, arguments):
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

        return numba.int64(numba.int64), generate

    @rule
    def count(mask):
        """Number of elements in the set."""
        return _population_count(mask)

    @rule
    def lowest(mask):
        """Smallest element of a set that is not empty."""
        return _trailing_zeros(mask)


@rule
def nth(mask, n):
    """The n-th smallest element; n = 0 is the smallest."""
    for _ in range(n):
        mask &= mask - 1
    return lowest(mask)


@rule
def fill(mask, elements):
    """Writes the elements in ascending order to the array `elements` and returns how many there are."""
    n = 0
    while mask:
        elements[n] = lowest(mask)
        mask &= mask - 1
        n += 1
    return n
