"""A store that is killed, locked, damaged or full: what was committed stays, and nothing is overwritten."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.experiments import RANDOM, experiment, play, query, store_of, stored_games
from tournaments import store as stores
from tournaments.config import Config
from tournaments.runner import pending_blocks
from tournaments.schedule import Schedule
from tournaments.store import FILE_NAME, LOCK_NAME, Store, StoreError

OTHER = {"name": "other", "bot": "random"}
CONFIG = experiment(RANDOM, OTHER, blocks_per_table=3)
BLOCKS = play(CONFIG)  # six of three games
IDS = [block[0].block for block in BLOCKS]


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> list[tuple]:
    """The games of a run that nothing happened to."""
    return stored_games(store_of(tmp_path_factory.mktemp("whole"), CONFIG, BLOCKS))


def resume(folder: Path, config: Config = CONFIG) -> list[tuple]:
    """The games in `folder` once the blocks that it lacks have been played."""
    with Store.create_or_open(folder, config) as store:
        pending = {block.id for block in pending_blocks(config, store)}
        store.add_blocks(block for block in BLOCKS if block[0].block in pending)
        assert list(pending_blocks(config, store)) == []
    return stored_games(folder)


def as_killed(source: Path, target: Path) -> None:
    """Copies what a process that has `source` open leaves on the disk if it is killed now.

    The index of the log in `-shm` is dropped: a new process makes another one.
    """
    target.mkdir()
    for ending in ("", "-wal", "-journal"):
        if (source / (FILE_NAME + ending)).exists():
            shutil.copy(source / (FILE_NAME + ending), target)


def read(folder: Path) -> None:
    with Store.open(folder) as store:
        store.finished_blocks()
        list(store.games())


# --- Killed ---------------------------------------------------------------------------------------


@settings(max_examples=25)
@given(order=st.permutations(range(len(BLOCKS))), share=st.floats(0, 1))
def test_a_log_cut_anywhere_holds_a_prefix_of_the_commits_and_a_resume_gives_the_whole(whole, order, share):
    with TemporaryDirectory() as folder:
        source, target = Path(folder, "source"), Path(folder, "target")
        with Store.create_or_open(source, CONFIG) as store:
            for number in order:
                store.add_blocks([BLOCKS[number]])
            as_killed(source, target)
        log = target / f"{FILE_NAME}-wal"
        os.truncate(log, int(share * log.stat().st_size))
        with Store.open(target) as store:
            kept = store.finished_blocks()
        assert kept == {IDS[number] for number in order[: len(kept)]}
        assert len(stored_games(target)) == 3 * len(kept)
        assert resume(target) == whole


def test_a_store_that_was_killed_between_commits_holds_them_all(tmp_path, whole):
    with Store.create_or_open(tmp_path / "source", CONFIG) as store:
        for number, block in enumerate(BLOCKS):
            store.add_blocks([block])
            as_killed(tmp_path / "source", tmp_path / f"{number}")
            assert len(stored_games(tmp_path / f"{number}")) == 3 * (number + 1)
            assert resume(tmp_path / f"{number}") == whole


def test_a_run_that_was_killed_while_it_made_its_store_begins_again(tmp_path, whole):
    """SQLite has written some pages, and the journal by which it will take them back."""
    folder = tmp_path / "folder"
    folder.mkdir()
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        connection.executescript("PRAGMA cache_size = 1; BEGIN; CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT)")
        connection.executemany("INSERT INTO about VALUES (?, ?)", ((f"key {n}", "x" * 1000) for n in range(100)))
        for ending in ("", "-journal"):
            shutil.copy(tmp_path / (FILE_NAME + ending), folder)
    assert (folder / FILE_NAME).stat().st_size > 0
    assert resume(folder) == whole


# --- Locked ---------------------------------------------------------------------------------------


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(stores, "BUSY_SECONDS", 0.1)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("way", [Store.open, lambda folder: Store.create_or_open(folder, CONFIG)], ids=["open", "run"])
def test_a_store_that_another_program_has_locked_is_left_alone(tmp_path, whole, way):
    store_of(tmp_path, CONFIG, BLOCKS[:2])
    before = (tmp_path / FILE_NAME).read_bytes()
    with closing(sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)) as connection:
        connection.executescript("PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match=rf"{FILE_NAME} cannot be used.*database is locked.*nothing was changed"):
            way(tmp_path)
        connection.execute("ROLLBACK")
        connection.execute("PRAGMA journal_mode = WAL")
    assert (tmp_path / FILE_NAME).read_bytes()[100:] == before[100:]  # but for SQLite's own header
    assert resume(tmp_path) == whole


@pytest.mark.usefixtures("impatient")
def test_a_lock_that_comes_in_the_middle_stops_the_run_and_loses_nothing(tmp_path, whole):
    with Store.create_or_open(tmp_path, CONFIG) as store:
        store.add_blocks([BLOCKS[0]])
        with closing(sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            with pytest.raises(stores.RunError, match=rf"{FILE_NAME} cannot be written: database is locked"):
                store.add_blocks([BLOCKS[1]])
            connection.execute("ROLLBACK")
    assert len(stored_games(tmp_path)) == 3
    assert resume(tmp_path) == whole


def test_a_folder_has_one_writer_and_any_number_of_readers(tmp_path, whole):
    with Store.create_or_open(tmp_path, CONFIG) as store:
        store.add_blocks([BLOCKS[0]])
        with pytest.raises(StoreError, match=rf"is in use: process {os.getpid()} plays there"):
            Store.create_or_open(tmp_path, CONFIG)
        with Store.open(tmp_path) as one, Store.open(tmp_path) as other:
            assert one.finished_blocks() == other.finished_blocks() == {IDS[0]}
        store.add_blocks([BLOCKS[1]])  # still the writer
    assert resume(tmp_path) == whole


def test_the_lock_goes_with_its_process(tmp_path, whole):
    """The file stays; the system lets go of the lock however the process ends."""
    script = (
        "import os, sys; from pathlib import Path; from tournaments.store import _sole_writer\n"
        f"with _sole_writer(Path(sys.argv[1], {FILE_NAME!r})): os.kill(os.getpid(), 9)"
    )
    assert subprocess.run([sys.executable, "-c", script, tmp_path], timeout=60).returncode == -9
    assert (tmp_path / LOCK_NAME).read_text().isdecimal()
    assert resume(tmp_path) == whole


# --- Damaged --------------------------------------------------------------------------------------


def overwrite(path: Path, offset: int, content: bytes) -> None:
    with open(path, "r+b") as file:
        file.seek(offset)
        file.write(content)


def page_of(path: Path, table: str) -> int:
    """Where the first page of a table begins, in bytes."""
    page_size = query(path.parent, "PRAGMA page_size")[0][0]
    ((page,),) = query(path.parent, f"SELECT rootpage FROM sqlite_schema WHERE name = '{table}'")
    return (page - 1) * page_size


DAMAGE = {
    "header": lambda path: overwrite(path, 0, bytes(16)),
    "page size": lambda path: overwrite(path, 16, b"\xff\xff"),
    "schema": lambda path: overwrite(path, 100, b"\xff" * 500),
    "head of a page": lambda path: overwrite(path, page_of(path, "games"), b"\xff" * 12),
    "middle of a page": lambda path: overwrite(path, page_of(path, "games") + 12, b"\xff" * 100),
    "index": lambda path: overwrite(path, page_of(path, "games_by_block") + 8, b"\xff" * 40),
    "half of it": lambda path: os.truncate(path, path.stat().st_size // 2),
    "the last page": lambda path: os.truncate(path, path.stat().st_size - 4096),
    "all but the header": lambda path: os.truncate(path, 100),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_store_is_kept_aside_and_the_next_run_plays_everything_anew(tmp_path, whole, damage):
    path = store_of(tmp_path, CONFIG, BLOCKS) / FILE_NAME
    for number in (1, 2):
        damage(path)
        damaged = path.read_bytes()
        with pytest.raises(StoreError) as error:
            Store.create_or_open(tmp_path, CONFIG)
        (line,) = str(error.value).splitlines()
        assert f"{path} is damaged (" in line
        assert f"It was kept as {FILE_NAME}.damaged-{number}" in line
        assert not path.exists()
        assert path.with_name(f"{FILE_NAME}.damaged-{number}").read_bytes() == damaged
        assert resume(tmp_path) == whole
    assert path.with_name(f"{FILE_NAME}.damaged-1").exists()


@pytest.mark.parametrize("damage", [lambda path: os.truncate(path, 0), Path.unlink], ids=["emptied", "deleted"])
def test_what_was_not_yet_merged_is_kept_with_a_damaged_store(tmp_path, whole, damage):
    """SQLite deletes the log of a database that has become empty: it must not get to see it."""
    folder = tmp_path / "killed"
    with Store.create_or_open(tmp_path / "source", CONFIG) as store:
        store.add_blocks(BLOCKS)
        as_killed(tmp_path / "source", folder)
    log = (folder / f"{FILE_NAME}-wal").read_bytes()
    assert len(log) > 10_000
    damage(folder / FILE_NAME)
    with pytest.raises(StoreError, match="is damaged"):
        Store.create_or_open(folder, CONFIG)
    assert (folder / f"{FILE_NAME}.damaged-1-wal").read_bytes() == log
    assert resume(folder) == whole


def test_a_journal_does_not_stay_behind_when_its_store_is_kept_aside(tmp_path, whole):
    """It would be played back into the next store."""
    store_of(tmp_path, CONFIG, BLOCKS)
    overwrite(tmp_path / FILE_NAME, 0, bytes(16))
    (tmp_path / f"{FILE_NAME}-journal").write_bytes(b"journal")
    with pytest.raises(StoreError, match="is damaged"):
        Store.create_or_open(tmp_path, CONFIG)
    assert not (tmp_path / f"{FILE_NAME}-journal").exists()
    assert resume(tmp_path) == whole


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_reading_changes_nothing_of_a_damaged_store(tmp_path, damage):
    path = store_of(tmp_path, CONFIG, BLOCKS) / FILE_NAME
    damage(path)
    damaged = path.read_bytes()
    with pytest.raises(StoreError, match=FILE_NAME) as error:
        read(tmp_path)
    assert len(str(error.value).splitlines()) == 1
    assert path.read_bytes() == damaged
    assert {file.name for file in tmp_path.iterdir()} <= {path.name, LOCK_NAME, f"{path.name}-wal", f"{path.name}-shm"}


# --- Extended -------------------------------------------------------------------------------------

THIRD = {"name": "third", "bot": "random"}
EXTENSIONS = {
    "more blocks": {"blocks_per_table": 5},
    "a bot more": {"bots": [RANDOM, OTHER, THIRD]},
    "a game more": {"games": [{"game": "daytime_minutes", "players": 3}, {"game": "trick_or_repeat", "players": 2}]},
    "another order of the bots": {"bots": [OTHER, RANDOM]},
    "an anchor": {"anchor": "random"},
    "another name": {"name": "renamed"},
}


@pytest.mark.parametrize("change", EXTENSIONS.values(), ids=EXTENSIONS)
def test_an_extension_keeps_what_was_played_and_remembers_the_config_before(tmp_path, whole, change):
    extended = Config.model_validate(CONFIG.model_dump() | change)
    store_of(tmp_path, CONFIG, BLOCKS[:4])
    store_of(tmp_path, extended, [])
    kept = {game[0] for game in stored_games(tmp_path)}
    assert kept == {result.id for block in BLOCKS[:4] for result in block}
    with Store.open(tmp_path) as store:
        assert store.config == extended
        pending = {block.id for block in pending_blocks(extended, store)}
    assert pending == {block.id for block in Schedule(extended)} - set(IDS[:4])
    about = dict(query(tmp_path, "SELECT key, value FROM about"))
    (earlier,) = [Config.model_validate(config) for config in stores.json.loads(about["earlier_configs"])]
    assert earlier == CONFIG
    assert about["config_hash"] == extended.hash
