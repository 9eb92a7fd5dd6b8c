"""Configs: what is accepted, and one line for everything that is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bots
from tests.tournaments.experiments import RANDOM, SEARCH, content, scripted, toml
from tests.tournaments.scripted_bots import Raises
from tournaments.config import Config, ConfigError, check, read


def complaint(path) -> str:
    """The message that `path` gets, which is one line that begins with the path."""
    with pytest.raises(ConfigError) as error:
        read(path)
    message = str(error.value)
    assert message.startswith(f"{path}: ")
    assert len(message.splitlines()) == 1
    return message


def with_games(*games):
    return content(RANDOM, games=list(games))


def with_bot(**entry):
    return content(RANDOM, {"name": "x", **entry})


MISTAKES = {
    # kind of mistake: (content of the file, what the message must hold)
    "unknown game": (
        with_games({"game": "daytime_minute"}),
        ["games[0]", "unknown game 'daytime_minute'", "did you mean 'daytime_minutes'?", "known: "],
    ),
    "second game unknown": (with_games({"game": "daytime_minutes"}, {"game": "chess"}), ["games[1]", "'chess'"]),
    "unknown option of a game": (
        with_games({"game": "daytime_minutes", "plans": 3}),
        ["games[0]", "unknown option 'plans'", "known: "],
    ),
    "an option of a game called name": (
        with_games({"game": "daytime_minutes", "name": "dm"}),
        ["games[0]", "unknown option 'name'", "known: "],
    ),
    "players out of range": (
        with_games({"game": "daytime_minutes", "players": 9}),
        ["games[0]", "players = 9", "expected an integer from 3 to 5"],
    ),
    "players of a wrong type": (
        with_games({"game": "daytime_minutes", "players": "4"}),
        ["games[0].players = '4'", "expected a valid integer"],
    ),
    "unknown bot": (
        with_bot(bot="ismct"),
        ["bots[1]", "unknown bot 'ismct'", "did you mean 'ismcts'?", "known: ", "'package.module:Class'"],
    ),
    "unknown option of a bot": (
        with_bot(bot="ismcts", iteration=20),
        ["bots[1]", "'ismcts'", "unknown option 'iteration'", "did you mean 'iterations'?"],
    ),
    "option of a bot out of range": (
        with_bot(bot="ismcts", iterations=0),
        ["bots[1]", "'ismcts'", "iterations = 0", "greater than or equal to 1"],
    ),
    "option of a bot of a wrong type": (
        with_bot(bot="ismcts", iterations="many"),
        ["bots[1]", "iterations = 'many'", "valid integer"],
    ),
    "options of a bot that exclude each other": (
        with_bot(bot="ismcts", iterations=20, milliseconds=5),
        ["bots[1]", "'ismcts'", "expected iterations or milliseconds, not both"],
    ),
    "option of an own bot": (with_bot(bot=scripted("First")["bot"], speed=3), ["bots[1]", "First", "speed"]),
    "unknown module of an own bot": (
        with_bot(bot="no_such_module:Bot"),
        ["bots[1]", "'no_such_module:Bot'", "expected 'package.module:Class'"],
    ),
    "unknown class of an own bot": (
        with_bot(bot=scripted("Nobody")["bot"]),
        ["bots[1]", "Nobody", "expected 'package.module:Class'"],
    ),
    "own bot without a module": (with_bot(bot=":Bot"), ["bots[1]", "':Bot'", "expected 'package.module:Class'"]),
    "own bot of a relative module": (
        with_bot(bot=".own:Bot"),
        ["bots[1]", "'.own:Bot'", "expected 'package.module:Class'"],
    ),
    "own bot that is no class": (with_bot(bot="os:path"), ["bots[1]", "'os:path'", "expected"]),
    "own bot that raises when made": (with_bot(bot=scripted("RaisesWhenMade")["bot"]), ["bots[1]", "not today"]),
    "own bot that exits when made": (with_bot(bot=scripted("ExitsWhenMade")["bot"]), ["bots[1]", "SystemExit"]),
    "unknown key": (content(RANDOM, sede=1), ["unknown key 'sede'", "did you mean 'seed'?", "known: "]),
    "value out of range": (content(RANDOM, seed=-1), ["seed = -1", "expected greater than or equal to 0"]),
    "no blocks": (content(RANDOM, blocks_per_table=0), ["blocks_per_table = 0", "expected greater than or equal to 1"]),
    "wrong type": (content(RANDOM, seed="1"), ["seed = '1'", "expected a valid integer"]),
    "truth value as a number": (content(RANDOM, seed=True), ["seed = True", "expected a valid integer"]),
    "unknown schedule": (content(RANDOM, schedule="swiss"), ["schedule = 'swiss'", "expected 'all_tables'"]),
    "name that is no file name": (content(RANDOM, name="a/b"), ["name = 'a/b'"]),
    "neither bot nor command": (content({"name": "x"}), ["bots[0]", "expected one of the keys bot and command"]),
    "both bot and command": (
        with_bot(bot="random", command=["true"]),
        ["bots[1]", "expected one of the keys bot and command"],
    ),
    "empty command": (with_bot(command=[]), ["bots[1].command = []"]),
    "command that is no list": (with_bot(command="true"), ["bots[1].command = 'true'", "valid list"]),
    "command that is not there": (with_bot(command=["no-such-program"]), ["bots[1]", "no-such-program"]),
    "command that ends at once": (with_bot(command=["true"]), ["bots[1]", "ended with exit code 0"]),
    "unknown limit": (
        with_bot(bot="random", limits={"millisecond": 5}),
        ["bots[1].limits: unknown key 'millisecond'", "did you mean 'milliseconds'?"],
    ),
    "limit out of range": (
        with_bot(bot="random", limits={"milliseconds": 0}),
        ["bots[1].limits.milliseconds = 0", "expected greater than 0"],
    ),
    "soft limit above the hard one": (
        with_bot(bot="random", limits={"milliseconds": 20, "hard_milliseconds": 10}),
        ["bots[1].limits", "expected milliseconds of at most hard_milliseconds, 10"],
    ),
    "missing name": (content({"bot": "random"}), ["bots[0].name is missing"]),
    "two mistakes": (content({"name": "x"}, seed=-1), ["seed = -1", "bots[0]: expected one of"]),
    "duplicate bot": (content(RANDOM, SEARCH, RANDOM), ["bots", "'random'", "expected different ones"]),
    "duplicate game": (
        with_games({"game": "daytime_minutes"}, {"game": "daytime_minutes", "players": 4}),
        ["games", "'daytime_minutes/4'", "expected different ones"],
    ),
    "unknown anchor": (
        content(RANDOM, SEARCH, anchor="serch"),
        ["anchor", "unknown bot 'serch'", "did you mean 'search'?", "known: random, search"],
    ),
}


@pytest.mark.parametrize(("wrong", "said"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_one_line_with_file_key_value_and_what_was_expected(tmp_path, wrong, said):
    path = tmp_path / "experiment.toml"
    path.write_text(toml(wrong))
    message = complaint(path)
    assert [words for words in said if words not in message] == []


@pytest.mark.parametrize("key", ["name", "games", "bots"])
def test_a_key_that_must_be_there_is_named(tmp_path, key):
    path = tmp_path / "experiment.toml"
    path.write_text(toml({k: value for k, value in content(RANDOM).items() if k != key}))
    assert f"{key} is missing; expected" in complaint(path)


@pytest.mark.parametrize("key", ["games", "bots"])
def test_an_empty_list_is_refused(tmp_path, key):
    path = tmp_path / "experiment.toml"
    path.write_text(f"{key} = []\n" + toml({k: value for k, value in content(RANDOM).items() if k != key}))
    assert f"{key} = []" in complaint(path)


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    assert "expected a TOML file" in complaint(tmp_path / "missing.toml")
    assert "expected a TOML file" in complaint(tmp_path)


@pytest.mark.parametrize("text", [b"name = ", b"name = 'x'\nname = 'y'", b"\xff\xfe", b"[[bots]\n"])
def test_a_file_that_is_no_toml_is_named(tmp_path, text):
    path = tmp_path / "broken.toml"
    path.write_bytes(text)
    assert "no valid TOML" in complaint(path)


def test_an_own_bot_whose_source_is_wrong_is_a_mistake_of_the_user(tmp_path, monkeypatch):
    (tmp_path / "bot_with_wrong_source.py").write_text("class Bot(\n")
    monkeypatch.syspath_prepend(tmp_path)
    path = tmp_path / "experiment.toml"
    path.write_text(toml(with_bot(bot="bot_with_wrong_source:Bot")))
    message = complaint(path)
    assert "bots[1]" in message
    assert "bot_with_wrong_source:Bot" in message


def test_a_good_file_with_defaults(tmp_path):
    path = tmp_path / "experiment.toml"
    path.write_text('name = "x"\n[[games]]\ngame = "daytime_minutes"\n[[bots]]\nname = "a"\nbot = "random"\n')
    config = read(path)
    assert (config.seed, config.schedule, config.anchor) == (0, "all_tables", None)
    assert config.blocks_per_table >= 1
    assert config.games[0].load().players == 4  # the game's own default, RULES.md 1
    assert config.bot_names == ["a"]


def test_options_reach_the_bots():
    config = check(content(SEARCH, scripted("Raises", at=5)), "test")
    assert config.bot("search").load() == bots.load("ismcts", iterations=20)
    own = config.bot("bad").load()
    assert isinstance(own, Raises)
    assert own.at == 5


KEYS = st.fixed_dictionaries(
    {"seed": st.integers(0, 2**63), "blocks_per_table": st.integers(1, 9), "anchor": st.sampled_from(["random", None])}
)


@given(KEYS, st.randoms(use_true_random=False))
def test_equal_configs_have_equal_hashes_in_any_order_of_keys(keys, chance):
    def shuffled(table):
        return dict(chance.sample(list(table.items()), len(table)))

    plain = content(RANDOM, SEARCH | {"exploration": 0.5}, **keys)
    first = check(plain, "one")
    entries = {key: [shuffled(entry) for entry in plain[key]] for key in ("games", "bots")}
    assert check(shuffled(plain | entries), "other").hash == first.hash
    assert Config.model_validate_json(first.canonical_json) == first


@given(KEYS, KEYS)
def test_different_configs_have_different_hashes(one, other):
    first, second = check(content(RANDOM, **one), ""), check(content(RANDOM, **other), "")
    assert (first.hash == second.hash) == (one == other)


def test_every_part_of_a_config_counts_in_its_hash():
    variants = [
        content(RANDOM, SEARCH),
        content(SEARCH, RANDOM),
        content(RANDOM, SEARCH | {"iterations": 21}),
        content(RANDOM, SEARCH | {"name": "other"}),
        content(RANDOM, SEARCH, players=4),
        content(RANDOM, SEARCH, name="other"),
    ]
    assert len({check(variant, "").hash for variant in variants}) == len(variants)


def test_a_default_that_is_spelt_out_changes_nothing():
    plain = check(content(RANDOM, limits={}), "").hash
    assert check(content(RANDOM, seed=0, schedule="all_tables"), "").hash == plain
    assert check(content(RANDOM, limits={"hard_milliseconds": 60_000, "start_seconds": 60.0}), "").hash == plain


def test_limits_of_its_own_seat_a_built_in_bot_in_a_process_of_its_own():
    config = check(content(RANDOM, SEARCH | {"limits": {}}, scripted("Raises"), limits={"start_seconds": 50}), "test")
    assert {entry.name: entry.plays_apart for entry in config.bots} == {"random": False, "search": True, "bad": True}
