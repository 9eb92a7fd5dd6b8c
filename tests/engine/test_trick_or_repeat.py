"""Trick or Repeat: hand-worked scenarios, at least one for every ruling of RULES.md section 3.

Timelines are written by seat, each as its slots 1..H: ``"A1 B5 C1"``. Read a column to see one slot of every seat.
The Rabbit is written by trick: ``"B1 D1 D2"`` means that B is trump in trick 1 and that B1 was dealt last. `start`
deals the hands that make these timelines possible; `place` checks that the last card of every hand lands in slot H.
"""

import json

import numpy as np
import pytest

import engine


def cards(text):
    """The cards of a list such as ``"A1-3 B7"``."""
    names = []
    for part in text.split():
        first, _, last = part[1:].partition("-")
        names += [f"{part[0]}{rank}" for rank in range(int(first), int(last or first) + 1)]
    return names


def load(players, **options):
    return engine.load("trick_or_repeat", players=players, **options)


def deal(game, hands, rabbit):
    """The first state for these hands and this Rabbit by trick (so dealt from its end); the rest stays undealt."""
    dealt = [card for hand in hands for card in cards(hand)] + cards(rabbit)[::-1]
    assert len(set(dealt)) == game.options["hand_size"] * (game.players + 1)
    return game.new(decks=[dealt + [card for card in game.deck if card not in dealt]])


def start(timelines, rabbit, **options):
    """The first state of a game in which these timelines can be formed."""
    players, size = len(timelines), len(cards(rabbit))
    hands = [[cards(timelines[(q + k) % players])[k] for k in range(size)] for q in range(players)]
    return deal(load(players, hand_size=size, **options), [" ".join(hand) for hand in hands], rabbit)


def place(state, timelines):
    """All placements of a round, asked of seats 0, 1, … for slot 1, then for slot 2, …"""
    for slot in range(len(cards(timelines[0])) - 1):
        for seat, timeline in enumerate(timelines):
            assert (state.seat, state.facts()["phase"]) == (seat, "place")
            assert sorted(state.legal_names) == state.facts()["hands"][seat]
            state = state.apply(cards(timeline)[slot])
    assert (state.seat, state.facts()["placed"]) == (0, [cards(timeline) for timeline in timelines])
    return state


def bid(state, bids):
    for seat, number in enumerate(bids):
        assert (state.seat, state.facts()["phase"]) == (seat, "bid")
        state = state.apply(f"bid{number}")
    return state


def winners(timelines, rabbit, **options):
    """The seats that win tricks 1..H of a first round."""
    state = bid(place(start(timelines, rabbit, **options), timelines), [0] * len(timelines))
    return state.facts()["earlier"]["winners"]


def seen(state, seat):
    """The hands a seat has seen: {(dealt to, cards already taken from it): its cards}."""
    facts = state.information_set(seat).facts()
    return {(item["hand"], item["stage"]): item["cards"] for item in facts["seen"]}


def worlds(state, seat, count=60):
    rng = np.random.default_rng(1)
    return [state.information_set(seat).determinize(rng).facts() for _ in range(count)]


# --- Deck, options, dealing ---

FULL = "A1-9 B1-9 C1-9 D1-9"
SMALL = {"suits": 2, "ranks": 3, "hand_size": 2}  # for 2 players 2 * 3 = 6 of 6 cards
ODD = {"suits": 3, "ranks": 7, "hand_size": 4}


@pytest.mark.parametrize(
    ("players", "options", "deck", "bids"),
    [(4, {}, FULL, 5), (6, {}, FULL, 5), (2, SMALL, "A1-3 B1-3", 2), (3, ODD, "A1-7 B1-7 C1-7", 4)],
)
def test_deck_actions_and_defaults(players, options, deck, bids):
    """Ruling: "suits A B C D, ranks 1–9, … canonical order by suit then rank"; "a card name to place; bidK"."""
    game = load(players, **options)
    assert list(game.deck) == cards(deck)
    assert sorted(game.actions) == sorted([*cards(deck), *(f"bid{k}" for k in range(bids + 1))])
    assert game.options == {"suits": 4, "ranks": 9, "hand_size": 5, "rounds": 2, "resolve_order": "forward"} | options
    assert engine.load("trick_or_repeat").players == 4


WRONG = {"players": (1, 7), "suits": (1, 5), "ranks": (1, 10), "hand_size": (1, 6), "rounds": (0, 3)}


