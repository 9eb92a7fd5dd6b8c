"""Day & Night: hand-worked scenarios, at least one for every ruling of RULES.md section 2.

A round is written as ``"P1 | B13 B12 O2 | B4 O5 O3 | take:P1 take:O5"``: the revealed card, the first and the second
cards by seat, then what is taken in the order of taking. `run` makes a deck for such rounds and plays them: `apply`
refuses a card that the seat in front does not hold. A row may stop early. Sums are written as ``colour total``.
"""

from collections import Counter
from itertools import chain

import numpy as np
import pytest

import engine

DECK = [f"{colour}{value}" for colour in "BOPU" for value in range(1, 14) for _ in range(3 if value == 7 else 2)]
NAMES = list(dict.fromkeys(DECK))
REMOVED = {3: 33, 4: 16, 5: 3}


def deal(hands, pile="", removed=""):
    """A deck for these removed cards, hands and pile; "-" and what is missing is filled with the lowest cards left."""
    sizes = [REMOVED[len(hands)], *[7] * len(hands)]
    blocks = [text.split() for text in (removed, *hands, pile)]
    sizes.append(len(DECK) - sum(sizes))
    wanted = list(chain(*(block + ["-"] * (size - len(block)) for block, size in zip(blocks, sizes, strict=True))))
    left = list((Counter(DECK) - Counter(wanted)).elements())
    deck = [left.pop(0) if card == "-" else card for card in wanted]
    assert Counter(deck) == Counter(DECK)
    return deck


def new(hands, pile="", removed=""):
    return engine.load("day_and_night", players=len(hands)).new(decks=[deal(hands, pile, removed)])


def play(state, *texts):
    for name in " ".join(texts).split():
        state = state.apply(name)
    return state


def start(*rows):
    """The start of a game in which the rows (at most three) can be played without the cards drawn."""
    parts = [row.split(" | ") for row in rows]
    steps = [step.split() for part in parts for step in part[1:] if "take" not in step]
    hands = [" ".join(column) for column in zip(*steps, strict=True)]
    return new(hands, pile=(" -" * 2 * len(hands) + " ").join(part[0] for part in parts))


def run(*rows):
    return play(start(*rows), *(" ".join(row.split(" | ")[1:]) for row in rows))


def facts(state, *keys):
    return tuple(state.facts()[key] for key in keys)


def takers(state):
    """The seats in the order in which they take, each its first legal card."""
    seats = []
    while not state.is_terminal and state.facts()["phase"] == "take":
        seats.append(state.seat)
        state = state.apply(state.legal_names[0])
    return seats


def finish_round(state):
    """Plays first legal actions to the next round or the end: the cards drawn by seat, and the state."""
    number, last = facts(state, "round", "last_round")
    while not state.is_terminal and state.facts()["round"] == number:
        before, state = state.facts()["hands"], state.apply(state.legal_names[0])
    assert state.is_terminal == last
    pairs = zip(state.facts()["hands"], before, strict=True)
    return [list((Counter(hand) - Counter(old)).elements()) for hand, old in pairs], state


# --- Deck and setup ---


def test_deck_actions_and_players():
    """Ruling: "Two copies of each value 1–13 and a third 7 in every colour [27 per colour]"; canonical order; actions.

    26 + 1 = 27 cards a colour, 4 × 27 = 108. Ruling of section 0: unknown options and values are clear errors.
    """
    game = engine.load("day_and_night")
    assert (game.players, list(game.deck), len(DECK)) == (4, DECK, 108)
    assert Counter(card[0] for card in game.deck) == {"B": 27, "O": 27, "P": 27, "U": 27}
    assert {card for card, count in Counter(game.deck).items() if count == 3} == {"B7", "O7", "P7", "U7"}
    assert game.deck[:3] == ("B1", "B1", "B2")
    assert game.deck[12:16] == ("B7", "B7", "B7", "B8")
    assert sorted(game.actions) == sorted([*NAMES, *(f"take:{card}" for card in NAMES)])
    for players in (2, 6):
        with pytest.raises(ValueError, match="players"):
            engine.load("day_and_night", players=players)
    with pytest.raises(ValueError, match="rounds"):
        engine.load("day_and_night", rounds=2)


