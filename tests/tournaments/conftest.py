"""Hypothesis without a deadline: the first call of a kernel compiles it."""

from hypothesis import settings

settings.register_profile("compiles", deadline=None)
settings.load_profile("compiles")
