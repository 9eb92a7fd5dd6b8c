"""The games in OpenSpiel: its own tests, the engine and the referees say what they have to be."""

from __future__ import annotations

import importlib
import pickle
import subprocess
import sys
from itertools import product

import numpy as np
import pytest

import engine
from engine.playout import playouts
from engine.rng import stream
from tests.cases import random_game
from tests.reference.trick_or_repeat import Referee
from tournaments.exploitability import game_tree
from tournaments.exploitability.best_response import best_responses

pyspiel = pytest.importorskip("pyspiel")

from engine.adapters import openspiel  # noqa: E402  (not without pyspiel)

TINY = {"suits": 3, "ranks": 2, "hand_size": 2, "rounds": 1}
GAMES = [
    engine.load(name, players=players, **options)
    for name, players, options in (
        ("daytime_minutes", 3, {}),
        ("daytime_minutes", 4, {}),
        ("day_and_night", 3, {}),
        ("day_and_night", 5, {}),
        ("trick_or_repeat", 2, {"hand_size": 3, "resolve_order": "reverse"}),
        ("trick_or_repeat", 4, {}),
        ("tricky_time_crisis", 3, {"rounds": 2}),
        ("tricky_time_crisis", 4, {"mid_knight": "replace:D", "rounds": 1}),
        ("tricky_time_crisis", 6, {"mid_knight": "team_up", "rounds": 2}),
    )
]
every_game = pytest.mark.parametrize("game", GAMES, ids=[game.label for game in GAMES])
CHANCE = pyspiel.PlayerId.CHANCE


def dealt(state, deck):
    """`state` after the deal of `deck`, a list of card names."""
    names = state.position.game.deck
    for name in deck:
        if state.is_chance_node():  # the last card needs no event
            state.apply_action(names.index(name))
    assert not state.is_chance_node()
    return state


def replayed(spiel, played):
    """The states of OpenSpiel in a game that was played, one for each action and the last."""
    record = played.record()
    decks = iter(record["decks"])
    state = dealt(spiel.new_initial_state(), next(decks))
    yield state.clone()
    for name in record["actions"]:
        state.apply_action(spiel.engine_game.action_ids[name])
        if state.is_chance_node():
            dealt(state, next(decks))
        yield state.clone()


def seats(game):
    return range(game.players)


# --- OpenSpiel's own tests ------------------------------------------------------------------------


