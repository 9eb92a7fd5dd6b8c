"""Results on disk: nothing is lost, nothing comes twice, and a file that is not ours stays as it is."""

from __future__ import annotations

import gc
import json
import sqlite3
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from tests.tournaments.experiments import RANDOM, experiment, play, query, scripted, store_of, stored_games
from tournaments.config import Config
from tournaments.results import Faults
from tournaments.runner import pending_blocks
from tournaments.schedule import Schedule
from tournaments.store import FILE_NAME, LOCK_NAME, Store, StoreError

CONFIG = experiment(RANDOM, scripted("Raises", at=2), blocks_per_table=2)
BLOCKS = play(CONFIG)  # four of three games
COUNT = len(BLOCKS)


def everything(folder: Path) -> list:
    """All rows of all tables."""
    return [
        stored_games(folder),
        query(folder, "SELECT id, decisions, seconds, stderr FROM games JOIN conduct USING (number) ORDER BY id"),
        query(folder, "SELECT * FROM about"),
    ]


def test_what_is_stored_comes_back(tmp_path):
    store_of(tmp_path, CONFIG, BLOCKS[::-1])
    results = sorted((result for block in BLOCKS for result in block), key=lambda result: result.id)
    blocks = sorted(block[0].block for block in BLOCKS)
    faults = [fault for result in results for fault in result.faults]
    with Store.open(tmp_path) as store:
        (stored,) = store.results()
        assert store.config == CONFIG
        assert store.finished_blocks() == set(blocks)
    assert stored.game == "daytime_minutes/3"
    assert [blocks[number] for number in stored.blocks] == [result.block for result in results]
    bots = [[CONFIG.bot_names[number] for number in seats] for seats in stored.bots]
    assert bots == [result.record["bots"] for result in results]
    assert stored.scores.tolist() == [result.record["scores"] for result in results]
    assert stored.ranks.tolist() == [result.ranks for result in results]
    assert stored.decisions.tolist() == [result.decisions for result in results]
    assert stored.seconds.tolist() == [result.seconds for result in results]
    assert stored.faults == [Faults("bad", "exception", len(faults), faults[0].message)]


def test_what_a_process_said_is_stored(tmp_path):
    said = [replace(BLOCKS[0][0], stderr=["", "two\nlines", ""])]
    store_of(tmp_path, CONFIG, [said])
    ((text,),) = query(tmp_path, "SELECT stderr FROM conduct")
    assert json.loads(text) == ["", "two\nlines", ""]


def cost(result):
    """What the record of a game adds when a bot was at fault: why, and the ranks that count."""
    faults = [asdict(fault) for fault in result.faults]
    return {"faults": faults, "counted_ranks": result.ranks} if faults else {}


def test_records_come_in_schedule_order_each_with_its_id(tmp_path):
    store_of(tmp_path, CONFIG, [*BLOCKS[2:], *BLOCKS[:2]])
    with Store.open(tmp_path) as store:
        records = [game.full_record() for game in store.games()]
    assert records == [{"id": result.id} | result.record | cost(result) for block in BLOCKS for result in block]
    assert [record["id"].rpartition(" ")[0] for record in records[::3]] == [block.id for block in Schedule(CONFIG)]
    assert len({record["id"] for record in records}) == 3 * COUNT
    assert all(engine.replay(record).is_terminal for record in records)


def test_records_that_the_schedule_does_not_hold_come_last_in_order(tmp_path):
    """They are of a config that has since grown."""
    strays = [
        [replace(result, id=f"{name} r{result.rotation}", block=name) for result in BLOCKS[0]] for name in ("b", "a")
    ]
    store_of(tmp_path, CONFIG, [strays[0], BLOCKS[3], strays[1], BLOCKS[1]])
    with Store.open(tmp_path) as store:
        ids = [game.id for game in store.games()]
    expected = [BLOCKS[1], BLOCKS[3], strays[1], strays[0]]
    assert ids == [result.id for block in expected for result in block]


