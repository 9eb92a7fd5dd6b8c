"""Tricky Time Crisis: every suit once in a trick, heroes against the villain. 3 to 6 players.

Rules
    As many suits as players, one of them the villain's; 13 cards each. A card of a suit that is not yet
    in the trick must be played; a seat that cannot ends the round on the spot. A complete trick holds
    one card of every suit. If the heroes' total reaches the villain's, the highest hero may take a card
    of it; else the villain's player may take two, and the other seats are forced to take one each. At
    the end of a round a seat scores its cards suit by suit, but nothing for a suit with more cards than
    the limit: 2 with three players, else 1.
    Power cards: ``K0`` discards the trick, ``Vinf`` forces its player to take all of it, ``D+2`` is worth 2
    more than the best other hero, ``S13`` is high, ``T10`` in the pile stops one forced taking. Mid-Knight
    (``M``) stands in for a hero or, teamed up, for the villain; ``Mhalf`` is worth half the villain.
Rulings that were choices
    A round ends after the 13th trick like any other: the leader has no card. ``K0`` is judged before
    ``Vinf``. Only forced takings ask for ``T10``. ``D+2`` is evaluated after ``Mhalf``. One round per seat.
Actions
    A card name to play it, ``take:CARD``, ``pass``, and ``stop`` or ``accept`` when ``T10`` could stop a taking.
Scores
    Points of finished rounds.
"""

from __future__ import annotations

import sys
from enum import IntEnum

import numpy as np

from engine import bits, multisets
from engine.cards import names_in
from engine.compiling import record, rule
from engine.game import Option, Rules, register
from engine.multisets import LEVELS
from engine.rng import chance, shuffle

# --- Constants ------------------------------------------------------------------------------------

MAX_PLAYERS = 6
HAND_SIZE = 13
SUIT_CARDS = 14  # cards of every suit in the deck
HERO_KINDS = 8  # different cards of a suit other than the villain's: ranks 3 to 9 and the power card
POWER = 7  # its number in the suit
LOWEST_HERO = 3
VILLAIN_KINDS = 14  # 13 ranks and Vinf
MAX_CARDS = HERO_KINDS * (MAX_PLAYERS - 1) + VILLAIN_KINDS  # different cards
INFINITY = 13  # number of Vinf in the villain's suit
HERO_DECK = (0, 1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, POWER)  # ranks 3 4 4 5 5 6 6 6 7 7 8 8 9 and the power card
OPTIONAL_TAKES = 2
DOUBLE_BONUS = 2  # of D+2

NO_CARD = -1
NO_SEAT = -1
NO_SUIT = -1
HIDDEN = -2  # a hand that was erased
NOTHING = np.zeros(LEVELS, np.int64)


class Suit(IntEnum):
    SAVER = 0
    DOUBLE = 1
    KID = 2
    TOCK = 3
    MID_KNIGHT = 4
    VILLAIN = 5


class Phase(IntEnum):
    DEAL = 0
    PLAY = 1
    HERO_TAKES = 2  # the winning hero may take a card
    VILLAIN_TAKES = 3  # the villain's player may take up to two
    MID_KNIGHT_TAKES = 4  # so may Mid-Knight's player, teamed up
    FORCED = 5  # a hero takes one
    STOP_ONE = 6  # ... or stops that with T10
    STOP_ALL = 7  # the player of Vinf takes all cards, or stops that with T10
    OVER = 8


# --- State ----------------------------------------------------------------------------------------

