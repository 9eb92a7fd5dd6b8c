"""What a person at the table looks at: a table of the seats and a few lines, for each game its own."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rich.text import Text

from engine import Game, InformationSet, day_and_night, daytime_minutes

# The colours of the viewer.
_SUIT_STYLES = {
    "daytime_minutes": {"F": "dark_orange", "A": "green", "W": "blue"},
    "day_and_night": {"B": "blue", "O": "dark_orange", "P": "bright_magenta", "U": "medium_purple"},
    "trick_or_repeat": {"A": "dark_orange", "B": "blue", "C": "green", "D": "bright_magenta"},
    "tricky_time_crisis": {
        "S": "dark_orange",
        "D": "green",
        "K": "blue",
        "T": "bright_magenta",
        "M": "bold",
        "V": "medium_purple",
    },
}
_CARD = r"(?<!\w){suit}(\d+|\+2|inf|half)?(?![\w+])"  # or the suit alone
_COLOUR_NAMES = {"B": "blue", "O": "orange", "P": "pink", "U": "purple"}
_STARS = dict(zip(day_and_night.CARD_NAMES, day_and_night.STARS.tolist(), strict=True))
_TURNS_TIME = dict(zip(day_and_night.CARD_NAMES, day_and_night.TURNS_TIME.tolist(), strict=True))
_MINUTES = dict(zip(daytime_minutes.CARD_NAMES, daytime_minutes.MINUTES.tolist(), strict=True))


@dataclass(frozen=True)
class Tableau:
    """The position as one seat sees it. Without columns `lines` say everything."""

    title: str
    columns: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)  # by seat, a cell for each column
    lines: list[str] = field(default_factory=list)
    question: str = "choose an action"  # what is asked of the seat


def tableau(info: InformationSet) -> Tableau:
    """The position for a person; a game from elsewhere is shown in its own words."""
    facts = info.facts()
    drawn = _DRAWN.get(info.game.name)
    return drawn(facts) if drawn else Tableau(info.game.title, lines=info.game.rules.text(facts).splitlines())


def worth(game: Game, action: str) -> str:
    """What is printed on the card that an action plays or takes, in short; often nothing."""
    card = action.rpartition(":")[2]
    if game.name == "daytime_minutes" and card in _MINUTES:
        return f"{_MINUTES[card]} min"
    if game.name == "day_and_night" and card in _STARS:
        return _stars(card)
    return ""


def coloured(text: str, game: Game, person: int | None = None) -> Text:
    """`text` with the cards in the colours of their suits, and the seat of the person named and bold."""
    if person is not None:
        text = re.sub(rf"\bseat {person}\b", f"seat {person} (you)", text)
    shown = Text(text)
    for suit, style in _SUIT_STYLES.get(game.name, {}).items():
        shown.highlight_regex(_CARD.format(suit=suit), style)
    if person is not None:
        shown.highlight_regex(rf"seat {person} \(you\)", "bold")
    return shown


# --- The games ------------------------------------------------------------------------------------


def _daytime_minutes(facts: dict[str, Any]) -> Tableau:
    plan = "the plan is to be chosen" if facts["plan"] is None else f"plan {facts['plan']} minutes"
    rows = [
        [
            "●" * facts["tokens"][seat] or "none",
            str(facts["minutes"][seat]),
            str(facts["talk"][seat]),
            facts["table"][seat] or "",
            " ".join(facts["piles"][seat]),
            _held(hand, facts["shown_suits"][seat]),
        ]
        for seat, hand in enumerate(facts["hands"])
    ]
    lines = [f"led suit: {facts['led_suit']}"] if facts["led_suit"] else []
    if facts["time"] == "Evening":
        lines.append("evening: nobody collects this trick")
    if caller := facts["caller"]:
        flipped = f"flipped {caller['card']}" if caller["card"] else "has not acted in this trick"
        lines.append(f"the unknown caller acts before seat {caller['before']}; it {flipped}")
    lines.append(f"played in this hand: {' '.join(facts['played']) or 'nothing'}")
    question = "play a card" if facts["phase"] == "play" else "choose the plan for this hand"
    title = f"Daytime Minutes: hand {facts['hand_number']}, trick {facts['trick']}, {facts['time']}, {plan}"
    return Tableau(title, ["tokens", "minutes", "talk", "trick", "collected", "cards"], rows, lines, question)


def _held(hand: list[str], only_suit: str | None) -> str:
    return f"{len(hand)}, only {only_suit}" if hand and only_suit else str(len(hand))


def _day_and_night(facts: dict[str, Any]) -> Tableau:
    rows = [
        [
            str(facts["stars"][seat]),
            str(facts["taken"][seat]),
            " ".join(card for card in facts["played"][seat] if card),
            {None: "", "?": "a card"}.get(facts["committed"][seat], facts["committed"][seat]),
            str(len(hand)),
        ]
        for seat, hand in enumerate(facts["hands"])
    ]
    revealed = f" (revealed: {facts['revealed']})" if facts["revealed"] else ""
    lines = [f"on the table: {' '.join(map(_with_stars, facts['table'])) or 'nothing'}{revealed}"]
    if facts["phase"] == "take":
        lines.append(f"take in this order: {', '.join(f'seat {seat}' for seat in facts['taking_order'])}")
    elif facts["table"]:
        best = "lowest" if facts["time"] == "night" else "highest"
        lines.append(f"totals: {_totals(facts['table'])}; by {facts['time']} the {best} wins")
    lines.append(f"seen so far: {' '.join(facts['seen']) or 'nothing'}")
    number = "second" if any(facts["played"][facts["seat"]]) else "first"
    question = "take a card from the table" if facts["phase"] == "take" else f"choose your {number} card of the round"
    last = ", the last one" if facts["last_round"] else ""
    title = f"Day & Night: round {facts['round']}{last}, it is {facts['time']}, {facts['pile']} cards in the pile"
    return Tableau(title, ["stars", "taken", "played", "chosen", "cards"], rows, lines, question)


def _totals(cards: list[str]) -> str:
    sums = {colour: sum(int(card[1:]) for card in cards if card[0] == colour) for colour in _COLOUR_NAMES}
    return ", ".join(f"{colour} ({_COLOUR_NAMES[colour]}) {total}" for colour, total in sums.items() if total)


def _stars(card: str) -> str:
    return "☾" if _TURNS_TIME[card] else f"{_STARS[card]}★"


def _with_stars(card: str) -> str:
    return f"{card}·{_stars(card)}"


def _trick_or_repeat(facts: dict[str, Any]) -> Tableau:
    tricks = range(1, len(facts["trumps"]) + 1)
    is_reverse = facts["options"]["resolve_order"] == "reverse"
    slots = list(zip(reversed(tricks) if is_reverse else tricks, tricks, strict=True))  # (trick, slot)
    rows = [
        [
            str(facts["points"][seat]),
            *(facts["placed"][seat][slot - 1] or "" for _, slot in slots),
            {None: "", "?": "made"}.get(bid, str(bid)),
            str(len(facts["hands"][seat])),
        ]
        for seat, bid in enumerate(facts["bids"])
    ]
    lines = [f"dealt to seat {hand}: {looks}" for hand, looks in _looks(facts).items()]
    if earlier := facts["earlier"]:
        lines += [
            f"round {facts['round'] - 1}, seat {seat}: {' '.join(placed)}, bid {earlier['bids'][seat]}, "
            f"won {earlier['winners'].count(seat)}"
            for seat, placed in enumerate(earlier["placed"])
        ]
    trump = facts["trumps"][0]
    rounds = facts["options"]["rounds"]
    title = f"Trick or Repeat: round {facts['round']} of {rounds} (1: {trump} is trick 1 with trump {trump})"
    columns = ["points", *(f"{trick}: {facts['trumps'][trick - 1]}" for trick, _ in slots), "bid", "cards"]
    return Tableau(title, columns, rows, lines, _question_about_tricks(facts, slots))


def _question_about_tricks(facts: dict[str, Any], slots: list[tuple[int, int]]) -> str:
    own, players = facts["seat"], facts["players"]
    if facts["phase"] == "bid":
        return f"bid: how many tricks will your left neighbour, seat {(own + 1) % players}, win?"
    if facts["phase"] != "place":
        return ""
    placed = sum(card is not None for card in facts["placed"][own])
    return f"place a card for trick {slots[placed][0]}; the others go to seat {(own + 1) % players}"


def _looks(facts: dict[str, Any]) -> dict[int, str]:
    """By the seat that a hand was dealt to: how the person has seen it, and how it had shrunk when it came round."""
    looks: dict[int, list[str]] = {}
    for look in facts["seen"]:
        later = f"after {look['stage']} placed " if look["stage"] else ""
        looks.setdefault(look["hand"], []).append(later + " ".join(look["cards"]))
    return {hand: ", ".join(seen) for hand, seen in looks.items()}


def _tricky_time_crisis(facts: dict[str, Any]) -> Tableau:
    rows = [
        [
            str(facts["points"][seat]),
            " ".join(facts["piles"][seat]),
            str(facts["pile_scores"][seat]),
            facts["table"][seat] or "",
            str(len(hand)),
        ]
        for seat, hand in enumerate(facts["hands"])
    ]
    led = f"trick, led by seat {facts['leader']}: {' '.join(facts['trick']) or 'no card yet'}"
    lines = [f"{led}{_sides(facts)}"]
    if facts["offer"]:
        lines.append(f"left to take: {' '.join(facts['offer'])}")
    lines.append(f"played in this round: {' '.join(facts['seen']) or 'nothing'}")
    most = "2 cards" if facts["players"] == 3 else "1 card"
    lines.append(f"a suit with more than {most} in a pile is worth nothing")
    round_of = f"round {facts['round']} of {facts['options']['rounds']}"
    title = f"Tricky Time Crisis: {round_of}, dealt by seat {facts['dealer']}"
    question = _TRICKY_QUESTIONS[facts["phase"]]
    return Tableau(title, ["points", "pile", "worth", "trick", "cards"], rows, lines, question)


_TRICKY_QUESTIONS = {
    "play": "play a card of a suit that is not in the trick",
    "hero_takes": "you have won the trick: take a card, or pass",
    "villain_takes": "the villain has won: take a card, two in all, or pass",
    "mid_knight_takes": "the villain has won: take a card, two in all, or pass",
    "forced": "the villain has won: you must take a card",
    "stop_one": "you must take a card, unless you stop that with your T10",
    "stop_all": "you must take the whole trick, unless you stop that with your T10",
    "over": "",
}


def _sides(facts: dict[str, Any]) -> str:
    """What the cards in the trick add up to for either side, as far as they show it themselves."""
    if not facts["trick"]:
        return ""
    villains = "VM" if facts["options"]["mid_knight"] == "team_up" else "V"
    sums = []
    for side, is_villain in (("heroes", False), ("villain", True)):
        cards = [card for card in facts["trick"] if (card[0] in villains) == is_villain]
        plain = sum(int(card[1:]) for card in cards if card[1:].isdigit())
        special = [card for card in cards if not card[1:].isdigit()]
        sums.append(" and ".join([f"{side} {plain}", *special]))
    return f" ({', '.join(sums)})"


_DRAWN: dict[str, Callable[[dict[str, Any]], Tableau]] = {
    "daytime_minutes": _daytime_minutes,
    "day_and_night": _day_and_night,
    "trick_or_repeat": _trick_or_repeat,
    "tricky_time_crisis": _tricky_time_crisis,
}