@pytest.mark.parametrize(("option", "values"), [*WRONG.items(), ("resolve_order", ("backward", 1)), ("order", (1,))])
def test_wrong_options(option, values):
    """Section 0: "An unknown option, a value out of range … is a clear error"; the ranges are in section 3."""
    for value in values:
        with pytest.raises(ValueError, match=option):
            engine.load("trick_or_repeat", **{option: value})


# 9 < 2*5 = 10; 8 < 3*3 = 9; 27 < 4*7 = 28
@pytest.mark.parametrize(("players", "suits", "ranks", "hand_size"), [(4, 3, 3, 2), (2, 2, 4, 3), (6, 3, 9, 4)])
def test_too_few_cards(players, suits, ranks, hand_size):
    """Ruling: "suits*ranks must be at least H*(N+1), else a clear error"; each case is one card short."""
    with pytest.raises(ValueError, match="suits"):
        load(players, suits=suits, ranks=ranks, hand_size=hand_size)


def test_deal_in_blocks_and_rabbit():
    """Ruling: "H cards each, then H cards form the Rabbit"; "the last one dealt … sets the trump suit of trick 1".

    Three players, three cards each: cards 0-2, 3-5, 6-8 are the hands, 9-11 the Rabbit. It is dealt D4, B2, A9, so A is
    trump in trick 1, B in trick 2, D (the first dealt) in trick 3.
    """
    game = load(3, hand_size=3)
    dealt = cards("C3 A1 B9 D1 D2 A5 C1 C2 C9 D4 B2 A9")
    state = game.new(decks=[dealt + [card for card in game.deck if card not in dealt]])
    assert state.facts()["hands"] == [cards("A1 B9 C3"), cards("A5 D1 D2"), cards("C1 C2 C9")]
    for seat in range(3):  # "all face up"
        facts = state.information_set(seat).facts()
        assert sorted(facts["rabbit"]) == cards("A9 B2 D4")
        assert facts["trumps"] == ["A", "B", "D"]
        assert facts["hands"] == [state.facts()["hands"][p] if p == seat else ["?"] * 3 for p in range(3)]


def test_undealt_cards_stay_unseen():
    """Ruling: "Undealt cards stay unseen": of 9 cards B2, B3, C1 are left; seat 0 cannot tell them from seat 1's."""
    state = deal(load(2, suits=3, ranks=3, hand_size=2), ["A1-2", "A3 B1"], "C2 C3")
    for seat in range(2):
        text = json.dumps(state.information_set(seat).facts())
        assert not any(f'"{card}"' in text for card in cards("B2 B3 C1"))
    hands = [world["hands"] for world in worlds(state, 0, 100)]
    assert all(hand[0] == cards("A1 A2") for hand in hands)
    assert {card for hand in hands for card in hand[1]} == set(cards("A3 B1 B2 B3 C1"))


# --- Forming timelines ---


TWO = ["A1 B2 A3 B4", "B1 A2 B3 A4"]  # every hand comes back
THREE = ["A1 C2 B3 A4", "B1 A2 C3 B4", "C1 B2 A3 C4"]
FOUR = ["A1 D2 C3 B4", "B1 A2 D3 C4", "C1 B2 A3 D4", "D1 C2 B3 A4"]


@pytest.mark.parametrize("timelines", [TWO, THREE, FOUR])
def test_passing_to_the_left(timelines):
    """Ruling: "places one card … face down, then passes the rest to the left"; slot k is from hand (p-(k-1)) % N.

    Seat q is dealt 1-4 of the q-th suit, and everybody always places the lowest card. So the suits walk one seat to the
    left for every slot: A lies in slot 1 of seat 0, slot 2 of seat 1, …; the 4s are placed without a decision.
    """
    players = len(timelines)
    state = deal(load(players, hand_size=4), [f"{suit}1-4" for suit in "ABCD"[:players]], "A5 B5 C5 D5")
    place(state, timelines)
    for suit in "ABCD"[: players - 1]:
        state = state.apply(f"{suit}1")
    assert state.facts()["hands"][0] == cards("A2-4")  # the last seat has not chosen: nothing is passed yet
    hands = state.apply(state.legal_names[0]).facts()["hands"]
    assert (hands[1], hands[0]) == (cards("A2-4"), cards(f"{'ABCD'[players - 1]}2-4"))


