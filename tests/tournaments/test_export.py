"""The games of a tournament as tables, compared with what the database holds."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import pytest
from pyarrow import parquet
from typer.testing import CliRunner

from tests.tournaments.experiments import RANDOM, experiment, play, query, scripted, store_of
from tournaments.cli import app
from tournaments.export import COLUMNS
from tournaments.schedule import Schedule

TRICK = {"game": "trick_or_repeat", "players": 2, "rounds": 1}
AWKWARD = {"name": 'a "b",\nc', "bot": "random"}
CONFIG = experiment(
    RANDOM,
    AWKWARD,
    scripted("Raises", at=2),
    games=[{"game": "daytime_minutes", "players": 3}, TRICK],
    blocks_per_table=2,
)
BLOCKS = play(CONFIG)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return store_of(tmp_path_factory.mktemp("export") / "results", CONFIG, BLOCKS[::-1])


def export(results: Path, path: Path, form: str, code: int = 0) -> str:
    """Exports to `path` and returns what was said."""
    ended = CliRunner().invoke(app, ["export", str(results), "--to", str(path), "--format", form])
    assert (ended.exit_code, ended.stdout) == (code, "")
    return ended.stderr


def read_csv(path: Path) -> list[dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def typed(rows: list[dict[str, str]]) -> list[dict]:
    """Rows of a CSV file with the types that the help documents; nothing is None."""
    return [{key: COLUMNS[key][0](text) if text else None for key, text in row.items()} for row in rows]


def test_csv_holds_what_the_database_holds(results, tmp_path):
    said = export(results, tmp_path / "games.csv", "csv")
    rows = read_csv(tmp_path / "games.csv")
    assert f"{sum(map(len, BLOCKS))} games written" in said
    stored = query(
        results,
        "SELECT id, block, rotation, bots, scores, ranks, faults, record, decisions, seconds"
        " FROM games JOIN records USING (number) JOIN conduct USING (number)",
    )
    by_seat = {(row["id"], int(row["seat"])): row for row in rows}
    assert len(rows) == len(by_seat) == sum(len(json.loads(game[3])) for game in stored)
    for game_id, block, rotation, *lists in stored:
        bots, scores, ranks, faults, record, decisions, seconds = map(json.loads, lists)
        for seat, bot in enumerate(bots):
            row = by_seat[game_id, seat]
            assert (row["block"], row["rotation"], row["bot"]) == (block, str(rotation), bot)
            assert (row["game"], row["players"]) == (record["game"], str(record["players"]))
            assert json.loads(row["options"]) == record["options"]
            assert (row["seed"], row["actions"]) == (str(record["seed"]), str(len(record["actions"])))
            assert (row["score"], row["rank"]) == (str(scores[seat]), str(record["ranks"][seat]))
            assert row["counted_rank"] == str(ranks[seat])
            assert float(row["returns"]) == record["returns"][seat]
            assert (row["decisions"], float(row["seconds"])) == (str(decisions[seat]), seconds[seat])
            (fault,) = [one for one in faults if one["seat"] == seat] or [None]
            told = [fault["reason"], fault["message"], str(fault["action_number"])] if fault else ["", "", ""]
            assert [row["fault"], row["fault_message"], row["fault_action"]] == told


def test_a_game_worked_by_hand(results, tmp_path):
    """The bad bot fails at its third decision, and is ranked last whatever it scored."""
    export(results, tmp_path / "games.csv", "csv")
    rows = [row for row in read_csv(tmp_path / "games.csv") if row["bot"] == "bad" and row["game"] == "daytime_minutes"]
    assert len(rows) == 6  # two blocks of three games
    for row in rows:
        assert (row["fault"], row["fault_message"]) == ("exception", "RuntimeError: out of ideas")
        assert row["counted_rank"] == "3"
        assert 6 <= int(row["fault_action"]) <= 9  # the third trick, a plan may have been chosen before


def test_rows_come_in_schedule_order(results, tmp_path):
    export(results, tmp_path / "games.csv", "csv")
    order = [(row["block"], int(row["rotation"]), int(row["seat"])) for row in read_csv(tmp_path / "games.csv")]
    blocks = [(block.id, len(block.table)) for block in Schedule(CONFIG)]
    assert order == [(block, game, seat) for block, size in blocks for game in range(size) for seat in range(size)]


def test_parquet_holds_the_same_with_types(results, tmp_path):
    export(results, tmp_path / "games.csv", "csv")
    export(results, tmp_path / "games.parquet", "parquet")
    table = parquet.read_table(tmp_path / "games.parquet")
    assert table.to_pylist() == typed(read_csv(tmp_path / "games.csv"))
    assert table.column_names == list(COLUMNS)
    types = {str: "string", int: "int64", float: "double"}
    assert [str(field.type) for field in table.schema] == [types[kind] for kind, _ in COLUMNS.values()]


def test_large_files_are_written_in_groups(results, tmp_path, monkeypatch):
    monkeypatch.setattr("tournaments.export._GAMES_AT_ONCE", 4)
    export(results, tmp_path / "games.csv", "csv")
    export(results, tmp_path / "games.parquet", "parquet")
    file = parquet.ParquetFile(tmp_path / "games.parquet")
    assert file.num_row_groups == -(-sum(map(len, BLOCKS)) // 4)
    assert file.read().to_pylist() == typed(read_csv(tmp_path / "games.csv"))


def test_a_tournament_that_has_not_begun_is_an_empty_table(tmp_path):
    empty = store_of(tmp_path / "results", CONFIG, [])
    for form in ("records", "csv", "parquet"):
        assert "0 games written" in export(empty, tmp_path / form, form)
    assert (tmp_path / "records").read_text() == ""
    assert (tmp_path / "csv").read_text().splitlines() == [",".join(COLUMNS)]
    assert parquet.read_table(tmp_path / "parquet").num_rows == 0


def test_without_pyarrow_it_is_said_what_to_install_and_nothing_is_touched(results, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "games.parquet").write_text("older")
    said = export(results, tmp_path / "games.parquet", "parquet", code=2)
    assert "pip install 'timetricks[parquet]'" in said
    assert len(said.splitlines()) == 1
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("games.parquet", "older")]


def test_help_documents_every_column():
    text = CliRunner().invoke(app, ["export", "--help"], terminal_width=100).stdout
    words = " ".join(text.replace("│", " ").split())
    assert all(f"{name} {meaning}" in words for name, (_, meaning) in COLUMNS.items())
