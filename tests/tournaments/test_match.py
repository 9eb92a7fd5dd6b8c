"""Games of bots that play well and of bots that do not."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace

import numpy as np
import pytest

import engine
from tests.tournaments.experiments import RANDOM, SEARCH, experiment, play, scripted
from tests.tournaments.scripted_bots import notes

ILLEGAL, EXCEPTION = "illegal action", "exception"
GOOD = {"name": "bad", "bot": "random"}  # in the place of a bad bot
AT = 4  # a decision that every game reaches: three tokens are not lost in less than three hands of two tricks

FAULTS = {
    # kind: (entry of the bot, reason, a part of the message, its decision that fails or None for before the first)
    "raises when made": (scripted("RaisesWhenMade"), EXCEPTION, "RuntimeError: not today", None),
    "exits when made": (scripted("ExitsWhenMade"), EXCEPTION, "SystemExit: bye", None),
    "raises in new_game": (scripted("RaisesInNewGame"), EXCEPTION, "RuntimeError: wrong chair", None),
    "raises at once": (scripted("Raises"), EXCEPTION, "RuntimeError: out of ideas", 0),
    "raises later": (scripted("Raises", at=AT), EXCEPTION, "RuntimeError: out of ideas", AT),
    "raises what no file can hold": (scripted("RaisesNoText", at=AT), EXCEPTION, "RuntimeError: \\ud800", AT),
    "exits": (scripted("Exits", at=AT), EXCEPTION, "SystemExit: 3", AT),
    "raises without a message": (scripted("RaisesUnprintable", at=AT), EXCEPTION, "UnprintableError", AT),
    "answers None": (scripted("Answers", answer="None"), ILLEGAL, "None", 0),
    "answers a fraction": (scripted("Answers", answer="3.5", at=AT), ILLEGAL, "3.5", AT),
    "answers a word": (scripted("Answers", answer="'xyz'", at=AT), ILLEGAL, "xyz", AT),
    "answers True": (scripted("Answers", answer="True", at=AT), ILLEGAL, "True", AT),
    "answers a list": (scripted("Answers", answer="[1]", at=AT), ILLEGAL, "[1]", AT),
    "answers too large a number": (scripted("Answers", answer="10000", at=AT), ILLEGAL, "10000", AT),
    "answers too small a number": (scripted("Answers", answer="-1", at=AT), ILLEGAL, "-1", AT),
    "plays an illegal card": (scripted("PlaysIllegalCard", at=AT), ILLEGAL, "is not legal", AT),
    "cannot act": ({"name": "bad", "bot": "builtins:object"}, EXCEPTION, "AttributeError", 0),
}


def without_seconds(blocks):
    return [[replace(result, seconds=[]) for result in block] for block in blocks]


def seats_to_move(record) -> list[int]:
    """The seat behind every action of a record."""
    game = engine.load(record["game"], players=record["players"], **record["options"])
    state, seats = game.new(decks=record["decks"]), []
    for action in record["actions"]:
        seats.append(state.seat)
        state = state.apply(action)
    return seats


@pytest.mark.parametrize(("entry", "reason", "message", "decision"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_logged_the_game_is_finished_and_the_offender_is_last(entry, reason, message, decision):
    (block,) = play(experiment(entry, RANDOM, SEARCH))
    assert len(block) == 3
    for result in block:
        offender = result.record["bots"].index("bad")
        seats = seats_to_move(result.record)
        own_actions = [number for number, seat in enumerate(seats) if seat == offender]
        (fault,) = result.faults
        assert (fault.seat, fault.bot, fault.reason) == (offender, "bad", reason)
        assert message in fault.message
        assert fault.action_number == (0 if decision is None else own_actions[decision])
        assert engine.replay(result.record).is_terminal
        assert result.ranks[offender] == 3
        assert result.ranks == pushed_back(result.record["ranks"], {offender})
        assert result.decisions == [seats.count(seat) for seat in range(3)]
        json.dumps(result.record)


def pushed_back(ranks, offenders):
    """Ranks 1, 1, 3 of the seats in the order of the game, offenders level behind all others."""
    key = {seat: (1, 0) if seat in offenders else (0, rank) for seat, rank in enumerate(ranks)}
    return [1 + sum(key[other] < key[seat] for other in key) for seat in key]


def test_several_offenders_are_level_behind_the_others():
    config = experiment(scripted("Raises"), scripted("Answers", "worse", answer="None"), RANDOM)
    for result in play(config)[0]:
        assert {fault.bot for fault in result.faults} == {"bad", "worse"}
        assert dict(zip(result.record["bots"], result.ranks, strict=True)) == {"random": 1, "bad": 2, "worse": 2}


def test_offenders_among_themselves_share_the_first_place():
    (block,) = play(experiment(scripted("Raises")))
    for result in block:
        assert [fault.seat for fault in sorted(result.faults, key=lambda fault: fault.seat)] == [0, 1, 2]
        assert result.ranks == [1, 1, 1]
        assert engine.replay(result.record).is_terminal


def test_a_long_message_is_cut():
    (block,) = play(experiment(scripted("Answers", answer=repr("x" * 10**4)), RANDOM, SEARCH))
    assert [[len(fault.message) < 5000 for fault in result.faults] for result in block] == [[True]] * 3


def test_ranks_of_a_clean_game_are_those_of_the_game():
    for block in play(experiment(RANDOM, SEARCH, blocks_per_table=3)):
        for result in block:
            assert result.faults == []
            assert result.ranks == result.record["ranks"]
            assert engine.replay(result.record).ranks == tuple(result.ranks)
            assert all(seconds >= 0 for seconds in result.seconds)


def test_a_block_is_played_the_same_again():
    config = experiment(RANDOM, SEARCH, scripted("Raises", at=AT), blocks_per_table=2)
    assert without_seconds(play(config)) == without_seconds(play(config))


def test_rotations_share_their_deals_and_blocks_do_not():
    blocks = play(experiment(RANDOM, scripted("First", name="first"), blocks_per_table=2))
    for block in blocks:
        assert [result.rotation for result in block] == [0, 1, 2]
        assert len({result.id for result in block}) == 3
        for results in zip(*(result.record["decks"] for result in block), strict=False):
            assert all(deck == results[0] for deck in results)
    first_decks = {tuple(block[0].record["decks"][0]) for block in blocks}
    assert len(first_decks) == len(blocks) == 4


def chance_noted(bad, path):
    """Per game: the random state that each seat's bot began with, and its draws, while `bad` sits with them."""
    path.unlink(missing_ok=True)
    (block,) = play(experiment(bad, *(scripted("NotesItsChance", name, path=str(path)) for name in ("one", "two"))))
    noted = list(notes(path))
    beginnings = [number for number, note in enumerate(noted) if isinstance(note[1], int)]
    games = [noted[start:end] for start, end in zip(beginnings[::2], [*beginnings[2::2], None])]  # noqa: B905
    assert len(games) == len(block) == 3
    return [{seat: [note for s, note in game if s == seat] for seat in {s for s, _ in game}} for game in games]


