"""Daytime Minutes: hand-worked scenarios, at least one for every ruling of RULES.md section 1.

A hand is written as rows, one for each trick: ``"1: F4 F5 F3 | F9"`` says that seat 1 is the first seat to act and
that seats 0, 1, 2 play F4, F5, F3 (by seat, not in order of play); after the bar comes the unknown caller's card.
``"1: plan180"`` says that seat 1 chooses the plan. `play` checks the seat in front of every row, so every scenario
also checks who leads and who chooses. Sums are written as ``seat: minutes/talk``.
"""

from itertools import chain

import numpy as np
import pytest

import engine

DECK = [f"{suit}{talk}" for suit in "FAW" for talk in range(1, 16)]
PLANS = ("plan150", "plan180", "plan210", "plan240")
MIXED = "F2-4 A2-4 W2-4"


def cards(text):
    """The cards of a list such as ``"F2-4 W7"``."""
    names = []
    for part in text.split():
        first, _, last = part[1:].partition("-")
        names += [f"{part[0]}{talk}" for talk in range(int(first), int(last or first) + 1)]
    return names


def deal(hands, stock=""):
    """A deck for these hands and this top of the stock; short hands are filled with the lowest cards left."""
    hands, stock = [cards(hand) for hand in hands], cards(stock)
    left = [card for card in DECK if card not in stock and not any(card in hand for hand in hands)]
    for hand in hands:
        hand += [left.pop(0) for _ in range(9 - len(hand))]
    deck = [*chain(*hands), *stock, *left]
    assert sorted(deck) == sorted(DECK)
    return deck


def parse(row):
    """The seat in front, the cards by seat (or the plan), and the caller's card of a row."""
    seat, _, rest = row.partition(": ")
    seats, _, caller = rest.partition(" | ")
    return int(seat), seats.split(), caller


def deck_for(rows, hold=()):
    """A deck with which the rows can be played; `hold` lists more cards by seat."""
    tricks = [parse(row) for row in rows if "plan" not in row]
    hands = [" ".join(column) for column in zip(*(seats for _, seats, _ in tricks), strict=True)]
    for seat, more in dict(hold).items():
        hands[seat] += " " + more
    return deal(hands, stock=" ".join(caller for *_, caller in tricks))


def new(*decks, players=4):
    return engine.load("daytime_minutes", players=players).new(decks=list(decks))


def play(state, *rows):
    for row in rows:
        seat, names, _ = parse(row)
        assert state.seat == seat, row
        for _ in names:
            state = state.apply(names[state.seat] if len(names) > 1 else names[0])
    return state


def run(*hands, hold=()):
    """The state after hands given as lists of rows."""
    players = len(parse(hands[0][0])[1])
    state = new(*(deck_for(hand, hold) for hand in hands), players=players)
    return play(state, *chain(*hands))


def order_of_play(state, row):
    """The seats in the order in which they play the row."""
    trick, order = state.facts()["trick"], []
    while state.facts()["trick"] == trick:
        order.append(state.seat)
        state = state.apply(parse(row)[1][state.seat])
    return order


def facts(state, *keys):
    return tuple(state.facts()[key] for key in keys)


# --- Dealing and the start of the game ---


@pytest.mark.parametrize("players", [3, 4, 5])
def test_deals_nine_cards_in_blocks(players):
    """Ruling: "Deal in blocks by seat: seat p gets cards H*p .. H*p+H-1", "9 cards each"."""
    order = DECK[::-1]  # W15 on top
    state = new(order, players=players)
    hands = state.facts()["hands"]
    assert [set(hand) for hand in hands] == [set(order[9 * p : 9 * p + 9]) for p in range(players)]
    assert state.information_set(1).facts()["hands"] == [hands[p] if p == 1 else ["?"] * 9 for p in range(players)]


@pytest.mark.parametrize("players", [3, 4, 5])
def test_first_hand(players):
    """Ruling: "3 SIM tokens", "played on 180 and started by seat 0", "every hand starts at Morning"."""
    state = new(DECK, players=players)
    assert facts(state, "phase", "plan", "tokens", "time") == ("play", 180, [3] * players, "Morning")
    assert (state.seat, state.scores, state.is_terminal) == (0, (3,) * players, False)


