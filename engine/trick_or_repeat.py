"""Trick or Repeat: lay out cards for tricks to come, bid on your neighbour, do it again. 2 to 6 players.

Rules
    Everybody is dealt a hand, and the Rabbit a pile of trump cards, face up. Seats choose a card for
    the next slot of their timeline at the same time, face down, and pass the rest of the hand to the
    left; the last card passed is placed unseen. All bid at once how many tricks their left neighbour
    will win. Then trick k is resolved from slot k of every seat: the highest card of the Rabbit's suit
    wins, else the highest of the suit of the leader's card; the winner leads the next. A trick is a
    point, a right bid two. For round 2 time travels back: the same hands, now known to all, the same
    Rabbit, new placements and bids.
Rulings that were choices
    The deck (suits A to D, ranks 1 to 9, all different), and that slot k is resolved in trick k
    (`resolve_order` gives the other reading). Hands come back exactly as they were dealt.
Actions
    A card name (``A1`` ... ``D9``) to place it, ``bid0`` ... ``bidH``.
Scores
    Points of finished rounds.
"""

from __future__ import annotations

import sys
from enum import IntEnum

import numpy as np

from engine import bits
from engine.cards import names_in
from engine.compiling import record, rule
from engine.game import Option, Rules, register
from engine.observation import by_seat, first, number, one_of, seat_of, set_of
from engine.rng import below, shuffle

# --- Constants ------------------------------------------------------------------------------------

MAX_PLAYERS = 6
MAX_SUITS = 4
MAX_RANKS = 9
MAX_CARDS = MAX_SUITS * MAX_RANKS
MAX_HAND = 5
POINTS_FOR_BID = 2
RESOLVE_ORDERS = ("forward", "reverse")

NO_CARD = -1
NO_BID = -1
NO_SEAT = -1
HIDDEN = -2  # a hand, a placed card or a bid that was erased


class Phase(IntEnum):
    DEAL = 0
    PLACE = 1
    BID = 2
    OVER = 3


# --- State ----------------------------------------------------------------------------------------

# A hand keeps the number of the seat it was dealt to. It is passed left after every placement, so at
# stage t (0, 1, ...) hand h lies with seat h + t, which places a card of it in its slot t.
STATE = record(
    [
        ("players", np.int64),  # number of seats; public, as are the options
        ("suits", np.int64),
        ("ranks", np.int64),
        ("hand_size", np.int64),
        ("rounds", np.int64),
        ("reverse", np.int64),  # 1 for resolve_order "reverse"
        ("phase", np.int64),  # Phase; public
        ("turn", np.int64),  # seat to move; public
        ("rounds_over", np.int64),  # public
        ("stage", np.int64),  # placements that all have made in this round; public
        ("points", np.int64, (MAX_PLAYERS,)),  # of finished rounds; public
        ("bid", np.int64, (MAX_PLAYERS,)),  # of this round, NO_BID until made; private until all are made
        ("hand_at", np.int64, (MAX_PLAYERS, MAX_HAND)),  # set of cards of a hand at a stage, 0 before it is
        # reached; seen by the seat that holds it then but for the last stage, stage 0 by all in round 2
        ("placed", np.int64, (MAX_PLAYERS, MAX_HAND)),  # by hand and stage, NO_CARD until placed; private to
        # the seat that placed it, the last one to nobody
        ("rabbit", np.int64, (MAX_HAND,)),  # cards in the order they were dealt, NO_CARD past the last; public
        ("earlier_placed", np.int8, (MAX_PLAYERS, MAX_HAND)),  # `placed` of the last finished round; public
        ("earlier_bid", np.int8, (MAX_PLAYERS,)),  # public
        ("earlier_winner", np.int8, (MAX_HAND,)),  # seat that won each trick of that round, or NO_SEAT; public
    ],
    __file__,
)


