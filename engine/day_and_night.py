"""Day & Night (2021): win a colour by the most at day, by the least at night, and take stars. 3 to 5 players.

Rules
    108 cards in four colours, values 1 to 13 twice and a third 7. Values far from 7 carry up to four
    stars; 6, 7 and 8 carry a time symbol that flips day and night when the card is revealed or played.
    Each round a card of the pile is revealed, then all seats choose a card at the same time, twice. By
    day the colour of the highest total on the table wins, by night the lowest; a tie for best wins
    nothing. Seats with cards of that colour take one card each from the table, the highest sum of
    theirs first by day, the lowest by night; ties go to fewer stars, seats still equal take nothing.
    Then all draw two cards. The round in which the pile is empty after the reveal is the last. Most
    stars win, then most cards taken.
Rulings that were choices
    Stars by value, the order of drawing. Seats that are equal in sum and stars take nothing, the other
    seats of the tie do. The revealed card counts for its colour and for no seat. "Stars collected
    before this step" are those before anybody takes in this round.
Actions
    A card name (``B1`` ... ``U13``) to play, ``take:CARD`` to take a card from the table.
Scores
    Stars.
"""

from __future__ import annotations

import sys
from enum import IntEnum

import numpy as np

from engine import bits, multisets
from engine.compiling import record, rule
from engine.game import Rules, register
from engine.multisets import LEVELS
from engine.observation import by_seat, first, number, one_of, own, seat_of, set_of
from engine.rng import shuffle

# --- Constants ------------------------------------------------------------------------------------

MAX_PLAYERS = 5
COLOURS = 4
VALUES = 13
CARDS = COLOURS * VALUES  # different ones; copies share a number
HAND_SIZE = 7
PLAYS = 2  # cards of each seat in a round
DRAWS = 2
REMOVED = (0, 0, 0, 33, 16, 3)  # by number of players
MAX_ROUNDS = 9
MAX_PILE = 108 - REMOVED[5] - 5 * HAND_SIZE
FIRST_TAKE_ACTION = CARDS  # actions 0 .. 51 play a card, 52 .. 103 take one

TOTAL_BITS = 8  # hold the total of a colour: at most 11 cards of up to 13
LARGEST_TOTAL = (1 << TOTAL_BITS) - 1

NO_CARD = -1
NO_COLOUR = -1
HIDDEN = -2  # a hand, a chosen card, or a card of the pile, that was erased

COLOUR = np.arange(CARDS) // VALUES
VALUE = np.arange(CARDS) % VALUES + 1
STARS = np.array([4, 4, 3, 2, 1, 0, 0, 0, 1, 2, 3, 4, 4])[VALUE - 1]
TURNS_TIME = np.isin(VALUE, (6, 7, 8)).astype(np.int64)

COLOUR_LETTERS = "BOPU"
CARD_NAMES = tuple(f"{COLOUR_LETTERS[colour]}{value}" for colour, value in zip(COLOUR, VALUE, strict=True))
DECK = tuple(name for name, value in zip(CARD_NAMES, VALUE, strict=True) for _ in range(3 if value == 7 else 2))
CARD_IN_DECK = np.array([CARD_NAMES.index(name) for name in DECK])
ALL_CARDS = np.array(multisets.levels_of(CARD_NAMES, DECK))
NOTHING = np.zeros(LEVELS, np.int64)


class Phase(IntEnum):
    DEAL = 0
    CHOOSE = 1
    TAKE = 2
    OVER = 3


# --- State ----------------------------------------------------------------------------------------

