"""Daytime Minutes by rules of thumb.

For every card that may be played the policy asks what it leads to:

* *Taking.* How likely is it to stay the highest of its suit (higher cards still unseen, seats still
  to play), and how many minutes would it collect then? In the evening nothing is collected.
* *Standing.* A position is worth a token for exact minutes, minus one for more than the plan; below
  the plan it loses by the chance of having the fewest minutes, and by the danger of being forced over.
* *Keeping.* Cards of high talk values collect. If the hand is likely to collect more than the plan
  leaves, get rid of them when it costs nothing (in the evening, under a higher card); if it is likely
  to collect too little, keep them and get rid of the low ones.

The plan is the smallest one that the hand is not likely to exceed.
"""

from __future__ import annotations

from engine import bits
from engine.compiling import rule
from engine.daytime_minutes import (
    ALL_CARDS,
    CARDS_OF_SUITS,
    FIRST_PLAN_ACTION,
    MINUTES,
    NO_CARD,
    PLANS,
    SUIT,
    SUIT_CARDS,
    TALK,
    TRICKS,
    Phase,
    is_evening,
    playable,
)

MARGIN_SCALE = 30.0  # minutes ahead of the lowest seat that make "fewest" unlikely
DANGER_SCALE = 45.0  # minutes to the plan within which a forced card goes over
KEEPING = 0.25  # weight of the cards kept against the position reached
DAYTIME_SHARE = 2 / 3


@rule
def policy(state, seat):
    if state.phase == Phase.PLAN:
        return choose_plan(state.hand[seat])
    options = playable(state, state.hand[seat])
    best = NO_CARD
    best_score = -1e9
    while options:
        card = bits.lowest(options)
        options &= options - 1
        score = score_card(state, seat, card)
        if score > best_score:
            best_score = score
            best = card
    return best


@rule
def choose_plan(hand):
    expected = collecting_power(hand) * DAYTIME_SHARE
    for i in range(len(PLANS)):
        if PLANS[i] >= expected:
            return FIRST_PLAN_ACTION + i
    return FIRST_PLAN_ACTION + len(PLANS) - 1


@rule
def score_card(state, seat, card):
    minutes = state.minutes[seat]
    kept = KEEPING * keeping_value(state, seat, card)
    if is_evening(state):
        return standing(state, seat, minutes) + kept
    taking = chance_to_take(state, seat, card)
    collected = state.trick_minutes[SUIT[card]] + MINUTES[card]
    taken = standing(state, seat, minutes + collected)
    return taking * taken + (1.0 - taking) * standing(state, seat, minutes) + kept


@rule
def chance_to_take(state, seat, card):
    """The chance that `card` stays the highest of its suit, if the seats to come play any unseen card."""
    suit = SUIT[card]
    if card < state.best_card[suit]:
        return 0.0
    suits = state.suits | 1 << suit
    unseen = ALL_CARDS & ~state.played & ~state.hand[seat]
    if bits.count(suits) == 2:
        unseen &= CARDS_OF_SUITS[suits]
    higher = unseen & SUIT_CARDS[suit] & ~((2 << card) - 1)
    if not higher:
        return 1.0
    seats_to_come = state.players + (state.players == 3) - state.on_table - 1
    stays = 1.0
    for _ in range(seats_to_come):  # a power would differ in its last bit between compiled and plain code
        stays *= 1.0 - bits.count(higher) / bits.count(unseen)
    return stays


@rule
def standing(state, seat, minutes):
    """What it is worth to have `minutes` now, about the tokens to expect from the hand."""
    if minutes > state.plan:
        return -1.0
    lowest_other = state.plan
    for other in range(state.players):
        if other != seat:
            lowest_other = min(lowest_other, state.minutes[other])
    ahead = (minutes - lowest_other) / MARGIN_SCALE
    fewest = 0.5 - 0.5 * max(-1.0, min(1.0, ahead))
    tricks_left = (TRICKS - state.trick - 1) / TRICKS
    danger = max(0.0, 1.0 - (state.plan - minutes) / DANGER_SCALE) * tricks_left
    exact = 1.0 if minutes == state.plan else 0.0
    return exact - fewest - danger


@rule
def keeping_value(state, seat, card):
    """How good it is to be rid of `card`, in -1 .. 1, by what the rest of the hand will collect."""
    left = state.hand[seat] & ~(1 << card)
    wanted = state.plan - state.minutes[seat]
    expected = collecting_power(left) * DAYTIME_SHARE
    surplus = max(-1.0, min(1.0, (expected - wanted) / wanted if wanted > 0 else 1.0))
    return surplus * TALK[card] / 15.0


@rule
def collecting_power(hand):
    """Minutes that `hand` would collect if all its tricks were daytime, roughly: cards count by their rank."""
    power = 0.0
    while hand:
        card = bits.lowest(hand)
        hand &= hand - 1
        rank = TALK[card] / 15.0
        power += (MINUTES[card] + 20.0) * rank * rank * rank
    return power
