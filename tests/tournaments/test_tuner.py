"""A search goes on where it was stopped, improves what is bad, and says no more of it than fresh deals show."""

from __future__ import annotations

import json
import os
import signal
import tomllib
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
import ray
from typer.testing import CliRunner

import engine
from bots import arena
from bots.rule_based import policy_of
from tests.tournaments.experiments import read_json
from tests.tournaments.tunings import EPSILON, EXPLORATION, GAME, ISMCTS, RULES, tuning, write
from tournaments.cli import app
from tournaments.config import Config
from tournaments.evaluators import AnyGames, CompiledGames, Job, evaluator
from tournaments.tuner import LOG_NAME, Log, Tuner, TuningError, interval
from tournaments.tuning import UnnamedBot

FEATURES = policy_of(engine.load("daytime_minutes")).WEIGHTS
WRONG = {name: -weight for name, weight in FEATURES.items()}
PERVERSE = UnnamedBot(bot="rules", weights=WRONG)  # plays what looks worst
CHANCE = '[[opponents]]\nbot = "random"'


def run(*arguments) -> str:
    """What `timetricks tune` prints that ends well."""
    result = CliRunner().invoke(app, ["tune", *map(str, arguments)])
    assert result.exit_code == 0, result.output
    return result.stdout


def log_of(folder: Path) -> list[dict]:
    """The steps in the log of a search."""
    return [json.loads(line) for line in (folder / LOG_NAME).read_text().splitlines()][1:]


def found(tmp_path, *tables, **keys) -> Tuner:
    """A search that has made all its steps."""
    config = tuning(tmp_path, *tables, **keys)
    with evaluator(config, workers=0) as games:
        tuner = Tuner(config, games)
        for _ in range(config.steps):
            tuner.step()
    return tuner


# --- Values ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4])
def test_compiled_games_are_those_of_a_tournament(tmp_path, players):
    """Bots without chance return the same in compiled code as in a tournament, member by member, block by block."""
    game = GAME.replace("3", str(players))
    config = tuning(tmp_path, game, RULES, EPSILON)
    rules = UnnamedBot(bot="rules")
    jobs = [
        Job((PERVERSE, *[rules] * (players - 1)), np.arange(4)),
        Job((rules, PERVERSE, PERVERSE, rules)[:players], np.arange(4, 6)),
        Job((rules,) * players, np.arange(0)),
    ]
    loaded = config.game.load()
    compiled = CompiledGames(loaded).returns("test", jobs)
    any_games = AnyGames(config, loaded, workers=0, ray_address=None)
    for one, other in zip(compiled, any_games.returns("test", jobs), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)
    assert compiled[0].sum(axis=1) == pytest.approx(1.0)
    assert compiled[0].std() > 0.1
    assert any_games.games == 6 * players


def test_policies_are_compiled_and_nothing_else(tmp_path):
    for tables, expected in (
        ((RULES, EPSILON), CompiledGames),
        ((RULES, EPSILON, CHANCE), CompiledGames),
        ((RULES, EPSILON, '[[opponents]]\nbot = "ismcts"'), AnyGames),
        ((RULES + "\nlimits = {milliseconds = 100.0}", EPSILON), AnyGames),
        ((ISMCTS, EXPLORATION), AnyGames),
    ):
        with evaluator(tuning(tmp_path, GAME, *tables), workers=0) as games:
            assert type(games) is expected


def test_a_candidate_like_the_others_has_its_share(tmp_path):
    """Of three seats a third, to the digit: with the same deals, the same chance and the same bot it is one game."""
    tuner = found(tmp_path, GAME, RULES, "[parameters]\nepsilon = {start = 0.3, spread = 1e-15, low = 0.3, high = 0.4}")
    assert tuner.step()["values"] == pytest.approx([1 / 3] * 6)


class Recorder(CompiledGames):
    """Plays nothing; keeps what it was asked for."""

    def returns(self, title, jobs):
        self.jobs = jobs
        return [np.zeros((len(job.seeds), len(job.table))) for job in jobs]


def test_candidates_of_a_step_meet_the_same_deals_and_opponents(tmp_path):
    opponents = "\n".join(f'[[opponents]]\nbot = "rules"\nepsilon = 0.{digit}' for digit in (1, 2, 3))
    config = tuning(tmp_path, GAME, RULES, EPSILON, opponents, blocks=7)
    recorder = Recorder(config.game.load())
    tuner = Tuner(config, recorder)
    seen = []
    for _ in range(2):
        tuner.step()
        by_candidate = {}
        for job in recorder.jobs:
            candidate, *others = (entry.model_extra["epsilon"] for entry in job.table)
            by_candidate.setdefault(candidate, []).append((others, job.seeds.tolist()))
        assert len(by_candidate) == 6
        first, *rest = by_candidate.values()
        assert all(other == first for other in rest)
        assert [others for others, _ in first] == [[0.1, 0.2], [0.2, 0.3], [0.3, 0.1]]
        assert [len(seeds) for _, seeds in first] == [3, 2, 2]
        seen += [seed for _, seeds in first for seed in seeds]
    tuner.holdout()
    seen += [seed for job in recorder.jobs for seed in job.seeds.tolist()]
    assert len(set(seen)) == 7 + 7 + 6  # deals of every step are fresh, and those of the check too


