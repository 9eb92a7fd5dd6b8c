"""Daytime Minutes: hand-worked scenarios for scoring, the end of the game, the next hand and the plan.

The notation is that of test_daytime_minutes.py: ``"seat in front: cards by seat | caller's card"``.
"""

from itertools import chain

import pytest

from tests.engine.test_daytime_minutes import (
    ALL_LOSE,
    CALLER_1,
    CALLER_2,
    CALLER_3,
    PLANS,
    deck_for,
    facts,
    new,
    play,
    run,
)

# 0: 225, over. 1: 180 exactly. 2: 180 exactly. 3: 5+5 = 10, the fewest.
TWO_EXACT = [
    "0: F13 F14 F15 A1",  # 2 takes F 60+60+60
    "2: W13 W15 W14 A2",  # 1 takes W 60+60+60
    "1: F1 F4 F2 F3",  # Evening
    "1: A15 A12 A13 A14",  # 0 takes A 60+45+60+60
]


# --- Scoring a hand ---


def test_over_and_fewest_lose():
    """Ruling: "every seat that is over loses 1", "every candidate with the fewest minutes … loses 1".

    1: 60+60+60+45 = 225, over. 2: A 10. 3: F 10. 0: 0, fewest. Tokens 3-1, 3-1, 3, 3. Seat 0 starts, 1 chooses.
    `scores` before the end are the running tokens.
    """
    state = run(["0: F1 A1 A2 F2", "3: W13 W15 W14 W12"])
    assert state.scores == (2, 2, 3, 3)
    assert state.facts()["tokens"] == [2, 2, 3, 3]
    assert not state.is_terminal
    assert state.seat == 1
    assert state.apply("plan180").seat == 0


def test_ties_for_fewest_all_lose():
    """Ruling: "every candidate with the fewest minutes among them loses 1 (ties all lose)". 1, 2, 3 have 0."""
    assert run(ALL_LOSE).scores == (2, 2, 2, 2)


def test_exact_gains():
    """Ruling: "every seat with exactly the plan's minutes gains 1".

    0: 60+60+60+45 = 225. 1: 0. 2: 60+60+60 = 180. 3: 5.
    """
    assert run(["0: F13 F14 F15 A1", "2: A15 A14 A12 A13"]).scores == (2, 2, 4, 3)


def test_two_exact_seats_both_gain():
    """1 and 2 with exactly 180 gain 1; 0 is over and 3 has fewest, they lose 1."""
    assert run(TWO_EXACT).scores == (2, 4, 4, 2)


# 0: W12-15 225/54, over. 1: F2, F3 10/5. 2: A2, A1 10/3.
TIE_IN_MINUTES = ["0: F2 F3 A2 | A1", "1: W15 W14 W13 | W12"]


def test_caller_is_not_compared():
    """Ruling: "counts for no comparison". The caller has 0 minutes; 1 and 2 with 10 are the fewest all the same."""
    assert run(TIE_IN_MINUTES).scores == (2, 2, 2)


# 0: F13-15 180/42. 1: W13-15 180/42. 2: A1, A2 10/3. Nobody is over; 0 leads the fourth trick.
OVER_0_AND_1 = ["0: F15 F14 A1 | F13", "0: W14 W15 A2 | W13", "1: F8 F7 F3 | F2"]


def test_one_candidate_does_not_lose():
    """Ruling: "if there are two or more candidates". 0: F13-15, F1 185/43. 1: W13-15, A14, A3 245/59. 2: A1, A2 10.

    Both 0 and 1 get over in the fourth trick; seat 2 is the only candidate and keeps 3. It has the fewest "among all
    seats", so it starts; seat 1 chooses: over, "the highest total talk".
    """
    state = run([*OVER_0_AND_1, "0: F1 A14 A3 | W1"])
    assert state.scores == (2, 2, 3)
    assert state.seat == 1
    assert state.apply("plan180").seat == 2


