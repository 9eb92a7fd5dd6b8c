"""Commands that play: run, compare, check-bot."""

from __future__ import annotations

import json
import re
import shlex
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Annotated

import typer

from tournaments.commands.shell import (
    Json,
    RayAddress,
    Workers,
    app,
    preparing,
    print_standings,
    ray_kept_off_stdout,
    say,
    user_errors,
)


@app.command()
def run(
    config: Annotated[Path, typer.Argument(help="A TOML file, such as configs/quickstart.toml.", show_default=False)],
    out: Annotated[Path | None, typer.Option(help="Results folder.", show_default="results/NAME of the config")] = None,
    workers: Workers = None,
    ray_address: RayAddress = None,
    as_json: Json = False,
) -> None:
    """Play a tournament, or go on with one that was stopped, and print the ratings.

    Finished blocks are stored at once, so a run can be stopped in any way: Ctrl-C finishes what is in
    flight, a second one drops it. `kill -USR1` prints the ratings so far, as `timetricks rate` does from
    elsewhere. More blocks or more bots in the config extend a run; a config that contradicts the results
    folder is refused. A bot that fails is ranked last and its seat is played on at random.
    """
    with user_errors():
        from tournaments import config as configs
        from tournaments.live import Live
        from tournaments.runner import Runner, pending_blocks
        from tournaments.store import Store

        experiment = configs.read(config)
        folder = out or Path("results") / experiment.name
        with Store.create_or_open(folder, experiment) as store:
            pending = pending_blocks(experiment, store)
            say(f"{experiment.name}: {len(pending)} deal blocks to play, results in {folder}")
            live = Live(store, Runner(experiment, workers, ray_address), lambda: _show_standings(store))
            if pending:
                _compile(experiment)
                with ray_kept_off_stdout():
                    for _ in live.play(pending, len(pending), experiment.name):
                        pass
            print_standings(store, as_json)
    if live.stopped_by:
        raise typer.Exit(128 + live.stopped_by)


@app.command()
def compare(
    new: Annotated[str, typer.Argument(help="The bot that may be better.", show_default=False)],
    old: Annotated[str, typer.Argument(help="The bot that it may be better than.", show_default=False)],
    config: Annotated[
        Path | None, typer.Option(help="A TOML file that names both bots, and the games.", show_default=False)
    ] = None,
    game: Annotated[
        list[str] | None, typer.Option(help="Without --config: play this game.", show_default="daytime_minutes")
    ] = None,
    allow_cheating: Annotated[
        bool, typer.Option("--allow-cheating", help="As allow_cheating = true: a bot may see all hands.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="Results folder.", show_default="results/CONFIG-NEW-OLD")] = None,
    workers: Workers = None,
    ray_address: RayAddress = None,
    as_json: Json = False,
) -> None:
    """Test whether NEW is better than OLD, and stop as soon as it is known (SPRT on deal blocks).

    The two fill tables between them in every balanced split of the seats. Bounds in normalized Elo, risks
    and the largest number of blocks stand in the table [compare] of the config. Without a config NEW and
    OLD are bots by name, `timetricks compare ismcts rules --game day_and_night`. Can be stopped and gone
    on with like `run`. The estimate allows for the moment of stopping.
    """
    with user_errors():
        from tournaments import config as configs
        from tournaments.duel import Duel, between
        from tournaments.live import Live
        from tournaments.runner import Runner
        from tournaments.store import Store
        from tournaments.tables import print_duel

        keys = {"allow_cheating": True} if allow_cheating else {}
        if config:
            whole = configs.check(configs.parsed(config) | keys, str(config))
        else:
            whole = configs.of_bots([new, old], game or ["daytime_minutes"], **keys)
        experiment = between(whole, new, old)
        folder = out or Path("results") / re.sub(r"[^\w.+-]", "_", experiment.name)
        duel = Duel(experiment, new, old)
        with Store.create_or_open(folder, experiment) as store:
            pending = list(duel.pending(store))
            runner = Runner(experiment, workers, ray_address)
            live = Live(store, runner, lambda: say(duel.sprt.line()))
            if duel.sprt.verdict is None and pending:
                say(f"{new} against {old}: at most {len(pending)} deal blocks to play, results in {folder}")
                _compile(experiment)
                with ray_kept_off_stdout():
                    for played in live.play(pending, len(pending), "compare"):
                        for results in played:
                            duel.take(results[0].block, [(result.record["bots"], result.ranks) for result in results])
                        live.note = duel.sprt.line()
                        runner.stopping |= duel.sprt.verdict is not None
        if as_json:
            print(json.dumps(duel.as_json()))
        else:
            print_duel(duel)
    if live.stopped_by:
        raise typer.Exit(128 + live.stopped_by)


@app.command("check-bot")
def check_bot(
    bot: Annotated[
        str | None, typer.Argument(help="package.module:Class, or a built-in bot.", show_default=False)
    ] = None,
    command: Annotated[
        str | None, typer.Option(help="A program that speaks bots/PROTOCOL.md instead.", show_default=False)
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(help="An option of the bot, KEY=VALUE; may be repeated.", show_default=False)
    ] = None,
    game: Annotated[list[str] | None, typer.Option(help="Only this game; may be repeated.", show_default=False)] = None,
    blocks: Annotated[int, typer.Option(min=1, help="Deal blocks per game and number of players.")] = 2,
    milliseconds: Annotated[float | None, typer.Option(help="Limit of a move.", show_default=False)] = None,
    as_json: Json = False,
) -> None:
    """Play a bot through every game at every number of players and say what breaks the rules of the house.

    Everything is played twice: a run can be repeated only if the bot takes all its chance from its seed.
    Exits with 1 if there is anything to complain about.
    """
    with user_errors():
        from tqdm import tqdm

        import engine
        from tournaments.checkup import check, entry_of

        names = game or engine.names()
        entry = entry_of(bot, shlex.split(command or ""), option or [], milliseconds)
        found = list(tqdm(check(entry, names, blocks), desc="playing", unit=" tables", disable=None, leave=False))
    if as_json:
        print(json.dumps({"rows": [finding.as_json() for finding in found]}))
    else:
        from tournaments.tables import print_findings

        print_findings(found)
    if not all(finding.is_clean for finding in found):
        raise typer.Exit(1)


def _compile(experiment) -> None:
    from tournaments.runner import compile_kernels

    with preparing():
        compile_kernels(experiment)


def _show_standings(store) -> None:
    with redirect_stdout(sys.stderr):
        print_standings(store, as_json=False)