def setup(state, players, options):
    """Writes the position before the deal to a record of zeros."""
    suits, ranks, hand_size = options["suits"], options["ranks"], options["hand_size"]
    if suits * ranks < hand_size * (players + 1):
        raise ValueError(
            f"suits = {suits}, ranks = {ranks}: {suits * ranks} cards; expected at least {hand_size * (players + 1)}, "
            f"{hand_size} for each of {players} players and for the Rabbit"
        )
    state.players = players
    state.suits, state.ranks, state.hand_size, state.rounds = suits, ranks, hand_size, options["rounds"]
    state.reverse = RESOLVE_ORDERS.index(options["resolve_order"])
    state.phase = Phase.DEAL
    state.rabbit[:] = NO_CARD
    state.earlier_placed[:] = NO_CARD
    state.earlier_bid[:] = NO_BID
    state.earlier_winner[:] = NO_SEAT
    state.placed[:] = NO_CARD
    state.bid[:] = NO_BID


# --- Deal -----------------------------------------------------------------------------------------


@rule
def deal(state, deck):
    position = 0
    for hand in range(state.players):
        cards = 0
        for _ in range(state.hand_size):
            cards |= 1 << deck[position]
            position += 1
        state.hand_at[hand, 0] = cards
    for i in range(state.hand_size):
        state.rabbit[i] = deck[position + i]
    begin_round(state)


@rule
def begin_round(state):
    """Gives everybody the hand it was dealt, nothing placed and nothing bid."""
    for hand in range(state.players):
        state.bid[hand] = NO_BID
        for stage in range(state.hand_size):
            state.placed[hand, stage] = NO_CARD
            if stage > 0:
                state.hand_at[hand, stage] = 0
    state.stage = 0
    state.turn = 0
    state.phase = Phase.PLACE


# --- Turn and end ---------------------------------------------------------------------------------


@rule
def num_seats(state):
    return state.players


@rule
def current_seat(state):
    return state.turn


@rule
def awaits_deal(state):
    return state.phase == Phase.DEAL


@rule
def is_terminal(state):
    return state.phase == Phase.OVER


@rule
def hand_of(state, seat, stage):
    """The hand that `seat` holds at `stage`."""
    hand = seat - stage
    while hand < 0:
        hand += state.players
    return hand


@rule
def holder_of(state, hand, stage):
    """The seat that holds `hand` at `stage`."""
    seat = hand + stage
    while seat >= state.players:
        seat -= state.players
    return seat


# --- Legal actions --------------------------------------------------------------------------------


@rule
def legal_actions(state, actions):
    if state.phase == Phase.PLACE:
        return bits.fill(state.hand_at[hand_of(state, state.turn, state.stage), state.stage], actions)
    if state.phase != Phase.BID:
        return 0
    for bid in range(state.hand_size + 1):
        actions[bid] = first_bid_action(state) + bid
    return state.hand_size + 1


@rule
def first_bid_action(state):
    """Cards are actions 0, 1, ..., in deck order; bids follow."""
    return state.suits * state.ranks


# --- Apply action ---------------------------------------------------------------------------------


@rule
def apply_action(state, action):
    seat = state.turn
    state.turn += 1
    if state.phase == Phase.PLACE:
        state.placed[hand_of(state, seat, state.stage), state.stage] = action
        if state.turn == state.players:
            pass_hands(state)
    else:
        state.bid[seat] = action - first_bid_action(state)
        if state.turn == state.players:
            end_round(state)


@rule
def pass_hands(state):
    """Passes all hands to the left, and places the last cards unseen."""
    stage = state.stage
    for hand in range(state.players):
        state.hand_at[hand, stage + 1] = state.hand_at[hand, stage] & ~(1 << state.placed[hand, stage])
    state.stage += 1
    state.turn = 0
    if state.stage == state.hand_size - 1:
        for hand in range(state.players):
            state.placed[hand, state.stage] = bits.lowest(state.hand_at[hand, state.stage])
        state.phase = Phase.BID


