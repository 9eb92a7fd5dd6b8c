"""A slow and literal referee for Tricky Time Crisis, written from RULES.md sections 0 and 4 alone.

It shares nothing with the engine, so that the two can be compared move by move. Rulings followed, in RULES.md's words:

* legal cards: "a suit not yet in the trick; the leader any card"; a seat to act without one ends the round, tested at
  that seat's turn, and the piles score as usual;
* a complete trick: Kid Cuckoo, then `Vinf`, then totals ("heroes win if hero total >= villain total");
* heroes win: the highest hero card (tie: the later played) may take one card; it leads next;
* the villain wins: villain's player 0 to 2 cards, in `team_up` Mid-Knight's player likewise, then the forced heroes;
* Doc Tock: `stop` or `accept` before a forced taking, for the `T10` in the score pile, if anything is left to take;
* scoring: two cards per suit with 3 players, else one; villain, Mid-Knight, other heroes, then Double Take.
"""

CANONICAL = ["S", "D", "K", "T", "M", "V"]
HERO_RANKS = [3, 4, 4, 5, 5, 6, 6, 6, 7, 7, 8, 8, 9]
POWER_CARDS = {"S": "S13", "D": "D+2", "K": "K0", "T": "T10", "M": "Mhalf", "V": "Vinf"}
BASE_HEROES = {3: ["S", "D"], 4: ["S", "D", "K"], 5: ["S", "D", "K", "T"]}
BASE_VILLAIN = {3: (8, 20), 4: (16, 28), 5: (22, 34)}
TEAM_UP_VILLAIN = {5: (8, 20), 6: (16, 28)}
HAND_SIZE = 13


def hero_suits(players: int, options: dict) -> list[str]:
    """The hero suits in play: Mid-Knight is one of them if it replaces a hero, and is none in `team_up`."""
    mode = options["mid_knight"]
    if mode == "team_up" and players in TEAM_UP_VILLAIN:
        left_out = [options["removed"]] if players == 5 else []
        heroes = [suit for suit in ["S", "D", "K", "T"] if suit not in left_out]
        if len(heroes) == players - 2:
            return heroes
    elif mode == "off" and players in BASE_HEROES:
        return list(BASE_HEROES[players])
    elif mode.startswith("replace:") and players in BASE_HEROES:
        replaced = mode.removeprefix("replace:")
        if replaced in BASE_HEROES[players]:
            return [suit for suit in BASE_HEROES[players] if suit != replaced] + ["M"]
    raise ValueError(f"tricky_time_crisis cannot be played by {players} with {options}")


def deck_names(players: int, options: dict) -> list[str]:
    """The deck in canonical order: S D K T M V as in play, ranks ascending, the power card last in its suit."""
    heroes = hero_suits(players, options)
    team_up = options["mid_knight"] == "team_up"
    low, high = TEAM_UP_VILLAIN[players] if team_up else BASE_VILLAIN[players]
    names = []
    for suit in CANONICAL:
        if suit == "V":
            names += [f"V{rank}" for rank in range(low, high + 1)] + ["Vinf"]
        elif suit in heroes or (suit == "M" and team_up):
            names += [f"{suit}{rank}" for rank in HERO_RANKS] + [POWER_CARDS[suit]]
    return names


def suit_of(card: str) -> str:
    return card[0]


def rank_of(card: str) -> int:
    """The printed number, for every card but the three whose value depends on other cards."""
    assert card not in ("D+2", "Mhalf", "Vinf")
    return int(card[1:])


