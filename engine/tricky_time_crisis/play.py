"""Tricky Time Crisis: dealing, playing, judging tricks, and taking cards."""

from __future__ import annotations

from engine import bits, multisets
from engine.compiling import rule
from engine.tricky_time_crisis.cards import (
    DOUBLE_BONUS,
    HAND_SIZE,
    HERO_DECK,
    NO_CARD,
    NO_SEAT,
    OPTIONAL_TAKES,
    SUIT_CARDS,
    Phase,
    Suit,
    first_of_slot,
)
from engine.tricky_time_crisis.scoring import pile_score
from engine.tricky_time_crisis.state import (
    cards_of_slot,
    in_trick,
    is_hero,
    next_seat,
    num_cards,
    player_of,
    power_card,
    slot_of,
    value_of,
    villain_slot,
)

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
