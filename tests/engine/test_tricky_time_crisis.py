"""Tricky Time Crisis: hand-worked scenarios for the tricks and the taking of RULES.md section 4.

A trick is a row: ``"1: K3 S3 D3 V20 | 3 V20 pass | 0 K3"`` says that seat 1 leads, that seats 0, 1, 2, 3 play K3, S3,
D3, V20 (by seat, not in order of play), that seat 3 then takes V20 and passes, and that seat 0 takes K3. `play` checks
the seat before every card and every choice, so every scenario also checks who plays, is asked, and leads next.
Decks, rounds, scoring and knowledge are in test_tricky_time_crisis_scoring.py, with the same helpers.
"""

from itertools import chain

import pytest

import engine

CHOICES = ("pass", "stop", "accept")
TEAM_UP = {"mid_knight": "team_up"}


def load(players=4, **options):
    return engine.load("tricky_time_crisis", players=players, **options)


def parse(row):
    """The leader, the cards by seat, and the taking as pairs of a seat and a choice."""
    (leader, cards), *taking = [part.split(maxsplit=1) for part in row.split(" | ")]
    choices = [(int(seat), choice) for seat, several in taking for choice in several.split()]
    return int(leader.strip(":")), cards.split(), choices


def deal(game, hands):
    """A deck for these hands; short hands are filled with the first cards left in canonical order."""
    left = list(game.deck)
    for card in chain(*hands):
        left.remove(card)
    hands = [[*hand, *(left.pop(0) for _ in range(13 - len(hand)))] for hand in hands]
    deck = [*chain(*hands), *left]
    assert sorted(deck) == sorted(game.deck)
    return deck


def deck_for(game, *rows, stuck=None):
    """A deck with which the rows can be played.

    With `stuck`, the seat that leads after these rows, `end_round` can end the round: every trick has one of the 14
    villain cards, so 14 - k are left after k tricks; `stuck` holds one, and the 13 - k cards of the next seat are all
    the others.
    """
    hands = [list(column) for column in zip(*(parse(row)[1] for row in rows), strict=True)]
    hands = hands or [[] for _ in range(game.players)]
    if stuck is not None:
        villains = [card for card in game.deck if card[0] == "V" and card not in chain(*hands)]
        hands[stuck].append(villains.pop(0))
        hands[(stuck + 1) % game.players] += villains
    return deal(game, hands)


def play(state, *rows):
    for row in rows:
        leader, cards, choices = parse(row)
        assert state.seat == leader, row
        for turn in range(len(cards)):
            seat = (leader + turn) % len(cards)
            assert state.seat == seat, row
            state = state.apply(cards[seat])
        for seat, choice in choices:
            assert state.seat == seat, (row, choice)
            state = state.apply(choice if choice in CHOICES else f"take:{choice}")
    return state


def end_round(state):
    """Lead the one villain card that leaves the next seat without a legal card."""
    (card,) = [name for name in state.legal_names if name[0] == "V"]
    return state.apply(card)


def run(*rows, **options):
    game = load(len(parse(rows[0])[1]), **options)
    return play(game.new(decks=[deck_for(game, *rows)]), *rows)


def piles(state):
    return [sorted(pile) for pile in state.facts()["piles"]]


def sets(*texts):
    return [sorted(text.split()) for text in texts]


def takes(text):
    """The names of the actions that take these cards, and the choices in the text as they are."""
    return sorted(name if name in CHOICES else f"take:{name}" for name in text.split())


def asked(state):
    return state.seat, sorted(state.legal_names)


def check_lead(state, seat, *expected):
    """Check that the trick is over, that this seat leads the next one, and that the piles are these."""
    facts = state.facts()
    assert (state.seat, facts["leader"], facts["trick"], facts["phase"]) == (seat, seat, [], "play")
    assert piles(state) == sets(*expected)


# --- Legal cards and the end of the round ---

HAND = "S4 S4 S13 D6 D6 D6 D+2 K0 K8 K8 V16 V28 Vinf"


