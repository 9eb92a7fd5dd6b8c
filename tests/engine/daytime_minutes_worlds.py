"""All deals of Daytime Minutes that a seat holds possible, by brute force over the referee's rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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


def replay(state: engine.State, held: Sequence[Sequence[str]], to_flip: Sequence[str]) -> engine.State | None:
    """The game of `state` with the hands of its last deal exchanged; None if an action would have been illegal.

    `held` are the hands now, `to_flip` the caller's cards to come.
    """
    record, game = state.record(), state.game
    start, actions = _last_deal(record, game)
    played = [[] for _ in range(game.players)]
    flips = []
    for before, after, name in _walk(start, actions):
        if name in game.deck:
            played[before.seat].append(name)
            flips += _flipped(before, after, name)
    dealt = [card for seat in range(game.players) for card in [*played[seat], *held[seat]]]
    stock = flips + list(to_flip)
    deck = dealt + stock + [card for card in game.deck if card not in {*dealt, *stock}]
    try:
        return engine.replay(record | {"decks": [*record["decks"][:-1], deck]})
    except engine.RecordError:
        return None


def enumerate_worlds(state: engine.State, seat: int) -> set:
    """The keys of all worlds that agree with what `seat` knows."""
    facts = state.facts()
    seen = {*facts["hands"][seat], *facts["played"]}
    unseen = [card for card in state.game.deck if card not in seen]
    others = [other for other in range(state.game.players) if other != seat]
    sizes = [len(facts["hands"][other]) for other in others]
    flips = len(caller_deck(state))
    found = set()
    for parts in ways_to_deal(unseen, [*sizes, *[1] * flips]):
        held = [list(facts["hands"][seat])] * state.game.players
        for other, part in zip(others, parts, strict=False):
            held[other] = list(part)
        to_flip = [card for part in parts[len(others) :] for card in part]
        if replay(state, held, to_flip) is not None:
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
    sizes = [len(hand) for seat, hand in enumerate(facts["hands"]) if seat != state.seat] + [1] * len(caller_deck(state))
    return factorial(unseen) // prod(map(factorial, sizes)) // factorial(unseen - sum(sizes))


def _last_deal(record, game):
    """The state right after the last deal of a record and the actions from there."""
    state, start, since = game.new(seed=record["seed"], decks=record["decks"]), None, 0
    start = state
    for number, action in enumerate(record["actions"], 1):
        after = state.apply(action)
        if after.num_deals > state.num_deals:
            start, since = after, number
        state = after
    return start, record["actions"][since:]


def _walk(state, actions):
    for name in actions:
        after = state.apply(name)
        yield state, after, name
        state = after


def _flipped(before, after, name) -> list[str]:
    """Cards that the unknown caller put on the table while `before` became `after`, in order."""
    new = set(after.facts()["played"]) - set(before.facts()["played"]) - {name}
    on_table = (after.facts()["caller"] or {}).get("card")
    return sorted(new, key=lambda card: card == on_table)
