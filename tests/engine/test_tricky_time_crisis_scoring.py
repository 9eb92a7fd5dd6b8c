"""Tricky Time Crisis: hand-worked scenarios for decks, options, rounds, scoring and knowledge of RULES.md section 4.

Rows and helpers are explained in test_tricky_time_crisis.py.
"""

from collections import Counter

import numpy as np
import pytest

import engine
from tests.engine.test_tricky_time_crisis import TEAM_UP, deck_for, end_round, load, piles, play, sets

RANKS = [3, 4, 4, 5, 5, 6, 6, 6, 7, 7, 8, 8, 9]
POWER = {"S": "S13", "D": "D+2", "K": "K0", "T": "T10", "M": "Mhalf"}

# Seat 1 plays V16 to V28 and wins every trick: three equal heroes of 3 4 4 5 5 6 6 6 7 7 8 8 9 make
# 9 12 12 15 15 18 18 18 21 21 24 24 27, always less than 16 17 … 28. S13, D+2, K0 and Vinf stay out.
THIRTEEN = [f"1: K{r} V{v} S{r} D{r} | 1 pass | 2 S{r} | 3 D{r} | 0 K{r}" for v, r in enumerate(RANKS, start=16)]

# --- Decks and options ---


@pytest.mark.parametrize(
    ("players", "options", "heroes", "low"),
    [
        (3, {}, "SD", 8),
        (4, {}, "SDK", 16),
        (5, {}, "SDKT", 22),
        (3, {"mid_knight": "replace:S"}, "DM", 8),
        (3, {"mid_knight": "replace:D"}, "SM", 8),
        (4, {"mid_knight": "replace:S"}, "DKM", 16),
        (4, {"mid_knight": "replace:D"}, "SKM", 16),
        (4, {"mid_knight": "replace:K"}, "SDM", 16),
        (5, {"mid_knight": "replace:S"}, "DKTM", 22),
        (5, {"mid_knight": "replace:D"}, "SKTM", 22),
        (5, {"mid_knight": "replace:K"}, "SDTM", 22),
        (5, {"mid_knight": "replace:T"}, "SDKM", 22),
        (5, TEAM_UP, "SDKM", 8),  # "removed …, default T"
        (5, {**TEAM_UP, "removed": "S"}, "DKTM", 8),
        (5, {**TEAM_UP, "removed": "D"}, "SKTM", 8),
        (5, {**TEAM_UP, "removed": "K"}, "SDTM", 8),
        (5, {**TEAM_UP, "removed": "T"}, "SDKM", 8),
        (6, TEAM_UP, "SDKTM", 16),
    ],
)
def test_decks(players, options, heroes, low):
    """The tables of suits and options: "always S D K T M V, suits not in play left out, ranks ascending, copies
    adjacent, the power card last in its suit"; 13 villain ranks from `low` and Vinf; "every deck is 14·N cards"."""
    game = load(players, **options)
    expected = [card for suit in heroes for card in [*(f"{suit}{rank}" for rank in RANKS), POWER[suit]]]
    expected += [*(f"V{rank}" for rank in range(low, low + 13)), "Vinf"]
    assert list(game.deck) == expected
    assert len(expected) == 14 * players


def test_options_and_actions():
    """Ruling: "(default 4)", `"off"` (default), "default T", "N rounds"; "options complete, defaults filled in"
    (DESIGN.md 3). "**Actions:** a card name to play; `take:CARD`, `pass`, `stop`, `accept`", each card name once."""
    game = engine.load("tricky_time_crisis")
    assert (game.players, game.options) == (4, {"mid_knight": "off", "rounds": 4})
    game = load(5, **TEAM_UP)
    assert game.options == {"mid_knight": "team_up", "removed": "T", "rounds": 5}
    cards = set(game.deck)
    assert sorted(game.actions) == sorted([*cards, *(f"take:{card}" for card in cards), "pass", "stop", "accept"])