@pytest.mark.parametrize(
    ("earlier", "legal"),
    [
        ([], "S4 S13 D6 D+2 K0 K8 V16 V28 Vinf"),  # the leader: any card
        (["S3"], "D6 D+2 K0 K8 V16 V28 Vinf"),
        (["V20"], "S4 S13 D6 D+2 K0 K8"),
        (["D3", "K3"], "S4 S13 V16 V28 Vinf"),
        (["V20", "D3", "S3"], "K0 K8"),
    ],
)
def test_legal_cards(earlier, legal):
    """Rulings: "a suit not yet in the trick; the leader any card. A seat must play if it can"; "Copies are the same
    card", "two legal actions never have the same name": two S4 and three D6 are one action each. Seat 1 leads."""
    hands = [[] for _ in range(4)]
    hands[(1 + len(earlier)) % 4] = HAND.split()
    for turn, card in enumerate(earlier):
        hands[1 + turn] = [card]
    game = load()
    state = game.new(decks=[deal(game, hands)])
    for card in earlier:
        state = state.apply(card)
    assert asked(state) == ((1 + len(earlier)) % 4, sorted(legal.split()))
    for name in (set(HAND.split()) - set(legal.split())) | {"pass"}:
        with pytest.raises(engine.IllegalActionError):
            state.apply(name)


def test_playing_one_copy_leaves_the_other():
    """Ruling: "Copies are the same card": of two S4 in the hand of seat 1 one is played, one stays."""
    game = load()
    state = game.new(decks=[deal(game, [[], HAND.split(), [], []])]).apply("S4")
    left = HAND.replace("S4 ", "", 1)
    assert sorted(state.facts()["hands"][1]) == sorted(left.split())


def test_round_ends_when_the_seat_to_act_is_stuck():
    """Ruling: "If the seat to act has no legal card, its hand is shown, the trick and all hands are discarded, and the
    round is over … No decision." Seat 1 leads V16, seat 2 holds only V: at once round 2, dealt by 1, led by 2, nobody
    scored."""
    game = load()
    state = game.new(decks=[deck_for(game, stuck=1)]).apply("V16")
    facts = state.facts()
    assert (facts["round"], facts["dealer"], state.seat, facts["trick"], facts["seen"]) == (2, 1, 2, [], [])
    assert ([len(hand) for hand in facts["hands"]], piles(state), state.scores) == ([13] * 4, [[]] * 4, (0,) * 4)


def test_stuck_is_tested_at_that_seats_turn():
    """Ruling: "This is tested at that seat's turn, not ahead": seat 3 holds only V. After V16 by seat 1 seat 2 still
    plays, then the round is over. When seat 1 leads S3 instead, seat 3 plays a V and the trick goes on with seat 0."""
    game = load()
    villains = [card for card in game.deck if card[0] == "V"]
    state = game.new(decks=[deal(game, [["K3"], ["V16", "S3"], ["D3"], villains[1:]])])
    stuck = state.apply("V16")
    assert (stuck.seat, stuck.facts()["round"]) == (2, 1)
    stuck = stuck.apply("D3")
    assert (stuck.seat, stuck.facts()["round"], stuck.facts()["piles"]) == (2, 2, [[]] * 4)
    other = state.apply("S3").apply("D3").apply("V20")
    assert (other.seat, other.facts()["round"], other.facts()["trick"]) == (0, 1, ["S3", "D3", "V20"])


def test_piles_score_when_a_seat_is_stuck():
    """Ruling: "the trick and all hands are discarded, and the round is over (the piles score as usual)": 3, 3, 3, 20
    from trick 1; the villain card led by seat 3 scores for nobody."""
    row = "1: K3 S3 D3 V20 | 3 V20 pass | 0 K3 | 1 D3 | 2 S3"
    game = load(rounds=1)
    state = end_round(play(game.new(decks=[deck_for(game, row, stuck=3)]), row))
    assert (state.is_terminal, state.seat, state.scores) == (True, None, (3, 3, 3, 20))
    assert (state.facts()["hands"], state.facts()["trick"]) == ([[]] * 4, [])


# --- K0 and Vinf ---


@pytest.mark.parametrize("row", ["1: K0 S9 D9 V16", "1: K0 S3 D3 V28", "1: K0 S13 D+2 Vinf"])
def test_kid_cuckoo_discards_the_trick(row):
    """Ruling: "`K0` in it: the whole trick is discarded; the player of `K0` leads next", judged first: before totals
    that the heroes (18 to 16) or the villain (28 to 6) would win, and before Vinf, whose player takes nothing."""
    check_lead(run(row), 0, "", "", "", "")


