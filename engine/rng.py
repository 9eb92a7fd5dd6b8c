"""A seedable random stream that gives the same numbers in compiled and in plain code.

SplitMix64 (Steele, Lea and Flood, 2014, "Fast splittable pseudorandom number generators"), held in an
int64 array of shape (1,). Own code because `np.random.Generator` costs seconds to compile inside a
kernel (`shuffle` alone 7 s), and because its streams may change from one NumPy to the next while game
records must not.
"""

from __future__ import annotations

import numpy as np
from numba import int64
from numba.extending import intrinsic

from engine.compiling import COMPILED, rule

_GOLDEN_GAMMA = 0x9E3779B97F4A7C15 - (1 << 64)
_MIX_1 = 0xBF58476D1CE4E5B9 - (1 << 64)
_MIX_2 = 0x94D049BB133111EB - (1 << 64)
_LOW_32 = (1 << 32) - 1
_LOW_33 = (1 << 33) - 1
_LOW_34 = (1 << 34) - 1
_LOW_37 = (1 << 37) - 1
_LOW_53 = (1 << 53) - 1
_LOW_63 = (1 << 63) - 1


def _wrap(x):
    """`x` modulo 2**64 as a signed 64-bit integer."""
    return (x + (1 << 63)) % (1 << 64) - (1 << 63)


def _add(a, b):
    return _wrap(int(a) + int(b))


def _multiply(a, b):
    return _wrap(int(a) * int(b))


if COMPILED:  # machine words wrap by themselves, but Numba's own `+` and `*` tell LLVM that they never do

    @intrinsic
    def _add_words(_typing, a, b):
        return int64(int64, int64), lambda _context, builder, _signature, words: builder.add(*words)

    @intrinsic
    def _multiply_words(_typing, a, b):
        return int64(int64, int64), lambda _context, builder, _signature, words: builder.mul(*words)

    @rule
    def _add(a, b):
        return _add_words(a, b)

    @rule
    def _multiply(a, b):
        return _multiply_words(a, b)


def stream(seed: int) -> np.ndarray:
    """A fresh random stream, int64 array of shape (1,); equal seeds give equal streams."""
    return np.array([_wrap(seed)], np.int64)


@rule
def _mix(z):
    z = _multiply(z ^ (z >> 30 & _LOW_34), _MIX_1)
    z = _multiply(z ^ (z >> 27 & _LOW_37), _MIX_2)
    return z ^ (z >> 31 & _LOW_33)


@rule
def next_word(rng):
    """The next 64 random bits of the stream, as a signed integer."""
    rng[0] = _add(rng[0], _GOLDEN_GAMMA)
    return _mix(rng[0])


@rule
def below(rng, bound):
    """A uniform integer in [0, bound), for 0 < bound < 2**31 (Lemire, 2019, without bias)."""
    product = (next_word(rng) >> 32 & _LOW_32) * bound
    if product & _LOW_32 < bound:
        threshold = (1 << 32) % bound
        while product & _LOW_32 < threshold:
            product = (next_word(rng) >> 32 & _LOW_32) * bound
    return product >> 32


@rule
def uniform(rng):
    """A uniform number in [0, 1)."""
    return (next_word(rng) >> 11 & _LOW_53) * 2.0**-53


@rule
def chance(rng, probability):
    """True with this probability."""
    return uniform(rng) < probability


@rule
def shuffle(rng, items, size):
    """Shuffles the first `size` items in place (Fisher and Yates)."""
    for i in range(size - 1, 0, -1):
        j = below(rng, i + 1)
        items[i], items[j] = items[j], items[i]


@rule
def _part_of(seed, number):
    """The state of the stream of part `number` of what has this seed."""
    return _mix(_add(_mix(seed), _multiply(number + 1, _GOLDEN_GAMMA)))


@rule
def derived_seed(seed, number):
    """Seed `number` of those that follow from `seed`, from 0 to 2**63 - 1."""
    return _mix(_part_of(seed, number)) & _LOW_63


@rule
def shuffle_deck(seed, number, deck):
    """Writes deck `number` of the game with seed `seed`: a permutation of range(len(deck)), of these two alone."""
    rng = np.empty(1, np.int64)
    rng[0] = _part_of(seed, number)
    for i in range(len(deck)):
        deck[i] = i
    shuffle(rng, deck, len(deck))