# Everybody is over after the fourth trick, where each of the three suits is collected by another seat.
# 0: F15 F14 F12, F9 165+30 = 195/50. 1: W15 W14 W12, W9 195/50. 2: A14, A13, A15 A7 60+60+90 = 210/49.
EVERYBODY_OVER = ["0: F15 F14 A14 | F12", "0: W14 W15 A13 | W12", "1: F5 F3 F4 | F2", "0: F9 W9 A15 | A7"]


def test_everybody_over():
    """Ruling: "if everybody is over, each loses 1 and rule 2 has no candidates".

    Next start: fewest minutes 0 and 1 (195), talk tied, "the first tied seat clockwise from the present start player
    (itself first)": 0. Chooser: 0 and 1 tied in talk (50, more than 49) and minutes, "first clockwise from the new
    start player (itself first)": 0, though 2 has more minutes.
    """
    state = run(EVERYBODY_OVER, hold={2: "A1 A2 A3 A4 A5"})
    assert state.facts()["hand_number"] == 2
    assert state.facts()["shown_suits"] == [None] * 3  # seat 2 showed A; new hands
    assert state.scores == (2, 2, 2)
    assert state.seat == 0
    assert state.apply("plan180").seat == 0


def test_fewest_and_exact_nets_nothing():
    """Ruling: "(so a seat can be both fewest and exact: net 0)", "all changes at once".

    0: A1, A2, A12-15 235, over. 1: F13-15 180. 2: W13-15 180. Both candidates are fewest and exact.
    """
    rows = ["0: A1 F15 F14 | F13", "0: A2 W14 W15 | W13", "0: F4 F1 F3 | F2", "0: A15 A14 A13 | A12"]
    assert run(rows).scores == (2, 3, 3)


def test_last_token_lost_and_gained_at_once():
    """Tokens 3 2 2, then 3 1 1; then 1 and 2 are fewest and exact with their last token: 2 1 1, no end."""
    state = run(CALLER_1, CALLER_2, CALLER_3)
    assert state.scores == (2, 1, 1)
    assert not state.is_terminal


# --- The end of the game ---

# 0: 0, fewest. 1: F 10. 2: A 10. 3: W 225, over. Seat 0 starts the next hand, seat 3 chooses.
HAND_A = ["0: F1 F2 A2 A1", "1: W13 W12 W14 W15"]
# 0 and 2: 0, fewest. 1: F 10. 3: A 10, W 225, over.
HAND_B = ["0: F1 F2 A1 A2", "1: W13 W12 W14 W15"]


def test_game_end_with_shared_win():
    """Ruling: "after a hand in which any seat has 0 tokens; most tokens wins".

    Ties share rank and win, counted 1, 1, 3. Tokens:
    2 2 3 3 after the hand of test_over_and_fewest_lose, 1 2 3 2 after HAND_A, 0 2 2 1 after HAND_B.
    """
    first = ["0: F1 A1 A2 F2", "3: W13 W15 W14 W12"]
    hands = [first, ["1: plan180", *HAND_A], ["3: plan180", *HAND_B]]
    assert run(*hands[:2]).scores == (1, 2, 3, 2)
    assert not run(*hands[:2]).is_terminal
    state = run(*hands)
    assert state.scores == (0, 2, 2, 1)
    assert (state.is_terminal, state.seat, state.legal_actions, state.legal_names) == (True, None, (), ())
    assert state.ranks == (4, 1, 1, 3)
    assert state.returns == (0.0, 0.5, 0.5, 0.0)
    assert len(state.record()["decks"]) == 3  # "one deck for each deal that was made, no more"


def test_game_end_with_one_winner():
    """HAND_A: 2 3 3 2. HAND_A: 1 3 3 1. Then seat 3 is over once more, 0 and 2 fewest: 0 3 2 0."""
    state = run(HAND_A, ["3: plan180", *HAND_A], ["3: plan180", *HAND_B])
    assert state.is_terminal
    assert (state.scores, state.ranks, state.returns) == ((0, 3, 2, 0), (3, 1, 2, 3), (0.0, 1.0, 0.0, 0.0))


