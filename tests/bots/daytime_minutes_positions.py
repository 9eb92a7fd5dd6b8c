"""Positions of Daytime Minutes, set up by hand, in which the best card is plain."""

from __future__ import annotations

import numpy as np

import engine
from engine.state import Deals, State
from tests.engine.test_daytime_minutes import cards, deal

GAME = engine.load("daytime_minutes", players=4)
AFTERNOON = 7  # complete tricks before the last one in which anything is collected; every seat holds two cards


def last_daytime_trick(hands, played, minutes, tokens=(3, 3, 3, 3)):
    """Seat 3 is to play last to the last daytime trick of a hand on plan 180.

    `hands` are two cards by seat, `played` those that seats 0, 1 and 2 play of them.
    """
    records = GAME.new(decks=[deal(hands)]).records.copy()
    record = records[0]
    kept = [mask_of(cards(hand)) for hand in hands]
    record.played = sum(int(hand) for hand in record.hand[:4]) - sum(kept)
    record.hand[:4] = kept
    record.trick = AFTERNOON
    record.minutes[:4] = minutes
    record.tokens[:4] = tokens
    state = State(GAME, records, Deals(0), 1, None)
    for card in played:
        state = state.apply(card)
    assert state.facts()["time"] == "Afternoon"
    assert state.seat == 3
    return state


def choosing_a_plan(hand):
    """Seat 0 holds `hand` and is to choose the plan of a second hand."""
    records = GAME.empty_record()
    records[0].hands_scored = 1
    numbers = [GAME.deck.index(card) for card in deal([hand])]
    GAME.rules.deal(records[0], np.array(numbers))
    state = State(GAME, records, Deals(0), 1, None)
    assert state.legal_names == ("plan150", "plan180", "plan210", "plan240")
    return state


def mask_of(names):
    return sum(1 << GAME.deck.index(name) for name in names)


HANDS = ["F2 W7", "A4 W8", "A5 W9", "F10 A1"]
PLAYED = ["F2", "A4", "A5"]
# Seat 3 plays F10 and collects F2 and F10, 50 minutes, or A1, under A5, and collects nothing.
EXACT = last_daytime_trick(HANDS, PLAYED, minutes=[60, 100, 90, 130])  # 180 with F10: a token more
OVER = last_daytime_trick(HANDS, PLAYED, minutes=[60, 100, 90, 150])  # 200 with F10: a token less
FEWEST = last_daytime_trick(HANDS, PLAYED, minutes=[60, 100, 90, 40])  # with A1 the fewest: a token less

# Seat 0 has the fewest minutes and loses its last token: the game is over. With F10 seat 3 has three tokens and
# wins alone, with A1 it shares with seats 1 and 2.
WIN_BY_TAKING = last_daytime_trick(HANDS, PLAYED, minutes=[60, 100, 90, 130], tokens=[1, 2, 2, 2])

# With F1 seat 0 takes F10, F2 and F1, is over with 205, loses its last token, and seat 3 wins with three tokens.
# With F15 seat 3 is over itself with 240, and the game goes on.
WIN_BY_DUCKING = last_daytime_trick(
    ["F10 W7", "A5 W8", "F2 W9", "F1 F15"], ["F10", "A5", "F2"], minutes=[150, 20, 20, 130], tokens=[1, 2, 2, 3]
)