# --- Finding --------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["cross_entropy", "spsa"])
def test_a_bot_that_plays_mostly_at_random_learns_not_to(tmp_path, method):
    sizes = {"steps": 20, "population": 20, "blocks": 40, "holdout_blocks": 300}
    tuner = found(tmp_path, GAME, RULES, EPSILON, method=f'"{method}"', seed=2, **sizes)
    assert tuner.tuned[0] < 0.3
    assert tuner.holdout().verdict == "better"


def test_a_bot_whose_weights_have_the_wrong_sign_learns_better_ones(tmp_path):
    weights = "\n".join(["[bot.weights]", *(f"{name} = {weight}" for name, weight in WRONG.items())])
    sizes = {"steps": 10, "population": 20, "blocks": 60, "holdout_blocks": 300}
    tuner = found(tmp_path, GAME, RULES, weights, '[parameters]\n"weights.*" = {spread = 2}', **sizes)
    assert tuner.holdout().verdict == "better"


def test_weights_that_a_policy_cannot_play_with_are_told(tmp_path, monkeypatch):
    played = arena.play_blocks

    def divides(game, table, seeds):
        if table[0].epsilon < 1:
            raise ZeroDivisionError("division by zero")
        return played(game, table, seeds)

    monkeypatch.setattr(arena, "play_blocks", divides)
    result = CliRunner().invoke(app, ["tune", str(write(tmp_path, GAME, RULES, EPSILON)), "--out", str(tmp_path)])
    assert result.exit_code == 2
    assert "daytime_minutes/3: division by zero" in result.stderr
    assert "expected bounds" in result.stderr


# --- The held-out check ---------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("tables", [(RULES, EPSILON), (ISMCTS, EXPLORATION)])
def test_new_like_old_gains_nothing_at_all(tmp_path, players, tables):
    config = tuning(tmp_path, GAME.replace("3", str(players)), *tables, holdout_blocks=4)
    with evaluator(config, workers=0) as games:
        assert Tuner(config, games).holdout() == (0.0, 0.0, 0.0, 4)


def test_new_and_old_share_the_table_in_every_balanced_split(tmp_path):
    """Of three seats one has two and the other one, both ways; new and old are told apart by epsilon."""
    config = tuning(tmp_path, GAME, RULES, EPSILON)
    recorder = Recorder(config.game.load())
    tuner = Tuner(config, recorder)
    tuner.step()
    tuner.holdout()
    tables = [[entry.model_extra["epsilon"] == 0.8 for entry in job.table] for job in recorder.jobs]
    assert sorted(tables) == [[True, False, False], [True, True, False]]


def test_a_worse_bot_is_called_worse(tmp_path):
    """From the best place, no random moves at all, to the worst that the bounds allow."""
    config = tuning(tmp_path, GAME, RULES, "[parameters]\nepsilon = {start = 0.0, low = 0, high = 1}")
    tuner = Tuner(config.model_copy(update={"holdout_blocks": 200}), CompiledGames(config.game.load()))
    tuner._optimiser.centre[:] = 1.0
    check = tuner.holdout()
    assert check.verdict == "worse"
    assert -0.5 <= check.low < check.gain < check.high < 0
    assert check.blocks == 200


def test_the_interval_by_hand():
    """Two gains at a distance of 0.2: the standard error is 0.1, and Student's t with one degree of freedom 12.706."""
    assert interval(np.array([0.1, 0.3])) == pytest.approx((0.2, 0.2 - 1.2706, 0.2 + 1.2706, 2), abs=1e-4)
    assert [interval(np.array(gains)).verdict for gains in ([0.1, 0.3], [0.2, 0.21], [-0.2, -0.21])] == [
        "not shown to differ",
        "better",
        "worse",
    ]


# --- The log --------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["cross_entropy", "spsa"])
def undisturbed(request, tmp_path_factory) -> Path:
    """A folder with the file of a search and, in `out`, what it left."""
    folder = tmp_path_factory.mktemp("undisturbed")
    path = write(folder, GAME, RULES, EPSILON, method=f'"{request.param}"')
    run(path, "--out", folder / "out")
    return folder


