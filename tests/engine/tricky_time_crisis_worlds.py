"""All deals of Tricky Time Crisis that a seat holds possible late in a round, judged by the referee."""

from __future__ import annotations

from collections import Counter

import engine
from tests.cases import random_game
from tests.engine.daytime_minutes_worlds import ways_to_deal
from tests.reference.tricky_time_crisis import Referee


def key(world: engine.State):
    """A world as a value: the hands; copies of a card are the same."""
    return tuple(tuple(sorted(hand)) for hand in world.facts()["hands"])


def enumerate_worlds(state: engine.State, seat: int) -> Counter:
    """For each key the number of deals of the physical cards that agree with what `seat` knows."""
    record, game = state.record(), state.game
    hands = state.facts()["hands"]
    played = _played_by_seat(state)
    unseen = list((Counter(game.deck) - Counter(hands[seat]) - Counter(state.facts()["seen"])).elements())
    others = [other for other in range(game.players) if other != seat]
    truth = _knowledge(record, record["decks"][0], seat)
    found = Counter()
    for parts in ways_to_deal(list(range(len(unseen))), [len(hands[other]) for other in others]):
        held = [list(hands[seat])] * game.players
        for other, part in zip(others, parts, strict=True):
            held[other] = [unseen[card] for card in part]
        dealt = [card for own, hand in zip(played, held, strict=True) for card in [*own, *hand]]
        deck = dealt + list((Counter(game.deck) - Counter(dealt)).elements())
        if _knowledge(record, deck, seat) == truth:
            found[tuple(tuple(sorted(hand)) for hand in held)] += 1
    return found


def late_position(game: engine.Game, seed: int, most_unseen: int) -> tuple[engine.State, int]:
    """A position of a first round, and a seat that is not to play and so learns from the one that is."""
    for attempt in range(seed * 1000, seed * 1000 + 1000):
        for state in random_game(game, attempt):
            if state.num_deals > 1:
                break
            facts = state.facts()
            seat = (facts["leader"] + len(facts["trick"]) + 1) % game.players
            unseen = len(game.deck) - len(facts["seen"]) - len(facts["hands"][seat])
            if facts["phase"] == "play" and facts["trick"] and unseen <= most_unseen:
                return state, seat
    raise AssertionError("no such position")


def _knowledge(record, deck, seat):
    """What `seat` knows after the actions of the record on another deal; None if one was not legal."""
    judge = Referee(record["players"], record["options"], [deck, *record["decks"][1:], deck])
    try:
        for action in record["actions"]:
            judge.apply(action)
    except ValueError:
        return None
    return judge.knowledge(seat)


def _played_by_seat(state: engine.State) -> list[list[str]]:
    record = state.record()
    played = [[] for _ in range(state.game.players)]
    before = state.game.new(decks=record["decks"])
    for action in record["actions"]:
        if action in state.game.deck:
            played[before.seat].append(action)
        before = before.apply(action)
    return played
