"""Which bots differ by their budget only."""

from __future__ import annotations

from tournaments.config import BotEntry
from tournaments.report.budgets import budget_series


def series_of(*entries, pools=None):
    """Names of bots by unit, as far as they form series; the Elo of bot number n is n."""
    bots = [BotEntry.model_validate({"name": f"bot {number}", **entry}) for number, entry in enumerate(entries)]
    pools = pools or [0] * len(bots)
    rows = [{"bot": bot.name, "elo": float(number), "low": None, "high": None, "pool": pools[number]}
            for number, bot in enumerate(bots)]  # fmt: skip
    return budget_series(bots, rows)


def budgets(series):
    return [(point["bot"], point["budget"]) for point in series.points]


def ismcts(**options):
    return {"bot": "ismcts"} | options


def test_a_series_is_in_order_of_the_budget():
    (found,) = series_of(ismcts(iterations=400), {"bot": "random"}, ismcts(iterations=25), {"bot": "rules"})
    assert (found.unit, found.label) == ("iterations", "ismcts")
    assert found.points == [
        {"bot": "bot 2", "budget": 25, "elo": 2.0, "low": None, "high": None},
        {"bot": "bot 0", "budget": 400, "elo": 0.0, "low": None, "high": None},
    ]


def test_the_default_budget_of_a_built_in_bot_counts():
    (found,) = series_of(ismcts(), ismcts(iterations=100))
    assert budgets(found) == [("bot 1", 100), ("bot 0", 1000)]


def test_everything_else_must_be_equal():
    assert series_of(ismcts(iterations=10), ismcts(iterations=20, exploration=1.0)) == []
    assert series_of(ismcts(iterations=10), {"bot": "mo_ismcts", "iterations": 20}) == []
    assert series_of(ismcts(iterations=10), ismcts(milliseconds=20.0)) == []
    assert series_of(ismcts(iterations=10), ismcts(iterations=20), pools=[0, 1]) == []
    limited = ismcts(iterations=20, limits={"milliseconds": 5.0})
    assert series_of(ismcts(iterations=10), limited) == []


def test_one_budget_is_no_series():
    assert series_of(ismcts(iterations=10), ismcts(iterations=10)) == []
    assert series_of({"bot": "random"}, {"bot": "rules"}) == []


def test_own_bots_and_programs_have_budgets_too():
    own = [{"bot": "my_bots:Careful", "milliseconds": n, "depth": 3} for n in (5, 2.5)]
    program = [{"command": ["./bot", "-v"], "iterations": n} for n in (1, 2)]
    first, second = series_of(*own, *program)
    assert (first.unit, first.label, budgets(first)) == (
        "milliseconds", "my_bots:Careful depth=3", [("bot 1", 2.5), ("bot 0", 5)],
    )  # fmt: skip
    assert (second.label, budgets(second)) == ("./bot -v", [("bot 2", 1), ("bot 3", 2)])