def left_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_search_follows_from_its_config(undisturbed, tmp_path):
    run(undisturbed / "tuning.toml", "--out", tmp_path)
    assert left_in(tmp_path) == left_in(undisturbed / "out")
    assert left_in(tmp_path).keys() == {"log.jsonl", "tuned.toml"}


def test_every_step_is_in_the_log(undisturbed):
    steps = log_of(undisturbed / "out")
    assert [line["step"] for line in steps] == [1, 2, 3]
    for line in steps:
        assert len(line["values"]) == 6
        assert line["best"] == max(line["values"])
        assert 0 <= line["best"] <= 1
        assert line["centre"].keys() == line["spread"].keys() == {"epsilon"}


@pytest.mark.parametrize("kept", [0, 1, 2, 3])
@pytest.mark.parametrize("torn", [b"", b'{"step": 2, "val'])
def test_a_search_that_was_killed_goes_on_to_the_same_log(undisturbed, tmp_path, kept, torn):
    lines = (undisturbed / "out" / LOG_NAME).read_bytes().splitlines(keepends=True)
    (tmp_path / LOG_NAME).write_bytes(b"".join(lines[: 1 + kept]) + torn)
    run(undisturbed / "tuning.toml", "--out", tmp_path)
    assert left_in(tmp_path) == left_in(undisturbed / "out")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_search_that_was_stopped_goes_on_to_the_same_log(undisturbed, tmp_path, monkeypatch, number):
    with monkeypatch.context() as patch:
        played = CompiledGames.returns

        def returns(self, title, jobs):
            if title == "step 1":
                os.kill(os.getpid(), number)
            return played(self, title, jobs)

        patch.setattr(CompiledGames, "returns", returns)
        result = CliRunner().invoke(app, ["tune", str(undisturbed / "tuning.toml"), "--out", str(tmp_path)])
    assert result.exit_code == 128 + number
    assert "stopped after 1 of 3 steps; the same command goes on" in result.stderr
    run(undisturbed / "tuning.toml", "--out", tmp_path)
    assert left_in(tmp_path) == left_in(undisturbed / "out")


def test_a_finished_search_plays_the_check_alone(undisturbed, tmp_path, monkeypatch):
    titles = []
    played = CompiledGames.returns
    monkeypatch.setattr(
        CompiledGames, "returns", lambda self, title, jobs: titles.append(title) or played(self, title, jobs)
    )
    (tmp_path / LOG_NAME).write_bytes((undisturbed / "out" / LOG_NAME).read_bytes())
    run(undisturbed / "tuning.toml", "--out", tmp_path)
    assert titles == ["holdout"]


def test_more_steps_go_on_from_fewer(tmp_path):
    run(write(tmp_path, GAME, RULES, EPSILON), "--out", tmp_path / "out")
    short = log_of(tmp_path / "out")
    longer = write(tmp_path, GAME, RULES, EPSILON, steps=5, holdout_blocks=8)
    run(longer, "--out", tmp_path / "out")
    run(longer, "--out", tmp_path / "at once")
    assert log_of(tmp_path / "out") == log_of(tmp_path / "at once")
    assert log_of(tmp_path / "out")[:3] == short


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"seed": 9}, "seed was 0 and is 9"),
        ({"blocks": 5}, "blocks was 4 and is 5"),
        ({"method": '"spsa"'}, 'method was "cross_entropy" and is "spsa"'),
        ({"steps": 2}, "holds 3 steps; expected at most steps = 2"),
    ],
)
def test_a_folder_of_another_search_is_refused(tmp_path, changes, complaint):
    run(write(tmp_path, GAME, RULES, EPSILON), "--out", tmp_path / "out")
    before = left_in(tmp_path / "out")
    other = write(tmp_path, GAME, RULES, EPSILON, **changes)
    result = CliRunner().invoke(app, ["tune", str(other), "--out", str(tmp_path / "out")])
    assert result.exit_code == 2
    assert complaint in result.stderr
    assert left_in(tmp_path / "out") == before


@pytest.mark.parametrize("content", [b"no log at all", b"1\n2\n", b'{"format": "other"}\n', b"\xff\n"])
def test_a_file_that_is_no_log_is_refused_and_left_alone(tmp_path, content):
    (tmp_path / LOG_NAME).write_bytes(content)
    with pytest.raises(TuningError, match="expected the log of a search"):
        Log(tmp_path, tuning(tmp_path, GAME, RULES, EPSILON))
    assert (tmp_path / LOG_NAME).read_bytes() == content


