"""However a tournament is run, stopped and taken up again, the same games are in the store at the end."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest

from tests.tournaments.experiments import (
    RANDOM,
    SEARCH,
    command,
    content,
    experiment,
    query,
    read_json,
    scripted,
    stored_games,
    timetricks,
    toml,
)
from tournaments.config import Config, read
from tournaments.runner import compile_kernels, pending_blocks, run
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


def run_into(folder: Path, config: Config, workers: int, order=list) -> Path:
    """`folder`, in which the pending blocks are stored as they come; `order` puts them in another order."""
    with Store.create_or_open(folder, config) as store:
        for results in run(config, order(list(pending_blocks(config, store))), workers):
            store.add_blocks([results])
    return folder


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


def test_a_worker_that_dies_costs_no_game(tmp_path):
    fuse = tmp_path / "fuse"
    config = experiment(RANDOM, scripted("DiesOnce", fuse=str(fuse)), blocks_per_table=4)
    calm = run_into(tmp_path / "calm", config, workers=0)
    fuse.touch()
    troubled = run_into(tmp_path / "troubled", config, workers=1)
    assert not fuse.exists()
    assert stored_games(troubled) == stored_games(calm)


def test_kernels_are_compiled_for_the_built_in_bots_alone():
    """Own bots play no game before the first one that counts."""
    compile_kernels(experiment(RANDOM, SEARCH, scripted("RaisesWhenMade")))


# --- Stopped runs ---------------------------------------------------------------------------------


def start(config_file: Path, folder: Path, workers: int, *options: str) -> subprocess.Popen:
    """`timetricks run` in a process group of its own, as soon as it has stored some blocks."""
    process = subprocess.Popen(
        command("run", config_file, "--out", folder, "--workers", workers, *options),
        cwd=folder.parent,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 100
    while stored_blocks(folder) < 3:
        if process.poll() is not None or time.monotonic() > deadline:
            stop(process, signal.SIGKILL)
            pytest.fail(f"no blocks came: {process.communicate()}")
        time.sleep(0.01)
    return process


def stop(process: subprocess.Popen, number: int) -> tuple[str, str]:
    """What the process still said after its whole group got the signal."""
    os.killpg(process.pid, number)
    return process.communicate(timeout=60)


def stored_blocks(folder: Path) -> int:
    try:
        return query(folder, "SELECT count(DISTINCT block) FROM games")[0][0]
    except sqlite3.OperationalError:  # not there yet
        return 0


RUNS = pytest.mark.parametrize("workers", [0, pytest.param(2, marks=pytest.mark.slow)])


@RUNS
def test_a_killed_run_goes_on_to_the_same_games(config_file, undisturbed, tmp_path, workers):
    folder = tmp_path / "results"
    stop(start(config_file, folder, workers), signal.SIGKILL)
    kept = stored_games(folder)
    assert 0 < stored_blocks(folder) < BLOCKS
    assert len(kept) == 3 * stored_blocks(folder)  # whole blocks only

    again = timetricks("run", config_file, "--out", folder, "--workers", workers, folder=tmp_path)
    assert again.returncode == 0
    assert f"{BLOCKS - len(kept) // 3} deal blocks to play" in again.stderr
    assert stored_games(folder) == stored_games(undisturbed)
    assert set(kept) <= set(stored_games(folder))


@RUNS
def test_a_run_that_is_interrupted_says_how_to_go_on(config_file, undisturbed, tmp_path, workers):
    folder = tmp_path / "results"
    process = start(config_file, folder, workers)
    stdout, stderr = stop(process, signal.SIGINT)
    assert process.returncode == 130
    assert "Traceback" not in stderr
    (stopped_after,) = re.findall(rf"stopped: (\d+) of {BLOCKS} blocks .* the same command goes on", stderr)
    assert 3 <= stored_blocks(folder) < BLOCKS
    assert stored_blocks(folder) - int(stopped_after) in (0, 1)  # one may be stored and not counted yet
    assert "search" in stdout  # the table so far
    assert set(stored_games(folder)) < set(stored_games(undisturbed))
    assert len(stored_games(folder)) == 3 * stored_blocks(folder)


def test_json_of_an_interrupted_run_is_json(config_file, tmp_path):
    stdout, _ = stop(start(config_file, tmp_path / "results", 0, "--json"), signal.SIGINT)
    assert {row["bot"] for row in read_json(stdout)["overall"]} == {"random", "search"}


def test_a_finished_run_has_nothing_to_play(config_file, undisturbed, tmp_path):
    before = stored_games(undisturbed)
    again = timetricks("run", config_file, "--out", undisturbed, "--workers", 2, "--json", folder=tmp_path)
    assert again.returncode == 0
    assert "0 deal blocks to play" in again.stderr
    assert stored_games(undisturbed) == before