@rule
def end_round(state):
    """Resolves all tricks, scores them and travels back in time, or ends the game."""
    leader = 1  # left of the dealer, seat 0
    tricks = 0  # won by each seat, four bits a seat
    for trick in range(state.hand_size):
        slot = state.hand_size - 1 - trick if state.reverse else trick
        leader = winner_of_trick(state, trick, slot, leader)
        tricks += 1 << 4 * leader
        state.earlier_winner[trick] = leader
    for seat in range(state.players):
        left = holder_of(state, seat, 1)
        state.points[seat] += tricks >> 4 * seat & 15
        if state.bid[seat] == tricks >> 4 * left & 15:
            state.points[seat] += POINTS_FOR_BID
        state.earlier_bid[seat] = state.bid[seat]
        for stage in range(state.hand_size):
            state.earlier_placed[seat, stage] = state.placed[seat, stage]
    state.rounds_over += 1
    if state.rounds_over < state.rounds:
        begin_round(state)
    else:
        state.phase = Phase.OVER


@rule
def winner_of_trick(state, trick, slot, leader):
    """The seat that wins: the Rabbit's suit before the suit of the leader's card, then the highest rank."""
    trump = state.rabbit[state.hand_size - 1 - trick] // state.ranks
    led = state.placed[hand_of(state, leader, slot), slot] // state.ranks
    best = NO_SEAT
    best_value = -1
    for seat in range(state.players):
        card = state.placed[hand_of(state, seat, slot), slot]
        suit = card // state.ranks
        value = card + MAX_CARDS if suit == trump else card
        if suit in (trump, led) and value > best_value:
            best = seat
            best_value = value
    return best


# --- Scores and ranks -----------------------------------------------------------------------------


@rule
def score(state, seat):
    return state.points[seat]


@rule
def rank_key(state, seat):
    return state.points[seat]


# --- Hidden information ---------------------------------------------------------------------------


@rule
def holds_secrets(state):
    return state.phase == Phase.BID or (state.phase == Phase.PLACE and (state.stage > 0 or state.turn > 0))


@rule
def hide(state, seat):
    if state.phase == Phase.OVER:
        return
    last = state.hand_size - 1
    for hand in range(state.players):
        if state.phase == Phase.BID and hand != seat and state.bid[hand] != NO_BID:
            state.bid[hand] = HIDDEN
        for stage in range(state.stage + 1):
            if stage == last or holder_of(state, hand, stage) != seat:
                if stage > 0 or state.rounds_over == 0:
                    state.hand_at[hand, stage] = HIDDEN
                if state.placed[hand, stage] != NO_CARD:
                    state.placed[hand, stage] = HIDDEN


@rule
def determinize(state, seat, rng):
    """Every hand is put in an order of placement, uniformly among those that agree with what the seat saw of it.

    What was placed between two looks at a hand is known as a set: its order is drawn. What was placed
    before the first look is drawn from the cards that the seat has not seen. All hidden choices were
    among equally many cards in every world, so all worlds weigh the same. Hidden bids are uniform.
    """
    if state.phase == Phase.OVER:
        return
    pool = np.empty(MAX_CARDS, np.int64)
    fill_unseen(state, pool, rng)
    dealt = 0
    order = np.empty(MAX_HAND, np.int64)
    for hand in range(state.players):
        dealt = draw_order(state, hand, order, pool, dealt, rng)
        write_order(state, hand, order)
        if state.bid[hand] == HIDDEN:
            state.bid[hand] = below(rng, state.hand_size + 1)


@rule
def fill_unseen(state, pool, rng):
    """Writes the cards that are in no hand that was seen, shuffled, to `pool`."""
    unseen = (1 << state.suits * state.ranks) - 1
    for i in range(state.hand_size):
        unseen &= ~(1 << state.rabbit[i])
    for hand in range(state.players):
        for stage in range(state.stage + 1):
            if state.hand_at[hand, stage] != HIDDEN:
                unseen &= ~state.hand_at[hand, stage]
    shuffle(rng, pool, bits.fill(unseen, pool))