def test_a_sample_of_records_is_spread_over_the_schedule(tmp_path):
    store_of(tmp_path, CONFIG, BLOCKS)
    with Store.open(tmp_path) as store:
        ids = [game.id for game in store.games()]
        assert [game.id for game in store.sample(2)] == [ids[0], ids[3 * (COUNT // 2) + 1]]
        assert [game.id for game in store.sample(len(ids) + 1)] == ids


def test_several_blocks_are_one_transaction(tmp_path):
    def broken():
        yield BLOCKS[0]
        raise KeyboardInterrupt

    with Store.create_or_open(tmp_path, CONFIG) as store:
        with pytest.raises(KeyboardInterrupt):
            store.add_blocks(broken())
        assert store.finished_blocks() == set()
        store.add_blocks(BLOCKS)
        assert store.finished_blocks() == {block[0].block for block in BLOCKS}


def test_a_store_can_be_opened_again_and_again(tmp_path):
    folder = tmp_path / "new" / "folder"
    store_of(folder, CONFIG, [])
    for block in BLOCKS:
        store_of(folder, CONFIG, [block])
    assert everything(folder) == everything(store_of(tmp_path / "whole", CONFIG, BLOCKS))


def test_a_reader_sees_finished_blocks_while_another_writes(tmp_path):
    with Store.create_or_open(tmp_path, CONFIG) as writer, Store.open(tmp_path) as reader:
        assert reader.results() == []
        writer.add_blocks([BLOCKS[0]])
        assert len(reader.results()[0].blocks) == 3


def test_a_block_that_comes_twice_changes_nothing(tmp_path):
    store_of(tmp_path, CONFIG, BLOCKS[:2])
    before = everything(tmp_path)
    with Store.create_or_open(tmp_path, CONFIG) as store:
        store.add_blocks([BLOCKS[0]])
        store.add_blocks([play(CONFIG)[1]])  # played again: other times, same games
        store.add_blocks([[replace(result, ranks=[1, 1, 1]) for result in BLOCKS[1]]])  # what came first stays
    assert everything(tmp_path) == before


def test_a_block_that_breaks_off_leaves_nothing(tmp_path):
    def broken():
        yield BLOCKS[1][0]
        raise KeyboardInterrupt

    with Store.create_or_open(tmp_path, CONFIG) as store:
        store.add_blocks([BLOCKS[0]])
        with pytest.raises(KeyboardInterrupt):
            store.add_blocks([broken()])
        assert store.finished_blocks() == {BLOCKS[0][0].block}
        assert [block.id for block in pending_blocks(CONFIG, store)] == [block[0].block for block in BLOCKS[1:]]
    assert query(tmp_path, "SELECT count(*) FROM conduct") == query(tmp_path, "SELECT count(*) FROM records") == [(3,)]


@settings(max_examples=25)
@given(order=st.permutations(range(COUNT)), cut=st.integers(0, COUNT), again=st.sets(st.integers(0, COUNT - 1)))
def test_any_part_of_a_run_and_the_rest_are_the_whole(order, cut, again):
    """Killed after `cut` blocks that came in any order; some come a second time."""
    with TemporaryDirectory() as folder:
        whole = everything(store_of(Path(folder, "whole"), CONFIG, BLOCKS))
        parts = store_of(Path(folder, "parts"), CONFIG, [BLOCKS[number] for number in order[:cut]])
        with Store.create_or_open(parts, CONFIG) as store:
            pending = [block.id for block in pending_blocks(CONFIG, store)]
        assert pending == [BLOCKS[number][0].block for number in sorted(order[cut:])]
        store_of(parts, CONFIG, [BLOCKS[number] for number in [*again, *order[cut:]]])
        assert everything(parts) == whole
        with Store.open(parts) as store:
            assert list(pending_blocks(CONFIG, store)) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seed": 5}, "seed was 0 and is 5"),
        ({"limits": {"milliseconds": 9}}, 'limits was {"milliseconds": null, '),
        ({"blocks_per_table": 1}, "blocks_per_table was 2 and is 1"),
        ({"bots": [RANDOM]}, "bot 'bad' is missing"),
        ({"bots": [RANDOM, scripted("Raises", at=3)]}, "bot 'bad' was {"),
        ({"games": [{"game": "daytime_minutes", "players": 4}]}, "game 'daytime_minutes/3' is missing"),
    ],
)
def test_another_config_is_refused_and_the_difference_shown(tmp_path, change, said):
    store_of(tmp_path, CONFIG, BLOCKS[:1])
    before = everything(tmp_path)
    other = Config.model_validate(CONFIG.model_dump() | change)
    with pytest.raises(StoreError) as error:
        Store.create_or_open(tmp_path, other)
    message = str(error.value)
    assert str(tmp_path) in message
    assert said in message
    assert len(message.splitlines()) == 1
    assert message.count(" was ") + message.count(" is missing") == 1
    assert everything(tmp_path) == before


def test_the_store_says_what_made_it(tmp_path):
    store_of(tmp_path, CONFIG, [])
    about = dict(query(tmp_path, "SELECT key, value FROM about"))
    assert json.loads(about["config"]) == CONFIG.model_dump()
    assert about["config_hash"] == CONFIG.hash
    assert {"python", "numpy", "numba", "timetricks"} <= set(json.loads(about["versions"]))


# --- Files that are no store ----------------------------------------------------------------------


def sqlite_file(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def stored_file(path: Path, *statements: str) -> None:
    """A store, then changed by `statements`."""
    store_of(path.parent, CONFIG, BLOCKS)
    sqlite_file(path, *statements)


def cut_file(path: Path, share: float = 1.0, fewer: int = 0) -> None:
    stored_file(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole)) - fewer])


