"""Game records: good ones replay, and whatever is changed in one is found and named."""

from __future__ import annotations

import json

import pytest

import engine
from engine.record import RecordError, read
from tests.cases import every_case, random_game

KEYS = ("format", "game", "players", "options", "seed", "decks", "actions", "scores", "ranks", "returns")


def whole_game(game, seed=3):
    *_, last = random_game(game, seed)
    return last.record()


@pytest.fixture
def record():
    """A whole game of Daytime Minutes of at least three deals, as a file would hold it."""
    made = json.loads(json.dumps(whole_game(engine.load("daytime_minutes"))))
    assert len(made["decks"]) >= 3
    return made


def refused(record, words):
    with pytest.raises(RecordError, match=words):
        engine.replay(record)


# --- Good records ---


@every_case()
def test_a_record_replays_from_json_to_the_same_state(game):
    for state in list(random_game(game, 5))[::7]:
        record = json.loads(json.dumps(state.record()))
        assert engine.replay(record).record() == record
        assert engine.replay(record).records.tobytes() == state.records.tobytes()


@every_case()
def test_a_record_holds_what_the_format_says(game):
    record = whole_game(game)
    assert set(record) == {*KEYS, "bots"}
    assert (record["format"], record["game"], record["players"]) == ("timetricks/1", game.name, game.players)
    assert (record["options"], record["seed"], record["bots"]) == (game.options, 3, None)
    assert set(record["actions"]) <= set(game.actions)


def test_bots_and_further_keys_do_not_matter(record):
    assert engine.replay(record | {"bots": ["a", "b", "a", "b"], "id": 7}).record() == record


def test_the_decks_are_enough(record):
    """Explicit decks overrule the seed, so that anybody can check a record who cannot shuffle as we do."""
    assert engine.replay(record | {"seed": None}).scores == tuple(record["scores"])
    assert engine.replay(record | {"seed": 12345}).scores == tuple(record["scores"])


# --- Tampering ---


@pytest.mark.parametrize("key", KEYS)
def test_a_missing_key(record, key):
    del record[key]
    refused(record, f"lacks {key}$")


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("format", "timetricks/2", "format 'timetricks/2': expected 'timetricks/1'"),
        ("format", None, "format None: expected 'timetricks/1'"),
        ("game", "daytime_hours", "unknown game 'daytime_hours'; did you mean 'daytime_minutes'"),
        ("players", 6, "players = 6: expected an integer from 3 to 5"),
        ("options", {"colour": "red"}, "unknown option 'colour'"),
        ("seed", -1, "seed = -1: expected an integer from 0 to"),
        ("decks", [], "the record holds no deck"),
        ("bots", ["a", "b", "c"], r"bots \['a', 'b', 'c'\]: expected null or 4 names"),
        ("bots", [1, 2, 3, 4], r"bots \[1, 2, 3, 4\]: expected null or 4 names"),
    ],
)
def test_a_wrong_value(record, key, value, words):
    record[key] = value
    refused(record, words)


@pytest.mark.parametrize("key", [key for key in KEYS if key != "format"])
def test_a_value_of_the_wrong_kind(record, key):
    for value in (7.5, "x", {"a": 1}, [[1]], True):
        record[key] = value
        refused(record, key.removesuffix("s"))


def test_another_number_of_players(record):
    record["players"] = 5
    refused(record, r"action \d+: .*not legal for|action \d+: .*is not legal")


def test_an_illegal_action(record):
    record["actions"][0], expected = "plan150", record["decks"][0][0]
    refused(record, rf"^action 0: action 45 \(plan150\) is not legal; legal for seat 0: .*{expected}")


def test_an_unknown_action(record):
    record["actions"][5] = "F0"
    refused(record, "^action 5: unknown action 'F0'")


def test_an_action_by_id_instead_of_its_name(record):
    """The ids are this program's; somebody else's referee knows names alone."""
    record["actions"][0] = engine.load("daytime_minutes").actions.index(record["actions"][0])
    refused(record, "^actions: expected names")


def test_a_card_played_twice(record):
    record["actions"][4] = record["actions"][0]
    refused(record, "^action 4: .*is not legal")


def test_an_action_after_the_end(record):
    record["actions"].append("F1")
    refused(record, f"^action {len(record['actions']) - 1}: .*the game is over")


def test_the_last_action_missing(record):
    record["actions"].pop()
    refused(record, "expected")


def test_decks_exchanged(record):
    record["decks"][0], record["decks"][1] = record["decks"][1], record["decks"][0]
    refused(record, r"^action \d+: ")


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_deck_with_a_wrong_card(record, number):
    deck = record["decks"][number]
    deck[0], missing = deck[1], deck[0]
    refused(record, rf"deck {number}: .* lacks {missing} and has too many {deck[1]}$")


@pytest.mark.parametrize("number", [0, 1])
def test_a_deck_that_is_no_list_of_names(record, number):
    for deck in (None, 7, "F1", list(range(45))):
        record["decks"][number] = deck
        refused(record, f"deck {number}")


def test_the_last_deck_missing_though_the_seed_gives_it_again(record):
    assert record["seed"] is not None
    count = len(record["decks"])
    record["decks"].pop()
    refused(record, f"^{count - 1} decks: expected {count}, one for each deal that was made$")


def test_a_deck_too_many(record):
    count = len(record["decks"])
    record["decks"].append(record["decks"][0])
    refused(record, f"^{count + 1} decks: expected {count}, one for each deal that was made$")


@pytest.mark.parametrize("key", ["scores", "ranks", "returns"])
def test_a_changed_result(record, key):
    right = list(record[key])
    for wrong in ([right[0] + 1, *right[1:]], right[:-1], [*right, 0], []):
        record[key] = wrong
        with pytest.raises(RecordError) as raised:
            engine.replay(record)
        assert str(raised.value) == f"{key} {wrong}: expected {right}"


# --- Files ---


def test_a_file_is_read_line_by_line(tmp_path, record):
    path = tmp_path / "games.jsonl"
    path.write_text(f"{json.dumps(record)}\n[1, 2]\n\n{{oops\n{json.dumps(record)}\n", encoding="utf-8")
    lines = dict(read(path))
    assert list(lines) == [1, 2, 4, 5]  # a blank line is none
    assert lines[1] == lines[5] == record
    for number in (2, 4):
        assert isinstance(lines[number], RecordError)
        assert "expected one JSON object" in str(lines[number])


def test_a_line_that_is_no_text_is_reported_like_any_other(tmp_path, record):
    path = tmp_path / "games.jsonl"
    path.write_bytes(b'{"a": "\xff"}\n' + json.dumps(record).encode() + b"\n")
    lines = dict(read(path))
    assert isinstance(lines[1], RecordError)
    assert lines[2] == record
