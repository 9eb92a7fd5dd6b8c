"""What is asked and answered when a person plays, at a terminal or over a plain pipe."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from contextlib import suppress

from rich.columns import Columns
from rich.padding import Padding
from rich.text import Text
from tqdm import tqdm

from bots.bot import warm_up
from engine import Game
from tournaments.analysis import Decision, opinion
from tournaments.commands.analysing import print_opinion
from tournaments.commands.shell import taking_time
from tournaments.config import BotEntry
from tournaments.play.sitting import Sitting, chosen
from tournaments.play.tableau import coloured, tableau, worth
from tournaments.tables import new_console, print_table

_PROMPT = "> "
_PAGE = 100  # characters, of paragraphs
_COMMANDS = {
    "1, 2, 3 …": "the action with that number; its name or the beginning of its name will do as well",
    "advice": "what the adviser finds of every action",
    "undo": "back to your last decision; from there bots without a clock go on as they would have",
    "story": "all that has happened, as far as you know",
    "table": "the table once more",
    "quit": "leave the game; it is saved as far as it went",
    "?": "this page",
}


class Dialogue:
    """Asks the person for an action whenever it is their turn, until the game is over or they leave."""

    def __init__(self, sitting: Sitting, adviser: BotEntry, seed: int):
        """`seed` is that of the adviser's chance."""
        self._sitting = sitting
        self._game = sitting.game
        self._adviser = adviser
        self._seed = seed
        self._console = new_console()
        self._reported: set[int] = set()  # seats whose bots have failed
        self._commands = {
            "?": self._help,
            "help": self._help,
            "advice": self._advise,
            "story": lambda: self._say(self._sitting.story()),
            "table": self._show_table,
        }

    def run(self) -> None:
        _prepare_input()
        self._console.print(f"{self._game.title}. Type a number or a name to play, ? for the rules and for help.")
        is_there = True
        while is_there and not self._sitting.state.is_terminal:
            seat = self._sitting.bot_to_move
            if seat is None:
                is_there = self._decide()
                continue
            with taking_time(f"{self._name(seat)} is thinking"):
                self._sitting.let_bot_play()
            self._report_faults()
        if is_there:
            self._say(self._sitting.news())
            self._show_result()
            self._sitting.end()

    def _decide(self) -> bool:
        """One decision of the person, or a step back from it; False if they leave."""
        self._say(self._sitting.news())
        self._show_table()
        while True:
            text = _read()
            if text is None or text.casefold() in ("quit", "exit"):
                return False
            if text.casefold() == "undo":
                if self._undo():
                    return True
            elif text.casefold() in self._commands:
                self._commands[text.casefold()]()
            elif (action := self._action(text)) is not None:
                self._sitting.play(action)
                return True

    def _action(self, text: str) -> str | None:
        """The action that `text` stands for; None, with a word about it, if there is none."""
        legal = self._sitting.state.legal_names
        if not text and len(legal) == 1:
            return legal[0]
        try:
            return chosen(text, legal)
        except ValueError as error:
            self._console.print(str(error))
            return None

    # --- What is shown ----------------------------------------------------------------------------

    def _show_table(self) -> None:
        shown = tableau(self._sitting.info)
        self._console.print()
        self._say([shown.title])
        if shown.columns:
            rows = [[self._holder(seat), *map(self._text, cells)] for seat, cells in enumerate(shown.rows)]
            columns = ["seat", *map(self._text, shown.columns)]
            print_table("", columns, rows, text_columns=len(columns))
        self._say(shown.lines)
        self._show_choice(shown.question)

    def _show_choice(self, question: str) -> None:
        """The actions with their numbers, and the hand where it holds more than can be played."""
        legal = self._sitting.state.legal_names
        hand = self._sitting.info.facts().get("hands", {self._sitting.person: []})[self._sitting.person]
        if set(hand) - set(legal):
            self._say([f"you hold: {' '.join(hand)}"])
        choices = [self._text(f"{number}) {name} {worth(self._game, name)}") for number, name in enumerate(legal, 1)]
        if len(legal) == 1:
            choices.append(Text("(Enter plays it)"))
        self._console.print()
        self._say([question])
        self._console.print(Columns(choices, padding=(0, 2)))

    def _show_result(self) -> None:
        record = self._sitting.record()
        ranks = record.get("counted_ranks", record["ranks"])
        rows = [
            [self._holder(seat), str(score), str(rank)]
            for seat, (score, rank) in enumerate(zip(record["scores"], ranks, strict=True))
        ]
        print_table("\nthe game is over", ["seat", "score", "rank"], rows)

    def _report_faults(self) -> None:
        for fault in self._sitting.faults:
            if fault.seat not in self._reported:
                what = f"{self._name(fault.seat)} failed; chance plays its seat from now on"
                self._console.print(_printable(f"{what} ({fault.reason}: {fault.message})"))
        self._reported = {fault.seat for fault in self._sitting.faults}

    def _name(self, seat: int) -> str:
        return f"seat {seat}" if seat == self._sitting.person else f"seat {seat} ({self._sitting.names[seat]})"

    def _holder(self, seat: int) -> Text:
        """Who holds a seat, for a table."""
        is_person = seat == self._sitting.person
        return Text(f"{seat} {'you' if is_person else self._sitting.names[seat]}", style="bold" if is_person else "")

    def _say(self, lines: list[str]) -> None:
        for line in lines:
            words = line.lstrip()
            self._console.print(Padding(self._text(words), (0, 0, 0, len(line) - len(words)), expand=False))

    def _text(self, line: str) -> Text:
        return coloured(line, self._game, self._sitting.person)

    # --- Commands ---------------------------------------------------------------------------------

    def _help(self) -> None:
        for heading, text in _rules_in_brief(self._game):
            self._console.print(Text(heading, style="bold"))
            self._console.print(Padding(self._text(text), (0, 0, 0, 2)), width=min(self._console.width, _PAGE))
        self._console.print(Text("What you can type", style="bold"))
        for command, meaning in _COMMANDS.items():
            self._console.print(f"  {command:10} {meaning}")

    def _advise(self) -> None:
        entry, state = self._adviser, self._sitting.state
        about = {"bot": entry.bot, "options": entry.model_extra}
        try:
            with taking_time(f"the adviser {entry.bot} is getting ready"):
                warm_up(self._game, entry.bot, entry.model_extra)
            with taking_time(f"the adviser {entry.bot} is thinking"):
                found = opinion(entry, Decision(self._sitting.num_actions, state, None), self._seed)
        except ValueError as error:
            self._console.print(f"no advice: {error}")
        else:
            print_opinion(about | found.as_json() | {"explanation": found.explanation_as_json()})

    def _undo(self) -> bool:
        """Whether there was anything to undo."""
        try:
            for _ in tqdm(self._sitting.undo(), desc="going back", unit=" moves", delay=2, disable=None, leave=False):
                pass
        except ValueError as error:
            self._console.print(str(error))
            return False
        self._report_faults()
        self._console.print("back to your last decision")
        return True


def _rules_in_brief(game: Game) -> Iterator[tuple[str, str]]:
    """Headings and paragraphs of the docstring of the game's module."""
    lines = (inspect.getdoc(game.rules) or "no rules were written down").replace("`", "").splitlines()
    headings = [number for number, line in enumerate(lines) if line and not line.startswith(" ")]
    for start, end in zip(headings, [*headings[1:], len(lines)], strict=True):
        yield lines[start], " ".join(line.strip() for line in lines[start + 1 : end]).strip()


def _prepare_input() -> None:
    """Any bytes are text, and lines can be edited where the system knows how."""
    with suppress(AttributeError):
        sys.stdin.reconfigure(errors="replace")
    if sys.stdin.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401  `input` uses it once it is there


def _read() -> str | None:
    """What the person types, None at the end of the input. A pipe shows no answers: they are written down here."""
    try:
        text = input(_PROMPT).strip()
    except EOFError:
        print()
        return None
    except KeyboardInterrupt:
        print()
        raise
    if not sys.stdin.isatty():
        print(_printable(text))
    return text


def _printable(text: str) -> str:
    """`text` without what would steer a terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)
