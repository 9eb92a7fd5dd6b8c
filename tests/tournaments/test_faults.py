"""Whatever is killed, full, locked or lost: the same command goes on to the games of an undisturbed run."""

from __future__ import annotations

import os
import random
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import time
import warnings
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.tournaments.experiments import (
    RANDOM,
    SEARCH,
    content,
    query,
    read_json,
    run_into,
    scripted,
    stored_games,
    timetricks,
    toml,
)
from tests.tournaments.processes import expect, nothing_left_running, running
from tournaments.config import read
from tournaments.schedule import Schedule
from tournaments.store import FILE_NAME

BLOCKS = 120  # of about 30 ms: enough to be disturbed among them
SMALL_BATCHES = "from tournaments import runner, store; runner.BATCH_SECONDS = 0.2; store.BUSY_SECONDS = 0.5; "
RAY = pytest.mark.slow
RUNS = pytest.mark.parametrize("workers", [0, pytest.param(2, marks=RAY)])


STARTED: list[subprocess.Popen] = []


@pytest.fixture(autouse=True)
def mark():
    with nothing_left_running() as mark:
        yield mark
        while STARTED:  # only a test that failed has left one
            with STARTED.pop() as process:
                process.kill()


@pytest.fixture(scope="module")
def config_file(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("config") / "experiment.toml"
    path.write_text(toml(content(RANDOM, SEARCH | {"iterations": 200}, blocks_per_table=BLOCKS // 2, seed=3)))
    return path


@pytest.fixture(scope="module")
def undisturbed(config_file, tmp_path_factory) -> list[tuple]:
    return stored_games(run_into(tmp_path_factory.mktemp("undisturbed"), read(config_file)))


def start(config_file: Path, folder: Path, *options: object, limit: int | None = None) -> subprocess.Popen:
    """`timetricks run` in a process group of its own, with batches that are small against the run.

    `limit` is the most bytes of a file that it can write.
    """
    script = f"{SMALL_BATCHES} from tournaments.cli import app; app()"
    arguments = ["run", config_file, "--out", folder, *options]
    process = subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)],
        cwd=config_file.parent,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=limit and (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))),
    )
    STARTED.append(process)
    return process


def started(*arguments: object, blocks: int = 3) -> subprocess.Popen:
    """As `start`, once some blocks have been stored."""
    process = start(*arguments)
    await_blocks(process, arguments[1], blocks)
    return process


def await_blocks(process: subprocess.Popen, folder: Path, blocks: int) -> None:
    expect(lambda: process.poll() is not None or num_blocks(folder) >= blocks, f"{blocks} blocks")
    if process.poll() is not None:
        pytest.fail(f"ended before {blocks} blocks: {process.communicate()}")


def num_blocks(folder: Path) -> int:
    try:
        return query(folder, "SELECT count(DISTINCT block) FROM games")[0][0]
    except sqlite3.OperationalError:  # not there yet
        return 0


def stop(process: subprocess.Popen, number: int) -> tuple[str, str]:
    """What the process still said after its whole group got the signal, as Ctrl-C in a terminal sends it."""
    os.killpg(process.pid, number)
    return process.communicate(timeout=100)


def ends_as_undisturbed(config_file: Path, folder: Path, undisturbed: list[tuple], workers: int = 0) -> bool:
    """Whether the run goes on to the same games, and all that was there stays."""
    kept = stored_games(folder) if num_blocks(folder) else []
    assert len(kept) % 3 == 0  # whole blocks
    assert set(kept) <= set(undisturbed)
    again = timetricks("run", config_file, "--out", folder, "--workers", workers, folder=config_file.parent)
    assert again.returncode == 0, again.stderr
    assert f"{BLOCKS - len(kept) // 3} deal blocks to play" in again.stderr
    return stored_games(folder) == undisturbed


# --- The run itself is killed ---------------------------------------------------------------------


def test_a_run_killed_at_any_moments_goes_on_to_the_same_games(config_file, undisturbed, tmp_path):
    """From before the store is made to its last block."""
    moments = random.Random(4)
    folder = tmp_path / "results"
    for _ in range(3):  # while it starts, or soon after
        process = start(config_file, folder, "--workers", 0)
        time.sleep(moments.uniform(0.2, 2.5))
        stop(process, signal.SIGKILL)
    for _ in range(3):
        process = started(config_file, folder, "--workers", 0, blocks=num_blocks(folder) + moments.randint(1, 10))
        time.sleep(moments.uniform(0, 0.1))
        stop(process, signal.SIGKILL)
    assert 0 < num_blocks(folder) < BLOCKS
    assert ends_as_undisturbed(config_file, folder, undisturbed)