STATE = record(
    [
        ("players", np.int64),  # number of seats; public
        ("phase", np.int64),  # Phase; public
        ("turn", np.int64),  # seat to move; public
        ("rounds_over", np.int64),  # public
        ("night", np.int64),  # 1 by night; public
        ("last_round", np.int64),  # 1 in the last round; public
        ("play", np.int64),  # which card of the round is being chosen, 0 or 1; 2 while cards are taken; public
        ("pile_size", np.int64),  # public
        ("seen", np.int64, (LEVELS,)),  # multiset of cards that were ever face up; public
        ("table", np.int64, (LEVELS,)),  # multiset of cards face up now; public
        ("hand", np.int64, (MAX_PLAYERS, LEVELS)),  # multiset, or HIDDEN; private to its seat
        ("hand_size", np.int64, (MAX_PLAYERS,)),  # public
        ("stars", np.int64, (MAX_PLAYERS,)),  # public
        ("taken", np.int64, (MAX_PLAYERS,)),  # cards collected; public
        ("revealed", np.int64),  # card from the pile, or NO_CARD; public
        ("chosen", np.int64, (MAX_PLAYERS,)),  # card chosen and not shown yet, or NO_CARD; private to its seat
        ("played", np.int64, (MAX_PLAYERS, PLAYS)),  # cards shown in this round, or NO_CARD; public
        ("taking_order", np.int64, (MAX_PLAYERS,)),  # seats that take in this round, first to last; public
        ("takers", np.int64),  # how many they are; public
        ("next_taker", np.int64),  # position in taking_order; public
        ("reveals", np.int8, (MAX_ROUNDS,)),  # card revealed in each round, NO_CARD where there was none yet; public
        ("pile", np.int8, (MAX_PILE,)),  # bottom first, NO_CARD above the top; private to nobody
    ],
    __file__,
)


def setup(state, players, options):
    """Writes the position before the deal to a record of zeros."""
    state.players = players
    state.phase = Phase.DEAL
    state.reveals[:] = NO_CARD


# --- Deal -----------------------------------------------------------------------------------------


@rule
def deal(state, deck):
    position = REMOVED[state.players]
    for seat in range(state.players):
        for _ in range(HAND_SIZE):
            multisets.add(state.hand[seat], CARD_IN_DECK[deck[position]])
            position += 1
        state.hand_size[seat] = HAND_SIZE
    state.pile_size = len(deck) - position
    for i in range(MAX_PILE):
        state.pile[i] = CARD_IN_DECK[deck[len(deck) - 1 - i]] if i < state.pile_size else NO_CARD
    begin_round(state)


@rule
def draw_from_pile(state):
    state.pile_size -= 1
    card = int(state.pile[state.pile_size])
    state.pile[state.pile_size] = NO_CARD
    return card


@rule
def begin_round(state):
    state.revealed = NO_CARD
    for seat in range(MAX_PLAYERS):
        state.chosen[seat] = NO_CARD
        state.taking_order[seat] = 0
        for play in range(PLAYS):
            state.played[seat, play] = NO_CARD
    state.takers = 0
    state.next_taker = 0
    multisets.clear(state.table, 0)
    if state.pile_size > 0:
        state.revealed = draw_from_pile(state)
        put_on_table(state, state.revealed)
    state.reveals[state.rounds_over] = state.revealed
    state.last_round = 1 if state.pile_size == 0 else 0
    state.play = 0
    state.turn = 0
    state.phase = Phase.CHOOSE


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


# --- Legal actions --------------------------------------------------------------------------------


@rule
def legal_actions(state, actions):
    if state.phase == Phase.CHOOSE:
        return bits.fill(state.hand[state.turn, 0], actions)
    if state.phase != Phase.TAKE:
        return 0
    count = bits.fill(state.table[0], actions)
    for i in range(count):
        actions[i] += FIRST_TAKE_ACTION
    return count


# --- Apply action ---------------------------------------------------------------------------------


@rule
def apply_action(state, action):
    seat = state.turn
    if state.phase == Phase.CHOOSE:
        multisets.remove(state.hand[seat], action)
        state.hand_size[seat] -= 1
        state.chosen[seat] = action
        state.turn += 1
        if state.turn == state.players:
            show_chosen(state)
        return
    card = action - FIRST_TAKE_ACTION
    multisets.remove(state.table, card)
    state.stars[seat] += STARS[card]
    state.taken[seat] += 1
    state.next_taker += 1
    if state.next_taker < state.takers:
        state.turn = state.taking_order[state.next_taker]
    else:
        end_round(state)


