"""Tricky Time Crisis: suits, cards and options, and their names."""

from __future__ import annotations

from enum import IntEnum

from engine.compiling import rule

MAX_PLAYERS = 6
HAND_SIZE = 13
SUIT_CARDS = 14  # cards of every suit in the deck
HERO_KINDS = 8  # different cards of a suit other than the villain's: ranks 3 to 9 and the power card
POWER = 7  # its number in the suit
LOWEST_HERO = 3
VILLAIN_KINDS = 14  # 13 ranks and Vinf
MAX_CARDS = HERO_KINDS * (MAX_PLAYERS - 1) + VILLAIN_KINDS  # different cards
INFINITY = 13  # number of Vinf in the villain's suit
HERO_DECK = (0, 1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, POWER)  # ranks 3 4 4 5 5 6 6 6 7 7 8 8 9 and the power card
OPTIONAL_TAKES = 2
DOUBLE_BONUS = 2  # of D+2

NO_CARD = -1
NO_SEAT = -1
NO_SUIT = -1
HIDDEN = -2  # a hand that was erased


class Suit(IntEnum):
    SAVER = 0
    DOUBLE = 1
    KID = 2
    TOCK = 3
    MID_KNIGHT = 4
    VILLAIN = 5


class Phase(IntEnum):
    DEAL = 0
    PLAY = 1
    HERO_TAKES = 2  # the winning hero may take a card
    VILLAIN_TAKES = 3  # the villain's player may take up to two
    MID_KNIGHT_TAKES = 4  # so may Mid-Knight's player, teamed up
    FORCED = 5  # a hero takes one
    STOP_ONE = 6  # ... or stops that with T10
    STOP_ALL = 7  # the player of Vinf takes all cards, or stops that with T10
    OVER = 8


@rule
def first_of_slot(slot):
    """The number of the first card of the suit in `slot`."""
    return slot * HERO_KINDS


SUIT_LETTERS = "SDKTMV"
POWER_NAMES = ("S13", "D+2", "K0", "T10", "Mhalf", "Vinf")  # by Suit
BASE_SUITS = {3: "SDV", 4: "SDKV", 5: "SDKTV"}
BASE_VILLAIN = {3: 8, 4: 16, 5: 22}  # lowest rank
TEAM_UP_VILLAIN = {5: 8, 6: 16}
HERO_LETTERS = SUIT_LETTERS[:4]
MODES = ("off", *(f"replace:{suit}" for suit in HERO_LETTERS), "team_up")


def needs_removed(players, options):
    """Whether the option `removed` applies."""
    return players == 5 and options["mid_knight"] == "team_up"


def suits_in_play(players, options):
    """The letters of the suits, in canonical order. Raises ValueError for a combination that does not exist."""
    mode = options["mid_knight"]
    if mode == "team_up":
        if players not in TEAM_UP_VILLAIN:
            raise ValueError(f"mid_knight = {mode!r} with {players} players: expected 5 or 6 players")
        return SUIT_LETTERS if players == 6 else SUIT_LETTERS.replace(options["removed"], "")
    if players not in BASE_SUITS:
        raise ValueError(f"mid_knight = {mode!r} with {players} players: expected 'team_up'")
    replaced = mode.removeprefix("replace:")
    if mode == "off":
        return BASE_SUITS[players]
    heroes = BASE_SUITS[players][:-1]
    if replaced not in heroes:
        expected = " or ".join(repr(f"replace:{suit}") for suit in heroes)
        raise ValueError(f"mid_knight = {mode!r} with {players} players: expected a hero suit in play, {expected}")
    return heroes.replace(replaced, "") + "MV"


def villain_ranks(players, options):
    lowest = (TEAM_UP_VILLAIN if options["mid_knight"] == "team_up" else BASE_VILLAIN)[players]
    return range(lowest, lowest + INFINITY)


def card_names(players, options):
    """The different cards, by number."""
    names = []
    for suit in suits_in_play(players, options):
        ranks = villain_ranks(players, options) if suit == "V" else range(LOWEST_HERO, LOWEST_HERO + POWER)
        names += [f"{suit}{rank}" for rank in ranks] + [POWER_NAMES[SUIT_LETTERS.index(suit)]]
    return tuple(names)


def deck_names(players, options):
    names = card_names(players, options)
    heroes = [names[first_of_slot(slot) + number] for slot in range(players - 1) for number in HERO_DECK]
    return (*heroes, *names[first_of_slot(players - 1) :])


def action_names(players, options):
    names = card_names(players, options)
    return (*names, *(f"take:{name}" for name in names), "pass", "stop", "accept")