def test_deck_is_listed_with_copies():
    """Ruling: "Names B1 … U13. Copies are the same card": a deck names every copy; a third B1 for a U13 is an error."""
    game = engine.load("day_and_night")
    order = DECK[::-1]
    assert game.new(decks=[order]).record()["decks"] == [order]
    for wrong in (["B1", *DECK[:-1]], DECK[1:], NAMES):
        with pytest.raises(ValueError, match=r"B1|108|deck"):
            game.new(decks=[wrong])


@pytest.mark.parametrize(
    ("players", "removed", "revealed", "time"), [(3, 33, "O13", "day"), (4, 16, "P5", "day"), (5, 3, "P8", "night")]
)
def test_removal_and_deal(players, removed, revealed, time):
    """Ruling: "The first R cards … are removed unseen: R = 33, 16, 3 …. Then 7 cards to each seat in blocks, the rest
    is the draw pile. It is day."

    From U13 down 27 U, then 27 P: index 33 + 21 = 54 is the first O; 16 + 28 = 44 is 17 after P13 (2 each of 13-8,
    three 7, two 6): P5; 3 + 35 = 38 is 11 after P13: P8, which makes night.
    """
    order = DECK[::-1]
    state = engine.load("day_and_night", players=players).new(decks=[order])
    blocks = [order[removed + 7 * p : removed + 7 * p + 7] for p in range(players)]
    assert [sorted(hand) for hand in state.facts()["hands"]] == [sorted(block) for block in blocks]
    assert facts(state, "revealed", "time", "pile") == (revealed, time, 108 - removed - 7 * players - 1)
    assert facts(state, "seen", "table") == ([revealed], [revealed])
    assert (state.seat, state.scores, state.is_terminal) == (0, (0,) * players, False)
    while not state.is_terminal:
        state = state.apply(state.legal_names[-1])
    # What was ever face up and what is still held is everything but the removed cards: these never come into play.
    assert Counter(chain(state.facts()["seen"], *state.facts()["hands"])) == Counter(order[removed:])


# --- Reveal, the last round, drawing ---


@pytest.mark.parametrize(
    ("players", "pile", "piles", "sizes", "drawn"),
    [
        # 108-33-21 = 54; 7 a round; 54 - 7×7 = 5 before round 8: reveal, 4 drawn; round 9 has no reveal.
        (3, 49, [53, 46, 39, 32, 25, 18, 11, 4, 0], [7, 6, 6], ["B1 B4", "B2", "B3"]),
        # 108-16-28 = 64; 9 a round; 64 - 7×9 = 1 before round 8, the last: its reveal empties the pile.
        (4, 54, [63, 54, 45, 36, 27, 18, 9, 0], [7, 7, 7, 7], ["B1 U1", "B2 U2", "B3 U3", "B4 U4"]),
        # 108-3-35 = 70; 11 a round; 70 - 6×11 = 4 before round 7: reveal, 3 drawn; round 8 has no reveal.
        (5, 66, [69, 58, 47, 36, 25, 14, 3, 0], [6, 6, 6, 5, 5], ["B1", "B2", "B3", "", ""]),
    ],
)
def test_rounds_and_draws(players, pile, piles, sizes, drawn):
    """Ruling: "The round is the last one if and only if the pile is empty after this step"; "The rest is discarded";
    "seats draw: seat 0, 1, … one card each, then once more, stopping when the pile is empty"; the check of the end.

    The cards from index `pile` of the pile on are "P1 B1 B2 B3 B4 U1 U2 U3 U4", as far as they go.
    """
    rest = ["P1", *(f"{colour}{value}" for colour in "BU" for value in (1, 2, 3, 4))]
    rest = rest[: 108 - REMOVED[players] - 7 * players - pile]
    state = new([""] * players, pile=" ".join(["-"] * pile + rest))
    seen = []
    while not state.is_terminal:
        seen.append(facts(state, "pile", "last_round"))
        hands = [len(hand) for hand in state.facts()["hands"]]
        reveals = 0 if players != 4 and len(seen) == len(piles) else 1
        assert (state.facts()["revealed"] is None) == (reveals == 0)
        assert (state.seat, len(state.facts()["table"])) == (0, reveals)
        assert hands == (sizes if state.facts()["last_round"] else [7] * players)
        got, state = finish_round(state)
        if len(seen) == len(piles) - 1:
            assert got == [cards.split() for cards in drawn]
        elif not state.is_terminal:
            assert [len(cards) for cards in got] == [2] * players
    assert seen == [(left, number == len(piles)) for number, left in enumerate(piles, start=1)]
    # "Unless this was the last round, seats draw": two cards were played and none drawn.
    assert [len(hand) for hand in state.facts()["hands"]] == [size - 2 for size in sizes]
    assert (state.seat, state.legal_names) == (None, ())
    with pytest.raises(engine.IllegalActionError):
        state.apply("B1")


