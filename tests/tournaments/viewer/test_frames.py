"""The frames of a game: the same facts as an independent replay, told in few bytes."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from tests.cases import every_case, random_game
from tests.tournaments.viewer.games import FOUR, recorded, states, undone
from tournaments.viewer.frames import compact, difference, frames


def without(facts, key):
    return {name: value for name, value in facts.items() if name != key}


def settled(found):
    """Those frames that show a state of the engine: not the ones between the end of a deal and the next deal."""
    return [frame for frame, after in zip(found, [*found[1:], None], strict=True) if after is None or after.action]


# --- The positions ---


@every_case()
def test_the_facts_of_every_frame_are_those_of_a_replay(game):
    *_, last = random_game(game, 1)
    record = last.record()
    found = list(frames(record))
    assert [frame.action for frame in found if frame.action] == record["actions"]
    assert len(found) == len(record["actions"]) + len(record["decks"])
    for frame, state in zip(settled(found), states(record), strict=True):
        assert frame.facts == state.facts()
        for seat, view in enumerate(frame.views):
            assert view == without(state.information_set(seat).facts(), "seat")


@pytest.mark.parametrize("name", FOUR)
def test_who_acted_and_what_others_cannot_know_yet(name):
    record = recorded(name, **FOUR[name])
    acted = [frame for frame in frames(record) if frame.action]
    before = list(states(record))
    for number, (frame, state) in enumerate(zip(acted, before[:-1], strict=True), 1):
        assert frame.seat == state.seat
        info = before[number].information_set((frame.seat + 1) % state.game.players)
        assert frame.is_secret == (info.history[number - 1] == (frame.seat, None))


def test_a_hand_of_daytime_minutes_can_be_seen_before_the_next_deal():
    """As the words of the event have it: 'seat 1: 195 of 180 minutes, over the plan: -1'."""
    record = recorded("daytime_minutes", players=4)
    found = list(frames(record))
    ends = [frame for frame, after in pairwise(found) if after.action is None]
    assert len(ends) == len(record["decks"]) - 1 > 1
    for frame in ends:
        assert frame.facts["seat_to_move"] is None
        said = [re.match(r"seat (\d): (\d+) of (\d+) minutes", line) for line in frame.events]
        minutes = {int(line[1]): int(line[2]) for line in said if line}
        assert frame.facts["minutes"] == [minutes[seat] for seat in range(4)]
        assert {int(line[3]) for line in said if line} == {frame.facts["plan"]}
        assert f"tokens {' '.join(map(str, frame.facts['tokens']))}" in frame.events
        for seat, view in enumerate(frame.views):
            assert view["hands"][seat] == frame.facts["hands"][seat]
            others = [view["hands"][other] for other in range(4) if other != seat]
            assert {card for hand in others for card in hand} <= {"?"}


def test_an_unfinished_game_has_frames_too():
    state = engine.load("trick_or_repeat").new(seed=1)
    assert [frame.facts for frame in frames(state.record())] == [state.facts()]


def test_a_wrong_record_is_refused():
    with pytest.raises(engine.RecordError, match="action 0"):
        list(frames(recorded("daytime_minutes") | {"actions": ["plan150"]}))


# --- Their JSON ---


@pytest.mark.parametrize("name", FOUR)
def test_every_frame_and_view_can_be_read_back_from_the_json(name):
    record = recorded(name, **FOUR[name])
    told = json.loads(json.dumps(compact(record)))
    facts, hiding = None, [{}] * record["players"]
    for number, (frame, (seat, action, is_secret, changes, events)) in enumerate(
        zip(frames(record), told["frames"], strict=True)
    ):
        facts = undone(facts, changes)
        assert facts == frame.facts
        assert (seat, action, bool(is_secret), tuple(events)) == (
            frame.seat, frame.action, frame.is_secret, frame.events
        )  # fmt: skip
        for who, view in enumerate(frame.views):
            hiding[who] = dict(told["views"][who]).get(number, hiding[who])
            assert undone(facts, hiding[who]) == view


@pytest.mark.parametrize("name", FOUR)
def test_the_json_is_far_smaller_than_the_facts(name):
    record = recorded(name, **FOUR[name])
    plain = [[frame.facts, frame.views] for frame in frames(record)]
    assert 7 * len(json.dumps(compact(record))) < len(json.dumps(plain))


def test_how_changes_are_told():
    assert difference({"a": 1, "b": 2}, {"a": 1, "b": 3}) == {"b": 3}
    assert difference(["F1", "F2", "F3"], ["F1", "F3"]) == [[1, 1]]
    assert difference(["F1", "F3"], ["F1", "F2", "F3", "F9"]) == [[2, 0, "F9"], [1, 0, "F2"]]
    assert difference([["F1", "F2"], ["W1"]], [["?", "?"], ["W1"]]) == {"0": "?"}
    assert difference({"a": 1}, None) == [None]
    assert difference(None, {"a": 1}) == {"a": 1}


scalars = st.none() | st.booleans() | st.integers(2, 5) | st.sampled_from(["?", "F1", "W2"])
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abc"), inner), max_leaves=12
)


@given(values, values)
def test_a_difference_makes_the_new_of_the_old(old, new):
    assert undone(old, json.loads(json.dumps(difference(old, new)))) == new
