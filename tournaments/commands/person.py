"""The command for a person who would like to play: play."""

from __future__ import annotations

import json
import secrets
import shlex
from pathlib import Path
from typing import Annotated

import typer

from tournaments.commands.shell import app, preparing, say, stoppable, user_errors

DEFAULT_BOT = "ismcts-strong"
DEFAULT_FILE = Path("played.jsonl")
_LARGEST_SEED = (1 << 53) - 1
_SEEDS_MADE_UP = 10**9  # easy to type


@app.command()
def play(
    game: Annotated[str, typer.Argument(help="A game of `timetricks games`, or package.module.", show_default=False)],
    bots: Annotated[
        str | None,
        typer.Option(
            help="Bots, with commas: built-in ones, package.module:Class, or names from --config. They take the seats "
            "left of yours in turn, from the first bot again while seats are left.",
            show_default=DEFAULT_BOT,
        ),
    ] = None,
    config: Annotated[
        Path | None, typer.Option(help="A TOML file with the bots you would like to meet.", show_default=False)
    ] = None,
    players: Annotated[int | None, typer.Option(help="At the table, with you.", show_default="the game's own")] = None,
    option: Annotated[
        list[str] | None, typer.Option(help="An option of the game, KEY=VALUE; may be repeated.", show_default=False)
    ] = None,
    seat: Annotated[int, typer.Option(min=0, help="Where you sit.")] = 0,
    seed: Annotated[
        int | None,
        typer.Option(min=0, max=_LARGEST_SEED, help="Of the deals and the bots' chance.", show_default="a fresh one"),
    ] = None,
    milliseconds: Annotated[
        float | None, typer.Option(help="Time for a move, of built-in bots that search.", show_default=False)
    ] = None,
    adviser: Annotated[
        str, typer.Option(help="The bot that you may ask for advice, built in or package.module:Class.")
    ] = DEFAULT_BOT,
    save: Annotated[Path, typer.Option(help="The game record is added to this file.")] = DEFAULT_FILE,
) -> None:
    """Play a game against bots.

    Choose among the actions by number, by name or by the beginning of a name. `?` shows the rules in brief and what
    else can be typed: `advice`, `undo`, `story`, `table`, `quit`. The game is saved when it ends and when you leave it.

    Try: timetricks play daytime_minutes --bots rules,ismcts-strong

    Stronger: timetricks play day_and_night --milliseconds 2000

    Smaller: timetricks play trick_or_repeat --players 2 --option hand_size=3 --option rounds=1
    """
    with user_errors():
        from tournaments.commands.dialogue import Dialogue
        from tournaments.play import invitation
        from tournaments.play.played_games import PlayedGames
        from tournaments.play.sitting import Sitting
        from tournaments.players import Players
        from tournaments.runner import compile_kernels

        entry = invitation.game_entry(game, players, option or [])
        order, experiment = invitation.bots_for(entry, bots, DEFAULT_BOT, config, milliseconds)
        table = invitation.table(entry, order, seat)
        advising = invitation.adviser(adviser)
        games = PlayedGames(save)
        seed = secrets.randbelow(_SEEDS_MADE_UP) if seed is None else seed
        with preparing():
            compile_kernels(experiment)
        with stoppable(lambda: "you have left the game"), Players(experiment) as at_hand:
            sitting = Sitting(at_hand, table, seat, seed)
            try:
                Dialogue(sitting, advising, seed).run()
            finally:
                _save(sitting, games)


def _save(sitting, games) -> None:
    """Adds the game to the file, unless nothing was played."""
    if not sitting.num_actions:
        return
    record = sitting.record()
    try:
        line = games.add(record)
    except OSError:
        print(json.dumps(record))  # so that it is somewhere
        raise
    say(f"saved in {games.path}: timetricks show {shlex.quote(str(games.path))} --line {line}")
