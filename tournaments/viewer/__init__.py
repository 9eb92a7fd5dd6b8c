"""Recorded games to look at: a part of a page, or a page of its own, that needs no network."""

from tournaments.viewer.page import fragment, page
from tournaments.viewer.thoughts import Thoughts, asked, logged

__all__ = ["Thoughts", "asked", "fragment", "logged", "page"]