def test_only_cards_in_hand():
    """Ruling: "each seat places one card of the cards in hand", so no other card and no bid."""
    state = deal(load(2, hand_size=3), ["A1-3", "B1-3"], "C1-3")
    for name in ("B1", "D1", "C1", "bid0"):
        with pytest.raises(engine.IllegalActionError):
            state.apply(name)
    with pytest.raises(engine.IllegalActionError):  # A1 is placed, seat 0 now holds B2, B3
        state.apply("A1").apply("B1").apply("A1")


def test_placing_is_simultaneous_and_face_down():
    """Section 0: "a later seat cannot see an earlier seat's choice until all have chosen"; here not even then.

    Seat 2 of three takes no card from hand 0 before slot 3, so it cannot tell A1 from A2 in slot 1 of seat 0.
    """
    state = deal(load(3, hand_size=3), ["A1-3", "B1-3", "C1-3"], "D1-3")
    one, two = state.apply("A1"), state.apply("A2")
    assert all(one.information_set(seat) == two.information_set(seat) for seat in (1, 2))
    assert one.information_set(0).facts()["placed"] == [["A1", None, None], [None] * 3, [None] * 3]
    assert one.information_set(1).facts()["placed"] == [["?", None, None], [None] * 3, [None] * 3]
    one, two = (now.apply("B1").apply("C1") for now in (one, two))
    assert one.information_set(2) == two.information_set(2)
    assert one.information_set(1) != two.information_set(1)  # it holds the rest of hand 0


def test_last_card_is_placed_unseen():
    """Ruling: "placed unseen as slot H: no decision, and its owner does not see it".

    Two players, two cards: seat 1 leaves B2 or B1 for slot 2 of seat 0; seat 0 cannot tell.
    """
    state = deal(load(2, hand_size=2), ["A1-2", "B1-2"], "D1-2").apply("A1")
    one, two = state.apply("B1"), state.apply("B2")
    assert (one.seat, one.facts()["phase"]) == (0, "bid")
    assert [now.facts()["placed"] for now in (one, two)] == [[["A1", "B2"], ["B1", "A2"]], [["A1", "B1"], ["B2", "A2"]]]
    assert one.information_set(0).facts()["placed"][0] == ["A1", "?"]
    assert one.information_set(1).facts()["placed"][1] == ["B1", "?"]
    assert one.information_set(0) == two.information_set(0)
    assert len({world["placed"][0][1] for world in worlds(one, 0)}) > 2  # not even known to be B1 or B2


@pytest.mark.parametrize(("players", "hand_size"), [(2, 2), (2, 5), (3, 3), (6, 5)])
def test_number_of_decisions(players, hand_size):
    """Ruling: "H-1 simultaneous choices", one bid each, and in resolving "No decision": N * (H-1) + N = N * H."""
    state, rounds = load(players, hand_size=hand_size).new(seed=1), []
    while not state.is_terminal:
        rounds.append(state.facts()["round"])
        state = state.apply(state.legal_names[0])
    assert rounds == [1] * (players * hand_size) + [2] * (players * hand_size)


# --- Bids ---

# Slot 1: A1 A2 A3, slot 2: B5 C9 B2, slot 3: C1 A8 B9. Dealt: 0: A1 C9 B9, 1: A2 B2 C1, 2: A3 B5 A8.
# Trick 1, trump B, seat 1 leads: no B, so A3 of seat 2. Trick 2, trump D, seat 2 leads B2: B5 of seat 0.
# Trick 3, trump D, seat 0 leads C1, alone in its suit: seat 0. Tricks won: 2, 0, 1.
GRID, RABBIT = ["A1 B5 C1", "A2 C9 A8", "A3 B2 B9"], "B1 D1 D2"
HANDS = [cards("A1 B9 C9"), cards("A2 B2 C1"), cards("A3 A8 B5")]


def first_round(bids, **options):
    return bid(place(start(GRID, RABBIT, **options), GRID), bids)


def test_bids_are_hidden_and_range_from_0_to_h():
    """Ruling: "All at the same time: bid0 … bidH"."""
    state = first_round([])
    for seat in range(3):
        assert sorted(state.legal_names) == ["bid0", "bid1", "bid2", "bid3"]
        one, two = state.apply("bid0"), state.apply("bid3")
        if seat < 2:
            assert all(one.information_set(p) == two.information_set(p) for p in range(3) if p != seat)
        state = one
    state = first_round([3, 0])
    shown = [state.information_set(seat).facts()["bids"] for seat in range(3)]
    assert shown == [[3, "?", None], ["?", 0, None], ["?", "?", None]]


