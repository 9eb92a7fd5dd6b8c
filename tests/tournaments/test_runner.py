"""However a tournament is run, stopped and taken up again, the same games are in the store at the end."""

from __future__ import annotations

from pathlib import Path

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
from tournaments.config import read
from tournaments.runner import compile_kernels, pending_blocks
from tournaments.standings import standings
from tournaments.store import Store

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