@every_game
def test_the_random_simulations_of_openspiel(game):
    pyspiel.random_sim_test(openspiel.load(game), 1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", engine.names())
def test_the_python_conformance_test_of_openspiel(name):
    games_sim_test = pytest.importorskip("open_spiel.python.tests.games_sim_test")
    games_sim_test.GamesSimTest().sim_game(pyspiel.load_game(openspiel.short_name(name)))


@pytest.mark.parametrize("name", ["daytime_minutes", "trick_or_repeat"])
def test_a_playthrough_can_be_made(name):
    from open_spiel.python.algorithms.generate_playthrough import playthrough_lines

    assert "IsTerminal() = True" in playthrough_lines(openspiel.short_name(name), seed=1)


@pytest.mark.parametrize("name", engine.names())
def test_the_reinforcement_learning_environment_of_openspiel(name):
    from open_spiel.python.rl_environment import Environment

    env = Environment(pyspiel.load_game(openspiel.short_name(name)))
    env.seed(1)
    step, rng = env.reset(), np.random.default_rng(1)
    while not step.last():
        seat = step.observations["current_player"]
        assert len(step.observations["info_state"][seat]) == env.observation_spec()["info_state"][0]
        step = env.step([rng.choice(step.observations["legal_actions"][seat])])
    assert sum(step.rewards) == pytest.approx(1)


# --- The same game ---------------------------------------------------------------------------------


@every_game
def test_a_game_goes_as_in_the_engine(game):
    *states, last = random_game(game, 1)
    spiel = openspiel.load(game)
    for state, ours in zip(replayed(spiel, last), [*states, last], strict=True):
        assert state.position.records.tobytes() == ours.records.tobytes()
        assert tuple(state.legal_actions()) == ours.legal_actions
        assert [state.information_set(seat) for seat in seats(game)] == [
            ours.information_set(seat) for seat in seats(game)
        ]
        assert state.information_set(0).history == ours.information_set(0).history
        assert state.is_terminal() == ours.is_terminal
        assert state.current_player() == (pyspiel.PlayerId.TERMINAL if ours.is_terminal else ours.seat)
    assert state.returns() == list(last.returns)


@every_game
def test_the_length_of_a_game_has_the_bounds_that_openspiel_is_told(game):
    longest, most_deals = openspiel.lengths(game)
    deck, actions, rng = np.arange(len(game.deck)), np.empty(len(game.actions), np.int64), stream(1)
    start = np.repeat(game.new(seed=1).records, 2)
    assert max(playouts(start, 1, deck, actions, rng) for _ in range(200)) <= longest * most_deals
    for seed in range(3):
        ends = [0]
        for number, state in enumerate(random_game(game, seed)):
            if state.num_deals > len(ends):
                ends.append(number)
        assert max(np.diff([*ends, number])) <= longest
        assert len(ends) <= most_deals


def test_the_length_of_trick_or_repeat_is_known_exactly():
    """RULES.md section 3: four placements and a bid of four seats in two rounds."""
    assert openspiel.lengths(engine.load("trick_or_repeat", players=4)) == (40, 1)


def test_parameters_are_the_options_of_the_game():
    spiel = pyspiel.load_game("timetricks_tricky_time_crisis(players=5,mid_knight=team_up,removed=K)")
    assert spiel.engine_game == engine.load("tricky_time_crisis", players=5, mid_knight="team_up", removed="K")
    assert pyspiel.load_game("timetricks_daytime_minutes").engine_game == engine.load("daytime_minutes")
    game = engine.load("trick_or_repeat", players=2, hand_size=3, resolve_order="reverse")
    assert openspiel.load(game).engine_game == game


def test_wrong_parameters_are_refused_with_what_was_expected():
    with pytest.raises(pyspiel.SpielError, match="players = 9: expected an integer from 2 to 6"):
        pyspiel.load_game("timetricks_trick_or_repeat(players=9)")


# --- Chance ----------------------------------------------------------------------------------------


def test_the_chance_of_a_card_counts_its_copies():
    """RULES.md section 2: 108 cards, two copies of each and a third of the sevens."""
    state = pyspiel.load_game("timetricks_day_and_night").new_initial_state()
    chances = {state.action_to_string(CHANCE, card): chance for card, chance in state.chance_outcomes()}
    assert len(chances) == 4 * 13
    assert chances["deal B7"] == pytest.approx(3 / 108)
    assert chances["deal U13"] == pytest.approx(2 / 108)
    for _ in range(2):
        state.apply_action(state.string_to_action("deal U13"))
    chances = {state.action_to_string(CHANCE, card): chance for card, chance in state.chance_outcomes()}
    assert "deal U13" not in chances
    assert chances["deal B7"] == pytest.approx(3 / 106)


def test_while_cards_are_dealt_nobody_sees_them():
    state = pyspiel.load_game("timetricks_daytime_minutes").new_initial_state()
    twin = state.clone()
    state.apply_action(0)
    twin.apply_action(1)
    for seat in range(4):
        assert state.information_state_string(seat) == twin.information_state_string(seat)
        assert state.information_state_tensor(seat) == twin.information_state_tensor(seat)
        assert state.observation_string(seat) == twin.observation_string(seat)


# --- Information states -----------------------------------------------------------------------------


def test_strings_are_equal_exactly_when_the_referee_says_that_a_seat_saw_the_same():
    """In all histories of a tiny game: by the observations of both seats at every step, by the rules on paper."""
    game = engine.load("trick_or_repeat", players=2, **TINY)
    spiel = openspiel.load(game)
    strings = ({}, {})  # by seat: the observations that have a string
    decks = [[game.deck[card] for card in deck] for deck in game_tree.decks(game)]
    assert len(decks) == 180
    for deck in decks:
        pending = [(dealt(spiel.new_initial_state(), deck), [])]
        while pending:
            state, actions = pending.pop()
            judge = Referee(2, game.options, [deck])
            saw = [[repr(judge.knowledge(seat))] for seat in range(2)]
            for action in actions:
                judge.apply(action)
                for seat in range(2):
                    saw[seat].append(repr(judge.knowledge(seat)))
            for seat in range(2):
                strings[seat].setdefault(state.information_state_string(seat), set()).add("\n".join(saw[seat]))
            for action in state.legal_actions():
                pending.append((state.child(action), [*actions, game.actions[action]]))
    for seat in range(2):
        assert all(len(same) == 1 for same in strings[seat].values())  # all that has a string looks the same
        assert len(set.union(*strings[seat].values())) == len(strings[seat])  # what looks the same has one string


class Followed:
    """A game in OpenSpiel and its referee, and all that each seat has seen by what the referee says."""

    def __init__(self, spiel, decks):
        self.game = spiel.engine_game
        self.decks = iter(decks)
        self.state = dealt(spiel.new_initial_state(), next(self.decks))
        reference = importlib.import_module(f"tests.reference.{self.game.name}")
        self.judge = reference.Referee(self.game.players, self.game.options, decks)
        self.saw = [[] for _ in seats(self.game)]
        self.look()

    def look(self):
        for seat, seen in enumerate(self.saw):
            knowledge = self.judge.knowledge(seat)
            for finished in knowledge.get("past", []):  # of Tricky Time Crisis
                finished.pop("shown", None)  # the hand that ends a round, which no information set of the engine shows
            seen.append(repr(knowledge))

    def play(self, name):
        self.judge.apply(name)
        self.state.apply_action(self.game.action_ids[name])
        if self.state.is_chance_node():
            dealt(self.state, next(self.decks))
        self.look()


@every_game
def test_strings_of_twins_differ_as_soon_as_the_referee_says_that_a_seat_could_tell_them_apart(game):
    """Games on decks in which two cards are exchanged, played alike as long as that is legal."""
    spiel, rng = openspiel.load(game), np.random.default_rng(3)
    outcomes = set()
    for seed in range(6):
        *_, last = random_game(game, seed)
        decks = [list(deck) for deck in last.record()["decks"]]
        place, other = rng.choice(len(game.deck), 2, replace=False)
        swapped = [list(deck) for deck in decks]
        swapped[0][place], swapped[0][other] = swapped[0][other], swapped[0][place]
        twins = [Followed(spiel, decks), Followed(spiel, swapped)]
        for name in last.record()["actions"][:150]:
            if not all(name in twin.judge.legal for twin in twins) or twins[0].judge.seat != twins[1].judge.seat:
                break
            for twin in twins:
                twin.play(name)
            if twins[0].judge.deals != twins[1].judge.deals or any(twin.state.is_terminal() for twin in twins):
                break
            for seat in seats(game):
                saw_the_same = twins[0].saw[seat] == twins[1].saw[seat]
                outcomes.add(saw_the_same)
                strings = {twin.state.information_state_string(seat) for twin in twins}
                assert (len(strings) == 1) == saw_the_same
    assert outcomes == {True, False}


@every_game
def test_a_string_names_all_strings_that_came_before_it(game):
    """Perfect recall: in games on few decks with few choices, what a seat saw last tells what it saw before."""
    spiel, before = openspiel.load(game), {}
    for seed, deck in product(range(12), range(2)):
        state, rng = spiel.new_initial_state(), np.random.default_rng(seed)
        decks = np.random.default_rng(deck)
        past = [""] * game.players
        for _ in range(4 * len(game.deck)):
            if state.is_terminal():
                break
            if state.is_chance_node():
                state.apply_action(int(decks.choice([card for card, _ in state.chance_outcomes()])))
                continue
            for seat in seats(game):
                string = state.information_state_string(seat)
                assert before.setdefault(string, past[seat]) == past[seat] or string == past[seat]
                past[seat] = string
            state.apply_action(int(rng.choice(state.legal_actions()[:2])))


@every_game
def test_nothing_of_a_state_is_lost_when_it_is_serialized(game):
    *_, last = random_game(game, 8)
    states = list(replayed(openspiel.load(game), last))
    for state in states[:: len(states) // 5]:
        _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))
        assert again.history() == state.history()
        if not state.is_terminal():
            action = state.legal_actions()[-1]
            state, again = state.child(action), again.child(action)
        for seat in seats(game):
            assert again.information_state_string(seat) == state.information_state_string(seat)