def test_game_end_all_tied():
    """Over and all the others fewest, three times: 0 0 0 0. Start: 0, then 1 (first after 0), then 2."""
    hands = [ALL_LOSE, ["0: plan180", "1: F12 F15 F14 F13"], ["1: plan180", "2: F12 F13 F15 F14"]]
    state = run(*hands)
    assert state.is_terminal
    assert (state.scores, state.ranks, state.returns) == ((0,) * 4, (1,) * 4, (0.25,) * 4)


def rotated(rows, by):
    """The same hand with every seat moved on by `by`."""
    result = []
    for row in rows:
        seat, names = row.split(": ")
        names = names.split()
        result.append(f"{(int(seat) + by) % 4}: {' '.join(names[-by:] + names[:-by])}")
    return result


def test_game_ends_after_100_hands():
    """Ruling: "the game also ends once 100 hands are scored".

    TWO_EXACT changes the tokens by -1 +1 +1 -1 from its start player on; the seat before the start player has fewest
    and starts next, and the start player, over, chooses. So 2 4 4 2, 3 5 3 1, 4 4 2 2, 3 3 3 3, and so on; hand 99 is
    the third of such a round, hand 100 the fourth.
    """
    hands = [TWO_EXACT]
    for number in range(1, 100):
        start = -number % 4
        hands.append([f"{(start + 1) % 4}: plan180", *rotated(TWO_EXACT, start)])
    state = new(*map(deck_for, hands))
    for hand, tokens in zip(hands[:4], [(2, 4, 4, 2), (3, 5, 3, 1), (4, 4, 2, 2), (3, 3, 3, 3)], strict=True):
        state = play(state, *hand)
        assert state.scores == tokens
    state = play(state, *chain(*hands[4:99]))
    assert (state.scores, state.is_terminal, state.facts()["hand_number"]) == ((4, 4, 2, 2), False, 100)
    state = play(state, *hands[99])
    assert (state.scores, state.is_terminal, state.seat) == ((3, 3, 3, 3), True, None)
    assert (state.ranks, state.returns) == ((1,) * 4, (0.25,) * 4)


# --- The next start player (it leads once the plan is chosen) ---


def start_after(*hands):
    return run(*hands).apply("plan180").seat


def test_start_fewest_minutes():
    """Ruling: "the fewest minutes among all seats": seat 3 with 10 in TWO_EXACT."""
    assert start_after(TWO_EXACT) == 3


def test_start_tie_lowest_talk():
    """Ruling: "tie → lowest total talk value collected": 2 with 3, not 1 with 5, though 1 is first clockwise."""
    assert start_after(TIE_IN_MINUTES) == 2


@pytest.mark.parametrize(
    ("hands", "start"),
    [
        ([ALL_LOSE], 1),  # present start 0, tied 1 2 3
        ([ALL_LOSE, ["0: plan180", "1: F15 F14 F13 F12"]], 1),  # present start 1, tied 1 2 3: itself first
        ([ALL_LOSE, ["0: plan180", "1: F14 F15 F13 F12"]], 2),  # present start 1, tied 0 2 3
        ([TWO_EXACT, ["0: plan180", "3: F14 F13 F15 F12"]], 3),  # present start 3, tied 0 1 3: itself first
        ([TWO_EXACT, ["0: plan180", "3: F14 F13 F12 F15"]], 0),  # present start 3, tied 0 1 2
    ],
)
def test_start_tie_first_clockwise(hands, start):
    """Ruling: "still tied → the first tied seat clockwise from the present start player (itself first)".

    In each last hand one seat takes 225 in the first trick; the others are tied with 0/0.
    """
    assert start_after(*hands) == start


# --- The chooser of the plan ---