def test_deck_actions_and_players():
    """Ruling: "Deck, 45 cards, canonical order: F1..F15, A1..A15, W1..W15"; "3 to 5 players (default 4)"; actions."""
    game = engine.load("daytime_minutes")
    assert (game.players, list(game.deck)) == (4, DECK)
    assert sorted(game.actions) == sorted([*DECK, *PLANS])
    for players in (2, 6):
        with pytest.raises(ValueError, match="players"):
            engine.load("daytime_minutes", players=players)


@pytest.mark.parametrize(("suit", "other"), ["FA", "AW", "WF"])
@pytest.mark.parametrize(
    ("talks", "minutes"), [("1 2 3", 5), ("4 5 6", 15), ("7 8 9", 30), ("10 11 12", 45), ("13 14 15", 60)]
)
def test_minutes_by_talk(suit, other, talks, minutes):
    """Ruling: "1–3 → 5, 4–6 → 15, 7–9 → 30, 10–12 → 45, 13–15 → 60, the same in every suit".

    Seat 0 alone plays its suit and collects its own card; seat 3 collects 1, 2, 3 of the other suit: 15/6.
    """
    for talk in talks.split():
        state = run([f"0: {suit}{talk} {other}1 {other}2 {other}3"])
        assert facts(state, "minutes", "talk") == ([minutes, 0, 0, 15], [int(talk), 0, 0, 6])


# --- Legal cards ---


@pytest.mark.parametrize(
    ("earlier", "hand", "legal"),
    [
        ([], MIXED, MIXED),  # no suit: any card
        (["F1"], MIXED, MIXED),  # one suit: any card, though there is F to follow
        (["F1", "F5"], MIXED, MIXED),  # still one suit
        (["F1", "A1"], MIXED, "F2-4 A2-4"),  # two suits: the led one has no priority
        (["A1", "W1"], MIXED, "A2-4 W2-4"),
        (["W1", "F1", "W5"], MIXED, "F2-4 W2-4"),
        (["F1", "A1"], "F2 W2-9", "F2"),  # a card of those suits, if the hand has one
        (["F1", "A1"], "A2-4 W2-7", "A2-4"),
        (["F1", "A1"], "W2-10", "W2-10"),  # two suits, none of them in the hand: any card
        (["F1", "A1", "W5-13"], MIXED, MIXED),  # three suits: any card
    ],
)
def test_legal_cards(earlier, hand, legal):
    """Ruling: "0, 1 or 3 suits: any card. … 2 suits: a card of those suits if the hand has one, else any card"."""
    hands = [*earlier, hand, *[""] * (3 - len(earlier))]
    state = new(deal(hands))
    for text in earlier:
        state = state.apply(cards(text)[0])
    assert sorted(state.legal_names) == sorted(cards(legal))
    for card in set(cards(hand)) - set(cards(legal)):
        with pytest.raises(engine.IllegalActionError):
            state.apply(card)


@pytest.mark.parametrize(
    ("seat2", "hand", "legal"),
    [
        ("F7", "A1-4 W1-3 F8", "W1-3 F8"),  # F, F, caller's W: two suits
        ("F7", "A1-8", "A1-8"),  # the same, but seat 0 has neither: any card
        ("A15", "A1-4 W1-3 F8", "A1-4 W1-3 F8"),  # F, A, caller's W: three suits, any card
    ],
)
def test_suit_of_the_caller_counts(seat2, hand, legal):
    """Ruling: "Let S be the suits already in the trick (all cards, the unknown caller's too)".

    Trick 2: 1, 2, caller, 0. In the last case its W9 is a third suit though F12 lies in its deck: "bound by no rule".
    """
    state = new(deal([f"F1 {hand}", "F5 F6", f"F2 {seat2}"], stock="F3 W9 F12"), players=3)
    state = play(state, "0: F1 F5 F2 | F3").apply("F6").apply(seat2)
    assert (state.seat, state.facts()["caller"]["card"]) == (0, "W9")
    assert sorted(state.legal_names) == sorted(cards(legal))


def test_caller_leads_and_its_suit_binds():
    """The caller wins with F15 and leads W9: S = {W}, any card for seat 0; after its F8 seat 1 has S = {W, F}."""
    state = new(deal(["F1 F8 A1-4 W1-3", "F2 F9 A5-8 W4-6", "A9"], stock="F15 W9"), players=3)
    state = play(state, "0: F1 F2 A9 | F15")
    assert sorted(state.legal_names) == sorted(cards("F8 A1-4 W1-3"))
    assert sorted(state.apply("F8").legal_names) == sorted(cards("F9 W4-6"))


