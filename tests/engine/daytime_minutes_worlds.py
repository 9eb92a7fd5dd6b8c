"""All deals of Daytime Minutes that a seat holds possible, by brute force over the referee's rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import factorial, prod

import engine
from tests.cases import random_game

CALLER_CARDS = 9


def hands(world: engine.State) -> list[list[str]]:
    return world.facts()["hands"]


def caller_deck(world: engine.State) -> list[str]:
    """The cards that the unknown caller is still to flip, next one first; empty without a caller."""
    if world.game.players != 3:
        return []
    flipped = world.facts()["trick"] - 1 + (world.facts()["caller"]["card"] is not None)
    return [world.game.deck[int(card)] for card in world.records[0].caller_deck[flipped:]]


def key(world: engine.State):
    """A world as a value: the hands, and the order of the caller's cards."""
    return tuple(map(frozenset, hands(world))), tuple(caller_deck(world))


@dataclass(frozen=True)
class Past:
    """What happened since the last deal, and the decks before it."""

    game: engine.Game
    record: dict
    played: list[list[str]]  # by seat, in order
    flipped: list[str]  # by the unknown caller, in order

    @classmethod
    def of(cls, state: engine.State) -> Past:
        record, game = state.record(), state.game
        before = game.new(seed=record["seed"], decks=record["decks"])
        past = cls(game, record, [[] for _ in range(game.players)], [])
        for name in record["actions"]:
            after = before.apply(name)
            if after.num_deals > before.num_deals:
                past.flipped.clear()
                for cards in past.played:
                    cards.clear()
            elif name in game.deck:
                past.played[before.seat].append(name)
                past.flipped.extend(_flipped(before, after, name))
            before = after
        return past

    def in_world(self, held: Sequence[Sequence[str]], to_flip: Sequence[str]) -> engine.State | None:
        """The same game with the cards of its last deal exchanged; None if an action would have been illegal.

        `held` are the hands now, `to_flip` the caller's cards to come.
        """
        dealt = [card for played, hand in zip(self.played, held, strict=True) for card in [*played, *hand]]
        stock = [*self.flipped, *to_flip]
        deck = dealt + stock + [card for card in self.game.deck if card not in {*dealt, *stock}]
        state = self.game.new(decks=[*self.record["decks"][:-1], deck])
        try:
            for name in self.record["actions"]:
                state = state.apply(name)
        except engine.IllegalActionError:
            return None
        return state


def enumerate_worlds(state: engine.State, seat: int) -> set:
    """The keys of all worlds that agree with what `seat` knows."""
    facts, past = state.facts(), Past.of(state)
    seen = {*facts["hands"][seat], *facts["played"]}
    unseen = [card for card in state.game.deck if card not in seen]
    others = [other for other in range(state.game.players) if other != seat]
    sizes = [len(facts["hands"][other]) for other in others]
    found = set()
    for parts in ways_to_deal(unseen, [*sizes, *[1] * len(caller_deck(state))]):
        held = [list(facts["hands"][seat])] * state.game.players
        for other, part in zip(others, parts, strict=False):
            held[other] = list(part)
        to_flip = [card for part in parts[len(others) :] for card in part]
        if past.in_world(held, to_flip) is not None:
            found.add((tuple(map(frozenset, held)), tuple(to_flip)))
    return found


def ways_to_deal(cards: list[str], sizes: list[int]) -> Iterator[tuple[frozenset, ...]]:
    """Every way to deal hands of `sizes` from `cards`, what is left over staying out."""
    if not sizes:
        yield ()
        return
    for hand in combinations(cards, sizes[0]):
        for rest in ways_to_deal([card for card in cards if card not in hand], sizes[1:]):
            yield (frozenset(hand), *rest)


def late_position(game: engine.Game, seed: int, most_worlds: int = 3000) -> engine.State:
    """A position of a first deal, few worlds to go, in which a seat not to move has shown its only suit."""
    for attempt in range(seed * 10_000, seed * 10_000 + 10_000):
        for state in random_game(game, attempt):
            if state.num_deals > 1 or state.is_terminal:
                break
            if state.records[0].trick < 5:
                continue
            facts = state.facts()
            shown = [s for s, suit in enumerate(facts["shown_suits"]) if suit and s != state.seat and facts["hands"][s]]
            if shown and 1 < _num_deals(state) <= most_worlds:
                return state
    raise AssertionError("no such position")


def _num_deals(state: engine.State) -> int:
    """The number of ways to deal what the seat to move does not see, rules aside."""
    facts = state.facts()
    unseen = len(state.game.deck) - len(facts["played"]) - len(facts["hands"][state.seat])
    sizes = [len(hand) for seat, hand in enumerate(facts["hands"]) if seat != state.seat] + [1] * len(
        caller_deck(state)
    )
    return factorial(unseen) // prod(map(factorial, sizes)) // factorial(unseen - sum(sizes))


def _flipped(before, after, name) -> list[str]:
    """Cards that the unknown caller put on the table while `before` became `after`, in order."""
    new = set(after.facts()["played"]) - set(before.facts()["played"]) - {name}
    on_table = (after.facts()["caller"] or {}).get("card")
    return sorted(new, key=lambda card: card == on_table)