def test_one_round_and_what_is_shown_after_it():
    """Option `rounds` = 1: over with the last bid. Tricks 2, 0, 1 and seat 1 right about seat 2: 2, 0+2, 1.

    Ruling: "after a round all timelines"; "all H tricks resolve at once after the last bid".
    """
    state = first_round([3, 1], rounds=1)
    assert (state.scores, state.is_terminal, state.facts()["phase"]) == ((0, 0, 0), False, "bid")
    state = state.apply("bid3")
    assert (state.is_terminal, state.seat, state.legal_names) == (True, None, ())
    assert (state.scores, state.ranks, state.returns) == ((2, 2, 1), (1, 1, 3), (0.5, 0.5, 0.0))
    for seat in range(3):
        facts = state.information_set(seat).facts()
        assert (facts["placed"], facts["bids"]) == ([cards(timeline) for timeline in GRID], [3, 1, 3])


@pytest.mark.parametrize(
    ("bids", "scores"),
    [
        ([0, 1, 2], (4, 2, 3)),  # all right: 2+2, 0+2, 1+2; seat 0's bid 0 counts too
        ([2, 0, 1], (2, 0, 1)),  # the own tricks: wrong
        ([1, 2, 0], (2, 0, 1)),  # the right neighbour's tricks: wrong
        ([1, 2, 3], (2, 0, 1)),  # one too many
        ([0, 3, 3], (4, 0, 1)),  # only seat 0 right
        ([3, 1, 3], (2, 2, 1)),  # only seat 1 right
        ([3, 3, 2], (2, 0, 3)),  # only seat 2 right
    ],
)
def test_scoring(bids, scores):
    """Ruling: "1 point per trick won, 2 more for a bid that equals the left neighbour's tricks". Tricks: 2, 0, 1."""
    assert first_round(bids).scores == scores


# --- Tricks ---


@pytest.mark.parametrize(
    ("trick", "trump", "winner"),
    [
        ("A9 A2 B1 A8", "B5", 2),  # the lowest trump beats the led suit
        ("B3 A9 B1 B2", "C5", 1),  # the same with no trump played: A is led
        ("B3 A9 B1 B2", "B5", 0),  # the highest trump; B5 itself takes no part
        ("A3 A2 A5 A4", "B5", 2),  # no trump: the highest of the led suit
        ("C9 A2 D9 A1", "B5", 1),  # off-suit cards never win
        ("A9 C2 D8 A8", "B5", 1),  # seat 1 leads, not seat 0
        ("B2 B3 A9 C9", "B1", 1),  # trump is led
        ("A9 B2 C9 B3", "B1", 3),  # a higher trump beats the led one
        ("A1 A2 C9 C8", "A9", 1),  # A9 of the Rabbit would win if it took part
        ("D1 C4 C3 B9", "D9", 0),  # and D9 is not "led": D is trump
    ],
)
def test_who_wins_a_trick(trick, trump, winner):
    """Ruling: "the highest of [the Rabbit's suit] wins, else the highest card of the leader's card's suit".

    Trick 1 by seat, with "The seat left of the dealer leads trick 1" (seat 1); slot 2 does not matter.
    """
    used = [*cards(trick), trump]
    rest = [card for card in cards("A1-9 B1-9 C1-9 D1-9") if card not in used]
    timelines = [f"{card} {rest.pop(0)}" for card in cards(trick)]
    assert winners(timelines, f"{trump} {rest.pop()}")[0] == winner


@pytest.mark.parametrize("players", [2, 3, 4])
def test_left_of_the_dealer_leads(players):
    """Ruling: "The seat left of the dealer leads trick 1"; "Seat 0 deals". All off suit, and A is trump."""
    assert winners(["D9 A1", "B5 A2", "C7 A3", "D8 A4"][:players], "A8 A9")[0] == 1


def test_the_winner_leads_next():
    """Ruling: "then the winner of the last trick leads". Trump D is never played.

    Trick 1: A3 of seat 2. Trick 2, seat 2 leads B2: B5 of seat 0 (with seat 1 leading C9 would win). Trick 3: seat 0
    leads C1 and is alone in its suit (with seat 1 leading A8 would win, with seat 2 B9).
    """
    assert winners(GRID, "D3 D1 D2") == [2, 0, 0]


