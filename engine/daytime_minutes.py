"""Daytime Minutes: collect as many talk minutes as the plan allows, and not one more. 3 to 5 players.

Rules
    45 cards in three suits (friends, family, work) with talk values 1 to 15, worth 5 to 60 minutes.
    Nine cards each. Tricks run Morning, Afternoon, Evening, Morning, ... While two suits lie in the
    trick a seat must play one of them if it can; otherwise any card. After a daytime trick the
    highest talk value of each suit collects all cards of its suit; evening cards are discarded. The
    highest talk value of the led suit leads. A hand ends after nine tricks, or as soon as a seat has
    collected more minutes than the plan. Seats over the plan lose a SIM token, the fewest minutes of
    those not over lose one, exactly the plan gains one. The game ends when a seat has no token left
    (or after 100 hands); most tokens win.
    With three players an unknown caller flips cards from the 18 undealt ones into every trick.
Rulings that were choices
    Minutes by talk value, every hand starting at Morning, all token changes at once, and the limit of
    100 hands. Ties for the fewest minutes all lose a token. During a trick that the unknown caller
    leads it does not act again.
Actions
    A card name (``F1`` ... ``W15``), or ``plan150`` ... ``plan240`` for the chooser of the plan.
Scores
    SIM tokens.
"""

from __future__ import annotations

import sys
from enum import IntEnum

import numpy as np

from engine import bits
from engine.cards import names_in
from engine.compiling import record, rule
from engine.game import Rules, register
from engine.observation import by_seat, number, one_of, own, seat_of, set_of
from engine.rng import below, shuffle

# --- Constants ------------------------------------------------------------------------------------

MAX_PLAYERS = 5
SUITS = 3
TALK_VALUES = 15
CARDS = SUITS * TALK_VALUES
HAND_SIZE = 9
TRICKS = 9
EVENING = 2  # tricks 2, 5 and 8 of a hand are evenings
TIMES = 3
START_TOKENS = 3
MAX_HANDS = 100
PLANS = (150, 180, 210, 240)
FIRST_PLAN = 180
FIRST_PLAN_ACTION = CARDS  # actions 0 .. 44 are cards, 45 .. 48 plans

CALLER = MAX_PLAYERS  # where the unknown caller stands in arrays by player
NO_CARD = -1
NO_SUIT = -1
NO_PLAN = 0
HIDDEN = -2  # a hand, or a card of the caller, that was erased