@pytest.mark.parametrize(
    ("players", "options", "said"),
    [
        (2, {}, "players"),
        (7, TEAM_UP, "players"),
        (6, {}, "mid_knight"),  # "Six players need `team_up`; other combinations are clear errors"
        (6, {"mid_knight": "replace:T"}, "mid_knight"),
        (3, TEAM_UP, "mid_knight"),
        (4, TEAM_UP, "mid_knight"),
        (3, {"mid_knight": "replace:K"}, "mid_knight"),  # "X one of the hero suits in play"
        (4, {"mid_knight": "replace:T"}, "mid_knight"),
        (5, {"mid_knight": "replace:V"}, "mid_knight"),
        (5, {"mid_knight": "replace:M"}, "mid_knight"),
        (5, {"mid_knight": "replace"}, "mid_knight"),
        (5, {**TEAM_UP, "removed": "M"}, "removed"),  # "names the hero suit left out"
        (5, {**TEAM_UP, "removed": "V"}, "removed"),
        (6, {**TEAM_UP, "removed": "T"}, "removed"),  # does not apply: all suits are in play
        (5, {"removed": "T"}, "removed"),
        (5, {"mid_knight": "replace:T", "removed": "T"}, "removed"),
        (4, {"rounds": 0}, "rounds"),  # "any number from 1"
        (4, {"rounds": -1}, "rounds"),
        (4, {"dealer": 1}, "dealer"),
    ],
)
def test_option_errors(players, options, said):
    """Ruling: "An unknown option, a value out of range, or an option that does not apply to the chosen players or mode
    is a clear error": it names what is wrong."""
    with pytest.raises(ValueError, match=said):
        load(players, **options)


# --- Dealing, the dealer, rounds ---


@pytest.mark.parametrize(("players", "options"), [(3, {}), (4, {}), (5, {}), (6, TEAM_UP)])
def test_deals_thirteen_cards_in_blocks(players, options):
    """Ruling: "13 cards each, N stay out unseen", "seat p gets cards H*p .. H*p+H-1"; "The dealer is seat 0 in round 1
    … Left of the dealer leads". The deck is dealt with the villain cards on top."""
    game = load(players, **options)
    deck = list(game.deck)[::-1]
    state = game.new(decks=[deck])
    facts = state.facts()
    assert [sorted(hand) for hand in facts["hands"]] == [sorted(deck[13 * p : 13 * p + 13]) for p in range(players)]
    assert (state.seat, facts["dealer"], facts["round"], state.scores) == (1, 0, 1, (0,) * players)


@pytest.mark.parametrize(
    ("players", "options", "leaders"),
    [
        (3, {}, [1, 2, 0]),  # "N rounds, each seat deals once"
        (4, {}, [1, 2, 3, 0]),
        (5, TEAM_UP, [1, 2, 3, 4, 0]),
        (3, {"rounds": 1}, [1]),
        (3, {"rounds": 2}, [1, 2]),
        (3, {"rounds": 7}, [1, 2, 0, 1, 2, 0, 1]),  # "the dealer goes on moving left"
    ],
)
def test_rounds(players, options, leaders):
    """The dealer "then moves left. Left of the dealer leads the first trick." In each round the leader leads its V and
    the next seat is stuck."""
    game = load(players, **options)
    state = game.new(decks=[deck_for(game, stuck=leader) for leader in leaders])
    for number, leader in enumerate(leaders, start=1):
        facts = state.facts()
        assert (facts["round"], facts["dealer"], state.seat) == (number, (leader - 1) % players, leader)
        assert not state.is_terminal
        state = end_round(state)
    assert (state.is_terminal, state.seat, state.legal_names) == (True, None, ())
    assert len(state.record()["decks"]) == len(leaders)  # "one deck for each deal that was made, no more"


def test_round_ends_after_the_thirteenth_trick():
    """Ruling: "13 cards each, N stay out unseen". The last taking counts: seat 1 has V28; the others are over the
    limit, 0."""
    rows = [*THIRTEEN[:12], "1: K9 V28 S9 D9 | 1 V28 pass | 2 S9 | 3 D9"]
    game = load()
    state = play(game.new(decks=[deck_for(game, *rows)]), *rows)
    assert (state.seat, state.facts()["round"], state.scores) == (0, 1, (0,) * 4)
    assert [len(pile) for pile in piles(state)] == [12, 1, 13, 13]
    assert sorted(set(game.deck) - set(state.facts()["seen"])) == ["D+2", "K0", "S13", "Vinf"]
    state = state.apply("take:K9")
    assert (state.seat, state.facts()["round"], state.scores) == (2, 2, (0, 28, 0, 0))


ROUND_1 = "1: K3 S3 D3 V20 | 3 V20 pass | 0 K3 | 1 D3 | 2 S3"  # 3, 3, 3, 20
ROUND_2 = "2: V20 K3 S3 D3 | 0 V20 pass | 1 S3 | 2 D3 | 3 K3"  # 20, 3, 3, 3