def test_resolve_order():
    """Ruling: "reverse" means slot H+1-k, "with the Rabbit order unchanged". GRID again, tricks 1-3 with trump B, D, D.

    Reverse: slot 3, C1 A8 B9: the trump B9, seat 2 (if the Rabbit were turned too, A8 would win). Slot 2: seat 2 leads
    B2, B5 of seat 0. Slot 1: seat 0 leads A1, A3 of seat 2.
    """
    assert winners(GRID, RABBIT, resolve_order="forward") == [2, 0, 0]
    assert winners(GRID, RABBIT, resolve_order="reverse") == [2, 0, 2]


def test_each_trick_has_its_own_trump():
    """Every slot holds A, B, C of seats 0, 1, 2; the trumps are C, A, B by trick."""
    assert winners(["A1 A2 A3", "B1 B2 B3", "C1 C2 C3"], "C9 A9 B9") == [2, 0, 1]


# --- Time travel, the winner ---

# Other placements for the hands of GRID (A1 C9 B9, A2 B2 C1, A3 B5 A8) and the Rabbit B, D, D.
# TRUMP: trick 1: the trump B5, seat 2 (else A2 of seat 1 would win). Trick 2: seat 2 leads C1, nobody else has C.
# Trick 3: seat 2 leads B9 against B2. Tricks 0, 0, 3.
TRUMP = ["C9 A3 B2", "A2 A1 A8", "B5 C1 B9"]
# LEADER: trick 1: no B; seat 1 leads C1, alone (seat 0, the last winner, or seat 2 leading, A3 would win). Trick 2:
# seat 1 leads C9, alone. Trick 3: seat 1 leads B5: B9 of seat 2. Tricks 0, 2, 1.
LEADER = ["A1 A8 B2", "C1 C9 B5", "A3 A2 B9"]


def test_round_2_has_the_same_hands_and_rabbit():
    """Ruling: "The cards go back face up to the hands they were dealt as … the same hands, the same Rabbit"."""
    first, state = start(GRID, RABBIT).facts(), first_round([0, 0, 0])
    facts = state.facts()
    assert facts["hands"] == first["hands"] == HANDS
    assert (facts["round"], state.seat, facts["rabbit"]) == (2, 0, first["rabbit"])
    assert facts["trumps"] == ["B", "D", "D"]
    assert (facts["placed"], facts["bids"]) == ([[None] * 3] * 3, [None] * 3)
    assert len(state.record()["decks"]) == 1  # nothing is dealt again


def test_everybody_knows_the_dealt_hands_in_round_2():
    """Ruling: "Everybody now knows every dealt hand"; "after a round all timelines"; "(face down again)"."""
    state = first_round([0, 1, 0])
    for seat in range(3):
        facts = state.information_set(seat).facts()
        assert facts["hands"] == HANDS
        assert facts["earlier"]["placed"] == [cards(timeline) for timeline in GRID]
        assert facts["earlier"]["bids"] == [0, 1, 0]
    one, two = state.apply("A1"), state.apply("B9")
    assert one.information_set(1) == two.information_set(1)
    state = one.apply("A2").apply("A3")
    assert state.information_set(2).facts()["placed"] == [["?", None, None], ["?", None, None], ["A3", None, None]]
    # Seat 0 sees hand 2 now; of hand 1 it knows only that one of three cards is gone.
    taken = [[world["placed"][seat][0] for world in worlds(state, 0)] for seat in range(3)]
    assert [set(names) for names in taken] == [{"A1"}, set(cards("A2 B2 C1")), {"A3"}]
    # Slot 3 of seat 0 is what seat 1 (C1) and seat 2 (A2) leave of hand 1: unseen again, any of its cards.
    state = place(first_round([0, 0, 0]), LEADER)
    assert state.information_set(0).facts()["placed"][0] == ["A1", "A8", "?"]
    assert {world["placed"][0][2] for world in worlds(state, 0)} == set(cards("A2 B2 C1"))


def test_scores_before_the_end():
    """Section 0: "`scores` before the end are the running totals (… points of finished rounds)"."""
    state = first_round([0, 1, 2])  # all right: 2+2, 0+2, 1+2
    assert state.scores == (4, 2, 3)
    state = bid(place(state, TRUMP), [0, 3])
    assert (state.scores, state.is_terminal) == ((4, 2, 3), False)
    state = state.apply("bid0")  # all right again: 0+2, 0+2, 3+2
    assert (state.scores, state.is_terminal) == ((6, 4, 8), True)


