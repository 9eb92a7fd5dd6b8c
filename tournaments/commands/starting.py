"""The command for those who write bots: new-bot."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tournaments.commands.shell import app, user_errors


@app.command("new-bot")
def new_bot(
    name: Annotated[str, typer.Argument(help="Of the bot: a Python module, such as my_bot.", show_default=False)],
    to: Annotated[
        Path, typer.Option(help="The folder in which a folder NAME is made.", show_default="the present one")
    ] = Path(),
) -> None:
    """Write a bot of your own to start from: one that plays, its test, and a tournament that rates it.

    It plays all games, by flat Monte Carlo in a page of plain Python. Nothing that is there is overwritten.
    """
    with user_errors():
        from tournaments.new_bot import next_steps, write

        folder = write(name, to)
        print(f"{folder} holds {', '.join(sorted(path.name for path in folder.iterdir()))}. The next steps:\n")
        for step in next_steps(folder):
            print(f"  {step}")