# --- Day and night ---


@pytest.mark.parametrize("card", NAMES)
def test_time_symbols(card):
    """Ruling: "time symbol: 6, 7, 8 yes"; "depend on the value only"; "Each time symbol revealed … flips day/night"."""
    night = card[1:] in ("6", "7", "8")
    assert new([""] * 3, pile=card).facts()["time"] == ("night" if night else "day")


@pytest.mark.parametrize(
    ("row", "times"),
    [
        ("P1 | B1 O2 U3 U4 | B2 O3 P2 P3", "day day day"),  # no symbol
        ("P6 | B1 O2 U3 U4 | B2 O3 P2 P3", "night night night"),  # revealed
        ("P1 | B6 O2 U3 U4 | B2 O3 P2 P3", "day night night"),  # one played in step 1
        ("P1 | B6 O7 U3 U4 | B2 O3 P2 P3", "day day day"),  # two in one step
        ("P1 | B6 O7 U8 U4 | B2 O3 P2 P3", "day night night"),  # three
        ("P1 | B6 O7 U7 U7 | B2 O3 P2 U1", "day day day"),  # four, with two copies
        ("P1 | B1 O2 U3 U4 | B8 O3 P2 P3", "day day night"),  # one in step 2
        ("P7 | B1 O2 U3 U4 | B7 O3 P2 P3", "night night day"),
        ("P8 | B7 O2 U3 U4 | B7 O6 P2 P3", "night day day"),
    ],
)
def test_time_after_each_step(row, times):
    """Ruling: "Each time symbol revealed or played flips day/night once (so after each step: parity)"."""
    state, seen = start(row), []
    for step in ("", *row.split(" | ")[1:]):
        state = play(state, step)
        seen.append(state.facts()["time"])
    assert state.facts()["phase"] == "take"  # so that no card of round 2 has been revealed
    assert seen == times.split()


@pytest.mark.parametrize(("reveal", "time"), [("U1", "night"), ("U7", "day")])
def test_time_is_never_reset(reveal, time):
    """Ruling: "The time is never reset between rounds". P6 makes night; B 1+2 = 3 is lowest, so seat 0 takes P6.

    Taking a symbol does not flip ("revealed or played"). U1 leaves the night, U7 makes day of it.
    """
    state = run("P6 | B1 O2 U3 U4 | B2 O3 P2 P3 | take:P6", reveal)
    assert facts(state, "round", "revealed", "time") == (2, reveal, time)


# --- Playing ---


def test_legal_cards():
    """Ruling: "All seats choose a card" (nothing to follow); "two legal actions never have the same name" (section 0).

    Seat 0 holds two B1 and three B7: one action each; it plays one of the B7 and has two left.
    """
    state = new(["B1 B1 B7 B7 B7 O3 U13", "B2 O5", "P2 P3", "U3 U4"], pile="P1")
    assert sorted(state.legal_names) == ["B1", "B7", "O3", "U13"]
    for name in ("B2", "P1", "take:P1", "take:B1"):
        with pytest.raises(engine.IllegalActionError):
            state.apply(name)
    assert state.apply("B7").facts()["hands"][0] == ["B1", "B1", "B7", "B7", "O3", "U13"]
    state = play(state, "O3 B2 P2 U3")
    assert sorted(state.legal_names) == ["B1", "B7", "U13"]  # O3 is played, and blue on the table does not bind


