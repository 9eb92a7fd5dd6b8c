"""Bots by name and by path: their options, and what the errors say."""

from __future__ import annotations

import re
import sys

import pytest

import bots
from bots.bot import find, options_of

MY_BOTS = """
from bots.bot import configurable
from pydantic import Field

class First:
    def __init__(self, depth=1):
        self.depth = depth

    def act(self, info):
        return info.legal_names[0]

@configurable
class Checked:
    depth: int = Field(1, ge=1, le=9, description="how far it looks")

    def act(self, info):
        return info.legal_actions[0]
"""


@pytest.fixture
def my_bots(tmp_path, monkeypatch):
    """The name of a module of a user's bots that can be imported."""
    (tmp_path / "my_test_bots.py").write_text(MY_BOTS, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield "my_test_bots"
    sys.modules.pop("my_test_bots", None)


def refused(words, bot, **options):
    with pytest.raises(ValueError, match=words):
        bots.load(bot, **options)


@pytest.mark.parametrize("name", bots.names())
def test_every_built_in_bot_loads_without_options(name):
    assert callable(bots.load(name).act)


def test_the_bots_that_there_are():
    assert {"random", "rules", "ismcts"} <= set(bots.names())


# --- Errors ---


def test_an_unknown_bot_is_named_with_the_closest_one_and_all_that_there_are():
    refused("unknown bot 'ismct'; did you mean 'ismcts'", "ismct")
    refused(re.escape(f"known: {', '.join(bots.names())}"), "nobody")
    refused("expected 'package.module:Class' for your own", "my_bots.First")


def test_an_unknown_option_is_named_with_the_closest_one():
    refused("bot 'ismcts': unknown option 'iteration'; did you mean 'iterations'", "ismcts", iteration=5)
    refused("bot 'random': unknown option 'iterations'", "random", iterations=5)


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("iterations", 0, "greater than or equal to 1"),
        ("iterations", -5, "greater than or equal to 1"),
        ("iterations", 2.5, "integer"),
        ("iterations", "many", "integer"),
        ("milliseconds", 0, "greater than 0"),
        ("milliseconds", -1, "greater than 0"),
        ("milliseconds", float("nan"), ""),
        ("milliseconds", float("inf"), ""),  # the search would never end
        ("exploration", -0.1, "greater than or equal to 0"),
        ("playout", "hand", "'game' or 'deal'"),
        ("reward", "score", "'win_share', 'rank' or 'equity'"),
    ],
)
def test_a_value_out_of_range(option, value, words):
    refused(f"^bot 'ismcts': {option} = {re.escape(repr(value))}: .*{words}", "ismcts", **{option: value})


def test_both_budgets():
    refused("^bot 'ismcts': expected iterations or milliseconds, not both$", "ismcts", iterations=5, milliseconds=5)


def test_all_problems_are_named_at_once():
    with pytest.raises(ValueError, match="iterations = 0") as raised:
        bots.load("ismcts", iterations=0, playout="hand")
    assert "playout = 'hand'" in str(raised.value)


@pytest.mark.parametrize(
    "path", ["no.such.module:Bot", "json:NoSuchBot", "my_test_bots:Absent", ".x:Bot", "bots:names"]
)
def test_a_path_that_leads_nowhere(my_bots, path):
    refused(re.escape(f"bot {path!r}: expected 'package.module:Class' that can be imported"), path)


@pytest.mark.parametrize("path", ["json:", ":Bot", ":", ""])
def test_half_a_path(path):
    refused(f"unknown bot '{path}'.*expected 'package.module:Class' for your own", path)


# --- Options ---


def test_the_default_budget_of_a_search_is_1000_iterations():
    assert bots.load("ismcts").iterations == 1000
    assert bots.load("ismcts", iterations=7).iterations == 7
    assert bots.load("ismcts", milliseconds=5).iterations is None


@pytest.mark.parametrize("name", bots.names())
def test_every_option_has_a_default_and_a_meaning(name):
    for option, default, meaning in options_of(name):
        assert len(meaning) > 5
        if default is not None:
            assert bots.load(name, **{option: default})


def test_the_options_of_a_search():
    found = {option: default for option, default, _ in options_of("ismcts")}
    assert {"iterations", "milliseconds", "exploration", "playout", "reward"} <= set(found)
    assert found["iterations"] is found["milliseconds"] is None
    assert found["playout"] == "game"


# --- A user's own bots ---


def test_a_class_of_ones_own(my_bots):
    assert bots.load("my_test_bots:First").depth == 1
    assert bots.load("my_test_bots:First", depth=4).depth == 4
    assert find("my_test_bots:First").__name__ == "First"
    refused(
        "'my_test_bots:First' cannot be made with the options {'width': 4}: .*'width'", "my_test_bots:First", width=4
    )


def test_a_configurable_class_of_ones_own(my_bots):
    assert bots.load("my_test_bots:Checked", depth=9).depth == 9
    refused("unknown option 'dept'; did you mean 'depth'", "my_test_bots:Checked", dept=4)
    refused("depth = 10: .*less than or equal to 9", "my_test_bots:Checked", depth=10)
    assert options_of("my_test_bots:Checked") == [("depth", 1, "how far it looks")]