@pytest.mark.parametrize("kind", ["raises in new_game", "raises at once", "plays an illegal card"])
def test_the_chance_of_a_bot_does_not_depend_on_the_faults_of_others(tmp_path, kind):
    games = zip(chance_noted(GOOD, tmp_path / "notes"), chance_noted(FAULTS[kind][0], tmp_path / "notes"), strict=True)
    for calm, troubled in games:
        assert calm.keys() == troubled.keys()
        for seat, draws in calm.items():
            shared = min(len(draws), len(troubled[seat]))
            assert shared > AT
            assert draws[:shared] == troubled[seat][:shared]


def test_chance_goes_with_the_chair(tmp_path):
    """Each of the two bots sits in every chair of a block once."""
    games = chance_noted(GOOD, tmp_path / "notes")
    beginnings = [(seat, noted[0]) for game in games for seat, noted in game.items()]
    assert len(beginnings) == 6
    assert len(set(beginnings)) == len(dict(beginnings)) == len({state for _, state in beginnings}) == 3


@pytest.mark.parametrize("limits", [{}, {"limits": {"milliseconds": 30_000}}], ids=["in this process", "apart"])
def test_bots_that_play_alike_play_the_same_game_in_all_rotations(limits):
    blocks = play(experiment(*({"name": name, "bot": "random"} | limits for name in "abc"), blocks_per_table=2))
    games = [[(result.record["decks"], result.record["actions"]) for result in block] for block in blocks]
    assert [block.count(block[0]) for block in games] == [3, 3]
    assert games[0][0] != games[1][0]


