"""A slow, literal referee of Trick or Repeat, transcribed from RULES.md sections 0 and 3 and from nothing else.

Rulings used: section 0 (deal in blocks, simultaneous choices in seat order, running totals, ranks 1 1 3, returns),
section 3 "Deck", "Deal", "A round" (timelines, bids, resolving, scoring), "Time travel" and "Who knows what".
"""

DEALER = 0
ALLOWED = {
    "suits": [2, 3, 4],
    "ranks": [2, 3, 4, 5, 6, 7, 8, 9],
    "hand_size": [2, 3, 4, 5],
    "rounds": [1, 2],
    "resolve_order": ["forward", "reverse"],
}


def deck_names(players: int, options: dict) -> list[str]:
    """The cards in canonical order, by suit and then rank (section 3, "Deck")."""
    return [suit + str(rank) for suit in "ABCD"[: options["suits"]] for rank in range(1, options["ranks"] + 1)]


def suit_of(card: str) -> str:
    return card[0]


def rank_of(card: str) -> int:
    return int(card[1:])


class Referee:
    """One game; the state is public attributes made of lists and strings."""

    def __init__(self, players: int, options: dict, decks: list[list[str]]):
        if players not in (2, 3, 4, 5, 6):
            raise ValueError(f"Trick or Repeat is for 2 to 6 players, not {players}")
        if sorted(options) != sorted(ALLOWED):
            raise ValueError(f"the options are {sorted(ALLOWED)}, got {sorted(options)}")
        for option, value in options.items():
            if value not in ALLOWED[option]:
                raise ValueError(f"option {option} cannot be {value}")
        if options["suits"] * options["ranks"] < options["hand_size"] * (players + 1):
            raise ValueError("suits*ranks must be at least hand_size*(players+1)")
        self.players = players
        self.options = options
        self.hand_size: int = options["hand_size"]
        deck = list(decks[0])
        if sorted(deck) != sorted(deck_names(players, options)):
            raise ValueError("not a permutation of the deck")
        self.deals = 1  # round 2 is played with the same cards
        size = self.hand_size
        self.dealt = [deck[size * p : size * (p + 1)] for p in range(players)]
        self.rabbit = deck[size * players : size * (players + 1)]  # in the order dealt: bottom first, top last
        self.points = [0] * players
        self.over = False
        # of finished rounds, oldest first
        self.old_timelines: list[list[list[str]]] = []
        self.old_bids: list[list[int]] = []
        self.old_seen: list[list[list[list[str]]]] = []
        self._begin_round()

    # ---- what is asked

    @property
    def seat(self) -> int | None:
        """Simultaneous choices are asked of seats 0, 1, ... in order; chosen lists those made so far."""
        return None if self.over else len(self.chosen)

    @property
    def legal(self) -> list[str]:
        if self.over:
            return []
        if self.bidding:
            return ["bid" + str(tricks) for tricks in range(self.hand_size + 1)]
        return list(self.hands[self.seat])

    def apply(self, name: str) -> None:
        if name not in self.legal:
            raise ValueError(f"{name} is not legal for seat {self.seat}")
        self.chosen.append(name)
        if len(self.chosen) < self.players:
            return
        chosen = self.chosen
        self.chosen = []
        if self.bidding:
            self._end_round([int(bid.removeprefix("bid")) for bid in chosen])
        else:
            self._place_and_pass(chosen)

    # ---- results

    @property
    def scores(self) -> list[int]:
        return list(self.points)

    @property
    def ranks(self) -> list[int]:
        """Highest sum over the rounds, ties shared."""
        return [1 + sum(1 for other in self.points if other > mine) for mine in self.points]

    @property
    def returns(self) -> list[float]:
        ranks = self.ranks
        return [1.0 / ranks.count(1) if rank == 1 else 0.0 for rank in ranks]

    def knowledge(self, seat: int) -> dict:
        """Section 3, "Who knows what": nothing is forgotten, and slot H of the present round is not seen."""
        own_choice = self.chosen[seat] if seat < len(self.chosen) else None
        own_slots = self.timelines[seat][: self.hand_size - 1]
        own_bid = None
        if self.bidding:
            own_bid = own_choice
        elif own_choice is not None:
            own_slots = [*own_slots, own_choice]
        return {
            "turn": self.seat,
            "bidding": self.bidding,
            "scores": list(self.points),
            "rabbit": list(self.rabbit),
            "seen": [sorted(hand) for hand in self.seen[seat]],
            "own_slots": list(own_slots),
            "own_bid": own_bid,
            # once a round is over all timelines are open, so every dealt hand is known too
            "seen_before": [[sorted(hand) for hand in seen[seat]] for seen in self.old_seen],
            "timelines_before": [[list(timeline) for timeline in timelines] for timelines in self.old_timelines],
            "bids_before": [list(bids) for bids in self.old_bids],
            "dealt": [sorted(hand) for hand in self.dealt] if self.old_timelines else None,
        }

    # ---- a round

    def _begin_round(self) -> None:
        self.hands = [list(hand) for hand in self.dealt]
        self.timelines: list[list[str]] = [[] for _ in range(self.players)]  # slot k of seat p is timelines[p][k-1]
        self.seen = [[list(hand)] for hand in self.hands]  # seen[p]: each hand p held in this round, as it got it
        self.bidding = False
        self.chosen: list[str] = []

    def _place_and_pass(self, cards: list[str]) -> None:
        """Section 3, "Form timelines": one card each face down, the rest to the left; the last card goes unseen."""
        for p in range(self.players):
            self.hands[p].remove(cards[p])
            self.timelines[p].append(cards[p])
        passed = self.hands
        self.hands = [[] for _ in range(self.players)]
        for p in range(self.players):
            self.hands[(p + 1) % self.players] = passed[p]
        if len(self.timelines[0]) < self.hand_size - 1:
            for p in range(self.players):
                self.seen[p].append(list(self.hands[p]))
            return
        for p in range(self.players):
            self.timelines[p].append(self.hands[p].pop())
        self.bidding = True

    def _trick_winner(self, cards: list[str], leader: int, trump: str) -> int:
        """The highest card of the Rabbit card's suit, else the highest card of the suit of the leader's card."""
        suits = [suit_of(card) for card in cards]
        wanted = trump if trump in suits else suit_of(cards[leader])
        best = max(rank_of(card) for card in cards if suit_of(card) == wanted)
        return cards.index(wanted + str(best))

    def _end_round(self, bids: list[int]) -> None:
        """Section 3, "Resolve" and "Score": all tricks at once, then the left neighbour's tricks against the bid."""
        size = self.hand_size
        tricks = [0] * self.players
        leader = (DEALER + 1) % self.players
        for k in range(1, size + 1):
            slot = k if self.options["resolve_order"] == "forward" else size + 1 - k
            cards = [self.timelines[p][slot - 1] for p in range(self.players)]
            trump = suit_of(self.rabbit[size - k])  # the last card dealt is for trick 1, the first for trick H
            leader = self._trick_winner(cards, leader, trump)
            tricks[leader] += 1
        for p in range(self.players):
            left = (p + 1) % self.players
            self.points[p] += tricks[p]
            if bids[p] == tricks[left]:
                self.points[p] += 2
        self.old_timelines.append(self.timelines)
        self.old_bids.append(bids)
        self.old_seen.append(self.seen)
        if len(self.old_timelines) == self.options["rounds"]:
            self.over = True
        else:
            self._begin_round()  # "Time travel": the cards go back to the hands they were dealt as