@rule
def put_on_table(state, card):
    multisets.add(state.table, card)
    multisets.add(state.seen, card)
    state.night ^= TURNS_TIME[card]


@rule
def show_chosen(state):
    for seat in range(state.players):
        card = state.chosen[seat]
        state.played[seat, state.play] = card
        state.chosen[seat] = NO_CARD
        put_on_table(state, card)
    state.play += 1
    state.turn = 0
    if state.play < PLAYS:
        return
    colour = winning_colour(table_totals(state), state.night)
    if colour != NO_COLOUR:
        find_taking_order(state, colour)
    if state.takers == 0:
        end_round(state)
    else:
        state.phase = Phase.TAKE
        state.turn = state.taking_order[0]


@rule
def table_totals(state):
    """The totals of all colours on the table, the revealed card included, in one number (see `packed_value`)."""
    totals = packed_value(state.revealed)
    for seat in range(state.players):
        for play in range(PLAYS):
            totals += packed_value(state.played[seat, play])
    return totals


@rule
def winning_colour(totals, night):
    """The colour of the best total among those on the table, or NO_COLOUR for a tie."""
    best = NO_COLOUR
    best_total = 0
    for colour in range(COLOURS):
        total = totals >> TOTAL_BITS * colour & LARGEST_TOTAL
        if total > 0:  # else the colour is not on the table
            if best_total == 0 or comes_first(total, best_total, night):
                best = colour
                best_total = total
            elif total == best_total:
                best = NO_COLOUR
    return best


@rule
def packed_value(card):
    """The value of a card in the bits of its colour, so that the totals of all colours add up in one number."""
    return VALUE[card] << TOTAL_BITS * COLOUR[card] if card != NO_CARD else 0


@rule
def value_of_colour(card, colour):
    return VALUE[card] if card != NO_CARD and COLOUR[card] == colour else 0


@rule
def colour_sum(state, seat, colour):
    """The sum of the cards of `colour` that `seat` played in this round."""
    return value_of_colour(state.played[seat, 0], colour) + value_of_colour(state.played[seat, 1], colour)


@rule
def comes_first(one, other, night):
    """Whether the sum `one` beats the sum `other` at this time."""
    return one < other if night else one > other


@rule
def find_taking_order(state, colour):
    """Sorts the seats that take: by their sums of the winning `colour`, then by fewer stars."""
    for seat in range(state.players):
        if takes(state, seat, colour):
            position = state.takers
            while position > 0 and precedes(state, seat, state.taking_order[position - 1], colour):
                state.taking_order[position] = state.taking_order[position - 1]
                position -= 1
            state.taking_order[position] = seat
            state.takers += 1


@rule
def takes(state, seat, colour):
    """Whether `seat` played the winning `colour`, and no other seat is equal to it in sum and in stars."""
    own = colour_sum(state, seat, colour)
    if own == 0:
        return False
    for other in range(state.players):
        if other != seat and colour_sum(state, other, colour) == own and state.stars[other] == state.stars[seat]:
            return False
    return True


@rule
def precedes(state, one, other, colour):
    """Whether seat `one` takes before seat `other`."""
    sum_of_one, sum_of_other = colour_sum(state, one, colour), colour_sum(state, other, colour)
    if sum_of_one == sum_of_other:
        return state.stars[one] < state.stars[other]
    return comes_first(sum_of_one, sum_of_other, state.night)


@rule
def end_round(state):
    state.rounds_over += 1
    if state.last_round:
        state.phase = Phase.OVER
        return
    for _ in range(DRAWS):
        for seat in range(state.players):
            if state.pile_size > 0:
                multisets.add(state.hand[seat], draw_from_pile(state))
                state.hand_size[seat] += 1
    begin_round(state)