# --- Collecting, time of day, the lead ---


def test_each_suit_goes_to_its_highest_talk():
    """Ruling: "for each suit in it, the seat that played the highest … of that suit collects every card of that suit".

    F: 1 beats 0, 5 + 30 = 35/12. A: 3 beats 2, 5 + 30 = 35/10. W: seat 4 alone, 15/5 (it holds only W).
    """
    state = run(["0: F3 F9 A2 A8 W5"], hold={4: "W6-13"})
    assert [set(pile) for pile in state.facts()["piles"]] == [set(), {"F3", "F9"}, set(), {"A2", "A8"}, {"W5"}]
    assert facts(state, "minutes", "talk") == ([0, 35, 0, 35, 15], [0, 12, 0, 10, 5])
    assert state.seat == 1


def test_daytime_collects_evening_discards():
    """Ruling: "Tricks go Morning, Afternoon, Evening, Morning"; "Evening cards are discarded, collected by nobody"."""
    rows = [
        "0: F3 F8 A2 A9",  # Morning: 1 takes F 5+30, 3 takes A 5+30; seat 1 leads
        "1: A5 W5 W1 A1",  # Afternoon, W led: 1 takes W 15+5, 0 takes A 15+5; seat 1 leads
        "1: W14 F4 F12 W15",  # Evening, F led: nobody takes; seat 2 leads with F12
        "2: F13 F14 A3 A4",  # Morning, A led: 1 takes F 60+60, 3 takes A 5+15; seat 3 leads
    ]
    state = new(deck_for(rows))
    seen = []
    for row in rows:
        state = play(state, row)
        seen.append(facts(state, "time", "minutes", "talk"))
    assert seen == [
        ("Afternoon", [0, 35, 0, 35], [0, 11, 0, 11]),
        ("Evening", [20, 55, 0, 35], [6, 17, 0, 11]),
        ("Morning", [20, 55, 0, 35], [6, 17, 0, 11]),
        ("Afternoon", [20, 175, 0, 55], [6, 44, 0, 18]),
    ]
    assert state.seat == 3
    assert set(state.facts()["played"]) == set(cards("F3 F8 A2 A9 A5 W5 W1 A1 W14 F4 F12 W15 F13 F14 A3 A4"))
    assert not {"W14", "F4", "F12", "W15"} & set(chain(*state.facts()["piles"]))


def test_lead_by_highest_of_led_suit():
    """Ruling: "The seat with the highest talk value of the led suit leads next". F6, not A15; W1, alone in its suit."""
    state = run(["0: F5 A15 F6 A14", "2: A1 A2 W1 A3"])
    assert state.seat == 2
    assert run(["0: F1 A12 A15 A4", "0: W1 W2 A1 A2", "1: A13 W11 A6 A7"]).seat == 1  # also after Evening


# --- The end of the hand ---

ALL_LOSE = ["0: F15 F14 F13 F12"]  # 0: 60+60+60+45 = 225; the others 0


def test_hand_ends_right_after_a_trick_with_overage():
    """Ruling: "As soon as, after a trick, any seat has collected strictly more minutes than the plan": 225 > 180."""
    state = run(ALL_LOSE)
    assert facts(state, "hand_number", "phase", "trick", "time") == (2, "plan", 1, "Morning")
    assert facts(state, "minutes", "piles", "played") == ([0] * 4, [[]] * 4, [])


def test_exactly_the_plan_is_not_over():
    """Seat 2 has 60+60+60 = 180, not strictly more than 180: the hand goes on."""
    state = run(["0: F13 F14 F15 A1"])
    assert facts(state, "hand_number", "trick", "minutes") == (1, 2, [0, 0, 180, 5])