# Suits in play have slots 0, 1, ... in canonical order, the villain's the last. Card numbers count the
# different cards through the slots, 8 for each and 14 for the villain's: at most 54.
STATE = record(
    [
        ("players", np.int64),  # number of seats, of suits and of cards in a trick; public, as are the options
        ("rounds", np.int64),
        ("team_up", np.int64),  # 1 if Mid-Knight sides with the villain
        ("lowest_villain", np.int64),  # lowest rank of the villain's suit
        ("suit_of_slot", np.int64, (MAX_PLAYERS,)),  # Suit, or NO_SUIT
        ("slot_of_suit", np.int64, (len(Suit.__members__),)),  # slot, or NO_SUIT
        ("phase", np.int64),  # Phase; public
        ("turn", np.int64),  # seat to move; public
        ("rounds_over", np.int64),  # public
        ("leader", np.int64),  # seat that led the trick; public
        ("next_leader", np.int64),  # seat that leads the next one, once the trick is complete; public
        ("on_table", np.int64),  # cards in the trick; public
        ("card_of_slot", np.int64, (MAX_PLAYERS,)),  # card of each suit in the trick, or NO_CARD; public
        ("seat_of_slot", np.int64, (MAX_PLAYERS,)),  # who played it, or NO_SEAT; public
        ("open_cards", np.int64),  # set of all cards of suits that are not yet in the trick; public
        ("offer", np.int64),  # set of cards of the complete trick that are left to take; public
        ("takes_left", np.int64),  # cards that the seat to move may still take of its own will; public
        ("forced_from", np.int64),  # seat from which the forced takings go round; public
        ("all_cards", np.int64, (LEVELS,)),  # multiset of the cards of the deck; public
        ("points", np.int64, (MAX_PLAYERS,)),  # of finished rounds; public
        ("seen", np.int64, (LEVELS,)),  # multiset of the cards played in this round; public
        ("hand", np.int64, (MAX_PLAYERS, LEVELS)),  # multiset, or HIDDEN; private to its seat
        ("hand_size", np.int64, (MAX_PLAYERS,)),  # public
        ("pile", np.int64, (MAX_PLAYERS, LEVELS)),  # multiset of the cards taken in this round; public
        ("value", np.int8, (MAX_CARDS,)),  # of each card alone: 0 for D+2, Mhalf, K0 and Vinf; public
    ],
    __file__,
)


def setup(state, players, options):
    """Writes the position before the first deal to a record of zeros."""
    suits = suits_in_play(players, options)
    state.players = players
    state.rounds = options["rounds"]
    state.team_up = options["mid_knight"] == "team_up"
    state.lowest_villain = villain_ranks(players, options)[0]
    state.suit_of_slot[:] = NO_SUIT
    state.slot_of_suit[:] = NO_SUIT
    for slot, suit in enumerate(suits):
        state.suit_of_slot[slot] = SUIT_LETTERS.index(suit)
        state.slot_of_suit[SUIT_LETTERS.index(suit)] = slot
    for card, name in enumerate(card_names(players, options)):
        state.value[card] = int(name[1:]) if name[1:].isdigit() else 0
    state.all_cards[:] = multisets.levels_of(card_names(players, options), deck_names(players, options))
    state.phase = Phase.DEAL


# --- Deal -----------------------------------------------------------------------------------------


@rule
def deal(state, deck):
    position = 0
    for seat in range(state.players):
        multisets.clear(state.hand[seat], 0)
        multisets.clear(state.pile[seat], 0)
        for _ in range(HAND_SIZE):
            multisets.add(state.hand[seat], card_in_deck(state, deck[position]))
            position += 1
        state.hand_size[seat] = HAND_SIZE
    multisets.clear(state.seen, 0)
    dealer = state.rounds_over % state.players
    begin_trick(state, next_seat(state, dealer))


@rule
def card_in_deck(state, position):
    """The card that stands at `position` of the deck in canonical order."""
    slot = position // SUIT_CARDS
    number = position % SUIT_CARDS
    return first_of_slot(slot) + (number if slot == villain_slot(state) else HERO_DECK[number])


@rule
def begin_trick(state, leader):
    for slot in range(state.players):
        state.card_of_slot[slot] = NO_CARD
        state.seat_of_slot[slot] = NO_SEAT
    state.open_cards = (1 << num_cards(state)) - 1
    state.offer = 0
    state.takes_left = 0
    state.forced_from = 0
    state.on_table = 0
    state.leader = leader
    state.next_leader = leader
    state.turn = leader
    state.phase = Phase.PLAY
    if state.hand_size[leader] == 0:
        end_round(state)


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
def next_seat(state, seat):
    return seat + 1 if seat + 1 < state.players else 0