def test_choices_are_hidden_until_all_have_chosen():
    """Ruling: "All seats choose a card at the same time, then all are shown"; section 0: "asked of seats 0, 1, … N-1 in
    order; a later seat cannot see an earlier seat's choice until all have chosen". B6 flips only when it is shown."""
    first = start("P1 | B6 O2 P2 U3 | B2 O5 P3 U4")
    state = first
    for seat, card in enumerate(["B6", "O2", "P2"]):
        assert state.seat == seat
        state = state.apply(card)
    assert facts(state, "committed", "table", "time") == (["B6", "O2", "P2", None], ["P1"], "day")
    assert [len(hand) for hand in state.facts()["hands"]] == [6, 6, 6, 7]
    for seat, own in enumerate(["B6", "O2", "P2", None]):
        seen = state.information_set(seat).facts()
        assert seen["committed"] == [own if p == seat else "?" if p < 3 else None for p in range(4)]
        assert [len(hand) for hand in seen["hands"]] == [6, 6, 6, 7]
        assert (seen["played"], seen["table"], seen["seen"]) == ([[None, None]] * 4, ["P1"], ["P1"])
    assert first.apply("B6") != first.apply("B2")
    assert first.apply("B6").information_set(1) == first.apply("B2").information_set(1)
    state = state.apply("U3")
    assert facts(state, "committed", "table", "time") == ([None] * 4, ["B6", "O2", "P1", "P2", "U3"], "night")


def test_second_card_is_chosen_knowing_the_first_ones():
    """Ruling: "The second card is chosen knowing all first cards"; again all at the same time, seat 0 first."""
    state = play(start("P1 | B6 O2 P2 U3 | B2 O5 P3 U4"), "B6 O2 P2 U3", "B2 O5 P3")
    assert state.seat == 3
    seen = state.information_set().facts()
    assert seen["played"] == [["B6", None], ["O2", None], ["P2", None], ["U3", None]]
    assert sorted(seen["table"]) == ["B6", "O2", "P1", "P2", "U3"]
    assert seen["committed"] == ["?", "?", "?", None]
    assert state.apply("U4").facts()["played"] == [["B6", "B2"], ["O2", "O5"], ["P2", "P3"], ["U3", "U4"]]


# --- The winning colour and the order of taking ---