@pytest.mark.parametrize("players", [4, 3])
def test_hand_ends_after_the_ninth_trick(players):
    """Ruling: "or after the 9th trick". One suit in each trick, its highest takes all: 1-4 are 30, 5-8 are 90 minutes.

    0: 90 (A5-8). 1: 30 (F1-4). 2: 90+30 = 120 (F5-8, W1-4). 3: 30+90 = 120 (A1-4, W5-8). Nobody is over 180.
    With three players the caller plays the last column and wins what seat 3 wins with four; when it has won the lead
    seat d = 0 is first to act. It uses 9 cards, and its own sum is nobody's. Seat 1 has fewest, loses 1, starts next;
    "If nobody was over, the new start player" chooses.
    """
    bar, last = ("", 3) if players == 4 else ("| ", 0)
    rows = [
        f"0: F1 F4 F3 {bar}F2",
        f"1: F5 F6 F8 {bar}F7",
        f"2: F9 F10 F11 {bar}F12",
        f"{last}: A1 A2 A3 {bar}A4",
        f"{last}: A8 A5 A6 {bar}A7",
        f"0: A9 A12 A10 {bar}A11",
        f"1: W1 W2 W4 {bar}W3",
        f"2: W5 W6 W7 {bar}W8",
        f"{last}: W9 W10 W11 {bar}W12",
    ]
    state = new(deck_for(rows), players=players)
    state = play(state, *rows[:8])
    assert facts(state, "hand_number", "trick", "minutes") == (1, 9, [90, 30, 120, 120][:players])
    on_table = 1 if players == 3 else 0  # the caller has led W12
    assert len(state.facts()["played"]) == 32 + on_table
    state = play(state, rows[8])
    assert state.facts()["hand_number"] == 2
    assert state.scores == (3, 2, 3, 3)[:players]
    assert play(state, "1: plan180").seat == 1


# --- The unknown caller ---


def test_caller_acts_before_seat_0_in_hand_1():
    """Ruling: "The caller acts just before seat d (after seat d-1). In the first hand d is the start player".

    Trick 1: 0, 1, 2, caller (fourth). Trick 2: 1, 2, caller, 0. Seat 1 takes F 5+15+5, the caller's F1 among it.
    """
    state = new(deal(["F3 F10", "F5 F6", "A2 F7"], stock="F1 F8"), players=3)
    assert state.apply("F3").apply("F5").facts()["caller"] == {"before": 0, "card": None}
    state = play(state, "0: F3 F5 A2 | F1")
    assert facts(state, "trick", "minutes") == (2, [0, 25, 5])
    assert set(state.facts()["piles"][1]) == {"F1", "F3", "F5"}
    state = state.apply("F6")
    assert (state.seat, state.facts()["caller"]["card"]) == (2, None)
    state = state.apply("F7")
    assert (state.seat, state.facts()["caller"]["card"]) == (0, "F8")
    state = state.apply("F10")  # 0 takes F 15+30+30+45 = 120
    assert facts(state, "trick", "minutes") == (3, [120, 25, 5])


def test_what_the_caller_would_collect_is_discarded():
    """Ruling: "What it would collect is discarded": A2 and A9 go to nobody, and A is not led, so seat 1 leads."""
    state = run(["0: F3 F5 A2 | A9"])
    assert facts(state, "minutes", "seat_to_move") == ([0, 20, 0], 1)
    assert [set(pile) for pile in state.facts()["piles"]] == [set(), {"F3", "F5"}, set()]


def test_caller_wins_the_lead():
    """Ruling: "If it wins the lead, the next trick is: caller, d, d+1, d+2, and the caller plays only that one card".

    It wins with F15 in Morning, with W15 in Afternoon and with A9 in Evening. It is never over,
    though it wins F 60+60+60 and then W 60+60+60: "What it would collect is discarded … counts for no comparison".
    """
    rows = ["0: F13 F14 A1 | F15", "0: W13 W14 A2 | W15", "0: A7 A8 A3 | A9", "0: F2 F1 F4 | W1"]
    state = new(deck_for(rows), players=3)
    for number, row in enumerate(rows[:3], start=2):
        state = play(state, row)
        assert facts(state, "trick", "seat_to_move", "table") == (number, 0, [None] * 3)
        assert state.facts()["caller"]["card"] == parse(rows[number - 1])[2]
        assert state.facts()["led_suit"] == parse(rows[number - 1])[2][0]
        assert len(state.facts()["played"]) == 4 * (number - 1) + 1
    assert facts(state, "minutes", "tokens") == ([0, 0, 10], [3, 3, 3])
    assert order_of_play(state, rows[3]) == [0, 1, 2]
    state = play(state, rows[3])
    # Trick 4, W led by W1, the only W: the caller leads again. F goes to seat 2: 5+5+15 = 25, with A1 and A2 35.
    assert facts(state, "minutes", "trick", "seat_to_move") == ([0, 0, 35], 5, 0)
    assert state.facts()["caller"]["card"] is not None