@pytest.mark.parametrize(
    ("row", "seat", "options"),
    [
        ("1: K9 S13 D+2 Vinf", 3, {}),
        ("1: D3 Vinf S3", 1, {}),
        ("1: K3 S9 Vinf Mhalf", 2, {"mid_knight": "replace:D"}),
        ("1: S9 D9 K9 M9 Vinf", 4, TEAM_UP),
        ("1: Vinf D9 Mhalf S9 K9", 0, TEAM_UP),
        ("1: K9 T10 S9 Vinf D9", 3, {}),  # no question of Doc Tock: "A T10 in the trick itself does not count"
    ],
)
def test_villain_infinity_takes_every_other_card(row, seat, options):
    """Ruling: "its player is *forced* to take every other card; `Vinf` is discarded; that player leads next … It takes
    them all at once: no decision … Nothing else is taken". Whatever the heroes add up to; Mid-Knight's player is not
    asked."""
    cards = parse(row)[1]
    pile = " ".join(card for card in cards if card != "Vinf")
    check_lead(run(row, **options), seat, *(pile if p == seat else "" for p in range(len(cards))))


# --- Totals and the winner ---


@pytest.mark.parametrize(
    ("row", "seat", "options"),
    [
        ("1: K6 S5 D7 V18", 2, {}),  # 6 + 5 + 7 = 18: equal, heroes win, D7 is the highest
        ("1: K6 S5 D7 V19", 3, {}),
        ("1: D3 V8 S5", 2, {}),  # 3 players: 3 + 5 = 8
        ("1: D3 V9 S5", 1, {}),
        ("1: K3 S13 D3 V19", 1, {}),  # S13 is worth 13: 3 + 13 + 3 = 19
        ("1: K3 S13 D3 V20", 3, {}),
        ("1: K4 T10 S4 D4 V22", 1, {}),  # T10 is worth 10: 4 + 10 + 4 + 4 = 22
        ("1: K4 T10 S4 D4 V23", 4, {}),
        ("1: K3 S7 D+2 V19", 2, {}),  # D+2 is 7 + 2 = 9, the highest: 3 + 7 + 9 = 19
        ("1: K3 S7 D+2 V20", 3, {}),
        ("1: S8 D+2 K4 V22", 1, {}),  # "evaluated when the trick is complete": led, S8 comes last, 8 + 10 + 4 = 22
        ("1: S8 D+2 K4 V23", 3, {}),
        ("1: D3 S4 M9 V16", 2, {"mid_knight": "replace:K"}),  # M is a hero in every respect: 3 + 4 + 9 = 16
        ("1: D3 S4 M9 V17", 3, {"mid_knight": "replace:K"}),
        ("1: D+2 S3 M9 V23", 0, {"mid_knight": "replace:K"}),  # D+2 is 9 + 2: 11 + 3 + 9 = 23
        ("1: D+2 S3 M9 V24", 3, {"mid_knight": "replace:K"}),
        ("1: D4 S6 Mhalf V20", 2, {"mid_knight": "replace:K"}),  # Mhalf is 10, the highest: 4 + 6 + 10 = 20
        ("1: D4 S6 Mhalf V21", 3, {"mid_knight": "replace:K"}),  # "Halves round down": again 20, not 21
        ("1: D+2 S3 Mhalf V24", 0, {"mid_knight": "replace:K"}),  # Mhalf 12, D+2 14, S3: 29; without Mhalf 5 + 3 + 12
        ("1: S5 D5 K6 M6 V10", 2, TEAM_UP),  # "Mid-Knight's value goes to the villain total": 16 and 10 + 6 = 16
        ("1: S5 D5 K6 M7 V10", 4, TEAM_UP),
        ("1: S5 D5 K6 Mhalf V11", 2, TEAM_UP),  # 16 and 11 + 5 (half of 11, rounded down) = 16
        ("1: S5 D5 K6 Mhalf V12", 4, TEAM_UP),  # 16 and 12 + 6 = 18
        ("1: S3 D+2 K4 M9 V8", 4, TEAM_UP),  # no hero for D+2, which is 6: 13 and 17 (with 11 it would be 18)
        ("1: S6 D+2 K4 M9 V9", 1, TEAM_UP),  # D+2 is 8: 6 + 8 + 4 = 18 and 9 + 9 = 18; D+2 is the highest, not M9
        ("1: S6 D5 K7 M9 V8", 2, TEAM_UP),  # 18 and 17: the highest hero is K7, not M9
        ("1: S6 D5 K5 T8 M5 V19", 3, TEAM_UP),  # 6 players: 24 and 24
        ("1: S6 D5 K5 T8 M6 V19", 5, TEAM_UP),
    ],
)
def test_totals(row, seat, options):
    """Ruling: "Hero total = sum of the hero cards' values … Heroes win if hero total ≥ villain total". Who is asked
    tells who won: the player of the highest hero card, or the villain's player."""
    assert run(row, **options).seat == seat