def test_scores_before_the_end():
    """Ruling: "`scores` before the end are the running totals (… points of finished rounds)": the piles of a running
    round do not count yet, and the next round begins with empty piles."""
    game = load()
    state = game.new(decks=[deck_for(game, ROUND_1, stuck=3), deck_for(game, ROUND_2, stuck=0)])
    state = play(state, ROUND_1)
    assert (state.scores, piles(state)) == ((0,) * 4, sets("K3", "D3", "S3", "V20"))
    state = end_round(state)
    assert (state.scores, piles(state)) == ((3, 3, 3, 20), [[]] * 4)
    state = play(state, ROUND_2)
    assert (state.scores, piles(state)) == ((3, 3, 3, 20), sets("V20", "S3", "D3", "K3"))
    assert end_round(state).scores == (23, 6, 6, 23)


@pytest.mark.parametrize(
    ("rows", "stuck", "scores", "ranks", "returns"),
    [
        ([ROUND_1], [3], (3, 3, 3, 20), (2, 2, 2, 1), (0, 0, 0, 1)),
        ([ROUND_1, ROUND_2], [3, 0], (23, 6, 6, 23), (1, 3, 3, 1), (0.5, 0, 0, 0.5)),
        ([], [1], (0, 0, 0, 0), (1, 1, 1, 1), (0.25, 0.25, 0.25, 0.25)),
    ],
)
def test_winner_and_ties(rows, stuck, scores, ranks, returns):
    """Ruling: "Highest total wins, ties shared": `ranks` "counted 1, 1, 3; `returns` split 1.0 equally among the seats
    of rank 1"."""
    game = load(rounds=len(stuck))
    rounds = [[row] for row in rows] or [[]]
    state = game.new(decks=[deck_for(game, *row, stuck=leader) for row, leader in zip(rounds, stuck, strict=True)])
    for row in rounds:
        state = end_round(play(state, *row))
    assert state.is_terminal
    assert (state.scores, state.ranks, state.returns) == (scores, ranks, returns)


# --- Scoring a round ---


def take_card(state, card):
    """Seat 1, the villain's player, takes the card and passes; optional takers pass, heroes take what comes first."""
    state = state.apply(f"take:{card}").apply("pass")
    while state.facts()["phase"] != "play":
        state = state.apply("pass" if "pass" in state.legal_names else state.legal_names[0])
    return state


def score(pile, players, **options):
    """The points of seat 1 for this pile in a game of one round.

    Seat 1 plays the villain card in every trick, villain cards of the pile first, and wins with it: the other cards
    are the lowest left, and to take a hero card it plays the highest villain card left. It takes one card each time.
    """
    game = load(players, rounds=1, **options)
    left, wanted = list(game.deck), sorted(pile.split(), key=lambda card: card[0] != "V")
    for card in wanted:
        left.remove(card)
    rows = []
    for card in wanted:
        trick = {name[0]: name for name in reversed(left)}  # the lowest of every suit
        trick["V"] = [name for name in left if name[0] == "V"][-2]  # the highest, but for Vinf
        for name in trick.values():
            if name[0] != card[0]:
                left.remove(name)
        trick[card[0]] = card
        villain, heroes = trick.pop("V"), list(trick.values())
        rows.append(f"1: {' '.join([heroes[0], villain, *heroes[1:]])}")
    state = game.new(decks=[deck_for(game, *rows, stuck=1)])
    for row, card in zip(rows, wanted, strict=True):
        state = take_card(play(state, row), card)
    assert piles(state)[1] == sorted(wanted)
    state = end_round(state)
    assert state.is_terminal
    return state.scores[1]