@rule
def draw_order(state, hand, order, pool, dealt, rng):
    """Writes the cards of `hand` in the order of their placement to `order`; those to come are in any order.

    ``pool[dealt:]`` are the unseen cards that are left; returns how many are dealt after this hand.
    """
    known = HIDDEN  # set of cards not yet ordered, once the hand has been seen
    position = 0
    for stage in range(state.stage + 1):
        if state.hand_at[hand, stage] == HIDDEN:
            continue
        if known == HIDDEN:
            while position < stage:
                order[position] = pool[dealt]
                position += 1
                dealt += 1
        else:
            position = draw_segment(known & ~state.hand_at[hand, stage], order, position, rng)
        known = state.hand_at[hand, stage]
        if state.placed[hand, stage] >= 0:
            order[position] = state.placed[hand, stage]
            known &= ~(1 << state.placed[hand, stage])
            position += 1
    if known == HIDDEN:
        while position < state.hand_size:
            order[position] = pool[dealt]
            position += 1
            dealt += 1
    else:
        draw_segment(known, order, position, rng)
    return dealt


@rule
def draw_segment(cards, order, position, rng):
    """Writes the set `cards` from ``order[position]`` on in random order; returns the position after it."""
    while cards:
        card = bits.nth(cards, below(rng, bits.count(cards)))
        cards ^= 1 << card
        order[position] = card
        position += 1
    return position


@rule
def write_order(state, hand, order):
    """Fills in what was hidden of `hand`, whose cards are placed in this order."""
    cards = 0
    for stage in range(state.hand_size - 1, -1, -1):
        cards |= 1 << order[stage]
        if stage <= state.stage:
            state.hand_at[hand, stage] = cards
            if state.placed[hand, stage] == HIDDEN:
                state.placed[hand, stage] = order[stage]


# --- Names and text -------------------------------------------------------------------------------

SUIT_LETTERS = "ABCD"


def deck_names(players, options):
    return tuple(
        f"{suit}{rank}" for suit in SUIT_LETTERS[: options["suits"]] for rank in range(1, options["ranks"] + 1)
    )


def action_names(players, options):
    return deck_names(players, options) + tuple(f"bid{bid}" for bid in range(options["hand_size"] + 1))


def observed(players, options):
    """What a seat sees, for `engine.observation`: cards by number, hands by the seat they were dealt to, by stage."""
    size = options["hand_size"]
    card = one_of(options["suits"] * options["ranks"])
    most = size + POINTS_FOR_BID
    return {
        "phase": one_of(len(Phase)),
        "turn": seat_of(players),
        "rounds_over": one_of(options["rounds"] + 1),
        "stage": one_of(size),
        "points": by_seat(number(most, most * options["rounds"])),
        "bid": by_seat(one_of(size + 1)),
        "hand_at": by_seat(first(size, set_of(card.size))),
        "placed": by_seat(first(size, card)),
        "rabbit": first(size, card),
        "earlier_placed": by_seat(first(size, card)),
        "earlier_bid": by_seat(one_of(size + 1)),
        "earlier_winner": first(size, seat_of(players)),
    }


