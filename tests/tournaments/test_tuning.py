"""Configs of searches: which numbers are tuned, from where, and one line for every mistake."""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import pytest

import engine
from bots.rule_based import policy_of
from tests.tournaments.tunings import EPSILON, EXPLORATION, GAME, ISMCTS, RULES, text, tuning, write
from tournaments.config import BotEntry, ConfigError
from tournaments.tuning import Tunable, as_toml, read

CONFIGS = Path(__file__).parents[2] / "configs"
OWN = '[bot]\nbot = "tests.tournaments.scripted_bots:First"'
FEATURES = policy_of(engine.load("daytime_minutes")).WEIGHTS


def parameters(*lines: str) -> str:
    return "\n".join(["[parameters]", *lines])


def tunable(tmp_path, *tables, **keys) -> Tunable:
    return Tunable(tuning(tmp_path, *tables, **keys))


def test_a_star_stands_for_all_weights_of_the_game(tmp_path):
    made = tunable(tmp_path, GAME, RULES, parameters('"weights.*" = {}'))
    assert made.paths == [f"weights.{name}" for name in FEATURES]
    assert made.space.start.tolist() == list(FEATURES.values())
    assert not made.space.is_integer.any()


@pytest.mark.parametrize("key", ["weights.{}", '"weights.{}"'])
def test_a_range_of_its_own_goes_before_the_star(tmp_path, key):
    first = next(iter(FEATURES))
    ranges = parameters('"weights.*" = {spread = 2}', f"{key.format(first)} = {{start = 3, spread = 7, low = -1.5}}")
    made = tunable(tmp_path, GAME, RULES, ranges)
    assert sorted(made.paths) == sorted(f"weights.{name}" for name in FEATURES)
    place = made.paths.index(f"weights.{first}")
    assert (made.space.start[place], made.space.spread[place], made.space.low[place]) == (3.0, 7.0, -1.5)
    assert not made.space.is_integer[place]  # a weight is none, though the start is written as one


def test_starts_are_what_the_bot_has(tmp_path):
    weights = "\n".join(["[bot.weights]", *(f"{name} = 6" for name in FEATURES)])
    made = tunable(tmp_path, GAME, RULES, weights, parameters('"weights.*" = {}', "epsilon = {low = 0, high = 1}"))
    assert made.space.start.tolist() == [*(6.0 for _ in FEATURES), 0.0]
    assert made.space.spread.tolist() == [*(3.0 for _ in FEATURES), 1.0]  # half of the start, 1 where it is 0
    assert made.space.is_integer.tolist() == [False] * (len(FEATURES) + 1)


def test_integers_are_tuned_as_integers(tmp_path):
    made = tunable(tmp_path, GAME, ISMCTS, parameters("iterations = {spread = 3, low = 1}", "exploration = {low = 0}"))
    assert made.space.start.tolist() == [5, 0.7]
    assert made.space.is_integer.tolist() == [True, False]
    entry = made.entry(made.space.admitted(np.array([6.7, 0.25])))
    assert entry.model_extra == {"iterations": 7, "exploration": 0.25}
    assert isinstance(entry.model_extra["iterations"], int)
    assert made.entry(made.space.admitted(np.array([-3.0, -1.0]))).model_extra == {"iterations": 1, "exploration": 0}


def test_an_option_of_an_own_bot_needs_a_start_only(tmp_path):
    made = tunable(tmp_path, GAME, OWN, parameters("at = {start = 4}"))
    assert made.values(made.space.start) == {"at": 4}


