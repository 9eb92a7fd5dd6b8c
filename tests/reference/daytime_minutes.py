"""A slow, literal referee of Daytime Minutes, transcribed from RULES.md sections 0 and 1 and from nothing else.

Rulings used: section 0 (deal in blocks, running totals, ranks 1 1 3, returns), section 1 "Deck", "A hand", "Unknown
caller", "Scoring a hand", "Next hand" and "Who knows what".
"""

SUITS = ["F", "A", "W"]
MINUTES = {1: 5, 2: 5, 3: 5, 4: 15, 5: 15, 6: 15, 7: 30, 8: 30, 9: 30, 10: 45, 11: 45, 12: 45, 13: 60, 14: 60, 15: 60}
PLANS = [150, 180, 210, 240]
HAND_SIZE = 9
HANDS_LIMIT = 100
CALLER = "caller"


def deck_names(players: int, options: dict) -> list[str]:
    """The 45 cards in canonical order (section 1, "Deck")."""
    return [suit + str(talk) for suit in SUITS for talk in range(1, 16)]


def suit_of(card: str) -> str:
    return card[0]


def talk_of(card: str) -> int:
    return int(card[1:])


class Referee:
    """One game; the state is public attributes made of lists and strings."""

    def __init__(self, players: int, options: dict, decks: list[list[str]]):
        if players not in (3, 4, 5):
            raise ValueError(f"Daytime Minutes is for 3 to 5 players, not {players}")
        if options:
            raise ValueError(f"Daytime Minutes has no options, got {options}")
        self.players = players
        self.options = options
        self.decks = decks
        self.deals = 0
        self.tokens = [3] * players
        self.hands_scored = 0
        self.over = False
        self.start = 0  # the start player of the present hand
        self.caller_before = 0  # the seat called d in the text: the caller acts just before it
        self.plan: int | None = 180
        self.chooser: int | None = None  # the seat that has to choose a plan now
        self._deal()
        self._begin_trick(self.start)

    # ---- what is asked

    @property
    def seat(self) -> int | None:
        if self.over:
            return None
        if self.chooser is not None:
            return self.chooser
        return self.order[len(self.table)]

    @property
    def legal(self) -> list[str]:
        """Section 1, "Legal cards": with exactly two suits in the trick a card of those suits, if there is one."""
        if self.over:
            return []
        if self.chooser is not None:
            return ["plan" + str(plan) for plan in PLANS]
        hand = self.hands[self.seat]
        suits = self._suits_on_table()
        if len(suits) == 2:
            following = [card for card in hand if suit_of(card) in suits]
            if following:
                return following
        return list(hand)

    def apply(self, name: str) -> None:
        if name not in self.legal:
            raise ValueError(f"{name} is not legal for seat {self.seat}")
        if self.chooser is not None:
            self.plan = int(name.removeprefix("plan"))
            self.chooser = None
            self._begin_trick(self.start)
            return
        seat = self.seat
        suits = self._suits_on_table()
        if len(suits) == 2 and suit_of(name) not in suits:
            self.shown[seat] = suit_of(name)  # "Who knows what": all its other cards are of that third suit
        self.hands[seat].remove(name)
        self._put_on_table(seat, name)

    # ---- results

    @property
    def scores(self) -> list[int]:
        return list(self.tokens)

    @property
    def ranks(self) -> list[int]:
        """Most tokens wins; the text breaks no tie."""
        return [1 + sum(1 for other in self.tokens if other > mine) for mine in self.tokens]

    @property
    def returns(self) -> list[float]:
        ranks = self.ranks
        return [1.0 / ranks.count(1) if rank == 1 else 0.0 for rank in ranks]

    def knowledge(self, seat: int) -> dict:
        """Section 1, "Who knows what". Earlier hands matter only through tokens, start, d and the number of hands."""
        return {
            "turn": self.seat,
            "tokens": list(self.tokens),
            "hands_scored": self.hands_scored,
            "start": self.start,
            "caller_before": self.caller_before if self.players == 3 else None,
            "chooser": self.chooser,
            "plan": self.plan,
            "trick": self.trick_number,
            "own_hand": sorted(self.hands[seat]),
            "hand_sizes": [len(hand) for hand in self.hands],
            "played": sorted(self.played),
            "piles": [sorted(pile) for pile in self.piles],
            "table": [[who, card] for who, card in self.table],
            # a seat without cards has no other cards of which anything was shown
            "shown": [self.shown[p] if self.hands[p] else None for p in range(self.players)],
        }

    # ---- a hand

    def _deal(self) -> None:
        deck = list(self.decks[self.deals])
        if sorted(deck) != sorted(deck_names(self.players, self.options)):
            raise ValueError("not a permutation of the deck")
        self.deals += 1
        self.hands = [deck[HAND_SIZE * p : HAND_SIZE * (p + 1)] for p in range(self.players)]
        self.stock = deck[HAND_SIZE * self.players :]  # three players: the caller's deck, top first
        self.piles: list[list[str]] = [[] for _ in range(self.players)]
        self.played: list[str] = []
        self.shown: list[str | None] = [None] * self.players
        self.trick_number = 0  # tricks finished in this hand; 0, 3, 6 are Mornings
        self.table: list[tuple] = []  # (seat or CALLER, card) in the order played
        self.order: list = []

    def _begin_trick(self, leader) -> None:
        """The order of play: clockwise from the leader, the caller sitting between d-1 and d with three players."""
        circle: list = [(self.caller_before + i) % self.players for i in range(self.players)]
        if self.players == 3:
            circle.append(CALLER)
        first = circle.index(leader)
        self.order = circle[first:] + circle[:first]
        self.table = []
        if self.order[0] == CALLER:
            self._put_on_table(CALLER, self.stock.pop(0))

    def _put_on_table(self, who, card: str) -> None:
        self.table.append((who, card))
        self.played.append(card)
        if len(self.table) == len(self.order):
            self._end_trick()
        elif self.order[len(self.table)] == CALLER:
            self._put_on_table(CALLER, self.stock.pop(0))

    def _suits_on_table(self) -> set[str]:
        return {suit_of(card) for _, card in self.table}

    def _highest_of_suit(self, suit: str):
        """Who played the highest talk value of that suit: a seat or CALLER."""
        talks = [(talk_of(card), who) for who, card in self.table if suit_of(card) == suit]
        best = max(talk for talk, _ in talks)
        return next(who for talk, who in talks if talk == best)

    def _end_trick(self) -> None:
        """Section 1, "Collecting", "Lead" and "End of the hand"."""
        evening = self.trick_number % 3 == 2
        if not evening:
            for suit in self._suits_on_table():
                collector = self._highest_of_suit(suit)
                if collector != CALLER:  # what the caller would collect is discarded
                    self.piles[collector] += [card for _, card in self.table if suit_of(card) == suit]
        leader = self._highest_of_suit(suit_of(self.table[0][1]))
        self.table = []
        self.trick_number += 1
        if self._over_seats() or self.trick_number == HAND_SIZE:
            self._end_hand()
        else:
            self._begin_trick(leader)

    def _minutes(self, seat: int) -> int:
        return sum(MINUTES[talk_of(card)] for card in self.piles[seat])

    def _talk(self, seat: int) -> int:
        return sum(talk_of(card) for card in self.piles[seat])

    def _over_seats(self) -> list[int]:
        return [p for p in range(self.players) if self._minutes(p) > self.plan]

    # ---- scoring and the next hand

    def _first_clockwise(self, seats: list[int], origin: int) -> int:
        """The first of these seats clockwise from the origin, the origin itself first."""
        return next(p for p in [(origin + i) % self.players for i in range(self.players)] if p in seats)

    def _end_hand(self) -> None:
        """Section 1, "Scoring a hand": three rules, all changes at once; then the end of the game is tested."""
        over_seats = self._over_seats()
        change = [0] * self.players
        for p in over_seats:
            change[p] -= 1
        candidates = [p for p in range(self.players) if p not in over_seats]
        if len(candidates) >= 2:
            fewest = min(self._minutes(p) for p in candidates)
            for p in candidates:
                if self._minutes(p) == fewest:
                    change[p] -= 1
        for p in range(self.players):
            if self._minutes(p) == self.plan:
                change[p] += 1
        self.tokens = [self.tokens[p] + change[p] for p in range(self.players)]
        self.hands_scored += 1
        if 0 in self.tokens or self.hands_scored == HANDS_LIMIT:
            self.over = True
            return
        self._next_hand(over_seats)

    def _next_hand(self, over_seats: list[int]) -> None:
        """Section 1, "Next hand": start player, chooser, and d moves on."""
        seats = list(range(self.players))
        fewest = min(self._minutes(p) for p in seats)
        seats = [p for p in seats if self._minutes(p) == fewest]
        lowest = min(self._talk(p) for p in seats)
        seats = [p for p in seats if self._talk(p) == lowest]
        self.start = self._first_clockwise(seats, self.start)

        choosers = [self.start]
        if over_seats:
            highest = max(self._talk(p) for p in over_seats)
            choosers = [p for p in over_seats if self._talk(p) == highest]
            most = max(self._minutes(p) for p in choosers)
            choosers = [p for p in choosers if self._minutes(p) == most]
        self.chooser = self._first_clockwise(choosers, self.start)
        self.plan = None  # the old plan is out of force while a new one is chosen
        self.caller_before = (self.caller_before + 1) % self.players
        self._deal()
