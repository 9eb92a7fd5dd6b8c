"""Names of cards: reading lists of names that people and files give, and writing sets of cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def names_in(cards: int, names: Sequence[str]) -> list[str]:
    """The names of the cards in a bit set, in canonical order."""
    return [name for card, name in enumerate(names) if int(cards) >> card & 1]


def parse_deck(given: Sequence[str], names: Sequence[str]) -> tuple[int, ...]:
    """A deck in card numbers from its card names, top first.

    Copies of a card share a name and take its numbers in ascending order. Raises ValueError unless
    `given` holds exactly the cards of `names`.
    """
    if not isinstance(given, list | tuple) or not all(isinstance(name, str) for name in given):
        raise ValueError(f"{given!r}: expected a list of card names"[:200])
    given_count, expected = Counter(given), Counter(names)
    if given_count != expected:
        missing = sorted((expected - given_count).elements())
        extra = sorted((given_count - expected).elements())
        complaints = [
            f"{what} {', '.join(cards)}" for what, cards in (("lacks", missing), ("has too many", extra)) if cards
        ]
        raise ValueError(f"a deck holds each of the {len(names)} cards once; this one {' and '.join(complaints)}")
    numbers: dict[str, list[int]] = {}
    for number, name in enumerate(names):
        numbers.setdefault(name, []).append(number)
    return tuple(numbers[name].pop(0) for name in given)