@RAY
def test_nothing_outlives_a_run_on_ray_that_is_killed(config_file, undisturbed, tmp_path, mark):
    folder = tmp_path / "results"
    process = start(config_file, folder, "--workers", 2)
    expect(lambda: running(mark, "raylet"), "raylet")  # it is still starting
    process.kill()
    process.communicate()
    expect(lambda: not running(mark), f"the end of {running(mark)}")

    process = started(config_file, folder, "--workers", 2)
    process.kill()  # it alone: Ray's processes are not told
    process.communicate()
    expect(lambda: not running(mark), f"the end of {running(mark)}")
    assert 0 < num_blocks(folder) < BLOCKS
    assert ends_as_undisturbed(config_file, folder, undisturbed)


# --- Ray's processes are killed -------------------------------------------------------------------


def kill_some(mark: str, pattern: str) -> None:
    expect(lambda: running(mark, pattern), pattern)
    for number in running(mark, pattern):
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)


@RAY
def test_a_run_goes_on_when_a_worker_is_killed(config_file, undisturbed, tmp_path, mark):
    folder = tmp_path / "results"
    process = started(config_file, folder, "--workers", 2, "--json")
    for _ in range(2):
        kill_some(mark, "ray::_play_batch")
        await_blocks(process, folder, num_blocks(folder) + 10)
    stdout, stderr = process.communicate(timeout=200)
    assert process.returncode == 0, stderr
    assert {row["bot"] for row in read_json(stdout)["overall"]} == {"random", "search"}
    assert stored_games(folder) == undisturbed


@RAY
@pytest.mark.parametrize(
    "victim", ["raylet/raylet", "gcs/gcs_server", "RuntimeEnvAgent|runtime_env/agent", "log_monitor.py"]
)
def test_a_run_survives_ray_or_the_next_one_goes_on(config_file, undisturbed, tmp_path, mark, victim):
    """Ray may end our process before we can see that it is dying: with code 1, and nothing is lost."""
    folder = tmp_path / "results"
    process = started(config_file, folder, "--workers", 2)
    kill_some(mark, victim)
    _, stderr = process.communicate(timeout=200)
    assert process.returncode in (0, 1), stderr
    assert "Traceback" not in stderr
    assert process.returncode == 1 or "died; starting Ray again" in stderr
    assert process.returncode == 1 or num_blocks(folder) == BLOCKS
    assert ends_as_undisturbed(config_file, folder, undisturbed)


# --- Signals --------------------------------------------------------------------------------------


@RUNS
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["Ctrl-C", "SIGTERM"])
def test_a_signal_finishes_the_blocks_in_flight(config_file, undisturbed, tmp_path, workers, number, code):
    folder = tmp_path / "results"
    process = started(config_file, folder, "--workers", workers)
    if number == signal.SIGTERM:  # of another program, to this process alone
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=100)
    else:
        stdout, stderr = stop(process, number)
    assert process.returncode == code, stderr
    assert "Traceback" not in stderr
    assert "finishing the blocks in flight; once more drops them" in stderr
    assert "dropped" not in stderr.replace("drops", "")
    (stored,) = re.findall(rf"stopped: (\d+) of {BLOCKS} blocks were played and are stored; the same command", stderr)
    assert int(stored) == num_blocks(folder) < BLOCKS
    assert "search" in stdout  # the table so far
    assert ends_as_undisturbed(config_file, folder, undisturbed)


@RUNS
def test_a_second_ctrl_c_drops_the_blocks_in_flight_and_names_them(tmp_path, mark, workers):
    """No block is finished between the two: a bot thinks for long."""
    path = tmp_path / "experiment.toml"
    slow = scripted("Sleeps", "slow", seconds=2)
    path.write_text(toml(content(RANDOM, slow, blocks_per_table=4)))
    folder = tmp_path / "results"
    process = start(path, folder, "--workers", workers)
    ids = {block.id for block in Schedule(read(path))}
    expect(lambda: "bots.host" in str(running(mark)), "a bot")  # first of all the config is checked with one
    expect(lambda: (folder / FILE_NAME).exists() and "bots.host" in str(running(mark)), "a bot that plays")
    os.killpg(process.pid, signal.SIGINT)
    said = ""
    while "once more drops them" not in said:
        said += process.stderr.readline()
    stdout, stderr = stop(process, signal.SIGINT)
    assert process.returncode == 130, stderr
    assert "Traceback" not in stderr
    assert f"stopped: 0 of {len(ids)} blocks were played and are stored" in stderr
    dropped = re.findall("^dropped: (.*)$", stderr, re.MULTILINE)
    assert set(dropped) <= ids
    assert len(set(dropped)) == len(dropped) == (4 if workers else 1)  # two tasks a worker
    assert "no finished games" in stdout
    assert stored_games(folder) == []