# --- Scores and ranks -----------------------------------------------------------------------------


@rule
def score(state, seat):
    return state.stars[seat]


@rule
def rank_key(state, seat):
    """Stars, then cards taken."""
    return state.stars[seat] * len(CARD_IN_DECK) + state.taken[seat]


# --- Hidden information ---------------------------------------------------------------------------


@rule
def holds_secrets(state):
    return state.phase == Phase.CHOOSE and state.turn > 0


@rule
def hide(state, seat):
    for other in range(state.players):
        if other != seat:
            multisets.clear(state.hand[other], HIDDEN)
            if state.chosen[other] != NO_CARD:
                state.chosen[other] = HIDDEN
    for i in range(state.pile_size):
        state.pile[i] = HIDDEN


@rule
def determinize(state, seat, rng):
    """All unseen cards are exchangeable: they are shuffled and dealt to hands, hidden choices and pile.

    A choice is weighted as if drawn uniformly from the seat's cards, which a shuffle does by itself.
    """
    known = np.empty(LEVELS, np.int64)
    pool = np.empty(len(CARD_IN_DECK), np.int64)
    for level in range(LEVELS):
        known[level] = state.seen[level]
    hand = np.empty(HAND_SIZE, np.int64)
    for i in range(multisets.fill_missing(state.hand[seat], NOTHING, hand)):
        multisets.add(known, hand[i])
    if state.chosen[seat] != NO_CARD:
        multisets.add(known, state.chosen[seat])
    size = multisets.fill_missing(ALL_CARDS, known, pool)
    shuffle(rng, pool, size)
    position = 0
    for other in range(state.players):
        if other != seat:
            multisets.clear(state.hand[other], 0)
            for _ in range(state.hand_size[other]):
                multisets.add(state.hand[other], pool[position])
                position += 1
            if state.chosen[other] != NO_CARD:
                state.chosen[other] = pool[position]
                position += 1
    for i in range(state.pile_size):
        state.pile[i] = pool[position]
        position += 1


# --- Names and text -------------------------------------------------------------------------------


def deck_names(players, options):
    return DECK


def action_names(players, options):
    return CARD_NAMES + tuple(f"take:{name}" for name in CARD_NAMES)


def observed(players, options):
    """What a seat sees, for `engine.observation`: cards by number, multisets level by level."""
    return {
        "phase": one_of(len(Phase)),
        "turn": seat_of(players),
        "rounds_over": one_of(MAX_ROUNDS + 1),
        "night": number(1, 1),
        "last_round": number(1, 1),
        "play": one_of(PLAYS + 1),
        "pile_size": number(MAX_PILE, MAX_PILE),
        "seen": set_of(CARDS),
        "table": set_of(CARDS),
        "hand": own(set_of(CARDS)),
        "hand_size": by_seat(number(HAND_SIZE, HAND_SIZE)),
        "stars": by_seat(number(int(STARS.max()), int(STARS.max()) * MAX_ROUNDS)),
        "taken": by_seat(number(MAX_ROUNDS, MAX_ROUNDS)),
        "revealed": one_of(CARDS),
        "chosen": own(one_of(CARDS)),
        "played": by_seat(one_of(CARDS)),
        "taking_order": first(players, seat_of(players)),
        "takers": number(players, players),
        "next_taker": number(players, players),
        "reveals": one_of(CARDS),
    }


def facts(state):
    players = range(state.players)
    return {
        "phase": Phase(state.phase).name.lower(),
        "round": int(state.rounds_over + (state.phase != Phase.OVER)),
        "last_round": bool(state.last_round),
        "time": time_name(state.night),
        "hands": [hand_names(state, seat) for seat in players],
        "committed": [card_name(state.chosen[seat]) for seat in players],
        "revealed": card_name(state.revealed),
        "played": [[card_name(card) for card in state.played[seat]] for seat in players],
        "table": multisets.names_in(state.table, CARD_NAMES),
        "taking_order": state.taking_order[: state.takers].tolist(),
        "pile": int(state.pile_size),
        "stars": [int(state.stars[seat]) for seat in players],
        "taken": [int(state.taken[seat]) for seat in players],
        "seen": multisets.names_in(state.seen, CARD_NAMES),
    }