@pytest.mark.parametrize(
    "line", ['{"step": 2}', "7", '{"step": 1, "values": [0, 0, 0, 0, 0, 1], "centre": {"epsilon": 0.1}}']
)
def test_a_step_that_does_not_follow_is_refused(tmp_path, line):
    path = write(tmp_path, GAME, RULES, EPSILON)
    with closing(Log(tmp_path / "out", tuning(tmp_path, GAME, RULES, EPSILON))):
        pass
    with open(tmp_path / "out" / LOG_NAME, "a") as file:
        file.write(line + "\n")
    result = CliRunner().invoke(app, ["tune", str(path), "--out", str(tmp_path / "out")])
    assert result.exit_code == 2
    assert "does not follow from the config" in result.stderr


def test_two_searches_do_not_share_a_folder(tmp_path):
    config = tuning(tmp_path, GAME, RULES, EPSILON)
    with closing(Log(tmp_path, config)), pytest.raises(TuningError, match="another process writes"):
        Log(tmp_path, config)


# --- The command ----------------------------------------------------------------------------------


def test_json_is_all_that_stands_on_stdout(undisturbed, tmp_path):
    content = read_json(run(undisturbed / "tuning.toml", "--out", tmp_path, "--json"))
    assert (content["game"], content["steps"]) == ("daytime_minutes/3", 3)
    (row,) = content["parameters"]
    assert (row["parameter"], row["old"]) == ("epsilon", 0.8)
    (tuned,) = tomllib.loads((tmp_path / "tuned.toml").read_text())["bots"]
    assert tuned == {"name": "tuned", "bot": "rules", "epsilon": row["new"]}
    holdout = content["holdout"]
    assert holdout["low"] <= holdout["gain"] <= holdout["high"]
    assert holdout["blocks"] == 6
    assert holdout["verdict"] in ("better", "worse", "not shown to differ")


def test_the_table_shows_old_and_new_and_the_verdict(undisturbed, tmp_path):
    text = run(undisturbed / "tuning.toml", "--out", tmp_path)
    assert "daytime_minutes/3" in text
    assert "epsilon" in text
    assert "6 held-out deal blocks" in text


def test_a_wrong_config_exits_with_two_and_leaves_nothing(tmp_path):
    path = write(tmp_path, GAME, RULES, EPSILON.replace("epsilon", "epsilom"))
    result = CliRunner().invoke(app, ["tune", str(path), "--out", str(tmp_path / "out")])
    assert result.exit_code == 2
    assert "did you mean 'epsilon'?" in result.stderr
    assert not (tmp_path / "out").exists()


def test_any_bot_can_be_tuned_and_seated_in_a_tournament(tmp_path):
    ranges = "[parameters]\niterations = {low = 1}\nexploration = {low = 0.0}"
    path = write(tmp_path, GAME, ISMCTS, ranges, CHANCE, steps=2, population=4, blocks=2, holdout_blocks=2)
    run(path, "--out", tmp_path / "out", "--workers", 0)
    assert [len(line["values"]) for line in log_of(tmp_path / "out")] == [4, 4]
    (bot,) = tomllib.loads((tmp_path / "out" / "tuned.toml").read_text())["bots"]
    assert type(bot["iterations"]) is int
    assert bot["exploration"] >= 0
    games = [{"game": "daytime_minutes"}]
    assert Config.model_validate({"name": "x", "games": games, "bots": [bot]}).bots[0].load()


def test_workers_change_nothing_but_the_time(tmp_path, monkeypatch):
    starts = []
    start = ray.init
    monkeypatch.setattr(ray, "init", lambda **keys: starts.append(keys["num_cpus"]) or start(**keys))
    path = write(tmp_path, GAME, ISMCTS, EXPLORATION, steps=2, population=4, blocks=2, holdout_blocks=2)
    run(path, "--out", tmp_path / "here", "--workers", 0)
    run(path, "--out", tmp_path / "ray", "--workers", 2)
    assert left_in(tmp_path / "here") == left_in(tmp_path / "ray")
    assert starts == [2]  # once, not for every step


def test_a_bot_that_fails_is_not_passed_over_in_silence(tmp_path):
    raises = '[bot]\nbot = "tests.tournaments.scripted_bots:Raises"'
    keys = {"steps": 1, "method": "'spsa'", "population": 2, "blocks": 1, "holdout_blocks": 2}
    path = write(tmp_path, GAME, raises, "[parameters]\nat = {start = 0, spread = 0.1}", CHANCE, **keys)
    result = CliRunner().invoke(app, ["tune", str(path), "--out", str(tmp_path / "out"), "--workers", "0"])
    assert result.exit_code == 0, result.output
    assert "bots failed in " in result.stderr
    assert "out of ideas" in result.stderr
    assert log_of(tmp_path / "out")[0]["values"] == [0.0, 0.0]
