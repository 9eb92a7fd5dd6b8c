"""What a seat of Daytime Minutes expects: of a card, of the rest of a hand, and of the tokens at its end."""

from __future__ import annotations

import math
from enum import IntEnum

import numpy as np

from engine import bits
from engine.compiling import rule
from engine.daytime_minutes import CARDS, MINUTES, SUIT, SUIT_CARDS

HOUR = 60.0  # the unit in which minutes enter the scores

# --- Cards ----------------------------------------------------------------------------------------

KINDS_OF_MINUTES = np.unique(MINUTES)
CARDS_WITH = np.array([sum(1 << c for c in range(CARDS) if MINUTES[c] == kind) for kind in KINDS_OF_MINUTES])
MEETING = 0.9  # seats play a higher card a little less often than if they drew it
MORE_ADDED = 0.33  # of a further card, for every further seat, if a card is added to a suit at all


@rule
def minutes_of(cards):
    """The sum of minutes of a set of cards."""
    total = 0
    for i in range(len(KINDS_OF_MINUTES)):
        total += KINDS_OF_MINUTES[i] * bits.count(cards & CARDS_WITH[i])
    return total


@rule
def higher_in_suit(cards, card):
    """Those of `cards` that beat `card`."""
    return cards & SUIT_CARDS[SUIT[card]] & ~((2 << card) - 1)


@rule
def power_of(card, unseen, others):
    """Hours of its own that `card` collects if `others` seats play any unseen card."""
    below = 1.0 - bits.count(higher_in_suit(unseen, card)) / max(bits.count(unseen), 1)
    stays = 1.0
    for _ in range(others):  # a power would differ in its last bit between compiled and plain code
        stays *= below
    return stays * MINUTES[card] / HOUR


@rule
def power_of_hand(hand, unseen, others):
    """The sum of `power_of` the cards of `hand`."""
    total = 0.0
    while hand:
        total += power_of(bits.lowest(hand), unseen, others)
        hand &= hand - 1
    return total


@rule
def staying(card, pool, to_come):
    """What happens to the highest `card` of a suit while `to_come` seats play cards of `pool`.

    Returns (the chance that it stays the highest, the chance that no card of the suit is added if it does,
    the minutes that are added if one is).
    """
    size = bits.count(pool)
    if to_come == 0 or size == 0:
        return 1.0, 1.0, 0.0
    higher = higher_in_suit(pool, card)
    lower = pool & SUIT_CARDS[SUIT[card]] & ~higher
    num_higher, num_lower = bits.count(higher), bits.count(lower)
    below = 1.0 - MEETING * num_higher / size
    elsewhere = 1.0 - num_lower / max(size - num_higher, 1)
    stays = 1.0
    alone = 1.0
    for _ in range(to_come):
        stays *= below
        alone *= elsewhere
    if num_lower == 0:
        return stays, 1.0, 0.0
    return stays, alone, minutes_of(lower) / num_lower * (1.0 + MORE_ADDED * (to_come - 1))


# --- The rest of the hand -------------------------------------------------------------------------

DAYTIME_LEFT = np.array([5, 4, 4, 3, 2, 2, 1, 0, 0])  # daytime tricks after the present one, by complete tricks

# From self-play, by daytime tricks left: probits, roughly, of ending over the plan. Constant, per hour of room
# to the plan, per hour of power of an average card in hand, and for the lead.
OVER_LATER = np.array(
    [
        [0.0, 0.0, 0.0, 0.0],
        [-1.0, -4.0, 5.5, 0.2],
        [-1.3, -1.9, 5.7, 0.35],
        [-1.5, -0.85, 5.7, 0.5],
        [-1.6, -0.55, 5.6, 0.45],
        [-1.85, -0.45, 6.0, 0.45],
    ]
)
# The same for the fewest minutes. Constant, per hour that the lowest and the second lowest other seat are ahead,
# per hour of power of an average card, and for the lead.
FEWEST_LATER = np.array(
    [
        [0.0, 0.0, 0.0, 0.0, 0.0],
        [0.65, 2.35, 0.5, -5.05, -0.05],
        [1.0, 1.45, 0.35, -5.35, -0.05],
        [1.2, 0.9, 0.3, -6.5, -0.05],
        [1.4, 0.7, 0.2, -6.1, -0.05],
        [1.7, 0.9, 0.1, -5.8, 0.0],
    ]
)


@rule
def chance_below(x):
    """The chance that a bell-shaped variable of spread about 1 lies below `x` (Student's t with 2 degrees, scaled)."""
    return 0.5 + 0.5 * x / math.sqrt(1.0 + x * x)


@rule
def over_later(left, room, power, lead):
    """The chance to end over the plan. `left` daytime tricks; `room` in minutes; `power` of an average card."""
    row = OVER_LATER[left]
    return chance_below(row[0] + row[1] * room / HOUR + row[2] * power + row[3] * lead)


@rule
def fewest_later(left, lowest, second, power, lead):
    """The chance to end with the fewest minutes. `lowest` and `second` in minutes ahead of one's own."""
    row = FEWEST_LATER[left]
    return chance_below(row[0] + (row[1] * lowest + row[2] * second) / HOUR + row[3] * power + row[4] * lead)


# --- Tokens ---------------------------------------------------------------------------------------

# How fast the chance to win grows with each token, by the fewest tokens of a seat: the closer the end, the faster.
RATE = np.array([0.0, 1.75, 1.3, 1.1])
MOST_TOKENS = 12
WORTH = np.exp(RATE[:, None] * np.arange(MOST_TOKENS + 1))


class Note(IntEnum):
    """The rows of a scratch array of shape (notes, at least players)."""

    TOKENS = 0  # after the hand
    STAKES = 1  # how the hope changes, in tenths, if that seat loses a token
    AFTER = 2  # minutes after the trick
    GOES_OVER = 3  # the chance that the trick takes a seat over the plan
    FEATURES = 4


@rule
def hope(notes, players, seat):
    """The win share of `seat` with the noted tokens: about right while the game goes on, exact when it is over."""
    own = notes[Note.TOKENS, seat]
    least, most = own, own
    for other in range(players):
        least = min(least, notes[Note.TOKENS, other])
        most = max(most, notes[Note.TOKENS, other])
    row = min(int(least), len(RATE) - 1)
    total = 0.0
    for other in range(players):
        tokens = notes[Note.TOKENS, other]
        if row > 0:
            total += WORTH[row, min(int(tokens), MOST_TOKENS)]
        elif tokens == most:
            total += 1.0
    if row > 0:
        return WORTH[row, min(int(own), MOST_TOKENS)] / total
    return 1.0 / total if own == most else 0.0


@rule
def hope_without(state, seat, loser, notes):
    """Hope if `loser` alone loses a token; -1 for nobody."""
    for other in range(state.players):
        notes[Note.TOKENS, other] = state.tokens[other] - (other == loser)
    return hope(notes, state.players, seat)


@rule
def hope_settled(state, seat, goes_over, notes):
    """Hope if the hand ends with the noted minutes AFTER and `goes_over`, unless it is -1, is over."""
    fewest = np.inf
    candidates = 0
    for other in range(state.players):
        minutes = notes[Note.AFTER, other]
        if minutes <= state.plan and other != goes_over:
            candidates += 1
            fewest = min(fewest, minutes)
    for other in range(state.players):
        minutes = notes[Note.AFTER, other]
        is_over = minutes > state.plan or other == goes_over
        loses = is_over or (candidates >= 2 and minutes == fewest)
        gains = minutes == state.plan and not is_over
        notes[Note.TOKENS, other] = state.tokens[other] - loses + gains
    return hope(notes, state.players, seat)