@pytest.mark.parametrize(
    ("rows", "chooser", "start"),
    [
        # "the highest total talk collected", not minutes: 0 180+45/42+10 = 225/52; 1 180+30/42+11 = 210/53
        ([*OVER_0_AND_1, "0: F10 A6 A5 | W1"], 1, 2),
        # "still tied → more minutes": 0 F6 F4 180+30/42+10 = 210/52; 1 A10 180+45/42+10 = 225/52
        ([*OVER_0_AND_1, "0: F6 A10 F4 | W1"], 1, 2),
        # "still tied → first clockwise from the new start player": 0 F13-15, F10 F3 and 2 W13-15, A10 A3 have
        # 180+50/42+13 = 230/55; 1 has 10/3 and starts, from there 2 comes before 0
        (["0: F15 A1 F14 | F13", "0: W14 A2 W15 | W13", "2: F5 F1 F4 | F2", "0: F10 A3 A10 | F3"], 2, 1),
    ],
)
def test_chooser_among_two_over(rows, chooser, start):
    """Ruling: "among the seats that were over …".

    (Itself first: test_everybody_over. Nobody over: test_hand_ends_after_the_ninth_trick.)
    """
    state = run(rows)
    assert state.scores == tuple(3 if seat == start else 2 for seat in range(3))  # two over, one candidate
    assert state.seat == chooser
    assert state.apply("plan180").seat == start


def test_chooser_is_over():
    """Ruling: "among the seats that were over". 0: F13-15, F1 185/43, over. 1: 120+55/32+15 = 175/47. 2: 0. 3: 10/4."""
    state = run(["0: F15 F14 F13 W1", "0: W11 W12 W9 A3", "1: F2 F5 F4 F3", "1: F1 A12 A1 A2"])
    assert state.scores == (2, 3, 2, 3)
    assert state.seat == 0
    assert state.apply("plan180").seat == 2


# --- Choosing the plan ---


def test_plan_is_chosen_after_the_new_deal():
    """Ruling: "after the new deal and before the first lead, seeing only its own new hand"; "all four always legal".

    "While a plan is being chosen the hands are already dealt; the old plan is out of force."
    """
    second = deck_for(["1: F12 F15 F14 F13"])
    state = play(new(deck_for(ALL_LOSE), second), *ALL_LOSE)
    assert (state.seat, state.facts()["phase"], set(state.legal_names)) == (0, "plan", set(PLANS))
    assert [set(hand) for hand in state.facts()["hands"]] == [set(second[9 * p : 9 * p + 9]) for p in range(4)]
    for seat in range(4):
        seen = state.information_set(seat).facts()
        assert seen["hands"] == [state.facts()["hands"][p] if p == seat else ["?"] * 9 for p in range(4)]
        assert seen["plan"] is None
    assert state.facts()["plan"] is None
    for name in PLANS:
        after = state.apply(name)
        assert facts(after, "plan", "phase", "seat_to_move") == (int(name[4:]), "play", 1)
        assert set(after.legal_names) == set(second[9:18])


@pytest.mark.parametrize(
    ("plan", "rows"),
    [
        (150, ["1: F11 F13 F12 A1"]),  # 60+45+45
        (180, ["1: F13 F15 F14 A1"]),  # 60+60+60
        (210, ["1: F14 F15 F13 F9"]),  # 60+60+60+30
        (240, ["1: F14 F15 F13 A1", "1: A5 W15 A6 A7", "1: W2 W4 W1 W3"]),  # 60+60+60, 60, Evening
    ],
)
def test_chosen_plan_is_in_force(plan, rows):
    """With exactly the plan's minutes seat 1 is not over and the hand goes on; F1 makes 5 more and ends it."""
    rows = [f"0: plan{plan}", *rows]
    last = ["1: A2 F1 A3 A4"]
    state = play(new(deck_for(ALL_LOSE), deck_for(rows + last)), *ALL_LOSE, *rows)
    assert (state.facts()["hand_number"], state.facts()["minutes"][1]) == (2, plan)
    state = play(state, *last)
    assert facts(state, "hand_number", "phase", "plan") == (3, "plan", None)
