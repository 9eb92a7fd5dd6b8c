"""What people read beside the figures."""

from __future__ import annotations

import pytest

from tests.tournaments.experiments import named
from tests.tournaments.test_standings import CONFIG, DAYTIME, OTHER, ROWS, rated, row
from tournaments.standings import Standings, Table, standings
from tournaments.tables import print_standings

BEATEN = [row(str(block), bots, (0, 0, 0), [1 + "wml".index(bot) for bot in bots], rotation)
          for block in range(3) for rotation, bots in enumerate(("wml", "mlw", "lwm"))]  # fmt: skip


def printed(capsys, table: Standings, **options) -> str:
    print_standings(table, **options)
    return capsys.readouterr().out


def test_who_won_or_lost_every_comparison_is_said_in_words(capsys):
    text = printed(capsys, rated(named(["m", "l", "w"]), BEATEN))
    assert "w has beaten everybody so far: its rating is held finite by one virtual draw" in text
    assert "l has lost to everybody so far: its rating is held finite by one virtual draw" in text
    assert "m has" not in text
    assert "everybody" not in printed(capsys, rated(CONFIG, ROWS))


def test_pools_that_never_met_are_said_in_words(capsys):
    apart = [row("3", "def", (1, 2, 3), (3, 2, 1)), row("4", "efd", (1, 2, 3), (3, 2, 1))]
    text = printed(capsys, rated(named(list("abcdef")), [*ROWS, *apart]))
    assert "pool 1, never met the others and rated apart: b, a, c" in text
    assert "pool 2, never met the others and rated apart: " in text
    assert "Elo of the seats in pool 1: seat 0 " in text
    assert "Elo of the seats in pool 2: seat 0 " in text
    assert "pool" not in printed(capsys, rated(CONFIG, ROWS))


def test_an_anchor_that_has_not_played_is_said_in_words(capsys):
    config = named(["a", "b", "c", "idle"], anchor="idle")
    assert "the anchor idle has not played here yet: ratings are relative to a mean of 0" in printed(
        capsys, rated(config, ROWS)
    )
    assert "anchor" not in printed(capsys, rated(named(["a", "b", "c"], anchor="c"), ROWS))


def made_up(num_bots: int) -> Standings:
    """A table with known numbers, of bots with long names."""
    rows = [
        dict(bot=f"a-rather-long-name-{number}", cheats=False, elo=500.0 - number, low=-1000.0, high=-900.0,
             tier=1 + number // 2, superiority=0.75, pairs_won=0.5, win_share=0.25, mean_rank=2.5, mean_score=12.5,
             games=250_000, faults=0, fault_reasons={}, ms_per_decision=123.45, pool=0)
        for number in range(num_bots)
    ]  # fmt: skip
    superiority = [
        [0.5 if one == other else float(one < other) for other in range(num_bots)] for one in range(num_bots)
    ]
    seats = [{"seat": seat, "elo": 10.0 - 5 * seat, "low": 9.0, "high": 11.0, "pool": 0} for seat in range(4)]
    table = Table(rows, superiority, seats, design_effect=0.4)
    return Standings(table, {DAYTIME: table})


def test_rotation_and_seats_are_told_in_a_line_each(capsys):
    text = printed(capsys, made_up(2))
    assert "rotation: a block of 4 games says as much as 10.0 independent games (design effect 0.40)" in text
    assert "Elo of the seats: seat 0 +10 (+9 … +11), seat 1 +5 (+9 … +11), seat 2 +0 " in text


def test_a_single_block_tells_nothing_of_rotation(capsys):
    text = printed(capsys, rated(CONFIG, ROWS[:2]))
    assert "rotation" not in text
    assert "(one block: none)" in text


@pytest.mark.parametrize("width", [80, 100, 160])
def test_tables_stay_within_the_width_and_keep_what_matters(capsys, monkeypatch, width):
    monkeypatch.setattr("tournaments.tables._WIDTH_OF_FILES", width)
    lines = printed(capsys, made_up(100), matrix=True).splitlines()
    assert max(map(len, lines)) <= width
    first = next(line for line in lines if "name-0 " in line)
    assert first.split()[:6] == ["a-rather-long-name-0", "1", "+500", "-1000", "…", "-900"]
    assert "250000" in first
    header = next(line for line in lines if "tier" in line)
    left_out = [line for line in lines if line.startswith("left out for want of room: ")]
    assert ("ms/move" in header) == (width == 160)
    assert bool(left_out) == (width < 160)


def test_the_matrix_shows_every_pair_once_in_each_direction(capsys):
    text = printed(capsys, made_up(60), matrix=True)
    matrix = text[text.index("likelihood in %") :]
    cells = matrix.split()
    assert cells.count(">99") == cells.count("<1") == 60 * 59 // 2
    assert cells.count("–") == 60
    assert "likelihood in %" not in printed(capsys, made_up(60))


def test_several_games_have_a_table_over_all_without_seats(capsys):
    others = [(OTHER, f"other {line[1]}", *line[2:]) for line in ROWS]
    text = printed(capsys, rated(CONFIG, [*ROWS, *others]))
    assert [text.count(title) for title in (DAYTIME, OTHER, "all games")] == [1, 1, 1]
    assert text.count("Elo of the seats") == text.count("rotation: ") == 2
    assert "Elo of the seats" not in text[text.index("all games") :]


def test_no_games_are_said_in_words(capsys):
    assert printed(capsys, standings(CONFIG, [])) == "no finished games yet\n"
