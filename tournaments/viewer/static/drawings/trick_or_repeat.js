/* Trick or Repeat: everybody's timeline and bid, the Rabbit's trumps, and the tricks one by one. */

drawings.trick_or_repeat = (() => {
  const SUITS = {
    A: { colour: "orange", icon: "triangle" },
    B: { colour: "blue", icon: "square" },
    C: { colour: "green", icon: "circle" },
    D: { colour: "pink", icon: "diamond" },
  };
  const leftOf = (facts, seat) => (seat + 1) % facts.players;
  const isReverse = (facts) => facts.options.resolve_order === "reverse";
  const slotOf = (facts, trick) => (isReverse(facts) ? facts.trumps.length - 1 - trick : trick);

  function face(name) {
    const { colour, icon } = SUITS[name[0]];
    return { colour, icon, letter: name[0], rank: name.slice(1), foot: "", words: `${name}: suit ${name[0]}, rank ${name.slice(1)}` };
  }

  /** The tricks of a round, which all resolve at once after the last bid; `tricks` are the winners so far. */
  function moments(before, step) {
    const { earlier } = step.facts;
    if (before.phase !== "bid" || step.facts.phase === "bid") return [];
    const after = (count) => {
      const open = earlier.winners.slice(0, count).map((_, trick) => slotOf(before, trick));
      const placed = before.placed.map((slots, seat) =>
        slots.map((name, slot) => (open.includes(slot) ? earlier.placed[seat][slot] : name)),
      );
      const tricks = earlier.winners.slice(0, count);
      const events = count ? step.events.slice(count - 1, count) : ["all bids are made"];
      return { facts: { ...before, seat_to_move: null, placed, bids: earlier.bids, tricks }, events };
    };
    return [0, ...earlier.winners.keys()].map((_, count) => after(count));
  }

  /** The winners of the tricks that lie open: those being resolved, or all at the end. */
  function winnersOf(facts) {
    return facts.tricks ?? (facts.phase === "over" ? facts.earlier.winners : []);
  }

  function rabbit(facts) {
    const now = winnersOf(facts).length - 1;
    const isResolving = facts.tricks !== undefined;
    const top = [...facts.rabbit].reverse(); // by trick
    const piles = top.map((name, trick) =>
      element(
        "li",
        { class: classes(isResolving && trick === now && "t-now", isResolving && trick < now && "t-past") },
        element("small", {}, trick + 1),
        card(face(name)),
      ),
    );
    return element("ol", { class: "t-rabbit", "aria-label": `the Rabbit's trumps by trick: ${facts.trumps.join(" ")}` }, piles);
  }

  function centre(facts) {
    const rounds = facts.options.rounds;
    const what = { place: "timelines are formed", bid: "bids are made", over: "the end" }[facts.phase];
    const trick = (facts.tricks ?? []).length;
    const now = trick ? `trick ${trick}: ${facts.trumps[trick - 1]} is trump` : what;
    return [
      element("div", { class: "t-sky" }, icon("rabbit"), element("strong", {}, "the Rabbit")),
      rabbit(facts),
      element("span", {}, now),
      element("small", {}, `round ${facts.round} of ${rounds}`, facts.phase === "place" && " · hands pass to the left ↻"),
    ];
  }

  /** The card of the trick being resolved. */
  function played(facts, seat) {
    if (!facts.tricks?.length) return null;
    const trick = facts.tricks.length - 1;
    const name = facts.placed[seat][slotOf(facts, trick)];
    return card(face(name), facts.tricks[trick] === seat ? "t-best" : "");
  }

  function timeline(facts, seat) {
    const won = winnersOf(facts);
    const open = won.map((_, trick) => slotOf(facts, trick));
    const slots = facts.placed[seat].map((name, slot) => {
      const isOpen = open.includes(slot);
      const shown = name === null ? element("span", { class: "t-empty" }) : card(name === "?" ? null : face(name), isOpen ? "" : "t-hidden");
      const isWon = isOpen && won[open.indexOf(slot)] === seat;
      return element("li", { class: classes(isWon && "t-won") }, shown, element("small", {}, isWon ? "won" : slot + 1));
    });
    const names = facts.placed[seat].map((name) => (name === "?" ? "unknown" : (name ?? "empty")));
    return element("ol", { class: "t-timeline", "aria-label": `timeline: ${names.join(", ")}` }, slots);
  }

  function seat(facts, number) {
    const left = leftOf(facts, number);
    const bid = facts.bids[number];
    const won = winnersOf(facts).filter((winner) => winner === number).length;
    const last = facts.phase === "place" && facts.tricks === undefined ? facts.earlier : null;
    return element(
      "div",
      { class: "t-parts" },
      timeline(facts, number),
      element(
        "div",
        { class: "t-line" },
        badge(bid === null ? "no bid yet" : `bids ${bid} for seat ${left}`, bid === null ? "" : "t-strong"),
        winnersOf(facts).length > 0 && badge(`${won} won`),
        last && element("small", {}, `last round: bid ${last.bids[number]}, won ${last.winners.filter((w) => w === number).length}`),
      ),
    );
  }

  return {
    ...{ face, moments, centre, played, seat },
    score: (facts, number) => element("b", {}, facts.points[number], element("small", {}, " points")),
  };
})();