def facts(state):
    names = deck_names(state.players, {"suits": state.suits, "ranks": state.ranks})
    players = range(state.players)
    return {
        "phase": Phase(state.phase).name.lower(),
        "round": int(min(state.rounds_over + 1, state.rounds)),
        "hands": [hand_names(state, seat, names) for seat in players],
        "placed": [slot_names(state, seat, state.placed, names) for seat in players],
        "bids": [bid_fact(bid) for bid in state.bid[: state.players]],
        "rabbit": [card_name(card, names) for card in state.rabbit[: state.hand_size]],
        "trumps": [SUIT_LETTERS[card // state.ranks] for card in state.rabbit[: state.hand_size][::-1]],
        "points": [int(state.points[seat]) for seat in players],
        "seen": seen_facts(state, names),
        "earlier": earlier_facts(state, names) if state.rounds_over > 0 else None,
    }


def hand_names(state, seat, names):
    """The cards that `seat` holds now."""
    if state.phase != Phase.PLACE:
        return []
    hand = hand_of(state, seat, state.stage)
    cards, placed = state.hand_at[hand, state.stage], state.placed[hand, state.stage]
    if cards == HIDDEN or placed == HIDDEN:
        return ["?"] * int(state.hand_size - state.stage - (placed != NO_CARD))
    return names_in(cards & ~(1 << placed) if placed != NO_CARD else cards, names)


def slot_names(state, seat, placed, names):
    """The timeline of `seat`, slot by slot."""
    return [card_name(placed[hand_of(state, seat, stage), stage], names) for stage in range(state.hand_size)]


def seen_facts(state, names):
    """Every look at a hand of this round that is known: the seat it was dealt to, the stage and its cards then."""
    return [
        {"hand": hand, "stage": stage, "cards": names_in(state.hand_at[hand, stage], names)}
        for hand in range(state.players)
        for stage in range(state.stage + 1)
        if state.hand_at[hand, stage] != HIDDEN
    ]


def earlier_facts(state, names):
    """The last finished round: timelines, bids, and who won each trick."""
    return {
        "placed": [slot_names(state, seat, state.earlier_placed, names) for seat in range(state.players)],
        "bids": [int(bid) for bid in state.earlier_bid[: state.players]],
        "winners": [int(seat) for seat in state.earlier_winner[: state.hand_size]],
    }


def card_name(card, names):
    if card == HIDDEN:
        return "?"
    return None if card == NO_CARD else names[card]


def bid_fact(bid):
    if bid == HIDDEN:
        return "?"
    return None if bid == NO_BID else int(bid)


def text(facts):
    """The table in front of a seat, as lines of text."""
    lines = [f"round {facts['round']}, the Rabbit's suits by trick: {' '.join(facts['trumps'])}"]
    for seat, hand in enumerate(facts["hands"]):
        slots = " ".join(card or "-" for card in facts["placed"][seat])
        bid = facts["bids"][seat]
        lines.append(
            f"seat {seat}: {facts['points'][seat]:2} points, timeline {slots}, "
            f"bid {'-' if bid is None else bid}, holds {' '.join(hand) or 'nothing'}"
        )
    for look in facts["seen"]:
        lines.append(f"hand dealt to seat {look['hand']} after {look['stage']} placements: {' '.join(look['cards'])}")
    if facts["earlier"]:
        for seat, slots in enumerate(facts["earlier"]["placed"]):
            bid, won = facts["earlier"]["bids"][seat], facts["earlier"]["winners"].count(seat)
            lines.append(f"last round, seat {seat}: timeline {' '.join(slots)}, bid {bid}, won {won}")
    return "\n".join(lines)


def events(before, action, after):
    """What the action brought about, in words: a finished round, trick by trick."""
    if after.rounds_over == before.rounds_over:
        return []
    known = facts(after)
    earlier = known["earlier"]
    lines = []
    for trick, winner in enumerate(earlier["winners"]):
        slot = after.hand_size - 1 - trick if after.reverse else trick
        cards = ", ".join(f"seat {seat} {slots[slot]}" for seat, slots in enumerate(earlier["placed"]))
        lines.append(f"trick {trick + 1}, the Rabbit shows {known['trumps'][trick]}: {cards}; seat {winner} wins")
    for seat, bid in enumerate(earlier["bids"]):
        left = int(holder_of(after, seat, 1))
        won = earlier["winners"].count(left)
        lines.append(
            f"seat {seat} won {earlier['winners'].count(seat)} and bid {bid} for seat {left}, which won {won}: "
            f"+{after.points[seat] - before.points[seat]}, {after.points[seat]} points"
        )
    return lines


# --- Registration ---------------------------------------------------------------------------------

RULES = register(
    Rules(
        title="Trick or Repeat",
        players=range(2, MAX_PLAYERS + 1),
        default_players=4,
        options=(
            Option("suits", 4, range(2, MAX_SUITS + 1), "suits in the deck"),
            Option("ranks", 9, range(2, MAX_RANKS + 1), "ranks of each suit"),
            Option("hand_size", 5, range(2, MAX_HAND + 1), "cards of each seat and of the Rabbit, tricks of a round"),
            Option("rounds", 2, range(1, 3), "rounds with the same hands"),
            Option("resolve_order", "forward", RESOLVE_ORDERS, "which slot is resolved first"),
        ),
        state=STATE,
        module=sys.modules[__name__],
    )
)