# Start 0, caller before 0: 1 takes A 10, then W 60+60+60+45: 235/57. 0: 5/1. 2: 0. Seat 2 starts next, seat 1 chooses.
CALLER_1 = ["0: F1 A2 A1 | W1", "0: W13 W15 W14 | W12"]
# The same sums with start 2 and the caller before 1: 2, 0, caller, 1, then 1, 2, 0, caller.
CALLER_2 = ["1: plan180", "2: F1 A2 A1 | W1", "1: W13 W15 W14 | W12"]
# Start 2, caller before 2. 1: F13-15 180/42. 2: W13-15 180/42. 0: A1, A2, then A12-15: 235/57.
CALLER_3 = [
    "1: plan180",
    "2: A1 F15 F14 | F13",
    "1: A2 W14 W15 | W13",
    "2: F4 F1 F3 | F2",
    "0: A15 A14 A13 | A12",
]


def test_caller_moves_by_one_each_hand():
    """Ruling: "after every hand d becomes (d+1) % 3, whoever starts". Starts 0, 2, 2, 2; d 0, 1, 2, 0."""
    hands = [CALLER_1, CALLER_2, CALLER_3]
    state = new(*map(deck_for, hands), players=3)
    before, starts = [], []
    for hand in hands:
        before.append(state.facts()["caller"]["before"])
        starts.append(state.facts()["start"])
        state = play(state, *hand)
    assert [*before, state.facts()["caller"]["before"]] == [0, 1, 2, 0]
    assert [*starts, state.facts()["start"]] == [0, 2, 2, 2]


def test_caller_in_the_second_hand():
    """d = 1, start 2: 2, 0, caller, 1. The caller's F9 wins, so the next trick is caller, 1, 2, 0."""
    hand = ["1: plan180", "2: F4 F5 F3 | F9", "1: A5 A6 A7 | W7"]
    state = play(new(deck_for(CALLER_1), deck_for(hand), players=3), *CALLER_1)
    state = state.apply("plan180").apply("F3")
    assert (state.seat, state.facts()["caller"]["card"]) == (0, None)
    state = state.apply("F4")
    assert (state.seat, state.facts()["caller"]["card"]) == (1, "F9")
    state = state.apply("F5")
    assert (state.seat, state.facts()["caller"]["card"], state.facts()["minutes"]) == (1, "W7", [0, 0, 0])
    assert order_of_play(state, hand[2]) == [1, 2, 0]


# --- Who knows what ---


def test_single_suit_showing():
    """Ruling: "A seat that plays a card of a third suit … shows that all its other cards are of that third suit".

    Seat 2 holds only W and shows it. Seat 3 plays W10 when S has three suits already: that shows nothing.
    """
    state = new(deal(["F5", "A5", "W1-9", "F10 A10 W10"]))
    for card in ("F5", "A5", "W1"):
        state = state.apply(card)
    state = state.apply("W10")
    rng = np.random.default_rng(1)
    for seat in range(4):
        info = state.information_set(seat)
        assert info.facts()["shown_suits"] == [None, None, "W", None]
    worlds = [state.information_set(0).determinize(rng).facts()["hands"] for _ in range(30)]
    assert all(card[0] == "W" for world in worlds for card in world[2])
    assert any(card[0] != "W" for world in worlds for card in world[3])


def test_caller_can_be_the_second_suit_of_a_showing():
    """Trick 2: 1 and 2 play F, the caller W9, seat 0 A1: a third suit, so its other cards are all A."""
    state = new(deal(["F1 A1-8", "F5 F6", "F2 F7"], stock="F3 W9"), players=3)
    state = play(state, "0: F1 F5 F2 | F3").apply("F6").apply("F7")
    assert state.facts()["shown_suits"] == [None] * 3
    assert state.apply("A1").information_set(1).facts()["shown_suits"] == ["A", None, None]


def test_what_a_seat_sees():
    """Ruling: "Own hand; every card ever played this hand; collected piles; tokens; plan"; other hands are unseen."""
    state = run(["0: F3 F8 A2 A9", "1: A5 W5 W1 A1", "1: W14 F4 F12 W15"])
    for seat in range(4):
        seen, full = state.information_set(seat).facts(), state.facts()
        assert seen["hands"] == [full["hands"][p] if p == seat else ["?"] * 6 for p in range(4)]
        for key in ("played", "piles", "tokens", "plan", "minutes", "talk", "time", "table"):
            assert seen[key] == full[key]