def test_the_known_past_can_be_read_in_a_string():
    game = engine.load("trick_or_repeat", players=2, **TINY)
    state = dealt(openspiel.load(game).new_initial_state(), game.deck)  # A1 A2 to seat 0, B1 B2 to seat 1
    for name in ("A2", "B1", "bid0"):
        state.apply_action(game.action_ids[name])
    assert state.information_state_string(0).startswith("seat 0 | 0:A2 1:? 0:bid0 | ")
    assert state.information_state_string(1).startswith("seat 1 | 0:? 1:B1 0:? | ")


# --- Tensors ---------------------------------------------------------------------------------------


def test_a_tensor_is_the_observation_of_the_engine_and_the_actions_since_the_deal():
    game = engine.load("trick_or_repeat", players=2, suits=2, ranks=4, hand_size=2)
    spiel, layout = openspiel.load(game), engine.observation_layout(game)
    state = dealt(spiel.new_initial_state(), ["B1", "A2", "A1", "B4", "A3", "A4", "B2", "B3"])
    state.apply_action(game.action_ids["A2"])  # action 1: 1 + 1 is written as 01, the lowest bit first
    observer = spiel.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    for seat, who, bits in ((0, [1, 0], [0, 1, 0, 0]), (1, [0, 1], [0, 0, 0, 0])):
        observer.set_from(state, seat)
        vector = layout.encode(state.information_set(seat))
        np.testing.assert_array_equal(state.observation_tensor(seat), vector)
        np.testing.assert_array_equal(observer.tensor[: layout.size], vector)
        assert observer.dict["observer"].tolist() == np.eye(2)[seat].tolist()
        assert observer.dict["past"].shape == (8, 2 + 4)  # RULES.md section 3: two choices of both in two rounds
        assert observer.dict["past"][0].tolist() == [*who, *bits]
        assert not observer.dict["past"][1:].any()


