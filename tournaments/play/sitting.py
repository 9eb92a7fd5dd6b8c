"""A game of a person against bots: who is to move, what the person has learnt, and the way back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from engine import InformationSet, State
from engine.rules import holds_secrets
from engine.story import outcome
from tournaments.match import Fault, Seat, counted_ranks
from tournaments.players import Players
from tournaments.schedule import Block


class Sitting:
    """One game at a table with a person. A bot that fails is replaced by chance, as in a tournament."""

    def __init__(self, players: Players, table: Sequence[str], person: int, seed: int):
        """`table` are the names by seat, `person` is the seat that no bot holds; the config's only game is played."""
        self.game = players.config.games[0].load()
        self.names = list(table)
        self.person = person
        self.state: State = self.game.new(seed=seed)
        self._players = players
        self._block = Block(f"play {seed}", 0, tuple(table), seed)
        self._before: list[State] = []  # the position before every action
        self._told = 0  # actions that `news` has told of
        self._bots = self._seated()

    @property
    def bot_to_move(self) -> int | None:
        """The seat of a bot; None when the person is to move or the game is over."""
        return None if self.state.seat == self.person else self.state.seat

    @property
    def info(self) -> InformationSet:
        """What the person knows."""
        return self.state.information_set(self.person)

    @property
    def num_actions(self) -> int:
        return len(self._before)

    @property
    def faults(self) -> list[Fault]:
        return [bot.fault for bot in self._bots.values() if bot.fault]

    def play(self, action: str) -> None:
        """The person's action. Raises IllegalActionError."""
        after = self.state.apply(action)
        self._before.append(self.state)
        self.state = after

    def let_bot_play(self) -> None:
        after = self._bots[self.state.seat].play(self.state, len(self._before))
        self._before.append(self.state)
        self.state = after

    def undo(self) -> Iterator[None]:
        """Goes back to the person's last decision with a choice, in steps that may take their time.

        New bots are asked again about every position before it, which leaves them as they were then: they go on as
        they would have; bots on a clock are not asked, as it would take its time and they could not.
        Raises ValueError if there was no such decision.
        """
        own = [n for n, state in enumerate(self._before) if state.seat == self.person and len(state.legal_actions) > 1]
        if not own:
            raise ValueError("there is nothing to undo: you have not decided anything yet")
        self.state = self._before[own[-1]]
        del self._before[own[-1] :]
        self._told = self._num_known()
        self._bots = self._seated()
        for number, state in enumerate(self._before):
            if state.seat != self.person and not self._has_clock(state.seat):
                self._bots[state.seat].play(state, number)
            yield

    def news(self) -> list[str]:
        """What the person has learnt since the last call, in words. Hidden actions are told once they are known."""
        start, self._told = self._told, self._num_known()
        return self._tell(start)

    def story(self) -> list[str]:
        """All that the person has learnt."""
        return self._tell(0)

    def record(self) -> dict[str, Any]:
        """The game so far, with what was at fault, if anything, as `timetricks export` writes it."""
        record = self.state.record() | {"bots": self.names}
        if not self.faults:
            return record
        at_fault = {fault.seat for fault in self.faults}
        ranks = counted_ranks(record["ranks"], [seat in at_fault for seat in range(self.game.players)])
        return record | {"faults": [asdict(fault) for fault in self.faults], "counted_ranks": ranks}

    def end(self) -> None:
        """Tells the bots how the game ended."""
        for bot in self._bots.values():
            bot.leave(self.state.record())

    def _seated(self) -> dict[int, Seat]:
        """New bots, by seat."""
        seats = [seat for seat in range(self.game.players) if seat != self.person]
        return {seat: Seat(self._players, self.game, self._block, self.names, seat) for seat in seats}

    def _has_clock(self, seat: int) -> bool:
        return "milliseconds" in self._players.config.bot(self.names[seat]).model_extra

    def _num_known(self) -> int:
        """How many actions from the first on all seats know: those after a hidden one are told with it."""
        positions = [*self._before, self.state]
        return next(n for n in reversed(range(len(positions))) if not holds_secrets(positions[n].records[0]))

    def _tell(self, start: int) -> list[str]:
        """The known actions from number `start` on, what they brought about, and the deals."""
        lines: list[str] = []
        moves: dict[int, list[str]] = {}
        positions = [*self._before, self.state]
        for number, (seat, action) in enumerate(self.info.history[start : self._num_known()], start):
            before, after = positions[number : number + 2]
            name = self.game.actions[action]
            moves.setdefault(seat, []).append(name)
            events = outcome(before, name)
            if events:
                lines += [_line(moves), *(f"  {event}" for event in events)]
                moves = {}
            if after.num_deals > before.num_deals:
                lines.append(f"deal {after.num_deals}: new cards")
        if moves.keys() - {self.person}:
            lines.append(_line(moves))
        return lines


def _line(moves: dict[int, list[str]]) -> str:
    return ", ".join(f"seat {seat} {' '.join(actions)}" for seat, actions in moves.items())


def chosen(text: str, legal_names: Sequence[str]) -> str:
    """The action that a person means by its number from 1, its name, or a beginning that no other has.

    Capitals do not count, and what stands before a colon may be left out. Raises ValueError.
    """
    wanted = text.casefold()
    if wanted.isascii() and wanted.isdigit():
        if len(wanted) < 10 and 1 <= int(wanted) <= len(legal_names):
            return legal_names[int(wanted) - 1]
        raise ValueError(f"{text[:40]}: expected a number from 1 to {len(legal_names)}")
    names = {name: {name.casefold(), name.casefold().rpartition(":")[2]} for name in legal_names}
    found = [name for name, ways in names.items() if wanted in ways]
    found = found or [name for name, ways in names.items() if any(way.startswith(wanted) for way in ways)]
    if len(found) == 1:
        return found[0]
    if found and wanted:
        raise ValueError(f"{text!r} may be {' or '.join(found)}: expected more of the name")
    expected = "expected the number or the name of an action, or ? for help"
    raise ValueError(f"{text[:40]!r} cannot be played now: {expected}" if wanted else expected)
