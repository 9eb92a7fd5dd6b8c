"""Multiple-observer ISMCTS: what the trees of the seats know, regret matching, and moves."""

from __future__ import annotations

import re

import numpy as np
import pytest
from scipy.stats import chisquare, ttest_ind

import bots
import engine
from bots.search.kernel import search
from bots.search.multiple_observers import add_regrets, match_regrets
from bots.search.settings import Count, grown, workspace
from bots.search.tree import NOT_AVAILABLE, ROOT, add_child, child_numbers, children
from engine.rng import stream
from tests.bots.table import played
from tests.cases import every_case, random_game

GAME = engine.load("daytime_minutes")
TINY = engine.load("trick_or_repeat", players=2, suits=2, ranks=4, hand_size=2)
PENNIES = engine.load("tests.bots.pennies")
REGRET_MATCHING = {"simultaneous": "regret_matching"}


def settings_for(seat=0, regret_matching=False, gamma=0.2, every_seat=True, **changed):
    settings = bots.load("mo_ismcts", playout="deal").settings(seat)
    return settings._replace(every_seat=every_seat, regret_matching=regret_matching, gamma=gamma, **changed)


def searched(position, iterations, seed=1, **changed):
    settings = settings_for(position.seat, **changed)
    work = workspace(position.game, position.records, iterations, settings)
    search(work, settings, None, iterations, stream(seed))
    return work


def moves(info, count, seed=1, **options):
    bot = bots.load("mo_ismcts", **options)
    bot.new_game(info.game, info.seat, np.random.default_rng(seed))
    return [bot.act(info) for _ in range(count)]


# --- What the trees know ---


def paths(game, nodes, root):
    """The edges on the way to every node below `root`: an action, and how much further the seat that took it is."""
    found, open_nodes = set(), [(root, ())]
    while open_nodes:
        node, path = open_nodes.pop()
        for child in child_numbers(nodes, node):
            further, action = divmod(int(nodes[child]["action"]), len(game.actions))
            found.add((*path, (action, further)))
            open_nodes.append((child, (*path, (action, further))))
    return found


def observations(state, deal):
    """For each seat all that it can come to see from `state` to the end of the deal, by the engine's own histories.

    It sees its own action before what is shown thereupon.
    """
    past = len(state.information_set(0).history)
    found = [set() for _ in range(state.game.players)]
    open_states = [(state, ((),) * state.game.players, (frozenset(),) * state.game.players)]
    while open_states:
        before, seen, known = open_states.pop()
        if before.is_terminal or before.information_set(0).deal_start != deal:
            continue
        for action in before.legal_actions:
            after = before.apply(action)
            now_seen, now_known = [], []
            for seat in range(state.game.players):
                history = after.information_set(seat).history
                visible = [i for i in range(past, len(history)) if history[i][1] is not None]
                path = seen[seat]
                for i in sorted(visible, key=lambda i: history[i][0] != seat):
                    if i not in known[seat]:
                        path = (*path, (history[i][1], (history[i][0] - seat) % state.game.players))
                        found[seat].add(path)
                now_seen.append(path)
                now_known.append(frozenset(visible))
            open_states.append((after, tuple(now_seen), tuple(now_known)))
    return found


def endings(game, sequences=3000):
    """Positions of random games with a choice, from which there are few sequences of moves to the end of the deal."""
    for seed in range(3):
        for state in [*random_game(game, seed)][-8:-1]:
            if len(state.legal_actions) > 1 and engine.playout.perft(state, 8)[0] < sequences:
                yield state


@pytest.mark.parametrize(
    "game",
    [
        TINY,
        *(engine.load("day_and_night", players=players) for players in (3, 4)),
        engine.load("daytime_minutes", players=3),
    ],
    ids=lambda game: game.label,
)
@pytest.mark.parametrize("regret_matching", [False, True], ids=["uct", "regret_matching"])
def test_a_tree_holds_only_what_its_seat_can_observe(game, regret_matching):
    positions = [*endings(game)] + ([game.new(seed=1)] if game is TINY else [])
    assert len(positions) >= 3
    for state in positions:
        work = searched(state, 2000, determinizes=False, regret_matching=regret_matching)
        possible = observations(state, state.information_set().deal_start)
        for number in range(game.players):
            assert paths(game, work.nodes, ROOT + number) <= possible[(state.seat + number) % game.players]


def test_a_hidden_choice_has_no_edge_until_it_is_shown():
    """Round 1 with hands of two: a card of one's own, a bid of one's own; then both of the other seat are shown."""
    work = searched(TINY.new(seed=1), 5000, determinizes=False)
    for seat in range(2):
        own = set(TINY.new(seed=1).facts()["hands"][seat])
        kinds = [set() for _ in range(5)]
        for path in paths(TINY, work.nodes, ROOT + seat):
            if len(path) <= len(kinds):
                kinds[len(path) - 1].add(TINY.actions[path[-1][0]])
        assert kinds[0] == kinds[4] == own  # in round 2 the same hand again
        assert kinds[1] == kinds[3] == {"bid0", "bid1", "bid2"}
        assert kinds[2]
        assert not kinds[2] & own


