"""The players: they know the engine, not the tournaments.

>>> import bots
>>> bot = bots.load("ismcts", iterations=1000)
"""

from bots.bot import Bot, load, names

__all__ = ["Bot", "load", "names"]
