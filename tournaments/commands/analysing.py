"""The command that asks a bot about the positions of a recorded game: analyse."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated, Any

import typer

from tournaments.commands.records import Line, OwnGames, RecordFile, record_in
from tournaments.commands.shell import Json, app, preparing, user_errors


@app.command()
def analyse(
    file: RecordFile,
    game: OwnGames = None,
    line: Line = 1,
    ply: Annotated[
        int | None,
        typer.Option(help="The position after so many actions.", show_default="the first one with a choice"),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Every decision with a choice, in a line each.")] = False,
    seat: Annotated[int | None, typer.Option(help="With --all: those of this seat.", show_default="all seats")] = None,
    bot: Annotated[
        str, typer.Option(help="A built-in bot, which may see all hands, or package.module:Class.")
    ] = "ismcts",
    option: Annotated[
        list[str] | None, typer.Option(help="An option of the bot, KEY=VALUE; may be repeated.", show_default=False)
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="All chance of the bot follows from it and the ply.")] = 0,
    as_json: Json = False,
) -> None:
    """Ask a bot what it would have played in a recorded game, and what its search found of every action.

    The bot is asked as a newcomer: it knows what the seat to move knows, and has seen no position before.

    value: mean reward of an action in [0, 1], as the option `reward` defines it. worlds: the share of the sampled
    worlds in which it was legal. lost: the value of what the bot would play above that of what was played, in the
    eyes of the bot.

    Try: timetricks analyse games.jsonl --bot ismcts --option iterations=10000

    A whole game: timetricks analyse games.jsonl --line 3 --all --seat 0
    """
    with user_errors():
        from bots.bot import warm_up
        from tournaments.analysis import decisions, opinion, summaries
        from tournaments.checkup import entry_of

        entry = entry_of(bot, [], option or [], None, allow_cheating=True)
        record = record_in(file, line, game)
        chosen = _chosen(decisions(record), ply, every, seat)
        played = chosen[0].state.game
        with preparing():
            warm_up(played, entry.bot, entry.model_extra)
        found = [opinion(entry, decision, seed) for decision in _progress(chosen)]
        about = {"game": played.label, "line": line, "bot": entry.bot, "options": entry.model_extra, "seed": seed}
        if every:
            rows = [asdict(summary) for summary in summaries(found)]
            about |= {"rows": [one.as_json() for one in found], "seats": rows}
        else:
            info = chosen[0].state.information_set()
            about |= found[0].as_json() | {"position": str(info), "explanation": found[0].explanation_as_json()}
    if as_json:
        print(json.dumps(about))
    elif every:
        _print_all(about, record.get("bots"))
    else:
        _print_one(about, record.get("bots"))


def _chosen(decisions: list, ply: int | None, every: bool, seat: int | None) -> list:
    """The decisions that the bot is asked about. Raises ValueError."""
    if every and ply is not None:
        raise ValueError("expected either --ply or --all, not both")
    if seat is not None:
        if not every:
            raise ValueError(f"--seat {seat}: expected it with --all only: at a ply the seat to move is asked")
        players = decisions[0].state.game.players
        if seat not in range(players):
            raise ValueError(f"--seat {seat}: expected 0 to {players - 1}")
    if ply is not None:
        if ply not in range(len(decisions)):
            raise ValueError(f"--ply {ply}: expected 0 to {len(decisions) - 1}")
        return [decisions[ply]]
    free = [one for one in decisions if one.has_choice and seat in (None, one.state.seat)]
    if not free:
        raise ValueError("nobody had a choice" if seat is None else f"seat {seat} had no choice")
    return free if every else free[:1]


def _progress(steps: list) -> Iterator:
    from tqdm import tqdm

    return tqdm(steps, desc="analysing", unit=" decisions", file=sys.stderr, disable=None, leave=False)


def _print_one(found: dict[str, Any], names: list[str] | None) -> None:
    print(f"{found['position']}\n")
    who, played = _who(found["seat"], names), found["played"]
    print(f"ply {found['ply']}: {who} {f'played {played}' if played else 'is to move'}; ", end="")
    print_opinion(found)


def print_opinion(found: dict[str, Any]) -> None:
    """What a bot would play, and why. `found` is an `Opinion` as JSON, with explanation, the bot and its options."""
    print(f"{_label(found)} would play {found['choice']}")
    if len(found["legal"]) == 1:
        print("it is the only legal action: there is nothing to search")
    elif found["explanation"] is None:
        print(f"{found['bot']} gives no reasons: values are known of bots that search")
    else:
        _print_explanation(found)


def _print_explanation(found: dict[str, Any]) -> None:
    from tournaments.tables import print_table

    searched = found["explanation"]
    columns = ["action", "", "visits", "value", "±", "worlds", "prior"]
    rows = ([*_action(row, found), *_figures(row)] for row in searched["actions"])
    print_table("what the search found", columns, rows, text_columns=2, spare=["prior"])
    depth = f"depth {searched['mean_depth']:.2f} on average, at most {searched['max_depth']}"
    print(f"{searched['iterations']:,} iterations, {searched['nodes']:,} nodes, {depth}")
    if searched["effective_worlds"] is not None:
        print(f"effective sample size of the weighted worlds: {searched['effective_worlds']:.1f}")
    print("value: mean reward in [0, 1] of the seat to move; ±: its standard error; worlds: in which it was legal")


def _action(row: dict[str, Any], found: dict[str, Any]) -> list[str]:
    marks = [word for word, name in (("played", found["played"]), ("choice", found["choice"])) if name == row["name"]]
    return [row["name"], ", ".join(marks)]


def _figures(row: dict[str, Any]) -> list[str]:
    value = f"{row['value']:.4f}" if row["visits"] else ""
    prior = f"{row['prior']:.3f}" if row["prior"] else ""
    return [f"{row['visits']:,}", value, _number(row["standard_error"], ".4f"), f"{row['legal_share']:.1%}", prior]


def _print_all(found: dict[str, Any], names: list[str] | None) -> None:
    from tournaments.tables import print_table

    columns = ["seat", "played", f"{_label(found)} would play", "ply", "actions", "lost", "±"]
    print_table(found["game"], columns, (_line(row, names) for row in found["rows"]), text_columns=3)
    for summary in found["seats"]:
        agreed = f"{summary['agreed']} of {summary['decisions']} decisions as the bot would have"
        lost = "" if summary["value_lost"] is None else f"; lost {summary['value_lost']:.4f} on average"
        print(f"{_who(summary['seat'], names)}: {agreed}{lost}")
    if all(summary["value_lost"] is None for summary in found["seats"]):
        print(f"{found['bot']} gives no reasons: values are known of bots that search")
    else:
        print("lost: value of what the bot would play above that of what was played; ±: standard error")


def _line(row: dict[str, Any], names: list[str] | None) -> list[str]:
    choice = "the same" if row["choice"] == row["played"] else row["choice"]
    lost, error = _number(row["value_lost"], "+.4f"), _number(row["standard_error"], ".4f")
    if choice == "the same":
        lost = error = ""
    return [_who(row["seat"], names), row["played"] or "", choice, str(row["ply"]), str(len(row["legal"])), lost, error]


def _number(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)


def _who(seat: int, names: list[str] | None) -> str:
    return f"seat {seat} ({names[seat]})" if names else f"seat {seat}"


def _label(found: dict[str, Any]) -> str:
    from bots.bot import cheats
    from tournaments.tables import described

    return described(found["bot"], cheats(found["bot"]), found["options"])