@pytest.mark.parametrize("name", ["daytime_minutes", "tricky_time_crisis"])
def test_where_all_moves_are_seen_it_is_single_observer_search(name):
    """Mean visits of each action and mean depth over 200 searches."""
    info = engine.load(name).new(seed=3).information_set()
    found = {}
    for every_seat in (False, True):
        works = [searched(info, 150, seed, every_seat=every_seat) for seed in range(200)]
        found[every_seat] = np.array(
            [[*children(work.nodes)["visits"], work.counts[Count.DEPTHS]] for work in works], float
        )
    assert all(ttest_ind(found[False], found[True]).pvalue > 1e-4)


@every_case()
@pytest.mark.parametrize("regret_matching", [False, True], ids=["uct", "regret_matching"])
def test_visits_and_availability_at_the_root(game, regret_matching):
    iterations = 200
    for state in [*random_game(game, 2)][:-1:9]:
        info = state.information_set()
        options = children(searched(info, iterations, regret_matching=regret_matching).nodes)
        assert tuple(options["action"]) == info.legal_actions
        assert options["visits"].sum() == iterations
        available = sorted(options["available"].tolist(), reverse=True)
        assert available == list(range(iterations, iterations - len(options), -1))


def test_a_larger_workspace_is_the_same_search():
    info = TINY.new(seed=3).information_set()
    work = searched(info, 64, regret_matching=True)
    settings = settings_for(info.seat, regret_matching=True)
    larger = grown(work, TINY, settings)
    numbers = child_numbers(work.nodes)
    assert numbers == child_numbers(larger.nodes)
    assert children(larger.nodes).tobytes() == children(work.nodes).tobytes()
    assert larger.observers.mixtures[numbers].tobytes() == work.observers.mixtures[numbers].tobytes()
    search(larger, settings, None, 64, stream(2))
    assert children(larger.nodes)["visits"].sum() == 128


# --- Regret matching ---


def root_with(*options):
    """Scratch space whose root has children of (action, visits, reward, regret)."""
    work = workspace(GAME, GAME.empty_record(), 100, settings_for(regret_matching=True))
    for action, visits, reward, regret in options:
        number = add_child(work.nodes, ROOT, int(work.counts[Count.SIZE]), action)
        work.nodes[number]["visits"], work.nodes[number]["reward"] = visits, reward
        work.observers.mixtures[number]["regret"] = regret
        work.counts[Count.SIZE] += 1
    return work


def matched(work, legal, gamma, rng):
    """Action that regret matching draws among `legal` ones, or None, and how many of these have no child."""
    work.actions[: len(legal)] = legal
    child, untried = match_regrets(work, work.observers.mixtures, ROOT, len(legal), gamma, rng)
    return int(work.nodes[child]["action"]) if untried == 0 else None, untried


def mixture(work, field):
    return work.observers.mixtures[child_numbers(work.nodes)][field].tolist()


@pytest.mark.parametrize(
    ("regrets", "legal", "strategy"),
    [
        ((3, 1, -2), [2, 5, 9], (3 / 4, 1 / 4, 0)),
        ((3, 1, 4), [2, 5], (3 / 4, 1 / 4, NOT_AVAILABLE)),
        ((-3, 0, -2), [2, 5, 9], (1 / 3, 1 / 3, 1 / 3)),
        ((-3, -1, 5), [2, 5], (1 / 2, 1 / 2, NOT_AVAILABLE)),
    ],
)
def test_actions_are_taken_by_positive_regret(regrets, legal, strategy):
    work = root_with(*((action, 1, 0.5, regret) for action, regret in zip((2, 5, 9), regrets, strict=True)))
    rng, draws, gamma = stream(1), 3000, 0.3
    drawn = [matched(work, legal, gamma, rng)[0] for _ in range(draws)]
    assert mixture(work, "chance") == pytest.approx(strategy)
    assert mixture(work, "total") == pytest.approx([draws * max(chance, 0) for chance in strategy])
    expected = [0.7 * chance + 0.3 / len(legal) for chance in strategy if chance != NOT_AVAILABLE]
    counts = [drawn.count(action) for action in legal]
    assert sum(counts) == draws
    assert chisquare(counts, np.multiply(draws, expected)).pvalue > 1e-4


def test_untried_actions_come_first_and_leave_the_average_alone():
    work = root_with((2, 1, 0.5, 3.0), (5, 1, 0.5, 1.0))
    assert matched(work, [2, 5, 7, 8], 0.2, stream(1)) == (None, 2)
    assert mixture(work, "total") == [0, 0]


def test_a_regret_update_by_hand():
    """Strategy (3/4, 1/4), explored (0.7, 0.3), means (1/2, 1/4); the second action wins 1.

    It is worth 1/4 + (1 - 1/4) / 0.3 = 2.75, the strategy 3/4 * 1/2 + 1/4 * 2.75 = 1.0625.
    """
    work = root_with((2, 4, 2.0, 3.0), (5, 4, 1.0, 1.0), (9, 4, 4.0, 7.0))
    matched(work, [2, 5], 0.2, stream(1))
    taken = child_numbers(work.nodes)[1]
    add_regrets(work.nodes, work.observers.mixtures, ROOT, taken, 1.0, 0.2)
    assert mixture(work, "regret") == pytest.approx([3 + 0.5 - 1.0625, 1 + 2.75 - 1.0625, 7])


