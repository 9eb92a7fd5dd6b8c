"""However a tournament is run, stopped and taken up again, the same games are in the store at the end."""

from __future__ import annotations

import re
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.tournaments.experiments import (
    RANDOM,
    SEARCH,
    content,
    experiment,
    run_into,
    scripted,
    stored_games,
    timetricks,
    toml,
)
from tournaments import runner
from tournaments.config import read
from tournaments.match import play_block
from tournaments.runner import Runner, compile_kernels, pending_blocks
from tournaments.schedule import Schedule
from tournaments.standings import standings
from tournaments.store import RunError, Store

BLOCKS = 80


@pytest.fixture(scope="module")
def config_file(tmp_path_factory) -> Path:
    """Two bots at two tables of three seats: enough blocks to be stopped among them."""
    path = tmp_path_factory.mktemp("config") / "experiment.toml"
    path.write_text(toml(content(RANDOM, SEARCH, blocks_per_table=BLOCKS // 2, seed=3)))
    return path


@pytest.fixture(scope="module")
def undisturbed(config_file, tmp_path_factory) -> Path:
    """The results of a run that nothing happened to."""
    return run_into(tmp_path_factory.mktemp("undisturbed"), read(config_file), workers=0)


def test_a_run_plays_every_block(config_file, undisturbed):
    assert len(stored_games(undisturbed)) == 3 * BLOCKS
    with Store.open(undisturbed) as store:
        assert list(pending_blocks(read(config_file), store)) == []


@pytest.mark.parametrize("workers", [1, 2])
def test_ray_plays_the_same_games(config_file, undisturbed, tmp_path, workers):
    assert stored_games(run_into(tmp_path, read(config_file), workers)) == stored_games(undisturbed)


def results_without_times(folder: Path):
    with Store.open(folder) as store:
        content = standings(store.config, store.results()).as_json()
    tables = (content["overall"], *content["games"].values())
    rows = [{key: value for key, value in row.items() if key != "ms_per_decision"} for table in tables for row in table]
    return rows, content["details"]


def test_the_order_of_the_blocks_does_not_matter(config_file, undisturbed, tmp_path):
    run_into(tmp_path, read(config_file), workers=0, order=lambda blocks: blocks[::-2] + blocks[::2])
    assert stored_games(tmp_path) == stored_games(undisturbed)
    assert results_without_times(tmp_path) == results_without_times(undisturbed)


def test_kernels_are_compiled_for_the_built_in_bots_alone():
    """Own bots play no game before the first one that counts."""
    compile_kernels(experiment(RANDOM, SEARCH, scripted("RaisesWhenMade")))


def test_a_finished_run_has_nothing_to_play(config_file, undisturbed, tmp_path):
    before = stored_games(undisturbed)
    again = timetricks("run", config_file, "--out", undisturbed, "--workers", 2, "--json", folder=tmp_path)
    assert again.returncode == 0
    assert "0 deal blocks to play" in again.stderr
    assert stored_games(undisturbed) == before


# --- A Ray that dies ------------------------------------------------------------------------------


class MortalRay:
    """Plays tasks one after the other in this process, and dies in the middle of some of its lives."""

    exceptions = SimpleNamespace(RayError=RuntimeError)

    def __init__(self, tasks_by_life: list[int]):
        self.tasks_by_life = tasks_by_life
        self.lives = 0

    @contextmanager
    def live(self, workers, address):
        self.left = self.tasks_by_life[self.lives]
        self.lives += 1
        yield self

    def check_alive(self, _):
        if self.left < 0:
            raise runner._RayDiedError("heart")

    def put(self, value):
        return value

    def cluster_resources(self):
        return {"CPU": 2.0}

    def remote(self, function):
        return SimpleNamespace(
            options=lambda **_: SimpleNamespace(remote=lambda *given: (function, *map(_Same, given)))
        )

    def wait(self, tasks, **_):
        self.left -= 1
        return tasks[:1], tasks[1:]

    def get(self, task):
        function, *given = task
        return function(*(same.value for same in given))


class _Same:
    """Makes a value the key of a dictionary."""

    def __init__(self, value):
        self.value = value


@pytest.fixture
def mortal(monkeypatch):
    def with_lives(*tasks_by_life: int) -> MortalRay:
        ray = MortalRay([*tasks_by_life])
        monkeypatch.setattr(runner, "_ray", ray.live)
        monkeypatch.setattr(runner, "_check_alive", ray.check_alive)
        return ray

    return with_lives


SMALL = experiment(RANDOM, {"name": "other", "bot": "random"}, blocks_per_table=10)  # twenty blocks


@pytest.mark.parametrize("lives", [(0, 99), (3, 99), (3, 0, 2, 99)])
def test_ray_that_dies_is_started_again_and_no_block_is_lost(tmp_path, capsys, mortal, lives):
    ray = mortal(*lives)
    troubled = run_into(tmp_path / "troubled", SMALL, workers=2)
    assert ray.lives == len(lives)
    assert capsys.readouterr().err.count("Ray's heart died; starting Ray again") == len(lives) - 1
    assert stored_games(troubled) == stored_games(run_into(tmp_path / "calm", SMALL, workers=0))


def test_ray_that_dies_again_and_again_ends_the_run_and_what_was_played_is_stored(tmp_path, mortal):
    mortal(1, 1, 1, 1)
    with pytest.raises(RunError, match="Ray died 4 times; what was finished is stored"):
        run_into(tmp_path, SMALL, workers=2)
    assert stored_games(tmp_path)
    mortal(99)
    assert stored_games(run_into(tmp_path, SMALL, workers=2)) == stored_games(run_into(tmp_path / "calm", SMALL, 0))


def test_a_run_that_is_stopping_does_not_start_ray_again(mortal, capsys):
    ray = mortal(2, 99)
    stopped = Runner(SMALL, 2)
    played = []
    for blocks in stopped.play(Schedule(SMALL)):
        stopped.stopping = True
        played += blocks
    assert ray.lives == 1
    assert "starting" not in capsys.readouterr().err
    begun = {block.id for block in stopped.in_flight} | {results[0].block for results in played}
    assert len(begun) == len(stopped.in_flight) + len(played) == 4  # two tasks a worker, one block each


def test_a_block_that_no_worker_can_play_is_named_and_the_others_are_played(tmp_path, mortal, monkeypatch):
    poison = Schedule(SMALL)[3].id

    def play(players, block):
        if block.id == poison:
            raise RuntimeError("worker died")
        return play_block(players, block)

    monkeypatch.setattr(runner, "play_block", play)
    mortal(99)
    with pytest.raises(RunError, match=re.escape(f"blocks that no worker could play in 4 tries: {poison}: ")):
        run_into(tmp_path, SMALL, workers=2)
    assert len(stored_games(tmp_path)) == 3 * 19