def hand_names(state, seat):
    if state.hand[seat, 0] == HIDDEN:
        return ["?"] * int(state.hand_size[seat])
    return multisets.names_in(state.hand[seat], CARD_NAMES)


def card_name(card):
    if card == HIDDEN:
        return "?"
    return None if card == NO_CARD else CARD_NAMES[card]


def text(facts):
    """The table in front of a seat, as lines of text."""
    last = ", the last one" if facts["last_round"] else ""
    lines = [f"round {facts['round']}{last}, {facts['time']}, {facts['pile']} cards in the pile"]
    for seat, hand in enumerate(facts["hands"]):
        played = [card for card in facts["played"][seat] if card]
        chosen = f", chose {facts['committed'][seat]}" if facts["committed"][seat] else ""
        lines.append(
            f"seat {seat}: {facts['stars'][seat]:2} stars on {facts['taken'][seat]} cards, "
            f"played {' '.join(played) or 'nothing'}{chosen}, holds {' '.join(hand) or 'nothing'}"
        )
    lines.append(f"on the table: {' '.join(facts['table']) or 'nothing'} (revealed: {facts['revealed'] or 'nothing'})")
    if facts["phase"] == "take":
        lines.append(f"order of taking: {', '.join(f'seat {seat}' for seat in facts['taking_order'])}")
    lines.append(f"seen so far: {' '.join(facts['seen']) or 'nothing'}")
    return "\n".join(lines)


def events(before, action, after):
    """What the action brought about, in words: cards shown, the winning colour, the end of a round."""
    shown = before.phase == Phase.CHOOSE and before.turn == before.players - 1
    lines = result_of_round(before, CARD_NAMES.index(action), after) if shown and before.play == PLAYS - 1 else []
    if shown and not lines:
        lines = [f"all cards are shown: it is {time_name(after.night)}"]
    if after.rounds_over > before.rounds_over:
        lines.append(f"round over, stars {' '.join(str(stars) for stars in after.stars[: after.players])}")
        if after.phase == Phase.CHOOSE and after.revealed != NO_CARD:
            lines.append(f"revealed {card_name(after.revealed)}: it is {time_name(after.night)}")
    return lines


def result_of_round(before, last_card, after):
    """Totals by colour, the winning one and the order of taking, once the last seat has chosen `last_card`."""
    cards = [int(card) for card in before.chosen[: before.players - 1]] + [last_card]
    night = (int(before.night) + sum(int(TURNS_TIME[card]) for card in cards)) % 2
    totals = table_totals(before) + sum(int(packed_value(card)) for card in cards)
    sums = [totals >> TOTAL_BITS * colour & LARGEST_TOTAL for colour in range(COLOURS)]
    shown = ", ".join(f"{letter} {total}" for letter, total in zip(COLOUR_LETTERS, sums, strict=True) if total)
    colour = winning_colour(totals, night)
    if colour == NO_COLOUR:
        return [f"{time_name(night)}, totals {shown}: a tie, no colour wins"]
    order = ", ".join(f"seat {seat}" for seat in after.taking_order[: after.takers]) or "nobody"
    return [f"{time_name(night)}, totals {shown}: {COLOUR_LETTERS[colour]} wins; {order} may take"]


def time_name(night):
    return "night" if night else "day"


# --- Registration ---------------------------------------------------------------------------------

RULES = register(
    Rules(
        title="Day & Night (2021)",
        players=range(3, MAX_PLAYERS + 1),
        default_players=4,
        options=(),
        state=STATE,
        module=sys.modules[__name__],
    )
)