def test_a_bot_is_handed_what_its_seat_may_know_and_nothing_else(tmp_path):
    """What it got are the bytes of an information set that was made from a world with other hidden cards."""
    path = tmp_path / "notes"
    (block,) = play(experiment(scripted("NotesItsSight", path=str(path)), RANDOM, SEARCH))
    noted = notes(path)
    rng = np.random.default_rng(0)
    for result in block:
        state = engine.load("daytime_minutes", players=3).new(decks=result.record["decks"])
        for action in result.record["actions"]:
            if result.record["bots"][state.seat] == "bad":
                seat, pickled, facts = next(noted)
                info = pickle.loads(pickled)
                assert type(info) is engine.InformationSet
                assert info.seat == seat == state.seat
                assert all(set(hand) <= {"?"} for other, hand in enumerate(facts["hands"]) if other != seat)
                world = info.determinize(rng)
                assert pickle.dumps(world.information_set(seat)) == pickled
                assert world.information_set(seat).facts() == facts
            state = state.apply(action)
    assert next(noted, None) is None


@pytest.mark.parametrize("players", [3, 4, 5])
def test_deals_that_differ_in_hidden_cards_alone_look_the_same(players):
    """Seat 0 leads the first trick; the deck holds its nine cards first (RULES.md 0)."""
    game = engine.load("daytime_minutes", players=players)
    rng = np.random.default_rng(players)
    deck = list(rng.permutation(game.deck))
    seen = set()
    for _ in range(5):
        state = game.new(decks=[deck[:9] + list(rng.permutation(deck[9:]))])
        assert sorted(state.facts()["hands"][0]) == sorted(deck[:9])
        seen.add(json.dumps(state.facts()))
        info = state.information_set()
        assert pickle.dumps(info) == pickle.dumps(game.new(decks=[deck]).information_set())
        assert info.facts() == game.new(decks=[deck]).information_set().facts()
        assert not any(card in json.dumps(info.facts()) for card in (f'"{card}"' for card in deck[9:]))
    assert len(seen) == 5


@pytest.mark.parametrize("schedule", ["pairs", "all_tables"])
@pytest.mark.parametrize(
    "bot",
    [
        {"bot": "rules", "epsilon": 0.3},
        {"bot": "pimc", "worlds": 3, "iterations": 5},
        {"bot": "ismcts", "iterations": 20},
        {"bot": "mo_ismcts", "iterations": 20},
        {"bot": "ismcts-strong", "iterations": 20},
    ],
    ids=lambda bot: bot["bot"],
)
def test_a_bot_scores_exactly_its_share_against_its_own_copy_on_every_block(bot, schedule):
    games = [{"game": "trick_or_repeat", "players": 2}, {"game": "daytime_minutes", "players": 4}]
    pair = [bot | {"name": name} for name in ("original", "copy")]
    for results in play(experiment(*pair, games=games, schedule=schedule, blocks_per_table=2)):
        won = dict.fromkeys(("original", "copy"), 0.0)
        held = dict.fromkeys(won, 0)
        for result in results:
            for name, returns in zip(result.record["bots"], result.record["returns"], strict=True):
                won[name] += returns
                held[name] += 1
        assert all(won[name] == pytest.approx(len(results) * held[name] / sum(held.values())) for name in won)