@pytest.mark.parametrize(
    ("row", "order"),
    [
        # Day: the highest total, not the highest card: B 1+13+2 = 16, O 12+5 = 17, P 9+10 = 19, U 4+3 = 7.
        ("B1 | B13 O12 P9 U4 | B2 O5 P10 U3", [2]),
        # Night by O6: the lowest total, not the lowest card: B 16, O 12+6 = 18, P 19, U 7.
        ("B1 | B13 O12 P9 U4 | B2 O6 P10 U3", [3]),
        # The revealed card counts. Day: P 9+5 = 14 with P4 18; O 17. Without it O would win.
        ("P4 | B13 O12 P9 U4 | B2 O5 P5 U3", [2]),
        # Night: U 4+3 = 7 with U9 16; B 13+2 = 15, O 18, P 19. Without it U would win.
        ("U9 | B13 O12 P9 U4 | B2 O6 P10 U3", [0]),
        # Night: P and U have no card, so their 0 is no candidate: B 2+3+5+2 = 12, O 1+4+6+3+2 = 16; sums 1: 5, 0: 7.
        ("O1 | B2 B3 O4 O6 | B5 B2 O3 O2", [1, 0]),
        # Day with one colour only: it wins; B 13+12, 11+10, 9+5, 4+3.
        ("B1 | B13 B11 B9 B4 | B12 B10 B5 B3", [0, 1, 2, 3]),
        # A tie that is not for best is none: B 13+2 = 15, O 3+4 = 7, P 1+2+4 = 7, U 3+3 = 6.
        ("P1 | B13 O3 P2 U3 | B2 O4 P4 U3", [0]),
        # Day, B wins. 0: 1+2 = 3, 1: 9, 2: 5+5 = 10, though its cards are lower than B9; 3 has no B and takes nothing.
        ("P1 | B1 B9 B5 O2 | B2 O1 B5 O3", [2, 1, 0]),
        # Night by U6: B 3+2+4+1 = 10 < P 13 < U 10+9+6+12 = 37. 0: 3+2 = 5, 1: 4, 2: 1; U10 and U9 do not count.
        ("P13 | B3 B4 B1 U6 | B2 U10 U9 U12", [2, 1, 0]),
    ],
)
def test_winning_colour_and_taking_order(row, order):
    """Ruling: "from all face-up cards, the revealed one included: day → the colour with the highest total of values,
    night → the lowest. Only colours that have a card on the table are candidates"; "Each seat that played at least
    one card of the winning colour ranks by the sum of its cards of that colour: day descending, night ascending"."""
    state = run(row)
    assert state.facts()["taking_order"] == order
    assert takers(state) == order


@pytest.mark.parametrize(
    "row",
    [
        "P1 | B5 O4 P2 U3 | B3 O4 P1 U4",  # a symbol-free day; B 5+3 = 8, O 4+4 = 8, P 1+2+1 = 4, U 3+4 = 7
        "P1 | B2 O3 P9 U11 | B5 O4 P10 U6",  # night by U6: B 2+5 = 7, O 3+4 = 7, P 1+9+10 = 20, U 11+6 = 17
        "P8 | B2 O2 U4 U3 | B3 O3 U1 U2",  # night by P8: B 5, O 5, P 8, U 4+3+1+2 = 10
        "P10 | B1 B2 O4 O2 | B3 B4 O1 O3",  # day: B 10, O 10, P 10 (revealed only)
        "U13 | B1 B2 O1 O2 | P1 P2 P3 P4",  # day: B 3, O 3, P 10; U 13 is shown only by the revealed card
        "U1 | B6 B2 O1 O2 | P1 P2 P3 P4",  # night by B6: B 8, O 3, P 10; U 1 is the lowest, revealed only
    ],
)
def test_nobody_takes(row):
    """Ruling: "A tie for best: no winning colour, go to 5. A colour shown only by the revealed card can win; then
    nobody takes"."""
    state = run(row)
    assert facts(state, "round", "phase", "stars", "taken") == (2, "choose", [0] * 4, [0] * 4)
    assert (state.seat, [len(hand) for hand in state.facts()["hands"]]) == (0, [7] * 4)


# --- Taking ---


# B 13+12+11 = 36, O 5+4+10+9 = 28: seats 0, 1, 2 take, in this order. Stars: O5, O9: 1; O4, O10: 2; B13, B12, P1: 4.
ROUND_1 = "P1 | B13 B12 B11 U1 | O5 O4 O10 O9 | "
# Seats 0, 1, 2 are tied with B 5, 2+3, 4+1. Day: B 15, P 2, U 9. Night by U6: B 15, P 12+13 = 25, U 6+13 = 19.
TIED_BY_DAY = "U2 | B5 B2 B4 U3 | P2 B3 B1 U4"
TIED = [TIED_BY_DAY, "U6 | B5 B2 B4 P12 | P13 B3 B1 U13"]


