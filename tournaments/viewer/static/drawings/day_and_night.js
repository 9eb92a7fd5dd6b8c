/* Day & Night: sun or moon over the table, the colours' totals, the stars on the cards, and the pile. */

drawings.day_and_night = (() => {
  const COLOURS = {
    B: { colour: "blue", icon: "circle", words: "blue" },
    O: { colour: "orange", icon: "triangle", words: "orange" },
    P: { colour: "pink", icon: "heart", words: "pink" },
    U: { colour: "purple", icon: "square", words: "purple" },
  };
  const STARS = [4, 4, 3, 2, 1, 0, 0, 0, 1, 2, 3, 4, 4]; // by value
  const isKnown = (name) => name !== null && name !== "?";
  const valueOf = (name) => Number(name.slice(1));
  const starsOf = (name) => STARS[valueOf(name) - 1];
  const turnsTime = (name) => valueOf(name) >= 6 && valueOf(name) <= 8;

  function face(name) {
    const { colour, icon: sign, words } = COLOURS[name[0]];
    const stars = starsOf(name);
    const foot = turnsTime(name) ? [icon("sun"), icon("moon")] : "★".repeat(stars);
    const meaning = turnsTime(name) ? "turns day and night" : `${stars} stars`;
    return {
      ...{ colour, icon: sign, letter: name[0], rank: name.slice(1), foot },
      words: `${name}: ${words} ${valueOf(name)}, ${meaning}`,
    };
  }

  /** A round in which nobody takes is over at once: the table before it is cleared. */
  function moments(before, step, earlier) {
    const after = step.facts;
    if (before.phase !== "choose" || after.phase !== "choose" || after.round === before.round) return [];
    const chosen = [...earlier.slice(1 - before.players).map((frame) => frame.action), step.action];
    const played = before.played.map(([first], seat) => [first, chosen[seat]]);
    const turned = chosen.filter(turnsTime).length % 2;
    const time = turned ? (before.time === "day" ? "night" : "day") : before.time;
    const hands = replaced(before.hands, step.seat, without(before.hands[step.seat], step.action));
    const none = before.committed.map(() => null);
    const table = [before.revealed, ...played.flat()].filter(isKnown);
    const facts = { ...before, seat_to_move: null, committed: none, played, time, hands, table };
    return [{ facts, events: ["all cards are shown: nobody may take"] }];
  }

  /** For every card that was face up in the round whether it still lies there. */
  function leftOf(facts) {
    const table = [...facts.table];
    const take = (name) => {
      const at = table.indexOf(name);
      if (at >= 0) table.splice(at, 1);
      return at >= 0;
    };
    const revealed = isKnown(facts.revealed) && take(facts.revealed);
    return { revealed, played: facts.played.map((pair) => pair.map((name) => isKnown(name) && take(name))) };
  }

  function totalsOf(facts) {
    const totals = {};
    for (const name of [facts.revealed, ...facts.played.flat()].filter(isKnown)) {
      totals[name[0]] = (totals[name[0]] ?? 0) + valueOf(name);
    }
    return totals;
  }

  /** The colour ahead, null if several are. */
  function leaderOf(totals, time) {
    const sums = Object.values(totals);
    const best = time === "day" ? Math.max(...sums) : Math.min(...sums);
    const ahead = Object.keys(totals).filter((colour) => totals[colour] === best);
    return ahead.length === 1 ? ahead[0] : null;
  }

  function totals(facts) {
    const sums = totalsOf(facts);
    const leader = leaderOf(sums, facts.time);
    const rows = Object.keys(COLOURS).map((letter) => {
      const { colour, icon: sign, words } = COLOURS[letter];
      const isThere = letter in sums;
      return element(
        "li",
        { class: classes(`t-${colour}`, letter === leader && "t-ahead", !isThere && "t-absent") },
        icon(sign, "t-suit"),
        element("span", { class: "t-words" }, words),
        element("b", {}, isThere ? sums[letter] : "–"),
      );
    });
    const rule = facts.time === "day" ? "the highest total wins" : "the lowest total wins";
    return [element("small", {}, rule), element("ul", { class: "t-totals", "aria-label": "totals by colour" }, rows)];
  }

  function centre(facts) {
    const revealed = isKnown(facts.revealed)
      ? card(face(facts.revealed), leftOf(facts).revealed ? "" : "t-gone")
      : element("span", { class: "t-empty" });
    return [
      element(
        "div",
        { class: "t-sky" },
        icon(facts.time === "day" ? "sun" : "moon"),
        element("strong", {}, facts.time),
        element("small", {}, `round ${facts.round}`, facts.last_round && ", the last one"),
      ),
      element(
        "div",
        { class: "t-pair" },
        element("figure", {}, card(null, ""), element("figcaption", {}, `pile ${facts.pile}`)),
        element("figure", {}, revealed, element("figcaption", {}, "revealed")),
      ),
      totals(facts),
    ];
  }

  function played(facts, seat) {
    const left = leftOf(facts).played[seat];
    const shown = facts.played[seat].map((name, play) => isKnown(name) && card(face(name), left[play] ? "" : "t-gone"));
    const chosen = facts.committed[seat];
    const secret = chosen !== null && card(isKnown(chosen) ? face(chosen) : null, isKnown(chosen) ? "t-hidden" : "");
    return element("div", { class: "t-pair" }, shown, secret);
  }

  function seat(facts, number) {
    const turn = facts.phase === "take" ? facts.taking_order.indexOf(number) : -1;
    const hasTaken = turn >= 0 && turn < facts.taking_order.indexOf(facts.seat_to_move);
    return element(
      "div",
      { class: "t-parts t-line" },
      element("span", {}, `cards taken: ${facts.taken[number]}`),
      turn >= 0 && badge(hasTaken ? "has taken" : `number ${turn + 1} to take`),
    );
  }

  return {
    ...{ face, moments, centre, played, seat },
    look: (facts) => `t-${facts.time}`,
    score: (facts, number) => [icon("star"), element("b", {}, facts.stars[number])],
  };
})();
