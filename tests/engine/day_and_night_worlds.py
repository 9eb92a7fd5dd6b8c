"""A sampled world of Day & Night as a deck: dealt and played again, it must look the same to its seat."""

from __future__ import annotations

from collections import Counter

import engine

REMOVED = {3: 33, 4: 16, 5: 3}
HAND = 7


def deck_of(state: engine.State, world: engine.State, seat: int) -> list[str]:
    """A deck that deals the hands and the pile of `world`, what `seat` saw of `state` being as it was.

    Other seats are given their cards in the order in which they played them: so each was in hand in time.
    """
    states = _states(state)
    players = state.game.players
    drawn = _cards_of(states, state.record()["actions"], seat)
    held = [Counter(hand) for hand in world.facts()["hands"]]
    for other in range(players):
        if other != seat:
            chosen = world.facts()["committed"][other]
            drawn[other] += [chosen] * bool(chosen) + sorted(held[other].elements())
    sources = [iter(cards) for cards in drawn]
    hands = [[next(sources[other]) for _ in range(HAND)] for other in range(players)]
    pile: list[str] = []
    for before, after in zip([None, *states], states, strict=False):
        if before is None or after.facts()["round"] > before.facts()["round"]:
            if before is not None:
                pile += _draws(before, after, sources)
            pile += [after.facts()["revealed"]] if after.facts()["revealed"] else []
    record = world.records[0]
    pile += [state.game.actions[int(record.pile[i])] for i in range(int(record.pile_size) - 1, -1, -1)]
    front = [card for hand in hands for card in hand] + pile
    removed = list((Counter(state.game.deck) - Counter(front)).elements())
    assert len(removed) == REMOVED[players]
    return removed + front


def _draws(before, after, sources) -> list[str]:
    """The cards drawn between two rounds: seat by seat one card, then once more."""
    left = before.facts()["pile"]
    cards = []
    for _ in range(2):
        for source in sources:
            if left:
                cards.append(next(source))
                left -= 1
    return cards


def _cards_of(states, actions, seat) -> list[list[str]]:
    """Cards by seat in the order in which they came: all of `seat`, of the others those that they have shown."""
    players = states[0].game.players
    cards = [[] for _ in range(players)]
    cards[seat] = list(states[0].facts()["hands"][seat])
    for before, action, after in zip(states, actions, states[1:], strict=False):
        old, new = before.facts(), after.facts()
        if old["phase"] == "choose" and before.seat != seat:
            cards[before.seat].append(action)
        if new["round"] > old["round"] and not after.is_terminal:
            kept = Counter(old["hands"][seat])
            kept.subtract([action] if before.seat == seat and old["phase"] == "choose" else [])
            cards[seat] += (Counter(new["hands"][seat]) - kept).elements()
    hidden = states[-1].facts()["committed"]
    return [own[:-1] if hidden[s] and s != seat else own for s, own in enumerate(cards)]


def _states(state: engine.State) -> list[engine.State]:
    record = state.record()
    states = [state.game.new(decks=record["decks"])]
    for action in record["actions"]:
        states.append(states[-1].apply(action))
    return states
