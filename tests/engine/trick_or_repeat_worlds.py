"""All worlds of Trick or Repeat that a seat holds possible: every deal and hidden choice, by the referee."""

from __future__ import annotations

import copy
from collections.abc import Iterator

import engine
from tests.engine.daytime_minutes_worlds import ways_to_deal
from tests.reference.trick_or_repeat import Referee


def key(state: engine.State):
    """A world as a value: the hands as dealt, and the placements and bids of this round."""
    facts = state.facts()
    dealt = tuple(tuple(look["cards"]) for look in facts["seen"] if look["stage"] == 0)
    return dealt, tuple(map(tuple, facts["placed"])), tuple(facts["bids"])


def enumerate_worlds(state: engine.State, seat: int, most: int) -> set | None:
    """The keys of all worlds that agree with what `seat` knows; None if there are more than `most`."""
    record, game = state.record(), state.game
    fixed = _actions_of_finished_rounds(state)
    knowledge = _knowledge(record, seat)
    found = set()
    for deck in _possible_decks(game, record["decks"][0], seat, deals_are_known=fixed > 0):
        judge = Referee(game.players, game.options, [deck])
        for action in record["actions"][:fixed]:
            judge.apply(action)
        for actions in _histories(judge, record["actions"], knowledge, seat, fixed):
            found.add(key(_play(game.new(decks=[deck]), record["actions"][:fixed] + actions)))
            if len(found) > most:
                return None
    return found


def _histories(judge, actions, knowledge, seat, ply) -> Iterator[list[str]]:
    """The ways to go on from `judge` to the present, with what `seat` knows being true at every step."""
    if judge.knowledge(seat) != knowledge[ply]:
        return
    if ply == len(actions):
        yield []
        return
    for action in [actions[ply]] if judge.seat == seat else judge.legal:
        after = copy.deepcopy(judge)
        after.apply(action)
        for rest in _histories(after, actions, knowledge, seat, ply + 1):
            yield [action, *rest]


def _possible_decks(game, deck, seat, deals_are_known) -> Iterator[list[str]]:
    """Decks with the same Rabbit and the same hand of `seat`, the other hands dealt in every way."""
    if deals_are_known:
        yield deck
        return
    size, players = game.options["hand_size"], game.players
    own, rabbit = deck[size * seat : size * (seat + 1)], deck[size * players : size * (players + 1)]
    unseen = [card for card in deck if card not in {*own, *rabbit}]
    for hands in ways_to_deal(unseen, [size] * (players - 1)):
        dealt = [sorted(hand) for hand in hands]
        dealt.insert(seat, own)
        front = [card for hand in dealt for card in hand] + rabbit
        yield front + [card for card in deck if card not in front]


def _knowledge(record, seat) -> list:
    """What `seat` knew after each action of the record."""
    judge = Referee(record["players"], record["options"], record["decks"])
    known = [judge.knowledge(seat)]
    for action in record["actions"]:
        judge.apply(action)
        known.append(judge.knowledge(seat))
    return known


def _actions_of_finished_rounds(state: engine.State) -> int:
    """How many actions belong to finished rounds: those are known to all, as are the hands then."""
    if state.facts()["earlier"] is None:
        return 0
    return state.game.players * state.game.options["hand_size"]


def _play(state: engine.State, actions) -> engine.State:
    for action in actions:
        state = state.apply(action)
    return state