@RUNS
def test_sigusr1_shows_the_standings_and_the_run_goes_on(config_file, undisturbed, tmp_path, workers):
    folder = tmp_path / "results"
    process = started(config_file, folder, "--workers", workers, "--json")
    process.send_signal(signal.SIGUSR1)
    stdout, stderr = process.communicate(timeout=100)
    assert process.returncode == 0, stderr
    assert re.search(r"daytime_minutes/3.*Elo.*search", stderr, re.DOTALL)
    assert {row["bot"] for row in read_json(stdout)["overall"]} == {"random", "search"}
    assert stored_games(folder) == undisturbed


# --- Full, locked, in use -------------------------------------------------------------------------


@pytest.mark.parametrize("kilobytes", [150, 400])
def test_a_full_disk_ends_the_run_with_an_error_and_the_next_one_goes_on(config_file, undisturbed, tmp_path, kilobytes):
    folder = tmp_path / "results"
    process = start(config_file, folder, "--workers", 0, limit=1024 * kilobytes)
    _, stderr = process.communicate(timeout=100)
    assert process.returncode == 1, stderr
    *_, last = stderr.strip().splitlines()
    assert re.fullmatch(rf"error: {folder / FILE_NAME} cannot be written: .*; the blocks before are stored", last)
    assert 0 < num_blocks(folder) < BLOCKS
    assert ends_as_undisturbed(config_file, folder, undisturbed)


def test_no_room_for_a_store_at_all_is_an_error_and_the_next_run_begins(config_file, undisturbed, tmp_path):
    folder = tmp_path / "results"
    process = start(config_file, folder, "--workers", 0, limit=3000)
    _, stderr = process.communicate(timeout=100)
    assert process.returncode in (1, 2)
    assert stderr.strip().splitlines()[-1].startswith(f"error: {folder / FILE_NAME}")
    assert "Traceback" not in stderr
    assert ends_as_undisturbed(config_file, folder, undisturbed)


def test_a_store_that_becomes_locked_ends_the_run_with_an_error(config_file, undisturbed, tmp_path):
    folder = tmp_path / "results"
    process = started(config_file, folder, "--workers", 0)
    with closing(sqlite3.connect(folder / FILE_NAME, isolation_level=None, timeout=60)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        _, stderr = process.communicate(timeout=100)
        connection.execute("ROLLBACK")
    assert process.returncode == 1, stderr
    assert re.search(rf"error: {folder / FILE_NAME} cannot be written: database is locked", stderr)
    assert ends_as_undisturbed(config_file, folder, undisturbed)


def test_a_second_run_in_the_same_folder_is_refused(config_file, undisturbed, tmp_path):
    folder = tmp_path / "results"
    process = started(config_file, folder, "--workers", 0)
    second = timetricks("run", config_file, "--out", folder, "--workers", 0, folder=tmp_path)
    assert (second.returncode, second.stdout) == (2, "")
    assert f"{folder} is in use: process {process.pid} plays there" in second.stderr
    assert timetricks("rate", folder, folder=tmp_path).returncode == 0  # readers are welcome
    process.communicate(timeout=100)
    assert process.returncode == 0
    assert stored_games(folder) == undisturbed


# --- A cluster ------------------------------------------------------------------------------------


@pytest.fixture
def cluster(mark):
    """Two nodes of one CPU each on this machine."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    cluster.worker = cluster.add_node(num_cpus=1)
    yield cluster
    cluster.shutdown()


@RAY
def test_a_cluster_of_two_nodes_plays_the_same_games_and_may_lose_one(
    config_file, undisturbed, tmp_path, mark, cluster
):
    folder = tmp_path / "results"
    process = started(config_file, folder, "--ray-address", cluster.address)
    expect(lambda: len(running(mark, "ray::_play_batch")) == 2, "a worker on both nodes")
    cluster.remove_node(cluster.worker, allow_graceful=False)
    _, stderr = process.communicate(timeout=200)
    assert process.returncode == 0, stderr
    assert "Traceback" not in stderr
    assert stored_games(folder) == undisturbed

    process = start(config_file, tmp_path / "again", "--ray-address", cluster.address)
    _, stderr = process.communicate(timeout=200)  # the cluster was left as it was
    assert process.returncode == 0, stderr
    assert stored_games(tmp_path / "again") == undisturbed


@RAY
def test_workers_are_those_of_a_ray_of_its_own_although_a_cluster_is_there(config_file, undisturbed, tmp_path, cluster):
    assert cluster.address
    process = start(config_file, tmp_path, "--workers", 2)
    _, stderr = process.communicate(timeout=200)
    assert process.returncode == 0, stderr
    assert stored_games(tmp_path) == undisturbed


def test_a_cluster_that_is_not_there_is_named(config_file, tmp_path):
    ended = timetricks("run", config_file, "--out", tmp_path, "--ray-address", "127.0.0.1:9", folder=tmp_path)
    assert ended.returncode == 1
    assert "error: no Ray cluster answers at 127.0.0.1:9: Connection refused" in ended.stderr
    assert "Traceback" not in ended.stderr