KID = "1: K0 S3 D3 V16"  # gives the lead to seat 0


@pytest.mark.parametrize(
    ("rows", "seat", "options"),
    [
        (["1: K7 S4 D7 V18"], 0, {}),  # order 1, 2, 3, 0: K7 after D7
        ([KID, "0: K7 S4 D7 V18"], 2, {}),  # order 0, 1, 2, 3: D7 after K7
        (["1: K6 S6 D6 V18"], 0, {}),
        ([KID, "0: K6 S6 D6 V18"], 2, {}),
        (["1: D3 S9 Mhalf V18"], 2, {"mid_knight": "replace:K"}),  # Mhalf is 9 too, and later
        (["1: D3 Mhalf S9 V18"], 2, {"mid_knight": "replace:K"}),  # now S9 is later
        (["1: S7 D7 K3 M3 V8"], 0, TEAM_UP),
    ],
)
def test_tie_for_the_highest_hero(rows, seat, options):
    """Ruling: "the player of the highest hero card (tie: the later played) wins the trick"."""
    assert run(*rows, **options).seat == seat


@pytest.mark.parametrize("choice", ["pass", "V18", "D7", "S5", "K6"])
def test_heroes_win_take_one_or_pass(choice):
    """Ruling: "may take one card of the trick, any card, or `pass`; the rest is discarded … It leads next". 18 to 18,
    seat 2."""
    row = "1: K6 S5 D7 V18"
    assert asked(run(row)) == (2, takes("K6 S5 D7 V18 pass"))
    check_lead(run(f"{row} | 2 {choice}"), 2, "", "", "" if choice == "pass" else choice, "")


# --- The villain wins ---


@pytest.mark.parametrize(
    ("row", "seat", "expected"),
    [
        # nothing, and S3 is left over: "Leftovers are discarded"
        ("1: K3 S3 D3 V20 | 3 pass | 0 V20 | 1 D3 | 2 K3", 3, ["V20", "D3", "K3", ""]),
        ("1: K3 S3 D3 V20 | 3 V20 pass | 0 S3 | 1 K3 | 2 D3", 3, ["S3", "K3", "D3", "V20"]),
        # two, "not asked again after the second"; nothing is left for seat 2: "while any is left"
        ("1: K3 S3 D3 V20 | 3 K3 S3 | 0 D3 | 1 V20", 3, ["D3", "V20", "", "K3 S3"]),
        # clockwise from the villain's player, wherever it sits and whoever led
        ("1: K3 V20 S3 D3 | 1 V20 pass | 2 K3 | 3 S3 | 0 D3", 1, ["D3", "V20", "K3", "S3"]),
        ("1: V20 K3 S3 D3 | 0 V20 pass | 1 K3 | 2 S3 | 3 D3", 0, ["V20", "K3", "S3", "D3"]),
        # 3 players: two taken, one card for the first of two heroes; then none taken
        ("1: D3 V20 S3 | 1 V20 D3 | 2 S3", 1, ["", "V20 D3", "S3"]),
        ("1: D3 V20 S3 | 1 pass | 2 V20 | 0 S3", 1, ["S3", "", "V20"]),
    ],
)
def test_villain_wins(row, seat, expected):
    """Ruling: "the villain's player may take 0, 1 or 2 cards …; then each hero player, clockwise from the villain's
    player, is *forced* to take one card of its choice from what is left, while any is left … The villain's player leads
    next"."""
    check_lead(run(row), seat, *expected)