@pytest.mark.parametrize(
    ("pile", "points"),
    [
        ("", 0),
        ("S7 S7", 14),  # "2 cards with 3 players"
        ("S3 S4 S5", 0),  # three cards: over the limit
        ("S13 S9", 22),  # S13 is worth 13
        ("S13 S3 S4", 0),  # "scores 0, power cards included"
        ("V8 V20", 28),  # "villain cards their rank"
        ("V8 V9 V10", 0),
        ("S9 S8 D9 D7 V19 V20", 72),  # 17 + 16 + 39
        ("S3 S4 S5 D9 V12", 21),  # 0 + 9 + 12: a suit over the limit spoils no other
        ("D+2", 2),  # 2 + 0: all other hero suits are empty
        ("D+2 V20", 22),  # 20 + 2: the villain is no hero suit
        ("D+2 S9", 20),  # 9 + 11
        ("D+2 S13", 28),  # 13 + 15
        ("D+2 S7 S9", 34),  # the score of the suit, 16, not of the card: 16 + 18
        ("D+2 S3 S4 S5", 2),  # over the limit: 0 + 2
        ("D+2 D9", 20),  # "with one other card x of the suit (3 players), x+2 besides x": 9 + 11
        ("D+2 D3 S13 S9", 30),  # the other suit does not matter then: 3 + 5 + 22
        ("D+2 D3 D4 S9", 9),  # over the limit
    ],
)
def test_scoring_with_three_players(pile, points):
    """Ruling: "The limit per suit is 2 cards with 3 players … A suit with more cards than the limit scores 0, power
    cards included. Otherwise it scores the sum of its cards' values"."""
    assert score(pile, 3) == points


@pytest.mark.parametrize(
    ("players", "pile", "points", "options"),
    [
        (4, "S7 D8 K9 V16", 40, {}),
        (4, "S3 S4", 0, {}),  # "else 1"
        (4, "S7 S7", 0, {}),  # two copies are two cards
        (4, "S13 S3 K5", 5, {}),
        (4, "V16 V17 D5", 5, {}),
        (4, "V28", 28, {}),
        (5, "T10 V34", 44, {}),  # "`T10` 10"
        (5, "T10 T3 S4", 4, {}),
        (6, "S13 K9 T10 M9 V28", 69, TEAM_UP),
        (6, "M3 M4 V28", 28, TEAM_UP),
        (4, "D+2 D9 S3", 3, {}),  # over the limit of 1
        (4, "D+2", 2, {}),
        (4, "D+2 S7 K5", 21, {}),  # 7 + 5 + (2 + 7)
        (4, "D+2 S3 S4 K5", 12, {}),  # the best is K: 0 + 5 + (2 + 5)
        (4, "D+2 S3 S4 V28", 30, {}),  # S is over the limit: 28 + (2 + 0)
        (5, "D+2 S9 T10", 31, {}),  # 9 + 10 + (2 + 10)
    ],
)
def test_scoring_with_more_players(players, pile, points, options):
    """Ruling: "The limit per suit is 2 cards with 3 players, else 1"; "`D+2`: as the only card of its suit, 2 + the
    best score among the seat's other hero suits in play (0 if all are empty or over the limit …)"."""
    assert score(pile, players, **options) == points


@pytest.mark.parametrize(
    ("players", "pile", "points", "mode"),
    [
        (4, "Mhalf", 0, "replace:K"),  # no villain card: half of 0
        (4, "Mhalf V20", 30, "replace:K"),
        (4, "Mhalf V17", 25, "replace:K"),  # 17 + 8: "Halves round down"
        (4, "Mhalf V17 V18", 0, "replace:K"),  # the villain suit is over the limit: 0, half of 0
        (4, "Mhalf M5 V17", 17, "replace:K"),  # Mid-Knight is over the limit
        (3, "Mhalf V8 V9", 25, "replace:S"),  # half of the suit, 17: 17 + 8
        (3, "Mhalf M9 V19", 37, "replace:S"),  # 19 + 9 + 9
        (3, "Mhalf M3 M4 V20", 20, "replace:S"),
        (3, "Mhalf M9 V8 V9 V10", 9, "replace:S"),
        (5, "Mhalf V19", 28, "team_up"),
        (4, "D+2 M9 S3", 23, "replace:K"),  # M is a hero suit: 9 + 3 + (2 + 9)
        (3, "D+2 M8 M9", 36, "replace:S"),  # 17 + (2 + 17)
        (4, "D+2 Mhalf V28 S9", 67, "replace:K"),  # "villain, then Mid-Knight, …": 28 + 14 + 9 + (2 + 14)
        (5, "D+2 M9 S3", 17, "team_up"),  # "in `team_up` Mid-Knight is not one of them": 9 + 3 + (2 + 3)
        (5, "D+2 Mhalf V20", 32, "team_up"),  # 20 + 10 + (2 + 0)
        (6, "D+2 T10 Mhalf V28", 64, "team_up"),  # 28 + 14 + 10 + (2 + 10)
    ],
)
def test_scoring_of_mid_knight(players, pile, points, mode):
    """Ruling: "`Mhalf` is worth half of the seat's villain suit score"; Mid-Knight is a hero suit for `D+2` except in
    `team_up`."""
    assert score(pile, players, mid_knight=mode) == points


