"""What a seat of Trick or Repeat thinks lies in all timelines, and who will win the tricks."""

from __future__ import annotations

from engine import bits
from engine.compiling import rule
from engine.trick_or_repeat import MAX_CARDS, holder_of


@rule
def slot_of(state, trick):
    return state.hand_size - 1 - trick if state.reverse else trick


@rule
def trump_of(state, trick):
    return state.rabbit[state.hand_size - 1 - trick] // state.ranks


@rule
def fill_promise(state, share, lead, promise):
    """Writes to ``promise[slot, card]`` the chance to win that a card has in a slot at first sight."""
    possible = (1 << state.suits * state.ranks) - 1
    for i in range(state.hand_size):
        possible &= ~(1 << state.rabbit[i])
    if state.rounds_over > 0:
        possible = 0
        for hand in range(state.players):
            possible |= state.hand_at[hand, 0]
    suit_mask = (1 << state.ranks) - 1
    for trick in range(state.hand_size):
        slot = slot_of(state, trick)
        trump = trump_of(state, trick)
        safe = 1.0 - share * (state.players - 1) * (state.hand_size - slot) / bits.count(possible)
        no_trump = lead
        for _ in range(bits.count(possible >> trump * state.ranks & suit_mask)):
            no_trump *= safe
        for suit in range(state.suits):
            chance = 1.0 if suit == trump else no_trump
            for card in range((suit + 1) * state.ranks - 1, suit * state.ranks - 1, -1):
                promise[slot, card] = chance
                if possible >> card & 1:
                    chance *= safe


@rule
def eagerness(promise, sharpness):
    root = 1.0 + sharpness * promise
    square = root * root
    return square * square


@rule
def looks(state, seat, hand, stage):
    """Whether `seat` sees or saw `hand` at `stage` of this round."""
    last = min(state.stage, state.hand_size - 2)
    return (stage <= last and holder_of(state, hand, stage) == seat) or (stage == 0 and state.rounds_over > 0)


@rule
def unseen_by(state, seat):
    """The set of the cards that `seat` has seen nowhere."""
    unseen = (1 << state.suits * state.ranks) - 1
    for i in range(state.hand_size):
        unseen &= ~(1 << state.rabbit[i])
    for hand in range(state.players):
        for stage in range(state.hand_size - 1):
            if looks(state, seat, hand, stage):
                unseen &= ~state.hand_at[hand, stage]
    return unseen


@rule
def fill_placements(state, seat, last, eager, repeat, held, placements):
    """Writes to ``placements[slot, seat, card]``, zeros, the chance that this card was or will be placed there."""
    unseen = unseen_by(state, seat)
    for hand in range(state.players):
        cards = unseen
        for stage in range(last + 1):
            holder = holder_of(state, hand, stage)
            if looks(state, seat, hand, stage):
                cards = state.hand_at[hand, stage]
                spread(cards, 1.0, held)
                if holder == seat and state.placed[hand, stage] >= 0:
                    card = state.placed[hand, stage]
                    placements[stage, seat, card] = 1.0
                    cards &= ~(1 << card)
                    held[card] = 0.0
                    continue
            keep = 0
            later = state.hand_size
            for t in range(min(state.stage, state.hand_size - 2), stage, -1):
                if holder_of(state, hand, t) == seat:
                    keep = state.hand_at[hand, t]
                    later = t
            if stage == 0 and cards == unseen:
                spread(cards, later / max(1, bits.count(cards)), held)
                spread(keep, 1.0, held)
            familiar = state.earlier_placed[hand, stage] if state.rounds_over > 0 else -1
            choose(cards & ~keep, cards | keep, eager[stage], familiar, repeat, held, placements[stage, holder])


@rule
def spread(cards, value, held):
    while cards:
        held[bits.lowest(cards)] = value
        cards &= cards - 1


@rule
def choose(candidates, cards, eager, familiar, repeat, held, chances):
    """Writes the chance that each of the candidates is placed, out of `cards`, each held by a chance.

    Takes what is placed out of `held`.
    """
    total = 0.0
    left = cards
    while left:
        card = bits.lowest(left)
        left &= left - 1
        eagerly = eager[card] * repeat if card == familiar else eager[card]
        total += held[card] * eagerly
    norm = 0.0
    left = candidates
    while left:
        card = bits.lowest(left)
        left &= left - 1
        if held[card] > 0.0:
            eagerly = eager[card] * repeat if card == familiar else eager[card]
            chances[card] = held[card] * eagerly / (eagerly + total - held[card] * eagerly)
            norm += chances[card]
    left = candidates
    while left:
        card = bits.lowest(left)
        left &= left - 1
        if held[card] > 0.0:
            chances[card] /= norm
            held[card] = max(0.0, held[card] - chances[card])


@rule
def fill_above(state, chances, above, below):
    """Writes for each card the chance that a seat plays a higher, or a lower, card of that suit."""
    for suit in range(state.suits):
        total = 0.0
        for card in range((suit + 1) * state.ranks - 1, suit * state.ranks - 1, -1):
            above[card] = total
            total += chances[card]
        for card in range(suit * state.ranks, (suit + 1) * state.ranks):
            below[card] = total - above[card] - chances[card]


@rule
def chance_to_win(state, trump, above, below, chances, leader, seat, card):
    """The chance that `card` of `seat` wins the trick led by `leader`."""
    plain = card // state.ranks != trump
    lowest = trump * state.ranks
    chance = 1.0
    for other in range(state.players):
        if other == seat:
            continue
        if not plain:
            chance *= 1.0 - above[other, card]
        elif other == leader:
            chance *= below[other, card]
        else:
            chance *= 1.0 - above[other, card] - above[other, lowest] - chances[other, lowest]
    return chance


@rule
def seat_wins(state, trump, above, below, chances, leader, seat):
    """The chance that `seat` wins the trick led by `leader`."""
    winning = 0.0
    for card in range(state.suits * state.ranks):
        if chances[seat, card] > 0.0:
            winning += chances[seat, card] * chance_to_win(state, trump, above, below, chances, leader, seat, card)
    return winning


@rule
def resolve(state, trump, counted, above, below, chances, tricks, after):
    """Plays a trick: ``tricks[leader, n]`` is the chance of that leader and of n tricks of seat `counted` so far."""
    after[:] = 0.0
    for seat in range(state.players):
        more = 1 if seat == counted else 0
        for leader in range(state.players):
            winning = seat_wins(state, trump, above, below, chances, leader, seat)
            for n in range(state.hand_size):
                after[seat, n + more] += winning * tricks[leader, n]
    tricks[:] = after