def test_estimated_regrets_are_unbiased():
    """Actions that win 0.9, 0.2 and 0.4 for sure, strategy (1/2, 1/2, 0): it wins 0.55, whatever the means say."""
    rng, gamma, wins, updates = stream(3), 0.4, {2: 0.9, 5: 0.2, 9: 0.4}, 20_000
    totals = np.zeros(3)
    for _ in range(updates):
        work = root_with((2, 2, 0.4, 1.0), (5, 2, 1.4, 1.0), (9, 2, 0.0, -1.0))
        action, _ = matched(work, [2, 5, 9], gamma, rng)
        taken = child_numbers(work.nodes)[[2, 5, 9].index(action)]
        add_regrets(work.nodes, work.observers.mixtures, ROOT, taken, wins[action], gamma)
        totals += np.subtract(mixture(work, "regret"), [1, 1, -1])
    assert totals / updates == pytest.approx([0.35, -0.35, -0.15], abs=0.03)


def average_strategy(work, root):
    totals = work.observers.mixtures[child_numbers(work.nodes, root)]["total"]
    return totals / totals.sum()


@pytest.mark.parametrize("gamma", [0.05, 0.2])
def test_regret_matching_approaches_the_equilibrium_of_pennies(gamma):
    """Either seat shows A with chance 1/3, its share of random actions included: (1 - gamma) x + gamma / 2 = 1/3."""
    expected = (1 / 3 - gamma / 2) / (1 - gamma)
    for seed in range(5):
        work = searched(PENNIES.new(seed=1), 100_000, seed, regret_matching=True, gamma=gamma)
        for seat in range(2):
            assert average_strategy(work, ROOT + seat)[0] == pytest.approx(expected, abs=0.02)


def test_the_action_is_drawn_from_the_average_strategy_or_is_its_mode():
    info = PENNIES.new(seed=1).information_set()
    drawn = moves(info, 300, iterations=2000, **REGRET_MATCHING)
    assert 50 < drawn.count(0) < 125  # 0.29 of them expected, standard deviation 8
    assert moves(info, 20, iterations=2000, average_strategy="mode", **REGRET_MATCHING) == [1] * 20


def test_the_explanation_tells_the_average_strategy():
    bot = bots.load("mo_ismcts", threads=2, iterations=4000, **REGRET_MATCHING)
    bot.new_game(PENNIES, 0, np.random.default_rng(1))
    bot.act(PENNIES.new(seed=1).information_set())
    b, a = bot.explain().actions
    assert (b.name, a.name) == ("B", "A")
    assert a.strategy == pytest.approx(1 / 3, abs=0.1)
    assert a.strategy + b.strategy == pytest.approx(1)


def test_a_choice_that_all_see_is_made_by_visits():
    bot = bots.load("mo_ismcts", iterations=100, **REGRET_MATCHING)
    bot.new_game(GAME, 0, np.random.default_rng(1))
    action = bot.act(GAME.new(seed=1).information_set())
    rows = bot.explain().actions
    assert all(row.strategy is None for row in rows)
    assert action == rows[0].action
    assert rows[0].visits == max(row.visits for row in rows)


# --- Moves ---


@every_case()
@pytest.mark.parametrize("options", [{}, REGRET_MATCHING], ids=["uct", "regret_matching"])
def test_never_an_illegal_action_over_whole_games(game, options):
    seats = [bots.load("mo_ismcts", iterations=5 + 10 * seat, **options) for seat in range(game.players)]
    assert played(game, seats, seed=2).is_terminal


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {"playout_policy": "rules", "prior": "puct"},
        {"playout_policy": "nast", "prior": "bias", **REGRET_MATCHING},
        {"playout_policy": "mast", "backup": "self_only", **REGRET_MATCHING},
        {"backup": "paranoid", "reward": "rank", "margin": 0.5, "threads": 2, **REGRET_MATCHING},
    ],
    ids=str,
)
@pytest.mark.parametrize("name", engine.names())
def test_the_other_options_work_with_it(name, options):
    game = engine.load(name)
    seats = [bots.load("mo_ismcts", iterations=30, **options), *[bots.load("random")] * (game.players - 1)]
    assert played(game, seats, seed=2).is_terminal


@every_case()
@pytest.mark.parametrize("options", [{}, REGRET_MATCHING], ids=["uct", "regret_matching"])
def test_the_same_seed_gives_the_same_moves(game, options):
    info = game.new(seed=4).information_set()
    same = {"count": 8, "iterations": 3, **options}
    assert moves(info, **same) == moves(info, **same) != moves(info, seed=2, **same)


def test_early_stop_is_refused_with_regret_matching():
    message = "bot 'mo_ismcts': simultaneous = 'regret_matching': expected no early_stop, which counts visits"
    with pytest.raises(ValueError, match=re.escape(message)):
        bots.load("mo_ismcts", early_stop=True, **REGRET_MATCHING)