@pytest.mark.parametrize(
    ("takes", "stars", "rows", "order"),
    [
        ("take:O5 take:O4 take:O10", [1, 2, 2, 0], TIED, [0]),
        ("take:O5 take:O9 take:O10", [1, 1, 2, 0], TIED, [2]),
        ("take:O4 take:O5 take:P1", [2, 1, 4, 0], TIED, [1, 0, 2]),  # fewer stars first by night too
        ("take:B13 take:B12 take:P1", [4, 4, 4, 0], TIED, []),
        # Sums 5, 5, 9: seat 2 first in spite of its stars, then the tied ones.
        ("take:O4 take:O5 take:P1", [2, 1, 4, 0], ["U2 | B5 B2 B4 U3 | P2 B3 B5 U4"], [2, 1, 0]),
        # Sums 9, 9, 4: the two best are equal in stars too, the third takes.
        ("take:B13 take:B12 take:O10", [4, 4, 2, 0], ["U2 | B5 B9 B4 U3 | B4 P2 P3 U4"], [2]),
        # Sums 9, 5, 5: the first takes, the others do not.
        ("take:B13 take:O4 take:O10", [4, 2, 2, 0], ["U2 | B5 B2 B4 U3 | B4 B3 B1 U4"], [0]),
        # Sums 9, 9, 4, 4: two ties; that seats 0 and 2 have equal stars does not matter, their sums differ.
        ("take:O4 take:O5 take:O10", [2, 1, 2, 0], ["U2 | B5 B9 B4 B3 | B4 P2 P3 B1"], [1, 0, 3, 2]),
    ],
)
def test_ties(takes, stars, rows, order):
    """Ruling: "Tied seats: fewer stars collected before this step goes first; seats still equal in that too take
    nothing (of three tied with 1, 2, 2 stars the first takes, of 1, 1, 2 the last)"."""
    for row in rows:
        state = run(ROUND_1 + takes, row)
        assert state.facts()["stars"] == stars
        assert takers(state) == order
        if not order:
            assert facts(state, "round", "phase", "taken") == (3, "choose", [1, 1, 1, 0])


def test_tie_is_broken_by_stars_not_by_cards():
    """Ruling: "fewer stars collected". Round 1, day (two symbols), B 25: seat 0 takes P8, no star. Round 2, B 10, U 9:
    seats 0 and 1 are tied with 5 and have 0 stars each, with 1 and 0 cards: nobody takes."""
    state = run("P1 | B13 O8 O2 O3 | B12 P8 O4 U5 | take:P8", "U2 | B5 B2 O1 U3 | P2 B3 P3 U4")
    assert facts(state, "round", "phase", "taken", "stars") == (3, "choose", [1, 0, 0, 0], [0] * 4)


def test_stars_before_this_step():
    """Ruling: "stars collected before this step": what is taken meanwhile does not count.

    Stars 2, 1, 4, so the order is 1, 0, 2. Seat 1 takes a 1 and then equals seat 0, which takes a 2 and then equals
    seat 2; both still take. Seat 2 takes a 2: 4, 2, 6. Section 0: "scores before the end are the running totals".
    """
    state = run(ROUND_1 + "take:O4 take:O5 take:P1", TIED_BY_DAY)
    for seat, name, scores in [(1, "B5", (2, 2, 4, 0)), (0, "B4", (4, 2, 4, 0)), (2, "U4", (4, 2, 6, 0))]:
        assert state.seat == seat
        state = state.apply(f"take:{name}")
        assert state.scores == scores
    assert facts(state, "round", "taken") == (3, [2, 2, 2, 0])


def test_take_any_card():
    """Ruling: "each takes exactly one face-up card of any colour from what is left on the table, own, others' or the
    revealed one". B 13+12, 10, 3: seats 0, 1, 2 take. Two O2 are one action."""
    state = run("P5 | B13 B10 B3 U1 | B12 O2 O2 U3")
    left = {"B13", "B10", "B3", "U1", "B12", "O2", "U3", "P5"}
    assert len(state.facts()["table"]) == 9
    # Own; another's, of a colour that did not win; the revealed one.
    for seat, card, scores in [(0, "B12", (4, 0, 0, 0)), (1, "U1", (4, 4, 0, 0)), (2, "P5", (4, 4, 1, 0))]:
        assert state.seat == seat
        assert sorted(state.legal_names) == sorted(f"take:{name}" for name in left)
        for name in ("take:B11", "B13", *(f"take:{gone}" for gone in {"B12", "U1"} - left)):
            with pytest.raises(engine.IllegalActionError):
                state.apply(name)
        left.remove(card)
        copy = state.apply("take:O2")
        state = state.apply(f"take:{card}")
        assert state.scores == scores
        if seat < 2:
            assert "take:O2" in copy.legal_names  # the other copy is still there
            assert set(state.facts()["table"]) == left
    assert facts(state, "round", "taken") == (2, [1, 1, 1, 0])


