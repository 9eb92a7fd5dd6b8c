"""Tricky Time Crisis: every suit once in a trick, heroes against the villain. 3 to 6 players.

Rules
    As many suits as players, one of them the villain's; 13 cards each. A card of a suit that is not yet
    in the trick must be played; a seat that cannot ends the round on the spot. A complete trick holds
    one card of every suit. If the heroes' total reaches the villain's, the highest hero may take a card
    of it; else the villain's player may take two, and the other seats are forced to take one each. At
    the end of a round a seat scores its cards suit by suit, but nothing for a suit with more cards than
    the limit: 2 with three players, else 1.
    Power cards: ``K0`` discards the trick, ``Vinf`` forces its player to take all of it, ``D+2`` is worth 2
    more than the best other hero, ``S13`` is high, ``T10`` in the pile stops one forced taking. Mid-Knight
    (``M``) stands in for a hero or, teamed up, for the villain; ``Mhalf`` is worth half the villain.
Rulings that were choices
    A round ends after the 13th trick like any other: the leader has no card. ``K0`` is judged before
    ``Vinf``. Only forced takings ask for ``T10``. ``D+2`` is evaluated after ``Mhalf``. One round per seat.
Actions
    A card name to play it, ``take:CARD``, ``pass``, and ``stop`` or ``accept`` when ``T10`` could stop a taking.
Scores
    Points of finished rounds.
"""

from __future__ import annotations

import sys

from engine.game import Option, Rules, register
from engine.tricky_time_crisis.cards import HERO_LETTERS, MAX_PLAYERS, MODES, action_names, deck_names, needs_removed
from engine.tricky_time_crisis.hidden import determinize, hide, holds_secrets
from engine.tricky_time_crisis.play import apply_action, deal, legal_actions
from engine.tricky_time_crisis.scoring import rank_key, score
from engine.tricky_time_crisis.state import STATE, awaits_deal, current_seat, is_terminal, num_seats, setup
from engine.tricky_time_crisis.words import events, facts, observed, text

__all__ = [
    "RULES",
    "action_names",
    "apply_action",
    "awaits_deal",
    "current_seat",
    "deal",
    "deck_names",
    "determinize",
    "events",
    "facts",
    "hide",
    "holds_secrets",
    "is_terminal",
    "legal_actions",
    "num_seats",
    "observed",
    "rank_key",
    "score",
    "setup",
    "text",
]

RULES = register(
    Rules(
        title="Tricky Time Crisis",
        players=range(3, MAX_PLAYERS + 1),
        default_players=4,
        options=(
            Option("mid_knight", "off", MODES, "the Mid-Knight expansion: off, instead of a hero, or with the villain"),
            Option("removed", "T", tuple(HERO_LETTERS), "hero suit left out by team_up with 5 players", needs_removed),
            Option("rounds", lambda players: players, range(1, 1_000_000), "rounds, dealt in turn; one for each seat"),
        ),
        state=STATE,
        module=sys.modules[__name__],
    )
)