# --- Who knows what ---

OUT = ["D+2", "K0", "S13", "Vinf"]


def last_trick():
    """The 13th trick of the round in which seat 1 wins every trick: everyone has one card, OUT are left out."""
    game = load()
    return play(game.new(decks=[deck_for(game, *THIRTEEN)]), *THIRTEEN[:12])


def drawn(state, seat, times=600):
    """How often each other seat's hand of at most one card is which card, in worlds drawn for the seat."""
    rng, info = np.random.default_rng(5), state.information_set(seat)
    counts = [Counter() for _ in range(4)]
    for _ in range(times):
        world = info.determinize(rng)
        for count, hand in zip(counts, world.facts()["hands"], strict=True):
            count.update(hand)
    return counts


def test_what_a_seat_sees():
    """Ruling: "own hand, every card played, all piles; the other hands and the N cards left out are unseen"; "Score
    piles are public"."""
    game = load()
    state = play(game.new(decks=[deck_for(game, ROUND_1, stuck=1)]), ROUND_1)
    state = state.apply(state.legal_names[0])  # trick 2, led by seat 3
    full = state.facts()
    assert set(full["seen"]) == {"K3", "S3", "D3", "V20", *full["trick"]}
    for seat in range(4):
        seen = state.information_set(seat).facts()
        assert seen["hands"] == [full["hands"][p] if p == seat else ["?"] * (11 if p == 3 else 12) for p in range(4)]
        for key in ("round", "dealer", "leader", "table", "trick", "piles", "points", "seen"):
            assert seen[key] == full[key]


def test_unseen_cards_are_exchangeable():
    """Ruling: "the other hands and the N cards left out are unseen and exchangeable": for seat 0 with K9 seven cards
    are unseen, one each in the hands of 1, 2 and 3. The leader may play any card, so each is anywhere 600/7 = 86 times.
    """
    state = last_trick()
    assert (state.seat, state.facts()["hands"]) == (1, [["K9"], ["V28"], ["S9"], ["D9"]])
    own, *others = drawn(state, 0)
    assert own == {"K9": 600}
    for count in others:
        assert sorted(count) == sorted([*OUT, "V28", "S9", "D9"])
        assert all(50 < times < 122 for times in count.values())


def test_the_seat_to_play_holds_a_legal_card():
    """Ruling: "with one exception: while a seat is to play, everybody knows that it holds a legal card (else the round
    would have ended)". After V28 seat 2 cannot hold Vinf: for seat 0 each of the other five is in its hand 600/5 = 120
    times; seat 3, not to play yet, holds Vinf 120 times. After S9 seat 3 can hold neither Vinf nor S13: D9, D+2, K0,
    200 each. Seats 1, 2, 3 do not know K9."""
    state = last_trick().apply("V28")
    assert state.seat == 2
    _, _, second, third = drawn(state, 0)
    assert sorted(second) == ["D+2", "D9", "K0", "S13", "S9"]
    assert all(80 < times < 160 for times in second.values())
    assert 80 < third["Vinf"] < 160
    assert sorted(drawn(state, 3, times=150)[2]) == ["D+2", "K0", "K9", "S13", "S9"]
    state = state.apply("S9")
    assert state.seat == 3
    third = drawn(state, 0)[3]
    assert sorted(third) == ["D+2", "D9", "K0"]
    assert all(150 < times < 250 for times in third.values())
    for seat in (1, 2):
        assert sorted(drawn(state, seat, times=150)[3]) == ["D+2", "D9", "K0", "K9"]


def test_nothing_is_known_of_a_hand_while_cards_are_taken():
    """Ruling: "while a seat is to play": when the 12th trick is complete seat 1 chooses what to take, not what to play,
    so its last card may be any of the seven unseen ones, though no suit is missing in the trick."""
    game = load()
    before = THIRTEEN[11].split(" | ")[0]
    state = play(game.new(decks=[deck_for(game, *THIRTEEN)]), *THIRTEEN[:11], before)
    assert (state.seat, len(state.facts()["trick"]), "pass" in state.legal_names) == (1, 4, True)
    for count in drawn(state, 0, times=200)[1:]:
        assert sorted(count) == sorted([*OUT, "V28", "S9", "D9"])
