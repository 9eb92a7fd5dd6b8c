"""The command that looks for better bots: tune."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Annotated

import typer

from tournaments.commands.shell import (
    Json,
    RayAddress,
    Workers,
    app,
    preparing,
    ray_kept_off_stdout,
    say,
    stoppable,
    user_errors,
)

TUNED_NAME = "tuned.toml"
_BAR = "{desc}: {percentage:3.0f}%|{bar}| {n_fmt}/{total_fmt} games [{elapsed}<{remaining}, {rate_fmt}{postfix}]"


@app.command()
def tune(
    config: Annotated[Path, typer.Argument(help="A TOML file, such as configs/tune.toml.", show_default=False)],
    out: Annotated[Path | None, typer.Option(help="Results folder.", show_default="results/NAME of the config")] = None,
    workers: Workers = None,
    ray_address: RayAddress = None,
    as_json: Json = False,
) -> None:
    """Look for better values of numbers among the options of a bot, and check them on fresh deals.

    Candidates of a step play the same deals; each step plays fresh ones. Every step is written to log.jsonl in
    the results folder, so that the same command goes on after a stop. At the end tuned.toml holds the tuned bot,
    ready for a config, and it meets the bot it was in every balanced split of the seats, on deals of their own.
    Rule-based bots play in compiled code in this process; any others as in a tournament, on all workers.
    """
    with user_errors():
        from tournaments import tuning
        from tournaments.evaluators import evaluator
        from tournaments.tuner import Log, Tuner

        search = tuning.read(config)
        folder = out or Path("results") / search.name
        with ExitStack() as stack:
            log = stack.enter_context(closing(Log(folder, search)))
            stack.enter_context(ray_kept_off_stdout())
            games = stack.enter_context(evaluator(search, workers, ray_address))
            tuner = Tuner(search, games)
            for line in log.steps:
                tuner.repeat(line)
            with stoppable(
                lambda: f"stopped after {tuner.steps} of {tuner.config.steps} steps; the same command goes on"
            ):
                say(f"{search.name}: {search.steps - tuner.steps} steps to go, results in {folder}")
                with preparing():
                    games.prepare()
                found = _play(tuner, log, games)
        if games.faults:
            say(f"bots failed in {games.faults} of {games.games} games, for the first time: {games.first_fault}")
        _report(folder, tuner, found, as_json)


def _report(folder, tuner, found, as_json: bool) -> None:
    """Writes down the tuned bot; shows what has become of the parameters, and whether that is better."""
    from tournaments.tables import marked, print_tuned
    from tournaments.tuning import as_toml

    name, label = tuner.config.name, tuner.config.game.load().label
    bot = tuner.tunable.entry(tuner.tuned).model_copy(update={"name": name})
    (folder / TUNED_NAME).write_text(as_toml(bot, f"{name} in {label}, {found.words}"), encoding="utf-8")
    say(f"tuned bot written to {folder / TUNED_NAME}")
    old, new = (tuner.tunable.values(point) for point in (tuner.tunable.space.start, tuner.tuned))
    if as_json:
        rows = [{"parameter": path, "old": old[path], "new": new[path]} for path in new]
        holdout = found._asdict() | {"verdict": found.verdict}
        head = {"game": label, "cheats": bot.cheats, "steps": tuner.steps}
        print(json.dumps(head | {"parameters": rows, "holdout": holdout}))
    else:
        print_tuned(f"{marked(name, bot.cheats)}, {label}", old, new)
        print(found.words)


def _play(tuner, log, games):
    """Makes the steps that are still to be made, and the check."""
    from tqdm import tqdm

    search = tuner.config
    blocks = (search.steps - tuner.steps) * search.population * search.blocks + search.holdout_blocks
    rare = 0.1 if sys.stderr.isatty() else 10.0  # seconds between lines of a log file
    shown = {"bar_format": _BAR, "unit": " games", "unit_scale": True, "file": sys.stderr, "mininterval": rare}
    with tqdm(total=blocks * tuner.players, desc="tune", **shown) as bar:
        games.progress = bar.update
        while tuner.steps < search.steps:
            line = tuner.step()
            log.add(line)
            bar.set_postfix_str(f"step {tuner.steps}/{search.steps}, best {line['best']:.3f}", refresh=False)
        bar.set_postfix_str("held-out check")
        return tuner.holdout()
