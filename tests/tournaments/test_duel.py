"""`timetricks compare`: the verdict is a function of the config, however the blocks come in."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from tests.tournaments.experiments import RANDOM, content, experiment, play, read_json, timetricks, toml
from tournaments.compare import Sprt, block_score
from tournaments.config import ConfigError
from tournaments.duel import Duel, between
from tournaments.runner import Runner
from tournaments.schedule import Schedule
from tournaments.store import Store

RULES = {"name": "rules", "bot": "rules"}
COPY = {"name": "copy", "bot": "rules"}
WIDE = {"elo0": 0.0, "elo1": 150.0, "max_blocks": 40}


def two(new=RULES, old=RANDOM, **keys):
    keys = {"players": 4, "compare": WIDE} | keys
    return between(experiment(new, old, {"name": "third", "bot": "random"}, **keys), new["name"], old["name"])


def placings(results):
    return [(result.record["bots"], result.ranks) for result in results]


def told(duel):
    return duel.sprt.verdict, duel.sprt.num_blocks, duel.sprt.llr


def test_the_two_play_alone_and_for_as_many_blocks_as_the_test_may_take():
    config = two()
    blocks = list(islice(Schedule(config), 40))
    assert len(Schedule(config)) >= 40 == len(blocks)
    assert {frozenset(block.table) for block in blocks} == {frozenset({"rules", "random"})}
    assert all(block.table.count("rules") == 2 for block in blocks)


@pytest.mark.parametrize(("new", "old"), [("rules", "rules"), ("rules", "nobody"), ("rulez", "random")])
def test_two_bots_of_the_config_are_compared(new, old):
    with pytest.raises(ConfigError, match=r"itself|unknown bot"):
        between(experiment(RULES, RANDOM), new, old)


def test_the_order_in_which_blocks_come_does_not_matter():
    config = two()
    blocks = play(config)[:40]
    by_hand = Sprt(config.compare, 4)
    for results in blocks:
        by_hand.add(block_score(placings(results), "rules", "random"))
    assert by_hand.verdict == "better"
    assert by_hand.num_blocks < 40
    for seed in range(5):
        duel = Duel(config, "rules", "random")
        for results in random.Random(seed).sample(blocks, 40):
            duel.take(results[0].block, placings(results))
        assert told(duel) == (by_hand.verdict, by_hand.num_blocks, by_hand.llr)


def test_a_block_that_is_missing_holds_up_those_behind_it():
    config = two()
    duel = Duel(config, "rules", "random")
    for results in play(config)[1:40]:
        duel.take(results[0].block, placings(results))
    assert told(duel) == (None, 0, 0.0)


def test_stored_blocks_count_and_are_not_played_again(tmp_path):
    config = two()
    blocks = play(config)[:40]
    with Store.create_or_open(tmp_path, config) as store:
        store.add_blocks(blocks[3:8])
        duel = Duel(config, "rules", "random")
        left = list(duel.pending(store))
        assert [block.id for block in left] == [results[0].block for results in blocks[:3] + blocks[8:]]
        store.add_blocks(blocks[:3] + blocks[8:])
        again = Duel(config, "rules", "random")
        assert list(again.pending(store)) == []
    assert again.sprt.verdict == "better"


def test_a_bot_scores_half_of_every_block_against_its_own_copy():
    """Chance goes with the chair: all rotations are the same game, and each bot holds each seat's cards as often."""
    config = between(experiment(RULES, COPY, players=3, compare=WIDE), "rules", "copy")
    scores = {block_score(placings(results), "rules", "copy") for results in play(config)[:20]}
    assert scores == {0.5}


def test_no_block_is_begun_after_the_verdict():
    config = two()
    duel, runner = Duel(config, "rules", "random"), Runner(config, workers=0)
    played = 0
    for blocks in runner.play(islice(Schedule(config), 40)):
        for results in blocks:
            played += 1
            duel.take(results[0].block, placings(results))
        runner.stopping |= duel.sprt.verdict is not None
    assert played == duel.sprt.num_blocks < 40


def test_the_command_says_the_verdict_and_goes_on_where_it_was(tmp_path):
    file = tmp_path / "two.toml"
    file.write_text(toml(content(RULES, RANDOM, players=4)) + "[compare]\nelo1 = 150.0\nmax_blocks = 40\n")
    arguments = ("compare", "rules", "random", "--config", file, "--workers", 0)
    first = timetricks(*arguments, folder=tmp_path)
    assert first.returncode == 0, first.stderr
    assert "rules is better than random" in first.stdout
    again = timetricks(*arguments, "--json", folder=tmp_path)
    answer = read_json(again.stdout)
    assert "to play" not in again.stderr
    assert answer["verdict"] == "better"
    assert answer["blocks"] == int(first.stdout.split("after ")[1].split()[0])
    assert answer["elo"]["low"] > 0
    assert (tmp_path / "results" / "experiment-rules-random" / "games.sqlite").exists()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("rules", "rulez"), "did you mean 'rules'"),
        (("rules", "rules"), "compared with itself"),
        (("rules", "random", "--game", "chess"), "unknown game 'chess'"),
    ],
)
def test_a_wrong_argument_is_named(tmp_path, arguments, complaint):
    answer = timetricks("compare", *arguments, folder=tmp_path)
    assert answer.returncode == 2
    assert complaint in answer.stderr
    assert "Traceback" not in answer.stderr


def test_a_wrong_design_is_named(tmp_path):
    file = tmp_path / "two.toml"
    for line, complaint in (("elo2 = 3", "did you mean 'elo"), ("elo0 = 30", "expected elo0 below elo1")):
        file.write_text(toml(content(RULES, RANDOM)) + f"[compare]\n{line}\n")
        answer = timetricks("compare", "rules", "random", "--config", file, folder=tmp_path)
        assert answer.returncode == 2
        assert complaint in answer.stderr