NOT_STORES = {
    "text": lambda path: path.write_text("not a database\n" * 100),
    "short text": lambda path: path.write_text("not a database\n"),
    "one byte": lambda path: path.write_bytes(b"x"),
    "cut after a header": lambda path: cut_file(path, 0.001),
    "cut after a page": lambda path: cut_file(path, 0.1),
    "cut in the middle": lambda path: cut_file(path, 0.5),
    "cut before the last page": lambda path: cut_file(path, 1.0, 5000),
    "database of another program": lambda path: sqlite_file(path, "CREATE TABLE about (x)", "CREATE TABLE t (x)"),
    "database without about": lambda path: sqlite_file(path, "CREATE TABLE t (x)"),
    "format of another version": lambda path: stored_file(
        path, "UPDATE about SET value = 'timetricks-store/9' WHERE key = 'format'"
    ),
    "no format": lambda path: stored_file(path, "DELETE FROM about WHERE key = 'format'"),
    "no config": lambda path: stored_file(path, "DELETE FROM about WHERE key = 'config'"),
    "config that is no JSON": lambda path: stored_file(path, "UPDATE about SET value = '{' WHERE key = 'config'"),
    "a table missing": lambda path: stored_file(path, "DROP TABLE conduct"),
}


def read_all(store: Store) -> None:
    with store:
        store.results()
        list(store.games())


WAYS = {"open": Store.open, "go on": lambda folder: Store.create_or_open(folder, CONFIG)}
DAMAGED = [name for name in NOT_STORES if "text" in name or "cut" in name or name == "one byte"]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", NOT_STORES)
def test_a_file_that_is_no_store_is_named_and_kept(tmp_path, kind, way):
    """It stays where it is, unless it is damaged and a run wants to write there: then it gets another name."""
    path = tmp_path / FILE_NAME
    NOT_STORES[kind](path)
    before = path.read_bytes()
    with pytest.raises(StoreError) as error:
        read_all(WAYS[way](tmp_path))
    message = str(error.value)
    assert str(path) in message
    assert len(message.splitlines()) == 1
    del error
    gc.collect()  # closes what is still open, which may write
    moved = way == "go on" and kind in DAMAGED
    kept = path.with_name(f"{FILE_NAME}.damaged-1") if moved else path
    assert ("is damaged" in message) == (f"{FILE_NAME}.damaged-1" in message) == moved
    assert path.exists() == (not moved)
    assert kept.read_bytes() == before


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_store_that_is_refused_is_closed(tmp_path, way):
    """SQLite keeps two files beside a database as long as somebody has it open."""
    stored_file(tmp_path / FILE_NAME, "UPDATE about SET value = 'timetricks-store/9' WHERE key = 'format'")
    with pytest.raises(StoreError):
        way(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {FILE_NAME, LOCK_NAME}


def test_an_empty_file_is_no_store_to_read(tmp_path):
    path = tmp_path / FILE_NAME
    path.touch()
    with pytest.raises(StoreError, match=FILE_NAME):
        Store.open(tmp_path)
    assert path.read_bytes() == b""


def test_a_run_goes_on_from_an_empty_file(tmp_path):
    """It is what a run leaves that was killed before its first write."""
    (tmp_path / FILE_NAME).touch()
    assert len(stored_games(store_of(tmp_path, CONFIG, BLOCKS))) == 3 * COUNT


def test_a_folder_that_is_not_there_is_no_store(tmp_path):
    missing = tmp_path / "missing"
    with pytest.raises(StoreError, match=r"missing holds no games\.sqlite"):
        Store.open(missing)
    assert not missing.exists()
    with pytest.raises(StoreError, match=r"holds no games\.sqlite"):
        Store.open(tmp_path)


def test_a_file_in_the_place_of_the_folder_is_named(tmp_path):
    path = tmp_path / "file"
    path.write_text("mine")
    for way in WAYS.values():
        with pytest.raises(StoreError, match="file"):
            way(path)
    assert path.read_text() == "mine"
