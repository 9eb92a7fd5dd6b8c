"""A slow and literal referee for Day & Night, written from RULES.md sections 0 and 2 alone.

It shares nothing with the engine, so that the two can be compared move by move. Rulings followed, in RULES.md's words:

* deck, setup: two copies of each value 1-13 and a third 7; the first `R` cards are removed unseen;
* reveal: "the round is the last one if and only if the pile is empty after this step";
* play, twice: simultaneous, asked of seats 0, 1, ... in order; each time symbol revealed or played flips day/night;
* winning colour: all face-up cards; only colours on the table; a tie for best means no winning colour;
* take: sum of own cards of that colour, then fewer stars before this step, else the tied seats take nothing;
* clean up: seat 0, 1, ... one card each, then once more, stopping when the pile is empty; no draw in the last round;
* winner: most stars, then more cards collected, then shared.
"""

COLOURS = ["B", "O", "P", "U"]
REMOVED = {3: 33, 4: 16, 5: 3}
STARS = {1: 4, 2: 4, 3: 3, 4: 2, 5: 1, 6: 0, 7: 0, 8: 0, 9: 1, 10: 2, 11: 3, 12: 4, 13: 4}
TIME_SYMBOLS = [6, 7, 8]
HAND_SIZE = 7


def deck_names(players: int, options: dict) -> list[str]:
    """The 108 cards in canonical order: by colour, then value, copies adjacent (the same for every player count)."""
    names = []
    for colour in COLOURS:
        for value in range(1, 14):
            names += [f"{colour}{value}"] * (3 if value == 7 else 2)
    return names


def value_of(card: str) -> int:
    return int(card[1:])


def colour_of(card: str) -> str:
    return card[0]


def stars_of(card: str) -> int:
    return STARS[value_of(card)]


