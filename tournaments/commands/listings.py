"""Commands that say what there is and how fast it is: games, bots, bench."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from tournaments.commands.shell import Json, app, user_errors


@app.command()
def games(as_json: Json = False) -> None:
    """List the games with their player counts and options."""
    import engine
    from engine.game import describe, find

    listing = []
    for name in engine.names():
        rules, game = find(name), engine.load(name)
        options = [
            {
                "name": option.name,
                "default": option.default_for(rules.default_players),
                "expected": describe(option.values),
                "meaning": option.meaning,
            }
            for option in rules.options
        ]
        listing.append(
            {
                "game": name,
                "title": rules.title,
                "players": list(rules.players),
                "default_players": rules.default_players,
                "cards": len(game.deck),
                "actions": len(game.actions),
                "options": options,
            }
        )
    if as_json:
        print(json.dumps(listing))
        return
    from tournaments.tables import print_table

    print_table(
        "games",
        ["game", "title", "players", "options", "cards", "actions"],
        (
            [
                row["game"],
                row["title"],
                f"{row['players'][0]}–{row['players'][-1]} (default {row['default_players']})",
                "\n".join(f"{o['name']} = {o['default']!r}: {o['meaning']}; {o['expected']}" for o in row["options"]),
                str(row["cards"]),
                str(row["actions"]),
            ]
            for row in listing
        ),
        text_columns=4,
    )


@app.command()
def bots(as_json: Json = False) -> None:
    """List the built-in bots with their options."""
    from bots import bot as registry

    listing = [
        {
            "bot": name,
            "cheats": registry.cheats(name),
            "about": (registry.find(name).__doc__ or "").strip().splitlines()[0],
            "options": [
                {"name": option, "default": default, "meaning": meaning}
                for option, default, meaning in registry.options_of(name)
            ],
        }
        for name in registry.names()
    ]
    if as_json:
        print(json.dumps(listing))
        return
    from tournaments.tables import marked, print_table

    print_table(
        "bots",
        ["bot", "about", "options"],
        (
            [
                marked(row["bot"], row["cheats"]),
                row["about"],
                "\n".join(f"{o['name']} = {json.dumps(o['default'])}: {o['meaning']}" for o in row["options"]),
            ]
            for row in listing
        ),
        text_columns=3,
    )


@app.command()
def bench(
    game: Annotated[list[str] | None, typer.Option(help="Only this game; may be repeated.")] = None,
    as_json: Json = False,
) -> None:
    """Measure random play, ISMCTS and determinization on one core: medians of repeated runs."""
    with user_errors():
        from tqdm import tqdm

        import engine
        from tournaments.bench import rows

        loaded = [engine.load(name) for name in game or engine.names()]
        measured = [row for g in tqdm(loaded, desc="measuring", disable=None, leave=False) for row in rows(g)]
    if as_json:
        print(json.dumps({"rows": measured}))
        return
    from tournaments.tables import print_table

    print_table(
        "speed, one core",
        ["game", "task", "unit", "players", "value"],
        ([r["game"], r["task"], r["unit"], str(r["players"]), f"{r['value']:,.2f}"] for r in measured),
        text_columns=3,
    )