@every_game
def test_tensors_have_the_shape_they_are_said_to_have_and_are_equal_when_a_seat_cannot_tell(game):
    spiel = openspiel.load(game)
    rng = np.random.default_rng(0)
    *_, last = random_game(game, 4)
    for state in list(replayed(spiel, last))[::9]:
        for seat in seats(game):
            tensor = state.information_state_tensor(seat)
            assert [len(tensor)] == spiel.information_state_tensor_shape()
            assert [len(state.observation_tensor(seat))] == spiel.observation_tensor_shape()
            if not state.is_terminal():
                world = state.resample_from_infostate(seat, rng.random)
                assert world.information_state_tensor(seat) == tensor
                assert world.observation_tensor(seat) == state.observation_tensor(seat)


def test_an_observer_of_less_or_more_than_a_seat_sees_is_none():
    spiel = pyspiel.load_game("timetricks_day_and_night")
    everything = pyspiel.PrivateInfoType.ALL_PLAYERS
    assert spiel.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True, private_info=everything)) is None
    with pytest.raises(ValueError, match="expected none"):
        spiel.make_py_observer(None, {"colour": 1})


# --- Worlds ----------------------------------------------------------------------------------------


@every_game
def test_a_world_cannot_be_told_from_the_state_and_can_be_played_to_the_end(game):
    spiel, rng = openspiel.load(game), np.random.default_rng(0)
    *_, last = random_game(game, 5)
    states = list(replayed(spiel, last))[:-1]
    for state in states[:: max(1, len(states) // 12)]:
        for seat in seats(game):
            world = state.resample_from_infostate(seat, rng.random)
            assert world.current_player() == state.current_player()
            assert world.information_state_string(seat) == state.information_state_string(seat)
            assert world.observation_string(seat) == state.observation_string(seat)
            assert world.history() == []
        while not world.is_terminal():
            assert not world.is_chance_node()
            world.apply_action(int(rng.choice(world.legal_actions())))
        assert sum(world.returns()) == pytest.approx(1)


@every_game
def test_worlds_are_drawn_from_nothing_but_what_the_seat_knows(game):
    """Two states that differ in what is hidden give the same worlds from the same numbers."""
    spiel = openspiel.load(game)
    *_, last = random_game(game, 6)
    for state in list(replayed(spiel, last))[:-1:11]:
        for seat in seats(game):
            twin = state.resample_from_infostate(seat, np.random.default_rng(1).random)
            worlds = [s.resample_from_infostate(seat, np.random.default_rng(2).random) for s in (state, twin)]
            assert pickle.dumps(worlds[0].position) == pickle.dumps(worlds[1].position)


def test_worlds_differ_in_what_is_hidden_and_in_the_decks_to_come():
    spiel = pyspiel.load_game("timetricks_daytime_minutes")
    state = dealt(spiel.new_initial_state(), spiel.engine_game.deck)
    rng = np.random.default_rng(0)
    worlds = [state.resample_from_infostate(0, rng.random).position for _ in range(20)]
    assert len({world.records.tobytes() for world in worlds}) == 20
    assert len({world.future for world in worlds}) == 20


# --- Algorithms ------------------------------------------------------------------------------------


def test_openspiel_finds_the_same_values_and_best_responses_as_our_solver():
    form = game_tree.build(game_tree.load(**TINY))
    plans = tuple(seat.plan(seat.uniform()) for seat in form.seats)
    gains = np.subtract(best_responses(form, plans), form.returns(plans))
    from open_spiel.python.algorithms.exploitability import nash_conv
    from open_spiel.python.policy import UniformRandomPolicy

    spiel = pyspiel.load_game("timetricks_trick_or_repeat", {"players": 2, **TINY})
    found = nash_conv(spiel, UniformRandomPolicy(spiel), return_only_nash_conv=False)
    np.testing.assert_allclose(found.player_improvements, gains)


@pytest.mark.parametrize("name", engine.names())
def test_the_ismcts_of_openspiel_plays_to_the_end(name):
    from open_spiel.python.algorithms.ismcts import ISMCTSBot
    from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

    spiel = pyspiel.load_game(openspiel.short_name(name))
    chance, rng = np.random.RandomState(1), np.random.default_rng(1)
    bot = ISMCTSBot(spiel, RandomRolloutEvaluator(1, chance), 0.7, 3, random_state=chance)
    state = spiel.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(int(rng.choice([card for card, _ in state.chance_outcomes()])))
        else:
            state.apply_action(bot.step(state))
    assert sum(state.returns()) == pytest.approx(1)


def test_the_ismcts_in_cpp_has_no_worlds_of_games_in_python():
    """The limit of OpenSpiel 2.0 that the adapter speaks of. Where this fails, the bot in C++ can be used."""
    spiel = pyspiel.load_game("timetricks_daytime_minutes")
    state = dealt(spiel.new_initial_state(), spiel.engine_game.deck)
    bot = pyspiel.ISMCTSBot(1, pyspiel.RandomRolloutEvaluator(1, 1), 0.7, 2)
    with pytest.raises(pyspiel.SpielError, match="ResampleFromInfostate"):
        bot.get_policy(state)


# --- Without OpenSpiel ------------------------------------------------------------------------------


def test_without_openspiel_the_error_says_what_to_install():
    script = "import sys; sys.modules['pyspiel'] = None; import engine.adapters; import engine.adapters.openspiel"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert run.returncode == 1
    assert "pip install 'timetricks[openspiel]'" in run.stderr.splitlines()[-1]


def test_openspiel_leaves_python_in_peace():
    """OpenSpiel is torn down after Python: what was registered must not need Python any more."""
    script = "import engine.adapters.openspiel, pyspiel; pyspiel.load_game('timetricks_daytime_minutes')"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stderr) == (0, "")