ALL_CARDS = (1 << CARDS) - 1
SUIT_CARDS = np.array([((1 << TALK_VALUES) - 1) << TALK_VALUES * suit for suit in range(SUITS)])
CARDS_OF_SUITS = np.array(
    [sum(int(SUIT_CARDS[s]) for s in range(SUITS) if suits >> s & 1) for suits in range(1 << SUITS)]
)
SUIT = np.arange(CARDS) // TALK_VALUES
TALK = np.arange(CARDS) % TALK_VALUES + 1
MINUTES = np.array([5, 15, 30, 45, 60])[(TALK - 1) // 3]


class Phase(IntEnum):
    DEAL = 0
    PLAN = 1
    PLAY = 2
    OVER = 3


# --- State ----------------------------------------------------------------------------------------

STATE = record(
    [
        ("players", np.int64),  # number of seats; public
        ("phase", np.int64),  # Phase; public
        ("turn", np.int64),  # seat to move; public
        ("hands_scored", np.int64),  # hands that are over, 0 .. 100; public
        ("tokens", np.int64, (MAX_PLAYERS,)),  # SIM tokens; public
        ("plan", np.int64),  # minutes, NO_PLAN while one is being chosen; public
        ("start", np.int64),  # seat that leads the first trick of the hand; public
        ("chooser", np.int64),  # seat that chooses the plan of the hand; public
        ("caller_before", np.int64),  # seat that the unknown caller acts just before (3 players); public
        ("trick", np.int64),  # complete tricks of the hand, 0 .. 9; public
        ("hand", np.int64, (MAX_PLAYERS,)),  # set of cards, or HIDDEN; private to its seat
        ("played", np.int64),  # set of all cards that lay on the table in this hand; public
        ("shown_suit", np.int64, (MAX_PLAYERS,)),  # the only suit a seat can still hold, or NO_SUIT; public
        ("collected", np.int64, (MAX_PLAYERS,)),  # set of cards; public
        ("minutes", np.int64, (MAX_PLAYERS,)),  # minutes collected in this hand; public
        ("talk", np.int64, (MAX_PLAYERS,)),  # talk values collected in this hand; public
        ("table", np.int64, (MAX_PLAYERS + 1,)),  # card in the open trick by seat and CALLER, or NO_CARD; public
        ("on_table", np.int64),  # cards in the open trick; public
        ("suits", np.int64),  # set of suits in the open trick; public
        ("led_suit", np.int64),  # suit of its first card, or NO_SUIT; public
        ("trick_cards", np.int64),  # set of its cards; public
        ("best_card", np.int64, (SUITS,)),  # highest card of each suit in it, or NO_CARD; public
        ("best_player", np.int64, (SUITS,)),  # seat or CALLER that played it; public
        ("trick_minutes", np.int64, (SUITS,)),  # sum by suit; public
        ("trick_talk", np.int64, (SUITS,)),  # sum by suit; public
        ("flipped", np.int8, (TRICKS,)),  # card that the caller flipped in each trick, NO_CARD where it has not; public
        ("caller_deck", np.int8, (TRICKS,)),  # card flipped in each trick; NO_CARD once flipped; private to nobody
    ],
    __file__,
)


def setup(state, players, options):
    """Writes the position before the first deal to a record of zeros."""
    state.players = players
    state.phase = Phase.DEAL
    state.tokens[:players] = START_TOKENS
    state.plan = FIRST_PLAN


# --- Deal -----------------------------------------------------------------------------------------


@rule
def deal(state, deck):
    for seat in range(state.players):
        hand = 0
        for i in range(HAND_SIZE * seat, HAND_SIZE * (seat + 1)):
            hand |= 1 << deck[i]
        state.hand[seat] = hand
        state.shown_suit[seat] = NO_SUIT
        state.collected[seat] = 0
        state.minutes[seat] = 0
        state.talk[seat] = 0
    for i in range(TRICKS):
        state.flipped[i] = NO_CARD
        state.caller_deck[i] = deck[HAND_SIZE * state.players + i] if state.players == 3 else NO_CARD
    state.played = 0
    state.trick = 0
    clear_table(state)
    if state.hands_scored == 0:
        state.phase = Phase.PLAY
        state.turn = state.start
    else:
        state.phase = Phase.PLAN
        state.plan = NO_PLAN
        state.turn = state.chooser


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
def is_evening(state):
    return state.trick % TIMES == EVENING


@rule
def next_seat(state, seat):
    return seat + 1 if seat + 1 < state.players else 0


# --- Legal actions --------------------------------------------------------------------------------


@rule
def legal_actions(state, actions):
    if state.phase != Phase.PLAY:
        if state.phase != Phase.PLAN:
            return 0
        for i in range(len(PLANS)):
            actions[i] = FIRST_PLAN_ACTION + i
        return len(PLANS)
    return bits.fill(playable(state, state.hand[state.turn]), actions)


@rule
def playable(state, hand):
    """The cards of `hand` that may be played to the open trick."""
    if bits.count(state.suits) == 2:
        following = hand & CARDS_OF_SUITS[state.suits]
        if following:
            return following
    return hand


# --- Apply action ---------------------------------------------------------------------------------


@rule
def apply_action(state, action):
    if state.phase == Phase.PLAN:
        state.plan = PLANS[action - FIRST_PLAN_ACTION]
        state.phase = Phase.PLAY
        state.turn = state.start
        return
    seat = state.turn
    if bits.count(state.suits) == 2 and not state.suits >> SUIT[action] & 1:
        state.shown_suit[seat] = SUIT[action]
    state.hand[seat] ^= 1 << action
    put_on_table(state, seat, action)
    state.turn = next_seat(state, seat)
    if state.players == 3 and state.turn == state.caller_before and state.table[CALLER] == NO_CARD:
        flip_caller_card(state)
    if state.on_table == state.players + (state.players == 3):
        end_trick(state)


@rule
def put_on_table(state, player, card):
    suit = SUIT[card]
    if state.suits == 0:
        state.led_suit = suit
    if card > state.best_card[suit]:
        state.best_card[suit] = card
        state.best_player[suit] = player
    state.suits |= 1 << suit
    state.trick_cards |= 1 << card
    state.trick_minutes[suit] += MINUTES[card]
    state.trick_talk[suit] += TALK[card]
    state.played |= 1 << card
    state.table[player] = card
    state.on_table += 1


@rule
def flip_caller_card(state):
    card = int(state.caller_deck[state.trick])
    state.caller_deck[state.trick] = NO_CARD
    state.flipped[state.trick] = card
    put_on_table(state, CALLER, card)


@rule
def clear_table(state):
    for player in range(MAX_PLAYERS + 1):
        state.table[player] = NO_CARD
    for suit in range(SUITS):
        state.best_card[suit] = NO_CARD
        state.best_player[suit] = 0
        state.trick_minutes[suit] = 0
        state.trick_talk[suit] = 0
    state.trick_cards = 0
    state.suits = 0
    state.led_suit = NO_SUIT
    state.on_table = 0


@rule
def end_trick(state):
    """Collects or discards the trick, and begins the next trick or ends the hand."""
    anybody_over = False
    if not is_evening(state):
        for suit in range(SUITS):
            player = state.best_player[suit]
            if state.best_card[suit] != NO_CARD and player != CALLER:
                state.collected[player] |= state.trick_cards & SUIT_CARDS[suit]
                state.minutes[player] += state.trick_minutes[suit]
                state.talk[player] += state.trick_talk[suit]
                if state.minutes[player] > state.plan:
                    anybody_over = True
    leader = state.best_player[state.led_suit]
    clear_table(state)
    state.trick += 1
    if anybody_over or state.trick == TRICKS:
        end_hand(state)
    elif leader == CALLER:
        state.turn = state.caller_before
        flip_caller_card(state)
    else:
        state.turn = leader


# --- Scores and ranks -----------------------------------------------------------------------------


@rule
def end_hand(state):
    """Pays tokens, ends the game or finds who starts and who chooses the plan of the next hand."""
    pay_tokens(state)
    state.hands_scored += 1
    out_of_tokens = False
    for seat in range(state.players):
        if state.tokens[seat] == 0:
            out_of_tokens = True
    if out_of_tokens or state.hands_scored == MAX_HANDS:
        state.phase = Phase.OVER
        return
    state.start = next_start(state)
    state.chooser = next_chooser(state)
    if state.players == 3:
        state.caller_before = next_seat(state, state.caller_before)
    state.phase = Phase.DEAL


@rule
def is_over(state, seat):
    """Whether `seat` has collected more minutes than the plan."""
    return state.minutes[seat] > state.plan


@rule
def pay_tokens(state):
    candidates = 0
    fewest = MAX_HANDS * TRICKS * CARDS  # more than anybody can have
    for seat in range(state.players):
        if not is_over(state, seat):
            candidates += 1
            fewest = min(fewest, state.minutes[seat])
    for seat in range(state.players):
        if is_over(state, seat) or (candidates >= 2 and state.minutes[seat] == fewest):
            state.tokens[seat] -= 1
        if state.minutes[seat] == state.plan:
            state.tokens[seat] += 1


@rule
def next_start(state):
    """Fewest minutes; then lowest talk collected; then first clockwise from the present start player."""
    best = state.start
    seat = best
    for _ in range(state.players - 1):
        seat = next_seat(state, seat)
        fewer = state.minutes[seat] < state.minutes[best]
        as_few = state.minutes[seat] == state.minutes[best]
        if fewer or (as_few and state.talk[seat] < state.talk[best]):
            best = seat
    return best


@rule
def next_chooser(state):
    """Of the seats that were over: most talk; then most minutes; then first clockwise from the new start player.

    If nobody was over, the new start player (`state.start`).
    """
    best = state.start
    seat = best
    for _ in range(state.players - 1):
        seat = next_seat(state, seat)
        if is_over(state, seat):
            more = state.talk[seat] > state.talk[best]
            as_much = state.talk[seat] == state.talk[best]
            if not is_over(state, best) or more or (as_much and state.minutes[seat] > state.minutes[best]):
                best = seat
    return best


@rule
def score(state, seat):
    return state.tokens[seat]


@rule
def rank_key(state, seat):
    return state.tokens[seat]


# --- Hidden information ---------------------------------------------------------------------------


@rule
def holds_secrets(state):
    return False


@rule
def num_held(state, seat):
    """Number of cards in the hand of `seat`; known to all."""
    return HAND_SIZE - state.trick - (state.table[seat] != NO_CARD)


@rule
def hide(state, seat):
    for other in range(state.players):
        if other != seat:
            state.hand[other] = HIDDEN
    if state.players == 3:
        for i in range(TRICKS):
            if state.caller_deck[i] != NO_CARD:
                state.caller_deck[i] = HIDDEN


@rule
def determinize(state, seat, rng):
    """Uniform over the deals in which every seat that showed its only suit holds that suit alone.

    First the seats with a shown suit draw from it, then all other places share the rest. However the
    first draws fall out, the rest can be dealt in equally many ways: so every deal is equally likely.
    """
    unseen = ALL_CARDS & ~state.played & ~state.hand[seat]
    for other in range(state.players):
        if other != seat and state.shown_suit[other] != NO_SUIT:
            hand = 0
            for _ in range(num_held(state, other)):
                candidates = unseen & SUIT_CARDS[state.shown_suit[other]]
                card = bits.nth(candidates, below(rng, bits.count(candidates)))
                hand |= 1 << card
                unseen ^= 1 << card
            state.hand[other] = hand
    pool = np.empty(CARDS, np.int64)
    size = bits.fill(unseen, pool)
    shuffle(rng, pool, size)
    next_card = 0
    for other in range(state.players):
        if other != seat and state.shown_suit[other] == NO_SUIT:
            hand = 0
            for _ in range(num_held(state, other)):
                hand |= 1 << pool[next_card]
                next_card += 1
            state.hand[other] = hand
    if state.players == 3:
        for i in range(TRICKS):
            if state.caller_deck[i] != NO_CARD:
                state.caller_deck[i] = pool[next_card]
                next_card += 1


# --- Names and text -------------------------------------------------------------------------------

SUIT_LETTERS = "FAW"
CARD_NAMES = tuple(f"{SUIT_LETTERS[suit]}{talk}" for suit, talk in zip(SUIT, TALK, strict=True))
TIME_NAMES = ("Morning", "Afternoon", "Evening")


def deck_names(players, options):
    return CARD_NAMES


def action_names(players, options):
    return CARD_NAMES + tuple(f"plan{plan}" for plan in PLANS)


def observed(players, options):
    """What a seat sees, for `engine.observation`: cards by number, what follows from other fields mostly left out."""
    fields = {
        "phase": one_of(len(Phase)),
        "turn": seat_of(players),
        "hands_scored": number(MAX_HANDS, MAX_HANDS),
        "tokens": by_seat(number(START_TOKENS, START_TOKENS + MAX_HANDS)),
        "plan": number(max(PLANS), max(PLANS)),
        "start": seat_of(players),
        "chooser": seat_of(players),
        "trick": one_of(TRICKS),
        "hand": own(set_of(CARDS)),
        "played": set_of(CARDS),
        "shown_suit": by_seat(one_of(SUITS)),
        "collected": by_seat(set_of(CARDS)),
        "minutes": by_seat(number(max(PLANS), int(MINUTES.sum()))),
        "talk": by_seat(number(TALK_VALUES * TRICKS, int(TALK.sum()))),
        "table": by_seat(one_of(CARDS)),
        "led_suit": one_of(SUITS),
        "suits": set_of(SUITS),
    }
    if players == 3:
        fields |= {"caller_before": seat_of(players), "flipped": one_of(CARDS)}
    return fields


def facts(state):
    players = range(state.players)
    hidden = [["?"] * int(num_held(state, seat)) for seat in players]
    return {
        "phase": Phase(state.phase).name.lower(),
        "hand_number": int(min(state.hands_scored + 1, MAX_HANDS)),
        "hands": [
            hidden[seat] if state.hand[seat] == HIDDEN else names_in(state.hand[seat], CARD_NAMES) for seat in players
        ],
        "tokens": [int(state.tokens[seat]) for seat in players],
        "plan": None if state.plan == NO_PLAN else int(state.plan),
        "start": int(state.start),
        "trick": int(min(state.trick + 1, TRICKS)),
        "time": TIME_NAMES[state.trick % TIMES],
        "table": [card_name(state.table[seat]) for seat in players],
        "caller": caller_facts(state) if state.players == 3 else None,
        "led_suit": suit_name(state.led_suit),
        "piles": [names_in(state.collected[seat], CARD_NAMES) for seat in players],
        "minutes": [int(state.minutes[seat]) for seat in players],
        "talk": [int(state.talk[seat]) for seat in players],
        "played": names_in(state.played, CARD_NAMES),
        "shown_suits": [suit_name(state.shown_suit[seat]) for seat in players],
    }


def caller_facts(state):
    return {"before": int(state.caller_before), "card": card_name(state.table[CALLER])}


def card_name(card):
    return None if card == NO_CARD else CARD_NAMES[card]


def suit_name(suit):
    return None if suit == NO_SUIT else SUIT_LETTERS[suit]


def text(facts):
    """The table in front of a seat, as lines of text."""
    plan = "plan to be chosen" if facts["plan"] is None else f"plan {facts['plan']} minutes"
    lines = [f"hand {facts['hand_number']}, trick {facts['trick']} ({facts['time']}), {plan}"]
    for seat, hand in enumerate(facts["hands"]):
        lines.append(
            f"seat {seat}: {facts['tokens'][seat]} tokens, {facts['minutes'][seat]:3} minutes, "
            f"talk {facts['talk'][seat]:2}, holds {' '.join(hand) or 'nothing'}"
            + (f" (only {facts['shown_suits'][seat]})" if facts["shown_suits"][seat] and hand else "")
        )
    cards = [f"{card} by seat {seat}" for seat, card in enumerate(facts["table"]) if card]
    if facts["caller"]:
        lines.append(f"the unknown caller acts before seat {facts['caller']['before']}")
        cards += [f"{facts['caller']['card']} by the unknown caller"] if facts["caller"]["card"] else []
    lines.append(f"on the table: {', '.join(cards) or 'nothing'}")
    lines.append(f"played in this hand: {' '.join(facts['played']) or 'nothing'}")
    return "\n".join(lines)


def events(before, action, after):
    """What the action brought about, in words: the end of a trick, and of a hand."""
    if before.phase != Phase.PLAY:
        return [f"the plan is {after.plan} minutes"]
    if after.trick == before.trick:
        return []
    time = TIME_NAMES[before.trick % TIMES]
    lines = []
    if before.players == 3:
        lines.append(f"{time}: the unknown caller flipped {card_name(after.flipped[before.trick])}")
    if is_evening(before):
        lines.append(f"{time}: the cards are discarded")
    for seat in range(after.players):
        cards = names_in(after.collected[seat] & ~before.collected[seat], CARD_NAMES)
        if cards:
            lines.append(f"{time}: seat {seat} collects {' '.join(cards)} and has {after.minutes[seat]} minutes")
    if after.phase == Phase.PLAY:
        called = card_name(after.table[CALLER])
        leader = f"the unknown caller with {called}" if called else f"seat {after.turn}"
        return [*lines, f"highest of the led suit, {leader} leads"]
    for seat in range(after.players):
        change = after.tokens[seat] - before.tokens[seat]
        over = ", over the plan" if is_over(after, seat) else ", exact" if after.minutes[seat] == after.plan else ""
        lines.append(f"seat {seat}: {after.minutes[seat]} of {after.plan} minutes{over}: {change:+d}")
    return [*lines, f"tokens {' '.join(str(tokens) for tokens in after.tokens[: after.players])}"]


# --- Registration ---------------------------------------------------------------------------------

RULES = register(
    Rules(
        title="Daytime Minutes",
        players=range(3, MAX_PLAYERS + 1),
        default_players=4,
        options=(),
        state=STATE,
        module=sys.modules[__name__],
    )
)