def test_choices_when_the_villain_wins():
    """Ruling: "asked one at a time; `pass` stops"; a forced hero cannot pass, and one option "is still a decision"."""
    row = "1: K3 S3 D3 V20"
    assert asked(run(row)) == (3, takes("K3 S3 D3 V20 pass"))
    assert asked(run(f"{row} | 3 V20")) == (3, takes("K3 S3 D3 pass"))
    assert asked(run(f"{row} | 3 V20 S3")) == (0, takes("K3 D3"))
    assert asked(run(f"{row} | 3 V20 S3 | 0 K3")) == (1, takes("D3"))
    assert asked(run(f"{row} | 3 pass")) == (0, takes("K3 S3 D3 V20"))


def test_replacing_mid_knight_is_forced_like_a_hero():
    """Ruling: "M is then a hero suit in every respect": seat 2 with M3 is no optional taker; the villain's player is
    seat 3."""
    state = run("1: D3 S3 M3 V20 | 3 pass | 0 V20", mid_knight="replace:K")
    assert asked(state) == (1, takes("D3 S3 M3"))
    assert asked(state.apply("take:S3")) == (2, takes("D3 M3"))


@pytest.mark.parametrize(
    ("row", "seat", "expected"),
    [
        # V at 0, M at 3: heroes from 3 passing over 0: 4, 1, 2. 9 to 23
        ("1: V20 S3 D3 M3 K3 | 0 pass | 3 pass | 4 V20 | 1 M3 | 2 D3", 0, ["", "M3", "D3", "", "V20"]),
        ("1: V20 S3 D3 M3 K3 | 0 V20 pass | 3 S3 pass | 4 D3 | 1 M3 | 2 K3", 0, ["V20", "M3", "K3", "S3", "D3"]),
        ("1: V20 S3 D3 M3 K3 | 0 V20 S3 | 3 D3 M3 | 4 K3", 0, ["V20 S3", "", "", "D3 M3", "K3"]),
        ("1: V20 S3 D3 M3 K3 | 0 pass | 3 V20 M3 | 4 K3 | 1 S3 | 2 D3", 0, ["", "S3", "D3", "V20 M3", "K3"]),
        # V at 2, M at 4: 0, 1, 3
        ("1: S3 D3 V20 K3 M3 | 2 pass | 4 pass | 0 K3 | 1 S3 | 3 D3", 2, ["K3", "S3", "", "D3", ""]),
        # 6 players, V at 1, M at 5: 0, 2, 3, 4; 12 to 23
        ("1: S3 V20 D3 K3 T3 M3 | 1 pass | 5 pass | 0 T3 | 2 S3 | 3 D3 | 4 K3", 1, ["T3", "", "S3", "D3", "K3", ""]),
    ],
)
def test_villain_wins_in_team_up(row, seat, expected):
    """Ruling: "in `team_up` then Mid-Knight's player likewise; then each hero player … (in `team_up` from Mid-Knight's
    player, passing over the villain's) … The villain's player leads next"."""
    check_lead(run(row, **TEAM_UP), seat, *expected)


def test_choices_of_mid_knight_in_team_up():
    """Mid-Knight's player "likewise": 0, 1 or 2 cards of what is left, asked one at a time, then the heroes without
    `pass`."""
    row = "1: V20 S3 D3 M3 K3 | 0 V20 pass"
    assert asked(run(row, **TEAM_UP)) == (3, takes("S3 D3 M3 K3 pass"))
    assert asked(run(f"{row} | 3 M3", **TEAM_UP)) == (3, takes("S3 D3 K3 pass"))
    assert asked(run(f"{row} | 3 M3 D3", **TEAM_UP)) == (4, takes("S3 K3"))


# --- Doc Tock ---

TOCK = "1: K4 T10 V22 S4 D4 | 1 T10"  # 5 players, 4 + 10 + 4 + 4 = 22: seat 1 wins, takes T10 into its pile, leads


def test_doc_tock_stop_and_accept_as_a_hero():
    """Ruling: "a player about to be forced to take … who holds `T10` in its score pile is first asked `stop` or
    `accept`. `stop` discards the `T10` from the pile and the player takes nothing". Villain at 3, so 4, 0, 1, 2 are
    forced; 4 and 0 hold no T10 and are not asked. After `stop` seat 1 is not asked in the next trick, after `accept` it
    is."""
    row = "1: K3 T3 S3 V30 D3 | 3 pass | 4 V30 | 0 K3"
    assert asked(run(TOCK, row)) == (1, ["accept", "stop"])
    stop, accept = f"{row} | 1 stop | 2 T3", f"{row} | 1 accept T3 | 2 S3"
    check_lead(run(TOCK, stop), 3, "K3", "", "T3", "", "V30")
    check_lead(run(TOCK, accept), 3, "K3", "T10 T3", "S3", "", "V30")
    assert asked(run(TOCK, f"{row} | 1 accept")) == (1, takes("T3 S3 D3"))
    again = "3: K5 T4 S5 V31 D5 | 3 pass | 4 V31 | 0 K5"
    assert asked(run(TOCK, stop, again)) == (1, takes("T4 S5 D5"))
    assert asked(run(TOCK, accept, again)) == (1, ["accept", "stop"])


