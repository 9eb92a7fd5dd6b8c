"""Worlds weighed by actions: the past is what it was, and the weights are the posterior that enumeration gives."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import chisquare

import bots
import engine
from bots.inference import believe, effective_sample_size, evidence_of, model_for, pick, weigh
from bots.inference.past import HIDDEN_ACTION
from bots.inference.weighing import draw_worlds, first_weighed, pick_table, retrace, scratch
from bots.rule_based.scoring import score_actions
from engine.rng import stream
from engine.rules import apply_action
from tests.cases import every_case, random_game
from tests.engine import daytime_minutes_worlds as dm_worlds

GAMES = 24  # of self-play


# --- The past ---


def past_in(world, info, seed=0):
    """The positions of the deal that led to the record `world`, retraced from what `info` shows, and the moves."""
    evidence, work = evidence_of(info), scratch(info.game)
    moves = evidence.moves.copy()
    worlds = np.array([world])
    retrace(worlds, 0, evidence, moves, work, stream(seed))
    positions = [work.positions[0].copy()]
    for seat, action in moves.tolist():
        assert info.game.rules.current_seat(work.positions[0]) == seat
        legal = np.empty(len(info.game.actions), np.int64)
        assert action in legal[: info.game.rules.legal_actions(work.positions[0], legal)]
        apply_action(work.positions[0], action)
        positions.append(work.positions[0].copy())
    return positions, moves


def without_draws(record):
    """A record of Day & Night without what the order of drawing decides."""
    record = record.copy()
    record.hand[:] = 0
    record.pile[:] = 0
    return record


@every_case()
def test_the_past_of_the_true_world_is_what_really_was(game):
    """Byte by byte. A world of Day & Night leaves open when a card was drawn: hands and pile of the past are drawn."""
    states = list(random_game(game, 11))
    deal_starts = [at for at, state in enumerate(states) if at == 0 or state.num_deals > states[at - 1].num_deals]
    for at in range(0, len(states) - 1, 5):
        info = states[at].information_set()
        assert info.deal_start in deal_starts
        positions, moves = past_in(states[at].records[0], info)
        really = [state.records[0] for state in states[info.deal_start : at + 1]]
        assert moves[:, 1].tolist() == [
            game.action_ids[name] for name in states[at].record()["actions"][info.deal_start :]
        ]
        if game.name == "day_and_night":
            assert positions[-1].hand.tolist() == really[-1].hand.tolist()
            assert positions[-1].pile.tolist() == really[-1].pile.tolist()
            if really[-1].rounds_over > 0:
                positions, really = (list(map(without_draws, records)) for records in (positions, really))
        assert [record.tobytes() for record in positions] == [record.tobytes() for record in really]


@every_case()
def test_the_past_of_a_sampled_world_leads_to_it_and_looked_the_same_to_the_seat(game):
    states = list(random_game(game, 12))
    rng = np.random.default_rng(0)
    for at in range(0, len(states) - 1, 9):
        seat = states[at].seat
        info = states[at].information_set()
        world = info.determinize(rng)
        positions, _ = past_in(world.records[0], info)
        assert positions[-1].tobytes() == world.records.tobytes()
        if game.name == "day_and_night" and world.records[0].rounds_over > 0:
            continue  # when the seat itself drew its cards is not told by the record either
        for position, state in zip(positions, states[info.deal_start : at + 1], strict=True):
            game.rules.hide(position, seat)
            assert position.tobytes() == state.information_set(seat).records.tobytes()


def test_all_orders_of_drawing_in_day_and_night_are_equally_likely():
    """In round 3 a seat has drawn 2 of its 7 cards last, and 2 of the 5 others and its 2 of round 2 before that."""
    game = engine.load("day_and_night", players=3)
    state, held, second = three_rounds(game)
    possible = {
        (frozenset(late), frozenset(early))
        for late in combinations(held, 2)
        for early in combinations({*held, *second} - set(late), 2)
    }
    assert len(possible) == 21 * 21
    start = 33 + 3 * 7  # RULES.md section 2: removed cards and hands, then reveal, draws of all seats twice, reveal ...
    draws, info = Counter(), state.information_set()
    evidence, work, rng = evidence_of(info), scratch(game), stream(1)
    for _ in range(30 * len(possible)):
        retrace(np.array([state.records[0]]), 0, evidence, evidence.moves.copy(), work, rng)
        early, late = (frozenset(game.deck[work.deck[start + 7 * k + 1 + 3 * j]] for j in range(2)) for k in range(2))
        draws[late, early] += 1
    assert set(draws) <= possible
    assert chisquare([draws[order] for order in possible]).pvalue > 1e-6


def three_rounds(game):
    """A state at the start of round 3, the cards of seat 0 and those it played in round 2, all different."""
    for seed in range(100):
        for state in random_game(game, seed):
            if state.facts()["round"] == 3:
                break
        held, second = state.facts()["hands"][0], second_round(state)
        if len({*held, *second}) == 9:
            return state, held, second
    raise AssertionError("no such state")


def second_round(state):
    plays = [
        name
        for name, (seat, _) in zip(state.record()["actions"], state.information_set(0).history, strict=True)
        if seat == 0 and not name.startswith("take:")
    ]
    return plays[2:4]


# --- The weights ---


def chance(info, action, model):
    """The probability of an action under the model, in plain NumPy, from what the seat that moves knows."""
    actions = np.array(info.legal_actions)
    scores = np.empty(len(actions))
    if len(actions) == 1:
        return 1.0
    score_actions(info.records[0], info.seat, actions, len(actions), model.weights, scores)
    shares = np.exp((scores - scores.max()) / model.temperature)
    softmax = shares / shares.sum()
    return float(model.floor / len(actions) + (1 - model.floor) * softmax[list(actions).index(action)])


def log_weights_of(worlds, info, model):
    found = np.empty(len(worlds))
    weigh(worlds, evidence_of(info), model, scratch(info.game), stream(0), found)
    return found


def normalised(log_weights):
    weights = np.exp(log_weights - np.max(log_weights))
    return weights / weights.sum()


@pytest.mark.parametrize(("players", "seed", "last"), [(3, 0, None), (4, 1, None), (4, 1, 3), (5, 0, None)])
def test_weights_in_daytime_minutes_are_the_posterior_over_all_worlds(players, seed, last):
    """All deals by brute force, each played from its own deck through the State face."""
    game = engine.load("daytime_minutes", players=players)
    state = dm_worlds.late_position(game, seed, most_worlds=120)
    model = model_for(game, temperature=0.4, floor=0.02, last=last)
    past, seat = dm_worlds.Past.of(state), state.seat
    replays = [past.in_world(*key) for key in sorted(dm_worlds.enumerate_worlds(state, seat), key=repr)]
    assert len(replays) > 5
    expected = [math.prod(chances(replay, seat, model)[-last if last else 0 :]) for replay in replays]
    worlds = np.concatenate([replay.records for replay in replays])
    found = normalised(log_weights_of(worlds, state.information_set(), model))
    assert found == pytest.approx(np.array(expected) / sum(expected), rel=1e-9)
    assert np.ptp(found) > 0.001


def chances(replay, observer, model):
    """The probabilities of all actions of seats other than `observer` in the game of a state."""
    record, found = replay.record(), []
    state = replay.game.new(seed=record["seed"], decks=[[name for name in deck] for deck in record["decks"]])
    for name in record["actions"]:
        if state.seat != observer:
            found.append(chance(state.information_set(), replay.game.action_ids[name], model))
        state = state.apply(name)
    return found


TINY = engine.load("trick_or_repeat", players=2, suits=2, ranks=4, hand_size=2)


@pytest.mark.parametrize("moves", [1, 3, 5, 7])
@pytest.mark.parametrize("seed", range(3))
def test_weights_in_trick_or_repeat_are_the_posterior_of_deals_and_hidden_choices(seed, moves):
    """Every deck and every choice of the other seat, played forward; those that look the same to seat 1 are left."""
    state = TINY.new(seed=seed)
    rng = np.random.default_rng(seed)
    for _ in range(moves):
        state = state.apply(int(rng.choice(state.legal_actions)))
    info, model = state.information_set(1), model_for(TINY, temperature=0.7, floor=0.1)
    expected = Counter()
    for hand in combinations(set(TINY.deck) - set(state.record()["decks"][0][2:6]), 2):
        deck = [*hand, *state.record()["decks"][0][2:6]]
        deck += [card for card in TINY.deck if card not in deck]
        add_posterior(TINY.new(decks=[deck]), state.record()["actions"], info, model, 1.0, expected)
    assert len(expected) > 1
    worlds = np.unique(sampled(info, 2000))
    assert {world.tobytes() for world in worlds} == set(expected)
    found = normalised(log_weights_of(worlds, info, model))
    total = sum(expected.values())
    assert found == pytest.approx([expected[world.tobytes()] / total for world in worlds], rel=1e-9)


def add_posterior(state, actions, info, model, weight, found):
    if not actions:
        if state.information_set(info.seat) == info:
            found[state.records.tobytes()] += weight
        return
    if state.seat == info.seat:
        if actions[0] in state.legal_names:
            add_posterior(state.apply(actions[0]), actions[1:], info, model, weight, found)
        return
    for action in state.legal_actions:
        share = chance(state.information_set(), action, model)
        add_posterior(state.apply(action), actions[1:], info, model, weight * share, found)


def sampled(info, count, seed=0):
    worlds = np.repeat(info.records, count)
    draw_worlds(worlds, info.seat, stream(seed))
    return worlds


def test_a_hidden_choice_among_copies_counts_once():
    """A seat that chooses any of its different cards: how often has it another copy of the one it chose?

    Expected by dealing hands, and without the model's part; `determinize` draws pairs about twice as often.
    """
    game = engine.load("day_and_night", players=3)
    state = game.new(seed=1)
    info = state.apply(state.legal_actions[0]).information_set()
    belief = believe(info, model_for(game, floor=1.0), 20_000, stream(1))
    chosen = belief.worlds["chosen"][:, 0]
    paired = belief.worlds["hand"][:, 0, 0] >> chosen & 1

    facts, rng = info.facts(), np.random.default_rng(0)
    unseen = list((Counter(game.deck) - Counter(facts["hands"][1]) - Counter(facts["seen"])).elements())
    shares = []
    for _ in range(20_000):
        copies = Counter(rng.permutation(len(unseen))[:7].tolist())
        copies = Counter(unseen[card] for card in copies)
        shares.append(sum(number > 1 for number in copies.values()) / len(copies))
    expected, error = np.mean(shares), np.std(shares) / math.sqrt(20_000) + 0.2 / math.sqrt(20_000)
    assert abs(belief.weights @ paired - expected) < 5 * error
    assert paired.mean() > 1.5 * expected


def test_only_the_last_actions_of_others_count():
    info = engine.load("daytime_minutes").new(seed=1)
    for _ in range(6):  # seats 0 1 2 3, then two of the next trick
        info = info.apply(info.legal_actions[0])
    evidence = evidence_of(info.information_set())
    others = [at for at, (seat, _) in enumerate(evidence.moves.tolist()) if seat != evidence.seat]
    assert [first_weighed(evidence, last) for last in range(1, len(others) + 1)] == others[::-1]
    assert first_weighed(evidence, 0) == len(evidence.moves)
    assert first_weighed(evidence, 100) == 0


def test_without_actions_of_others_all_worlds_weigh_the_same():
    for name in engine.names():
        game = engine.load(name)
        for last in (0, None):
            belief = believe(game.new(seed=1).information_set(), model_for(game, last=last), 50, stream(2))
            assert belief.weights == pytest.approx(np.full(50, 0.02))


def test_what_is_hidden_is_marked_in_the_evidence():
    state = engine.load("day_and_night").new(seed=1)
    state = state.apply(state.legal_actions[0])
    assert evidence_of(state.information_set(1)).moves.tolist() == [[0, HIDDEN_ACTION]]
    assert evidence_of(state.information_set(0)).moves.tolist() == [[0, state.information_set(0).history[0][1]]]


@pytest.mark.parametrize("name", engine.names())
def test_the_true_world_is_among_the_more_plausible_ones_when_rules_play(name):
    """Half of the sampled worlds would weigh less than the truth if actions told nothing."""
    game = engine.load(name)
    model, bot = model_for(game), bots.load("rules")
    bot.new_game(game, 0, np.random.default_rng(0))
    below = []
    for seed in range(GAMES):
        state = game.new(seed=seed)
        for _ in range(5 * game.players):
            last, state = state, state.apply(bot.act(state.information_set()))
            if state.is_terminal or state.num_deals > 1:
                break
        info = last.information_set()
        worlds = np.concatenate([last.records, sampled(info, 50, seed)])
        log_weights = log_weights_of(worlds, info, model)
        below.append(np.mean(log_weights[1:] < log_weights[0]) + np.mean(log_weights[1:] == log_weights[0]) / 2)
    assert np.mean(below) > 0.5 + 3 / math.sqrt(12 * GAMES)  # three standard errors of uniform ranks


# --- Sizes and draws ---


def test_the_effective_sample_size():
    """Kish: the squared sum over the sum of squares. 1, 1, 2: 16 / 6."""
    assert effective_sample_size(np.array([1.0, 1.0, 2.0])) == pytest.approx(8 / 3)
    assert effective_sample_size(np.full(7, 0.3)) == pytest.approx(7)
    assert effective_sample_size(np.array([0.0, 5.0, 0.0])) == pytest.approx(1)


def test_worlds_are_picked_with_their_weights():
    weights = np.array([0.0, 0.5, 0.125, 0.0, 0.375, 0.0])
    table, rng = pick_table(weights), stream(3)
    picked = np.bincount([pick(table, rng) for _ in range(8000)], minlength=6)
    assert picked[[0, 3, 5]].tolist() == [0, 0, 0]
    assert chisquare(picked[[1, 2, 4]], 8000 * weights[[1, 2, 4]]).pvalue > 1e-6


def test_the_only_world_is_picked():
    assert pick(pick_table(np.ones(1)), stream(1)) == 0


# --- What is refused ---


def test_a_sampled_world_says_nothing_of_the_past():
    info = engine.load("daytime_minutes").new(seed=1).information_set()
    with pytest.raises(ValueError, match="no history"):
        evidence_of(info.determinize(np.random.default_rng(0)).information_set())


@pytest.mark.parametrize(
    "wrong", [{"temperature": 0.0}, {"temperature": -1.0}, {"floor": 0.0}, {"floor": 1.1}, {"last": -1}]
)
def test_wrong_numbers_of_a_model(wrong):
    with pytest.raises(ValueError, match="expected a temperature above 0, a floor above 0 and up to 1, and None or"):
        model_for(engine.load("daytime_minutes"), **wrong)


def test_a_game_without_a_policy_is_refused():
    with pytest.raises(ValueError, match=r"no rule-based bot for tests\.engine\.high_card"):
        model_for(engine.load("tests.engine.high_card"))