# --- Cards ----------------------------------------------------------------------------------------


@rule
def villain_slot(state):
    return state.players - 1


@rule
def first_of_slot(slot):
    return slot * HERO_KINDS


@rule
def num_cards(state):
    """The number of different cards: also the first `take` action, and half the number of `pass`."""
    return first_of_slot(villain_slot(state)) + VILLAIN_KINDS


@rule
def slot_of(state, card):
    return min(card // HERO_KINDS, villain_slot(state))


@rule
def cards_of_slot(state, slot):
    """The set of all cards of a suit."""
    kinds = VILLAIN_KINDS if slot == villain_slot(state) else HERO_KINDS
    return ((1 << kinds) - 1) << first_of_slot(slot)


@rule
def power_card(state, suit):
    """The power card of a suit; NO_CARD if the suit is not in play."""
    slot = state.slot_of_suit[suit]
    if slot == NO_SUIT:
        return NO_CARD
    return first_of_slot(slot) + (INFINITY if suit == Suit.VILLAIN else POWER)


@rule
def in_trick(state, card):
    return card != NO_CARD and state.card_of_slot[slot_of(state, card)] == card


@rule
def player_of(state, suit):
    """The seat that played `suit`, which is in play, to the complete trick."""
    return state.seat_of_slot[state.slot_of_suit[suit]]


@rule
def value_of(state, card):
    """The value of a card alone."""
    return int(state.value[card])


@rule
def is_hero(state, slot):
    """Whether the suit of `slot` counts for the heroes."""
    if slot == villain_slot(state):
        return False
    return not (state.team_up and state.suit_of_slot[slot] == Suit.MID_KNIGHT)


# --- Legal actions --------------------------------------------------------------------------------


@rule
def take_action(state, card):
    return num_cards(state) + card


@rule
def pass_action(state):
    return 2 * num_cards(state)


@rule
def stop_action(state):
    return 2 * num_cards(state) + 1


@rule
def accept_action(state):
    return 2 * num_cards(state) + 2


@rule
def legal_actions(state, actions):
    phase = state.phase
    if phase == Phase.PLAY:
        return bits.fill(state.hand[state.turn, 0] & state.open_cards, actions)
    if phase == Phase.DEAL or phase == Phase.OVER:
        return 0
    if phase == Phase.STOP_ONE or phase == Phase.STOP_ALL:
        actions[0] = stop_action(state)
        actions[1] = accept_action(state)
        return 2
    count = bits.fill(state.offer, actions)
    for i in range(count):
        actions[i] = take_action(state, actions[i])
    if phase != Phase.FORCED:
        actions[count] = pass_action(state)
        count += 1
    return count


# --- Apply action ---------------------------------------------------------------------------------


@rule
def apply_action(state, action):
    phase = state.phase
    if phase == Phase.PLAY:
        play(state, action)
    elif phase == Phase.STOP_ONE or phase == Phase.STOP_ALL:
        answer_stop(state, action == stop_action(state))
    elif phase == Phase.FORCED:
        take(state, action - take_action(state, 0))
        force_next(state)
    else:
        take_at_will(state, action)


@rule
def play(state, card):
    seat = state.turn
    slot = slot_of(state, card)
    multisets.remove(state.hand[seat], card)
    multisets.add(state.seen, card)
    state.hand_size[seat] -= 1
    state.card_of_slot[slot] = card
    state.seat_of_slot[slot] = seat
    state.open_cards &= ~cards_of_slot(state, slot)
    state.on_table += 1
    if state.on_table == state.players:
        judge_trick(state)
        return
    state.turn = next_seat(state, seat)
    if not state.hand[state.turn, 0] & state.open_cards:
        end_round(state)


@rule
def judge_trick(state):
    for slot in range(state.players):
        state.offer |= 1 << state.card_of_slot[slot]
    if in_trick(state, power_card(state, Suit.KID)):
        begin_trick(state, player_of(state, Suit.KID))
        return
    villain = player_of(state, Suit.VILLAIN)
    if in_trick(state, power_card(state, Suit.VILLAIN)):
        state.offer ^= 1 << power_card(state, Suit.VILLAIN)
        state.next_leader = villain
        state.turn = villain
        if may_stop(state, villain):
            state.phase = Phase.STOP_ALL
        else:
            take_all(state)
    elif hero_total(state) >= villain_total(state):
        state.next_leader = best_hero(state)
        state.turn = state.next_leader
        state.phase = Phase.HERO_TAKES
        state.takes_left = 1
    else:
        state.next_leader = villain
        state.turn = villain
        state.phase = Phase.VILLAIN_TAKES
        state.takes_left = OPTIONAL_TAKES


@rule
def trick_value(state, slot):
    """The value of the card of `slot` in the complete trick."""
    card = state.card_of_slot[slot]
    if card == power_card(state, Suit.MID_KNIGHT):
        return half_of_villain(state)
    if card != power_card(state, Suit.DOUBLE):
        return value_of(state, card)
    best = 0
    for other in range(state.players):
        if other != slot and is_hero(state, other):
            other_card = state.card_of_slot[other]
            value = value_of(state, other_card)
            if other_card == power_card(state, Suit.MID_KNIGHT):
                value = half_of_villain(state)
            best = max(best, value)
    return best + DOUBLE_BONUS


@rule
def half_of_villain(state):
    """The value of Mhalf in the complete trick."""
    return value_of(state, state.card_of_slot[villain_slot(state)]) // 2


@rule
def hero_total(state):
    total = 0
    for slot in range(state.players):
        if is_hero(state, slot):
            total += trick_value(state, slot)
    return total


@rule
def villain_total(state):
    total = 0
    for slot in range(state.players):
        if not is_hero(state, slot):
            total += trick_value(state, slot)
    return total


@rule
def best_hero(state):
    """The seat of the highest hero card; of equal ones the later played."""
    best = NO_SEAT
    best_key = -1
    for slot in range(state.players):
        if is_hero(state, slot):
            seat = state.seat_of_slot[slot]
            order = seat - state.leader if seat >= state.leader else seat - state.leader + state.players
            key = trick_value(state, slot) * state.players + order
            if key > best_key:
                best_key = key
                best = seat
    return best


# --- Taking cards ---------------------------------------------------------------------------------


@rule
def take(state, card):
    multisets.add(state.pile[state.turn], card)
    state.offer ^= 1 << card


@rule
def take_all(state):
    """The player of Vinf takes what is on offer, and the trick is over."""
    while state.offer:
        take(state, bits.lowest(state.offer))
    begin_trick(state, state.next_leader)


@rule
def take_at_will(state, action):
    """A card for the winning hero, or up to two for the villain's and Mid-Knight's players; then what follows."""
    state.takes_left -= 1
    if action == pass_action(state):
        state.takes_left = 0
    else:
        take(state, action - take_action(state, 0))
    if state.takes_left > 0:
        return
    if state.phase == Phase.HERO_TAKES:
        begin_trick(state, state.next_leader)
    elif state.phase == Phase.VILLAIN_TAKES and state.team_up:
        state.turn = player_of(state, Suit.MID_KNIGHT)
        state.phase = Phase.MID_KNIGHT_TAKES
        state.takes_left = OPTIONAL_TAKES
    else:
        state.forced_from = state.turn
        force_next(state)


@rule
def force_next(state):
    """Turns to the next hero player clockwise, who is forced to take a card, or ends the trick."""
    villain = player_of(state, Suit.VILLAIN)
    seat = next_seat(state, state.turn)
    if seat == villain and seat != state.forced_from:
        seat = next_seat(state, seat)
    if seat == state.forced_from or not state.offer:
        begin_trick(state, state.next_leader)
        return
    state.turn = seat
    state.phase = Phase.STOP_ONE if may_stop(state, seat) else Phase.FORCED


@rule
def may_stop(state, seat):
    """Whether `seat` has T10 in its pile."""
    card = power_card(state, Suit.TOCK)
    return card != NO_CARD and state.pile[seat, 0] >> card & 1 == 1


@rule
def answer_stop(state, stops):
    if stops:
        multisets.remove(state.pile[state.turn], power_card(state, Suit.TOCK))
        if state.phase == Phase.STOP_ALL:
            begin_trick(state, state.next_leader)
        else:
            force_next(state)
    elif state.phase == Phase.STOP_ALL:
        take_all(state)
    else:
        state.phase = Phase.FORCED


# --- Scores and ranks -----------------------------------------------------------------------------


@rule
def end_round(state):
    """Discards trick and hands, scores the piles, and ends the game or waits for the next deal."""
    for seat in range(state.players):
        state.points[seat] += pile_score(state, seat)
        multisets.clear(state.hand[seat], 0)
        state.hand_size[seat] = 0
    for slot in range(state.players):
        state.card_of_slot[slot] = NO_CARD
        state.seat_of_slot[slot] = NO_SEAT
    state.on_table = 0
    state.rounds_over += 1
    state.phase = Phase.OVER if state.rounds_over == state.rounds else Phase.DEAL


@rule
def pile_score(state, seat):
    """The points of a pile: villain, Mid-Knight, the other heroes, then Double Take, which looks at them."""
    villain = suit_score(state, seat, villain_slot(state))
    total = villain
    best_hero_suit = 0
    for slot in range(villain_slot(state)):
        if state.suit_of_slot[slot] != Suit.DOUBLE:
            points = suit_score(state, seat, slot)
            if state.suit_of_slot[slot] == Suit.MID_KNIGHT and counts(state, seat, power_card(state, Suit.MID_KNIGHT)):
                points += villain // 2
            total += points
            if is_hero(state, slot):
                best_hero_suit = max(best_hero_suit, points)
    slot = state.slot_of_suit[Suit.DOUBLE]
    if slot != NO_SUIT:
        points = suit_score(state, seat, slot)
        if counts(state, seat, power_card(state, Suit.DOUBLE)):
            other_card = points  # the only other card that can count beside D+2
            has_other = num_in_pile(state, seat, slot) > 1
            points += DOUBLE_BONUS + (other_card if has_other else best_hero_suit)
        total += points
    return total


@rule
def num_in_pile(state, seat, slot):
    cards = cards_of_slot(state, slot)
    count = 0
    for level in range(LEVELS):
        count += bits.count(state.pile[seat, level] & cards)
    return count


@rule
def within_limit(state, seat, slot):
    """Whether the pile holds no more cards of a suit than score."""
    return num_in_pile(state, seat, slot) <= (2 if state.players == 3 else 1)


@rule
def counts(state, seat, card):
    """Whether `card` is in the pile and its suit within the limit."""
    return state.pile[seat, 0] >> card & 1 == 1 and within_limit(state, seat, slot_of(state, card))


@rule
def suit_score(state, seat, slot):
    """The sum of the plain values of a suit in the pile; 0 over the limit."""
    if not within_limit(state, seat, slot):
        return 0
    total = 0
    for level in range(LEVELS):
        cards = state.pile[seat, level] & cards_of_slot(state, slot)
        while cards:
            total += value_of(state, bits.lowest(cards))
            cards &= cards - 1
    return total


@rule
def score(state, seat):
    return state.points[seat]


@rule
def rank_key(state, seat):
    return state.points[seat]


# --- Hidden information ---------------------------------------------------------------------------


@rule
def hide(state, seat):
    for other in range(state.players):
        if other != seat:
            multisets.clear(state.hand[other], HIDDEN)


@rule
def determinize(state, seat, rng):
    """The unseen cards are exchangeable but for one fact: a seat that is to play holds a card that it may play."""
    known = np.empty(LEVELS, np.int64)
    for level in range(LEVELS):
        known[level] = state.seen[level]
    pool = np.empty(MAX_PLAYERS * SUIT_CARDS, np.int64)
    for i in range(multisets.fill_missing(state.hand[seat], NOTHING, pool)):
        multisets.add(known, pool[i])
    size = multisets.fill_missing(state.all_cards, known, pool)
    shuffle(rng, pool, size)
    position = 0
    to_play = state.turn if state.phase == Phase.PLAY else NO_SEAT
    if to_play not in (seat, NO_SEAT):
        position = state.hand_size[to_play]
        draw_with_one_of(state.open_cards, position, pool, size, rng)
        deal_from_pool(state, to_play, pool, 0)
    for other in range(state.players):
        if other not in (seat, to_play):
            deal_from_pool(state, other, pool, position)
            position += state.hand_size[other]


@rule
def deal_from_pool(state, seat, pool, position):
    multisets.clear(state.hand[seat], 0)
    for i in range(state.hand_size[seat]):
        multisets.add(state.hand[seat], pool[position + i])


@rule
def draw_with_one_of(wanted, draws, pool, size, rng):
    """Reorders the shuffled `pool`: uniform among the orders whose first `draws` cards hold one of the set `wanted`.

    Card by card: while none is drawn yet, the next is a wanted one with the probability that it has
    given that one comes at all.
    """
    num_wanted = 0
    for i in range(size):
        num_wanted += wanted >> pool[i] & 1
    for i in range(draws):
        left = size - i
        none = 1.0  # probability that all further draws miss
        for j in range(draws - i):
            none *= max(0.0, (left - num_wanted - j) / (left - j))
        is_wanted = chance(rng, num_wanted / left / (1.0 - none))
        for j in range(i, size):
            if (wanted >> pool[j] & 1 == 1) == is_wanted:
                pool[i], pool[j] = pool[j], pool[i]
                break
        if is_wanted:
            shuffle(rng, pool[i + 1 :], left - 1)  # the search above moved wanted cards to the back
            return


# --- Names and text -------------------------------------------------------------------------------

SUIT_LETTERS = "SDKTMV"
POWER_NAMES = ("S13", "D+2", "K0", "T10", "Mhalf", "Vinf")  # by Suit
BASE_SUITS = {3: "SDV", 4: "SDKV", 5: "SDKTV"}
BASE_VILLAIN = {3: 8, 4: 16, 5: 22}  # lowest rank
TEAM_UP_VILLAIN = {5: 8, 6: 16}
HERO_LETTERS = SUIT_LETTERS[:4]
MODES = ("off", *(f"replace:{suit}" for suit in HERO_LETTERS), "team_up")


def needs_removed(players, options):
    """Whether the option `removed` applies."""
    return players == 5 and options["mid_knight"] == "team_up"


def suits_in_play(players, options):
    """The letters of the suits, in canonical order. Raises ValueError for a combination that does not exist."""
    mode = options["mid_knight"]
    if mode == "team_up":
        if players not in TEAM_UP_VILLAIN:
            raise ValueError(f"mid_knight = {mode!r} with {players} players: expected 5 or 6 players")
        return SUIT_LETTERS if players == 6 else SUIT_LETTERS.replace(options["removed"], "")
    if players not in BASE_SUITS:
        raise ValueError(f"mid_knight = {mode!r} with {players} players: expected 'team_up'")
    replaced = mode.removeprefix("replace:")
    if mode == "off":
        return BASE_SUITS[players]
    heroes = BASE_SUITS[players][:-1]
    if replaced not in heroes:
        expected = " or ".join(repr(f"replace:{suit}") for suit in heroes)
        raise ValueError(f"mid_knight = {mode!r} with {players} players: expected a hero suit in play, {expected}")
    return heroes.replace(replaced, "") + "MV"


def villain_ranks(players, options):
    lowest = (TEAM_UP_VILLAIN if options["mid_knight"] == "team_up" else BASE_VILLAIN)[players]
    return range(lowest, lowest + INFINITY)


def card_names(players, options):
    """The different cards, by number."""
    names = []
    for suit in suits_in_play(players, options):
        ranks = villain_ranks(players, options) if suit == "V" else range(LOWEST_HERO, LOWEST_HERO + POWER)
        names += [f"{suit}{rank}" for rank in ranks] + [POWER_NAMES[SUIT_LETTERS.index(suit)]]
    return tuple(names)


def deck_names(players, options):
    names = card_names(players, options)
    heroes = [names[first_of_slot(slot) + number] for slot in range(players - 1) for number in HERO_DECK]
    return (*heroes, *names[first_of_slot(players - 1) :])


def action_names(players, options):
    names = card_names(players, options)
    return (*names, *(f"take:{name}" for name in names), "pass", "stop", "accept")


def facts(state):
    players = range(state.players)
    names = card_names_of(state)
    order = [(state.leader + i) % state.players for i in players]
    return {
        "phase": Phase(state.phase).name.lower(),
        "round": int(min(state.rounds_over + 1, state.rounds)),
        "dealer": int(min(state.rounds_over, state.rounds - 1) % state.players),
        "hands": [hand_names(state, seat, names) for seat in players],
        "leader": int(state.leader),
        "table": [played_by(state, seat, names) for seat in players],
        "trick": [card for seat in order if (card := played_by(state, seat, names))],
        "offer": names_in(state.offer, names),
        "piles": [multisets.names_in(state.pile[seat], names) for seat in players],
        "points": [int(state.points[seat]) for seat in players],
        "pile_scores": [int(pile_score(state, seat)) for seat in players],
        "seen": multisets.names_in(state.seen, names),
    }


def card_names_of(state):
    names = []
    for slot in range(state.players):
        suit = int(state.suit_of_slot[slot])
        ranks = range(state.lowest_villain, state.lowest_villain + INFINITY)
        ranks = ranks if suit == Suit.VILLAIN else range(LOWEST_HERO, LOWEST_HERO + POWER)
        names += [f"{SUIT_LETTERS[suit]}{rank}" for rank in ranks] + [POWER_NAMES[suit]]
    return names


def hand_names(state, seat, names):
    if state.hand[seat, 0] == HIDDEN:
        return ["?"] * int(state.hand_size[seat])
    return multisets.names_in(state.hand[seat], names)


def played_by(state, seat, names):
    """The card of `seat` in the trick, or None."""
    for slot in range(state.players):
        if state.seat_of_slot[slot] == seat:
            return names[state.card_of_slot[slot]]
    return None


def text(facts):
    """The table in front of a seat, as lines of text."""
    lines = [f"round {facts['round']}, dealt by seat {facts['dealer']}"]
    for seat, hand in enumerate(facts["hands"]):
        lines.append(
            f"seat {seat}: {facts['points'][seat]:3} points, pile {' '.join(facts['piles'][seat]) or 'empty'} "
            f"(worth {facts['pile_scores'][seat]}), holds {' '.join(hand) or 'nothing'}"
        )
    lines.append(f"trick led by seat {facts['leader']}: {' '.join(facts['trick']) or 'no card yet'}")
    if facts["offer"]:
        lines.append(f"left to take: {' '.join(facts['offer'])}")
    lines.append(f"played in this round: {' '.join(facts['seen']) or 'nothing'}")
    return "\n".join(lines)


# --- Registration ---------------------------------------------------------------------------------

RULES = register(
    Rules(
        name="tricky_time_crisis",
        title="Tricky Time Crisis",
        players=range(3, MAX_PLAYERS + 1),
        default_players=4,
        options=(
            Option("mid_knight", "off", MODES, "the Mid-Knight expansion: off, instead of a hero, or with the villain"),
            Option("removed", "T", tuple(HERO_LETTERS), "hero suit left out by team_up with 5 players", needs_removed),
            Option("rounds", lambda players: players, range(1, 1_000_000), "rounds, dealt in turn; one for each seat"),
        ),
        state=STATE,
        module=sys.modules[__name__],
    )
)