def test_must_take_without_stars():
    """Ruling: "it must take, even a card without stars". Seven symbols: night. B 21, U 15, O 8+6 = 14: seat 1 takes."""
    state = run("O8 | B6 B8 U7 | B7 O6 U8")
    assert state.seat == 1
    assert set(state.legal_names) == {f"take:{card}" for card in ("B6", "B7", "B8", "O6", "O8", "U7", "U8")}
    state = state.apply("take:B6")
    assert facts(state, "round", "stars", "taken") == (2, [0, 0, 0], [0, 1, 0])


@pytest.mark.parametrize(("colour", "other"), ["BO", "OP", "PU", "UB"])
@pytest.mark.parametrize(("value", "stars"), [*enumerate([4, 4, 3, 2, 1, 0, 0, 0, 1, 2, 3, 4, 4], start=1)])
def test_stars_by_value(colour, other, value, stars):
    """Ruling: the table of stars. Seat 0 takes the revealed card: the other colour has 13+12+11+10+9+5 = 60 or more,
    seat 0 the most of it, 23. With a revealed symbol a 7 is played instead of the 5, so that it is day again."""
    last = 7 if value in (6, 7, 8) else 5
    row = f"{colour}{value} | {other}13 {other}12 {other}11 | {other}10 {other}9 {other}{last} | take:{colour}{value}"
    state = run(row)
    assert (state.scores, state.facts()["taken"]) == ((stars, 0, 0), [1, 0, 0])


# --- The end ---


def long_game(scoring):
    """A game of three players by day in which only the scoring rounds ("round seat card card taken") change stars.

    The seat plays two high cards of P or U and takes alone; every other seat plays a pair, B and O of one value, so
    that B and O are equal: a tie for best when all do so (symbols come in pairs too). The two cards have 25, or 21
    with U11 U10; two pairs have a B of at most 4+5 in rounds 1 to 4, and 11+11 = 22 in round 9.
    Pairs by seat, lowest first: eight, so each seat must score in at least one of the nine rounds.
    """
    pairs = [[1, 2, 4, 5, 7, 8, 9, 11], [1, 3, 4, 6, 7, 8, 10, 11], [2, 3, 5, 6, 7, 9, 10, 12]]
    extra = ["P13 P12 P11 P10", "U13 U12 U11 U10", "P13 P12 U13 U12"]
    hands = [f"{cards} B{values[0]} O{values[0]}" for cards, values in zip(extra, pairs, strict=True)]
    pile = ""
    for number, reveal in enumerate(["P5", "U4", "U5", "P5", "P4", "U3", "P3"], start=1):
        pile += " ".join([reveal, *(f"{colour}{values[number]}" for colour in "BO" for values in pairs)]) + " "
    state = new(hands, pile=pile + "U2")
    turns = {int(turn[0]): turn[1:].split() for turn in scoring.split(", ")}
    for number in range(1, 10):
        seat, *cards, take = turns.get(number, ("nobody", ""))
        steps = []
        for p in range(3):
            value = None if seat == str(p) else pairs[p].pop(0)
            steps.append([f"B{value}", f"O{value}"] if value else cards)
        assert facts(state, "round", "time", "phase") == (number, "day", "choose")
        state = play(state, *chain(*zip(*steps, strict=True)), f"take:{take}" if take else "")
    assert state.is_terminal
    return state