MISTAKES = {
    # kind of mistake: (text of the file, what the message must hold)
    "unknown key": (text(GAME, RULES, EPSILON, step=3), ["unknown key 'step'", "did you mean 'steps'?"]),
    "unknown key of a parameter": (
        text(GAME, RULES, parameters("epsilon = {sprad = 1}")),
        ["parameters.epsilon: unknown key 'sprad'", "did you mean 'spread'?", "low"],
    ),
    "unknown method": (text(GAME, RULES, EPSILON, method='"anneal"'), ["method = 'anneal'", "cross_entropy", "spsa"]),
    "no parameters": (text(GAME, RULES), ["parameters is missing"]),
    "no steps": (text(GAME, RULES, EPSILON, steps=0), ["steps = 0", "expected"]),
    "one held-out block": (text(GAME, RULES, EPSILON, holdout_blocks=1), ["holdout_blocks = 1", "expected"]),
    "odd pairs": (text(GAME, RULES, EPSILON, method='"spsa"', population=5), ["population = 5: expected an even"]),
    "elite of spsa": (text(GAME, RULES, EPSILON, method='"spsa"', elite=0.5), ["elite = 0.5", "'cross_entropy'"]),
    "everybody the elite": (
        text(GAME, RULES, EPSILON, population=2),
        ["population = 2: expected more", "elite = 0.25"],
    ),
    "unknown game": (text(GAME.replace("utes", "ute"), RULES, EPSILON), ["game: unknown game 'daytime_minute'"]),
    "unknown bot": (text(GAME, '[bot]\nbot = "rule"', EPSILON), ["bot: unknown bot 'rule'", "did you mean 'rules'?"]),
    "unknown option of the bot": (text(GAME, RULES + "\nepsilom = 1", EPSILON), ["bot: ", "'epsilom'", "'epsilon'?"]),
    "unknown opponent": (
        text(GAME, RULES, EPSILON, '[[opponents]]\nbot = "random"\n[[opponents]]\nbot = "rule"'),
        ["opponents[1]: unknown bot 'rule'"],
    ),
    "unknown parameter": (
        text(GAME, RULES, parameters("epsilom = {}")),
        ["parameters: epsilom: unknown option 'epsilom'", "did you mean 'epsilon'?"],
    ),
    "unknown weight": (text(GAME, RULES, parameters("weights.none = {}")), ["weights.none: unknown", "known: "]),
    "unknown weight of the bot": (text(GAME, RULES, "[bot.weights]\nnone = 1.0", EPSILON), ["unknown feature 'none'"]),
    "star of no table": (text(GAME, RULES, parameters('"epsilon.*" = {}')), ["epsilon.*", "expected a table", "0.0"]),
    "inside no table": (text(GAME, RULES, parameters("epsilon.x = {}")), ["epsilon.x: ", "expected a table", "0.0"]),
    "no number": (text(GAME, ISMCTS, parameters("reward = {}")), ["reward: start is missing", "'win_share' is none"]),
    "no start": (text(GAME, OWN, parameters("at = {spread = 1}")), ["at: start is missing; expected a number"]),
    "start of a wrong type": (
        text(GAME, RULES, parameters('epsilon = {start = "a"}')),
        ["epsilon.start: 'a'", "number"],
    ),
    "start that is a truth": (
        text(GAME, RULES, parameters("epsilon = {start = true}")),
        ["epsilon.start: True", "num"],
    ),
    "start that is endless": (
        text(GAME, RULES, parameters("epsilon = {start = inf}")),
        ["epsilon.start: inf", "number"],
    ),
    "start beyond all floats": (
        text(GAME, RULES, parameters(f"epsilon = {{start = {10**400}}}")),
        ["epsilon.start: 10000", "expected a number up to 1e+15"],
    ),
    "no spread": (text(GAME, RULES, parameters("epsilon = {spread = 0}")), ["spread = 0; expected more than 0"]),
    "bounds the wrong way round": (
        text(GAME, RULES, parameters("epsilon = {low = 1, high = 0.5}")),
        ["parameters.epsilon: low = 1 and high = 0.5; expected low below high"],
    ),
    "start out of bounds": (
        text(GAME, RULES, parameters("epsilon = {start = 0.5, low = 0.6, high = 1}")),
        ["epsilon: start = 0.5 and low = 0.6; expected a start within the bounds"],
    ),
    "half an integer": (text(GAME, ISMCTS, parameters("iterations = {low = 1.5}")), ["low = 1.5; expected an integer"]),
    "a bound that the bot refuses": (
        text(GAME, RULES, parameters("epsilon = {low = 0, high = 1.5}")),
        ["epsilon: high: ", "epsilon = 1.5: expected"],
    ),
    "a bound that the bot needs": (
        text(GAME, ISMCTS, parameters("exploration = {spread = 0.1}")),
        ["exploration: low is missing: ", "expected"],
    ),
    "a start that the bot refuses": (
        text(GAME, RULES, parameters("epsilon = {start = 2.0}")),
        ["parameters: bot 'rules': epsilon = 2.0: expected"],
    ),
    "a parameter that is no table": (text(GAME, RULES, parameters("epsilon = 3")), ["parameters.epsilon = 3"]),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_gets_one_line(tmp_path, mistake):
    content, needles = MISTAKES[mistake]
    path = tmp_path / "tuning.toml"
    path.write_text(content)
    with pytest.raises(ConfigError) as error:
        read(path)
    message = str(error.value)
    assert message.startswith(f"{path}: ")
    assert len(message.splitlines()) == 1
    assert [needle for needle in needles if needle not in message] == [], message


def test_the_example_is_sound():
    assert Tunable(read(CONFIGS / "tune.toml")).paths


def test_a_bot_written_down_is_the_bot_read():
    entry = BotEntry.model_validate(
        {
            "name": 'a "quoted" \\ näme',
            "bot": "my_bots:Careful",
            "limits": {"milliseconds": 20.0, "hard_milliseconds": 1e18},
            "depth": 3,
            "rate": 1e-07,
            "is_bold": True,
            "ladder": [1, 2.5, {"a": "b"}],
            "weights": {"long run": 1.0, "nested": {"x": -2.0}},
        }
    )
    (read_back,) = tomllib.loads(as_toml(entry, "in two\nlines"))["bots"]
    assert BotEntry.model_validate(read_back) == entry


def test_exploration_is_tunable(tmp_path):
    assert tunable(tmp_path, GAME, ISMCTS, EXPLORATION).values(np.array([0.5])) == {"exploration": 0.5}


def test_the_file_must_be_there(tmp_path):
    with pytest.raises(ConfigError, match="expected a TOML file"):
        read(write(tmp_path, GAME).with_name("other.toml"))