class Referee:
    """One game; `decks[0]` is its only deal, top card first."""

    def __init__(self, players: int, options: dict, decks: list[list[str]]) -> None:
        if players not in REMOVED:
            raise ValueError(f"day_and_night has 3 to 5 players, not {players}")
        if options:
            raise ValueError(f"day_and_night has no options, got {options}")
        deck = list(decks[0])
        if sorted(deck) != sorted(deck_names(players, options)):
            raise ValueError("the deal is not a permutation of the deck")
        self.players = players
        self.deals = 1
        rest = deck[REMOVED[players] :]
        self.hands = [rest[HAND_SIZE * p : HAND_SIZE * p + HAND_SIZE] for p in range(players)]
        self.pile = rest[HAND_SIZE * players :]  # index 0 is the top
        self.time = "day"
        self.collected: list[list[str]] = [[] for _ in range(players)]
        self.face_up: list[str] = []  # every card that was ever face up, taken, discarded or still on the table
        self.round = 0
        self._start_round()

    # -- the round ---------------------------------------------------------------------------------------------------

    def _start_round(self) -> None:
        """Step 1, reveal: with an empty pile there is no reveal; the pile empty after this step makes it the last."""
        self.round += 1
        self.phase = "first"
        self.revealed: str | None = None
        self.table: list[str] = []  # face-up cards that can still be taken
        self.shown: list[list[str]] = [[] for _ in range(self.players)]  # the cards each seat played, once shown
        self.committed: list[str | None] = [None] * self.players  # chosen, but not shown yet
        self.takers: list[int] = []  # the seats still to take, in order
        if self.pile:
            self.revealed = self.pile.pop(0)
            self._turn_up(self.revealed)
        self.last_round = not self.pile

    def _turn_up(self, card: str) -> None:
        """A card comes face up on the table; its time symbol, if any, flips day and night."""
        self.table.append(card)
        self.face_up.append(card)
        if value_of(card) in TIME_SYMBOLS:
            self.time = "night" if self.time == "day" else "day"

    def _show_choices(self) -> None:
        """Step 2: all seats have chosen, the cards are shown."""
        for seat in range(self.players):
            card = self.committed[seat]
            assert card is not None
            self.committed[seat] = None
            self.shown[seat].append(card)
            self._turn_up(card)
        if self.phase == "first":
            self.phase = "second"
            return
        self.phase = "take"
        self.takers = self._take_order()
        if not self.takers:
            self._clean_up()

    def _winning_colour(self) -> str | None:
        """Step 3: highest total by day, lowest by night, among the colours on the table; None when tied for best."""
        totals: dict[str, int] = {}
        for card in self.table:
            totals[colour_of(card)] = totals.get(colour_of(card), 0) + value_of(card)
        best = max(totals.values()) if self.time == "day" else min(totals.values())
        winners = [colour for colour in totals if totals[colour] == best]
        return winners[0] if len(winners) == 1 else None

    def _take_order(self) -> list[int]:
        """Step 4: who takes, and in which order."""
        winning = self._winning_colour()
        sums: dict[int, int] = {}
        for seat in range(self.players):
            own = [value_of(card) for card in self.shown[seat] if colour_of(card) == winning]
            if own:
                sums[seat] = sum(own)
        stars = self.scores  # collected before this step
        order = []
        for total in sorted(set(sums.values()), reverse=self.time == "day"):
            tied = [seat for seat in sums if sums[seat] == total]
            for fewer in sorted({stars[seat] for seat in tied}):
                equal = [seat for seat in tied if stars[seat] == fewer]
                if len(equal) == 1:  # seats still equal in stars too take nothing
                    order.append(equal[0])
        return order

    def _clean_up(self) -> None:
        """Step 5: the rest is discarded; unless this was the last round, seats draw, one card each, twice."""
        self.table = []
        if self.last_round:
            self.phase = "over"
            return
        for _ in range(2):
            for seat in range(self.players):
                if self.pile:
                    self.hands[seat].append(self.pile.pop(0))
        self._start_round()

    # -- what a game is asked ----------------------------------------------------------------------------------------

    @property
    def seat(self) -> int | None:
        if self.phase == "over":
            return None
        if self.phase == "take":
            return self.takers[0]
        return self.committed.index(None)

    @property
    def legal(self) -> list[str]:
        seat = self.seat
        if seat is None:
            return []
        if self.phase == "take":
            return [f"take:{card}" for card in sorted(set(self.table))]
        return sorted(set(self.hands[seat]))

    def apply(self, name: str) -> None:
        seat = self.seat
        if seat is None or name not in self.legal:
            raise ValueError(f"{name!r} is not legal for seat {seat}")
        if self.phase == "take":
            card = name.removeprefix("take:")
            self.table.remove(card)
            self.collected[seat].append(card)
            self.takers.pop(0)
            if not self.takers:
                self._clean_up()
        else:
            self.hands[seat].remove(name)
            self.committed[seat] = name
            if None not in self.committed:
                self._show_choices()

    @property
    def scores(self) -> list[int]:
        return [sum(stars_of(card) for card in cards) for cards in self.collected]

    @property
    def ranks(self) -> list[int]:
        """Most stars, then more cards collected; ties share the better rank (1, 1, 3)."""
        scores = self.scores
        keys = [(scores[seat], len(self.collected[seat])) for seat in range(self.players)]
        return [1 + sum(other > mine for other in keys) for mine in keys]

    @property
    def returns(self) -> list[float]:
        ranks = self.ranks
        return [1.0 / ranks.count(1) if rank == 1 else 0.0 for rank in ranks]

    def knowledge(self, seat: int) -> dict:
        """Own hand and own hidden choice; everything public: what was ever face up, and the state of the table.

        `hand` and `hand_sizes` leave out cards that are chosen but not shown yet. What others hold or have chosen,
        the removed cards and the order of the pile are not in it.
        """
        return {
            "seat": seat,
            "hand": sorted(self.hands[seat]),
            "committed": self.committed[seat],
            "hand_sizes": [len(hand) for hand in self.hands],
            "turn": self.seat,
            "round": self.round,
            "last_round": self.last_round,
            "phase": self.phase,
            "time": self.time,
            "revealed": self.revealed,
            "shown": [list(cards) for cards in self.shown],
            "table": sorted(self.table),
            "takers": list(self.takers),
            "collected": [sorted(cards) for cards in self.collected],
            "stars": self.scores,
            "face_up": sorted(self.face_up),
            "pile_size": len(self.pile),
        }