@pytest.mark.parametrize(
    ("scoring", "scores", "taken", "ranks", "returns"),
    [
        # "Most stars": 4; 2 and U5 1, with more cards; P5 1.
        ("3 1 U11 U10 U5, 4 2 P13 P12 P5", (4, 3, 1), [1, 2, 1], (1, 2, 3), (1, 0, 0)),
        # "tie → more cards collected": 4; 2 and U10 2; P12 4. Seats 0 and 2 stay tied.
        ("3 1 U11 U10 U10, 4 2 P13 P12 P12", (4, 4, 4), [1, 2, 1], (2, 1, 2), (0, 1, 0)),
        # "still tied → shared": 4; 2; U13 4, taken in the last round. Section 0: "counted 1, 1, 3", "split … equally".
        ("9 2 U13 U12 U13", (4, 2, 4), [1, 1, 1], (1, 3, 1), (0.5, 0, 0.5)),
    ],
)
def test_winner(scoring, scores, taken, ranks, returns):
    """Ruling: "Most stars; tie → more cards collected; still tied → shared. scores are stars. Cards left in hand count
    nothing": seat 0 holds P11 and P10, 5 stars, in the end. Seat 0 takes P13 in round 1, seat 1 takes U4 in round 2."""
    state = long_game("1 0 P13 P12 P13, 2 1 U13 U12 U4, " + scoring)
    assert (state.scores, state.facts()["taken"]) == (scores, taken)
    assert (state.ranks, state.returns) == (ranks, returns)
    assert {"P10", "P11"} <= set(state.facts()["hands"][0])


# --- Who knows what ---


def test_what_a_seat_sees():
    """Ruling: "own hand; everything that was ever face up; what others hold …, and the pile are unseen".

    B 13+12 = 25: seat 0 takes P1; then all first cards of round 2 are face up. 64 - 9 - 1 = 54 cards are in the pile.
    """
    state = run("P1 | B13 O2 P2 U3 | B12 O5 P3 U4 | take:P1", "U2 | B1 O3 P4 U5")
    face_up = "P1 B13 O2 P2 U3 B12 O5 P3 U4 U2 B1 O3 P4 U5"
    for seat in range(4):
        seen, full = state.information_set(seat).facts(), state.facts()
        assert seen["hands"] == [full["hands"][p] if p == seat else ["?"] * 6 for p in range(4)]
        assert sorted(seen["seen"]) == sorted(face_up.split())
        assert (seen["pile"], seen["stars"], seen["taken"]) == (54, [4, 0, 0, 0], [1, 0, 0, 0])
        assert seen["played"] == [["B1", None], ["O3", None], ["P4", None], ["U5", None]]


def test_unseen_cards_are_exchangeable():
    """Ruling: "what others hold, the removed cards and the pile are unseen (all exchangeable)".

    Every card but the hand of seat 0 (from 16 on) and the revealed card (at 44) changes its place: seat 0 cannot tell.
    Both U13 are removed, B9 is held by seat 1, B10 in the pile; for seat 0 each may be anywhere, also as a choice.
    """
    deck = deal(["P2 P3", "B9 B9", "", ""], pile="P1 B10 B10", removed="U13 U13")
    places = [place for place in range(108) if not 16 <= place < 23 and place != 44]
    other = list(deck)
    for place, source in zip(places, reversed(places), strict=True):
        other[place] = deck[source]
    game = engine.load("day_and_night", players=4)
    state = game.new(decks=[deck]).apply("P2").apply("B9")
    twin = game.new(decks=[other]).apply("P2")
    info = state.information_set(0)
    assert info == twin.apply(twin.legal_names[0]).information_set(0)
    rng = np.random.default_rng(1)
    worlds = [info.determinize(rng) for _ in range(100)]
    assert all(world.information_set(0) == info for world in worlds)
    held = [Counter(chain(*world.facts()["hands"][1:], [world.facts()["committed"][1]])) for world in worlds]
    for card in ("U13", "B9", "B10"):  # 21 of 100 unseen places are in hands
        assert {0, 1} <= {cards[card] for cards in held}
    assert len({world.facts()["committed"][1] for world in worlds}) > 10