def test_doc_tock_leaves_the_cards_to_the_next():
    """Ruling: "The cards not taken stay for the next forced player": seat 3 takes two, 4 and 0 one each, one is left.
    With `accept` seat 1 takes it and seat 2 nothing; with `stop` seat 2 takes it."""
    row = "1: K3 T3 S3 V30 D3 | 3 V30 T3 | 4 K3 | 0 D3"
    check_lead(run(TOCK, f"{row} | 1 stop | 2 S3"), 3, "D3", "", "S3", "V30 T3", "K3")
    check_lead(run(TOCK, f"{row} | 1 accept S3"), 3, "D3", "T10 S3", "", "V30 T3", "K3")


def test_doc_tock_with_villain_infinity():
    """Ruling: "(in the `Vinf` case nothing at all of the trick: those cards are discarded)"; "that player leads next,
    whether it took them or not"; `accept` takes them all at once."""
    row = "1: K3 Vinf S3 D3 T3"
    assert asked(run(TOCK, row)) == (1, ["accept", "stop"])
    check_lead(run(TOCK, f"{row} | 1 stop"), 1, "", "", "", "", "")
    check_lead(run(TOCK, f"{row} | 1 accept"), 1, "", "T10 K3 S3 D3 T3", "", "", "")


def test_doc_tock_in_the_trick_does_not_count():
    """Ruling: "A `T10` in the trick itself does not count": 3 + 10 + 3 + 3 = 19 to 30; seat 1 played it, seat 4 takes
    it, and nobody is asked to stop."""
    row = "1: K3 T10 S3 V30 D3 | 3 pass | 4 T10 | 0 K3"
    assert asked(run(row)) == (1, takes("S3 D3 V30"))
    check_lead(run(f"{row} | 1 S3 | 2 D3"), 3, "K3", "S3", "D3", "", "T10")


def test_doc_tock_is_not_asked_when_nothing_is_left():
    """Ruling: "nobody is asked when nothing is left to take": villain at 2 takes two, 3, 4, 0 the other three; seat 1
    is last."""
    row = "1: K3 T3 V30 S3 D3 | 2 V30 K3 | 3 T3 | 4 S3 | 0 D3"
    check_lead(run(TOCK, row), 2, "D3", "T10", "V30 K3", "T3", "S3")


def test_doc_tock_is_for_forced_players_only():
    """Ruling: "a player about to be forced": the villain's player (12 to 30), the winning hero (8 + 9 + 4 + 3 = 24 to
    23) and in team_up Mid-Knight's player hold T10 and are not asked; there a forced hero is."""
    assert asked(run(TOCK, "1: K3 V30 S3 T3 D3")) == (1, takes("K3 V30 S3 T3 D3 pass"))
    check_lead(run(TOCK, "1: K3 V30 S3 T3 D3 | 1 V30 K3 | 2 S3 | 3 T3 | 4 D3"), 1, "", "T10 V30 K3", "S3", "T3", "D3")
    assert asked(run(TOCK, "1: K8 T9 V23 S4 D3")) == (1, takes("K8 T9 V23 S4 D3 pass"))
    tock = "1: S4 T10 V16 M3 D4 K4 | 1 T10"  # 6 players: 4 + 10 + 4 + 4 = 22 to 16 + 3
    state = run(tock, "1: S3 M4 D3 V28 K3 T3 | 3 pass", **TEAM_UP)
    assert asked(state) == (1, takes("S3 M4 D3 V28 K3 T3 pass"))
    state = run(tock, "1: S3 D3 M4 V28 K3 T3 | 3 pass | 2 pass | 4 V28 | 5 M4 | 0 S3", **TEAM_UP)
    assert asked(state) == (1, ["accept", "stop"])