@pytest.mark.parametrize(
    ("first_bids", "second", "second_bids", "scores", "ranks", "returns"),
    [
        ([1, 2, 0], TRUMP, [1, 1, 1], (2, 0, 4), (2, 3, 1), (0, 0, 1)),  # 2, 0, 1 and 0, 0, 3: seat 0 led, 2 wins
        ([0, 2, 0], LEADER, [3, 3, 3], (4, 2, 2), (1, 2, 2), (1, 0, 0)),  # 4, 0, 1 and 0, 2, 1: not round 2 alone
        ([1, 2, 0], LEADER, [2, 1, 3], (4, 4, 2), (1, 1, 3), (0.5, 0.5, 0)),  # 2, 0, 1 and 2, 4, 1: a shared win
        ([1, 2, 0], LEADER, [3, 3, 3], (2, 2, 2), (1, 1, 1), (1 / 3, 1 / 3, 1 / 3)),  # 2, 0, 1 and 0, 2, 1
    ],
)
def test_winner(first_bids, second, second_bids, scores, ranks, returns):
    """Ruling: "Highest sum over the rounds; ties shared"; the points of both rounds are in the comments.

    Round 2 is resolved with "the same Rabbit, the same dealer and first leader", see TRUMP and LEADER.
    """
    state = bid(place(first_round(first_bids), second), second_bids)
    assert (state.scores, state.ranks) == (scores, ranks)
    assert state.returns == pytest.approx(returns)


# --- Who knows what ---


def test_a_seat_sees_the_hands_passed_to_it():
    """Ruling: "Each hand of cards passed to a seat, at the time it holds it", and "its own slots 1..H-1"."""
    state = start(GRID, RABBIT)
    assert [seen(state, seat) for seat in range(3)] == [{(seat, 0): HANDS[seat]} for seat in range(3)]
    state = place(state, GRID)  # for slot 2 hand 2 is at seat 0, hand 0 at seat 1, hand 1 at seat 2
    assert seen(state, 0) == {(0, 0): HANDS[0], (2, 1): cards("A8 B5")}
    assert seen(state, 1) == {(1, 0): HANDS[1], (0, 1): cards("B9 C9")}
    assert seen(state, 2) == {(2, 0): HANDS[2], (1, 1): cards("B2 C1")}
    own = [state.information_set(seat).facts()["placed"][seat] for seat in range(3)]
    assert own == [["A1", "B5", "?"], ["A2", "C9", "?"], ["A3", "B2", "?"]]
    # Perfect recall: seat 0 passed A8 as a last card, so it knows slot 3 of seat 1, though seat 1 does not.
    assert {world["placed"][1][2] for world in worlds(state, 0)} == {"A8"}
    assert len({world["placed"][1][2] for world in worlds(state, 1)}) > 2


def test_two_players_see_what_the_other_took():
    """Ruling: "so, later, which cards were taken from a hand it has seen".

    Seat 0 keeps A1 and gets A3, A4 back: A2 is gone. What seat 1 took of its own hand at first (B1) it has not seen.
    """
    state = deal(load(2, hand_size=4), ["A1-4", "B1-4"], "C1-4")
    for card in cards("A1 B1 B2"):
        state = state.apply(card)
    assert {world["placed"][1][0] for world in worlds(state, 0)} > {"B1"}
    state = state.apply("A2")
    assert seen(state, 0) == {(0, 0): cards("A1-4"), (1, 1): cards("B2-4"), (0, 2): cards("A3-4")}
    assert seen(state, 1) == {(1, 0): cards("B1-4"), (0, 1): cards("A2-4"), (1, 2): cards("B3-4")}
    for world in worlds(state, 0):
        assert world["placed"][0] == ["A1", "B2", None, None]
        assert world["placed"][1][1] == "A2"
        assert world["hands"][1] == cards("B3-4")  # left of the hand it has passed on
        assert world["placed"][1][0] not in cards("A1-4 B2-4 C1-4")


def test_not_by_whom_when_several_have_taken():
    """Ruling: "which cards were taken from a hand it has seen, though not by whom when several have taken".

    Three players, five cards: hand 0 comes back to seat 0 as A4, A5; seats 1 and 2 took A2 and A3, in either order.
    """
    state = deal(load(3, hand_size=5), ["A1-5", "B1-5", "C1-5"], "D1-5")
    for card in cards("A1 B1 C1 C2 A2 B2 B3 C3 A3"):
        state = state.apply(card)
    assert seen(state, 0)[0, 3] == cards("A4 A5")
    takers = {(world["placed"][1][1], world["placed"][2][2]) for world in worlds(state, 0)}
    assert takers == {("A2", "A3"), ("A3", "A2")}
