"""Tricky Time Crisis in plain names, in words and, for learners, in numbers."""

from __future__ import annotations

from engine import multisets
from engine.cards import names_in
from engine.observation import by_seat, first, number, one_of, own, seat_of, set_of
from engine.tricky_time_crisis.cards import (
    HAND_SIZE,
    HIDDEN,
    INFINITY,
    LOWEST_HERO,
    NO_CARD,
    OPTIONAL_TAKES,
    POWER,
    POWER_NAMES,
    SUIT_LETTERS,
    Phase,
    Suit,
    card_names,
)
from engine.tricky_time_crisis.play import hero_total, villain_total
from engine.tricky_time_crisis.scoring import pile_score

GOOD_ROUND = 50  # points, a handy unit
BEST_ROUND = 100  # more than a seat can score


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


def events(before, action, after):
    """What the action brought about, in words: a complete trick, the next leader, the end of a round."""
    lines = []
    if before.phase == Phase.PLAY and before.on_table == before.players - 1:
        lines.append(result_of_trick(before, action, after))
    if after.rounds_over > before.rounds_over:
        points = " ".join(str(points) for points in after.points[: after.players])
        return [*lines, f"a seat to act holds no card that it may play: the round is over, points {points}"]
    if after.phase == Phase.PLAY and after.on_table == 0:
        lines.append(f"seat {after.turn} leads")
    return lines


def result_of_trick(before, last_card, after):
    """Why the trick that `last_card` completed was won."""
    names = card_names_of(before)
    cards = [last_card, *(names[card] for card in before.card_of_slot[: before.players] if card != NO_CARD)]
    if "K0" in cards:
        return "K0 discards the trick"
    if "Vinf" in cards:
        stopped = " unless T10 stops it" if after.phase == Phase.STOP_ALL else ""
        return f"Vinf: its player takes all other cards{stopped}"
    totals = f"heroes {hero_total(after)} against {villain_total(after)}"
    winner = "the highest hero" if after.phase == Phase.HERO_TAKES else "the villain"
    return f"{totals}: {winner}, seat {after.turn}, may take from {' '.join(names_in(after.offer, names))}"


def observed(players, options):
    """What a seat sees, for `engine.observation`: cards by number, multisets level by level, the trick by suit."""
    cards = set_of(len(card_names(players, options)))
    rounds = options["rounds"]
    return {
        "phase": one_of(len(Phase)),
        "turn": seat_of(players),
        "rounds_over": number(rounds, rounds),
        "leader": seat_of(players),
        "next_leader": seat_of(players),
        "on_table": one_of(players + 1),
        "card_of_slot": first(players, one_of(cards.size)),
        "seat_of_slot": first(players, seat_of(players)),
        "offer": cards,
        "takes_left": number(OPTIONAL_TAKES, OPTIONAL_TAKES),
        "forced_from": seat_of(players),
        "points": by_seat(number(GOOD_ROUND, BEST_ROUND * rounds)),
        "seen": cards,
        "hand": own(cards),
        "hand_size": by_seat(number(HAND_SIZE, HAND_SIZE)),
        "pile": by_seat(cards),
    }
