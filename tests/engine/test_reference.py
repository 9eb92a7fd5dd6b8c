"""The engine against independent referees, written from the published rules by somebody who had not seen it."""

from __future__ import annotations

import importlib

import numpy as np

from tests.cases import every_case, random_game, referee

GAMES = 25


@every_case()
def test_legal_actions_scores_and_ranks_agree_through_whole_games(game):
    reference = importlib.import_module(f"tests.reference.{game.name}")
    assert tuple(reference.deck_names(game.players, game.options)) == game.deck
    for seed in range(GAMES):
        states = list(random_game(game, seed))
        record = states[-1].record()
        judge = reference.Referee(game.players, game.options, record["decks"])
        for number, state in enumerate(states):
            assert judge.seat == state.seat
            assert set(judge.legal) == set(state.legal_names)
            assert list(judge.scores) == list(state.scores)
            assert list(judge.ranks) == list(state.ranks)
            if not state.is_terminal:
                judge.apply(record["actions"][number])
        assert list(judge.returns) == list(states[-1].returns)
        assert judge.deals == len(record["decks"])


@every_case()
def test_information_sets_are_equal_exactly_when_the_referee_says_that_a_seat_knows_the_same(game):
    """Among positions of games on the same deal, most of them alike to some seat."""
    deck = game.new(seed=11).record()["decks"][0]
    rng = np.random.default_rng(0)
    for seat in range(game.players):
        infos, knowledge = [], []
        for _ in range(6):
            other_deck = reshuffled_for_others(game, deck, seat, rng)
            for number, state in enumerate(random_game(game, 11, decks=[other_deck])):
                if number > 3:
                    break
                infos.append(state.information_set(seat))
                knowledge.append(referee(state).knowledge(seat))
        for i in range(len(infos)):
            for j in range(i):
                assert (infos[i] == infos[j]) == (knowledge[i] == knowledge[j])


def reshuffled_for_others(game, deck, seat, rng):
    """The same deal to `seat`, the cards that it does not see dealt anew."""
    size = len(game.new(seed=0).facts()["hands"][0])
    own = range(size * seat, size * (seat + 1))
    others = [position for position in range(len(deck)) if position not in own]
    shuffled = dict(zip(others, rng.permutation(others), strict=True))
    return [deck[shuffled.get(position, position)] for position in range(len(deck))]