class Referee:
    """One game; `decks[k]` is the deal of round k + 1, top card first."""

    def __init__(self, players: int, options: dict, decks: list[list[str]]) -> None:
        self.heroes = hero_suits(players, options)
        self.team_up = options["mid_knight"] == "team_up"
        self.names = deck_names(players, options)
        self.players = players
        self.rounds = options["rounds"]
        if self.rounds < 1:
            raise ValueError("rounds is any number from 1")
        self.decks = decks
        self.deals = 0
        self.totals = [0] * players
        self.past: list[dict] = []  # what was public in each finished round, and the hands it ended with
        self._deal()

    # -- rounds ------------------------------------------------------------------------------------------------------

    def _deal(self) -> None:
        deck = list(self.decks[self.deals])
        if sorted(deck) != sorted(self.names):
            raise ValueError("the deal is not a permutation of the deck")
        self.dealer = self.deals % self.players  # seat 0 in round 1, then moves left
        self.deals += 1
        self.hands = [deck[HAND_SIZE * p : HAND_SIZE * p + HAND_SIZE] for p in range(self.players)]
        self.piles: list[list[str]] = [[] for _ in range(self.players)]
        self.seen: list[str] = []  # every card played in this round
        self._lead((self.dealer + 1) % self.players)

    def _end_round(self, shown_by: int) -> None:
        """The hand of the stuck seat is shown, the trick and all hands are discarded; the piles score as usual."""
        points = [self._pile_score(pile) for pile in self.piles]
        self.totals = [self.totals[p] + points[p] for p in range(self.players)]
        self.past.append(
            {
                "seen": sorted(self.seen),
                "piles": [sorted(pile) for pile in self.piles],
                "points": points,
                "shown": [shown_by, sorted(self.hands[shown_by])],
                "hands": [sorted(hand) for hand in self.hands],
            }
        )
        if self.deals < self.rounds:
            self._deal()
            return
        self.phase, self.seat = "over", None
        self.hands = [[] for _ in range(self.players)]
        self.piles = [[] for _ in range(self.players)]
        self.seen, self.trick = [], []

    def _pile_score(self, pile: list[str]) -> int:
        """Score a pile in the order villain, Mid-Knight, other hero suits, Double Take and Double Time."""
        limit = 2 if self.players == 3 else 1
        suit_scores: dict[str, int] = {}
        for suit in ["V", "M", "S", "K", "T", "D"]:
            cards = [card for card in pile if suit_of(card) == suit]
            suit_scores[suit] = 0
            if len(cards) > limit:
                continue
            for card in cards:
                if card == "Mhalf":
                    suit_scores[suit] += suit_scores["V"] // 2
                elif card == "D+2" and len(cards) == 1:
                    suit_scores[suit] += 2 + max(suit_scores[hero] for hero in self.heroes if hero != "D")
                elif card == "D+2":
                    other = next(x for x in cards if x != "D+2")
                    suit_scores[suit] += rank_of(other) + 2
                else:
                    suit_scores[suit] += rank_of(card)
        return sum(suit_scores.values())

    # -- tricks ------------------------------------------------------------------------------------------------------

    def _lead(self, seat: int) -> None:
        self.trick: list[tuple[int, str]] = []  # (seat, card) as played
        self.left: list[str] = []  # the cards of a complete trick that can still be taken
        self.queue: list[tuple[str, int]] = []  # who may or must take, in order: ("may" | "must" | "all" ..., seat)
        self.next_leader: int | None = None
        self._turn_to(seat)

    def _turn_to(self, seat: int) -> None:
        """A seat is to play; no legal card (after the last trick: no card at all) ends the round."""
        self.phase = "play"
        self.seat: int | None = seat
        if not self.legal:
            self._end_round(seat)

    def _judge(self) -> None:
        """The trick is complete: Kid Cuckoo, then Vinf, then the totals."""
        player = {card: seat for seat, card in self.trick}  # a trick has one card of each suit, so no copies
        villain_card = next(card for card in player if suit_of(card) == "V")
        villain = player[villain_card]
        if "K0" in player:
            self.next_leader = player["K0"]  # nothing is left to take: the whole trick is discarded
        elif villain_card == "Vinf":
            self.left = [card for card in player if card != "Vinf"]
            self.queue = [("all", villain)]
            self.next_leader = villain
        else:
            self.left = list(player)
            worth = self._trick_values(list(player), rank_of(villain_card))
            hero_cards = [card for card in player if suit_of(card) in self.heroes]  # in the order played
            hero_total = sum(worth[card] for card in hero_cards)
            villain_total = sum(worth[card] for card in player if card not in hero_cards)
            if hero_total >= villain_total:
                highest = max(worth[card] for card in hero_cards)
                winner = player[[card for card in hero_cards if worth[card] == highest][-1]]  # tie: the later played
                self.queue = [("may", winner)]
                self.next_leader = winner
            else:
                self.queue = [("may", villain), ("may", villain)]
                start = villain
                forced = [seat for seat, card in self.trick if card in hero_cards]
                if self.team_up:
                    start = next(player[card] for card in player if suit_of(card) == "M")
                    self.queue += [("may", start), ("may", start)]
                for step in range(1, self.players):
                    if (start + step) % self.players in forced:
                        self.queue.append(("must", (start + step) % self.players))
                self.next_leader = villain
        self._ask()

    def _trick_values(self, cards: list[str], villain_rank: int) -> dict[str, int]:
        """Mhalf is half the villain card, D+2 the highest other hero card in the trick + 2, all others their rank."""
        worth = {}
        for card in cards:
            if card == "Mhalf":
                worth[card] = villain_rank // 2
            elif card != "D+2":
                worth[card] = rank_of(card)
        if "D+2" in cards:
            worth["D+2"] = 2 + max(worth[card] for card in worth if suit_of(card) in self.heroes)
        return worth

    def _ask(self) -> None:
        """Turn to the next seat that may or must take; when there is none, discard the rest and lead again."""
        if not self.queue or not self.left:
            assert self.next_leader is not None
            self._lead(self.next_leader)
            return
        kind, seat = self.queue[0]
        self.seat = seat
        if kind == "may":
            self.phase = "may take"
        elif kind in ("must", "all") and "T10" in self.piles[seat]:
            self.phase = "doc tock"
        elif kind in ("must", "must, accepted"):
            self.phase = "must take"
        else:  # forced to take every card at once: no decision
            self.piles[seat] += self.left
            self.left = []
            self._ask()

    # -- what a game is asked ----------------------------------------------------------------------------------------

    @property
    def legal(self) -> list[str]:
        if self.seat is None:
            return []
        takes = [f"take:{card}" for card in self.left]
        if self.phase == "may take":
            return [*takes, "pass"]
        if self.phase == "must take":
            return takes
        if self.phase == "doc tock":
            return ["stop", "accept"]
        taken_suits = [suit_of(card) for _, card in self.trick]
        return sorted({card for card in self.hands[self.seat] if suit_of(card) not in taken_suits})

    def apply(self, name: str) -> None:
        seat = self.seat
        if seat is None or name not in self.legal:
            raise ValueError(f"{name!r} is not legal for seat {seat}")
        if self.phase == "play":
            self.hands[seat].remove(name)
            self.seen.append(name)
            self.trick.append((seat, name))
            if len(self.trick) == self.players:
                self._judge()
            else:
                self._turn_to((seat + 1) % self.players)
            return
        kind, _ = self.queue.pop(0)
        if name == "pass":  # not asked a second time either
            self.queue = [entry for entry in self.queue if entry[1] != seat]
        elif name == "stop":  # takes nothing; the cards stay for the next forced player, if there is one
            self.piles[seat].remove("T10")
        elif name == "accept":
            self.queue.insert(0, (f"{kind}, accepted", seat))
        else:
            card = name.removeprefix("take:")
            self.left.remove(card)
            self.piles[seat].append(card)
        self._ask()

    @property
    def scores(self) -> list[int]:
        """Totals of the completed rounds."""
        return list(self.totals)

    @property
    def ranks(self) -> list[int]:
        """Highest total, ties shared (1, 1, 3)."""
        return [1 + sum(other > mine for other in self.totals) for mine in self.totals]

    @property
    def returns(self) -> list[float]:
        ranks = self.ranks
        return [1.0 / ranks.count(1) if rank == 1 else 0.0 for rank in ranks]

    def knowledge(self, seat: int) -> dict:
        """Own hand, every card played, all piles and whatever else is public.

        That a seat to play holds a legal card follows from `turn`, `phase` and `trick`. Of finished rounds a seat
        knows what was public, the stuck hand shown at the end of it, and the hand it was left with itself.
        """
        past = []
        for finished in self.past:
            public = {key: finished[key] for key in ("seen", "piles", "points", "shown")}
            past.append({**public, "own_hand": finished["hands"][seat]})
        return {
            "seat": seat,
            "hand": sorted(self.hands[seat]),
            "hand_sizes": [len(hand) for hand in self.hands],
            "turn": self.seat,
            "round": self.deals,
            "dealer": self.dealer,
            "phase": self.phase,
            "trick": [[player, card] for player, card in self.trick],
            "left": sorted(self.left),
            "queue": [[kind, player] for kind, player in self.queue],
            "next_leader": self.next_leader,
            "piles": [sorted(pile) for pile in self.piles],
            "seen": sorted(self.seen),
            "past": past,
            "scores": self.scores,
        }
