/* Daytime Minutes: a clock with the time of day, the plan, SIM tokens, and minutes against the plan. */

drawings.daytime_minutes = (() => {
  const SUITS = {
    F: { colour: "orange", icon: "people", words: "friends" },
    A: { colour: "green", icon: "house", words: "family" },
    W: { colour: "blue", icon: "briefcase", words: "work" },
  };
  const MINUTES = [5, 15, 30, 45, 60]; // by three talk values each
  const TIMES = ["Morning", "Afternoon", "Evening"];
  const TRICKS = 9;

  const talkOf = (name) => Number(name.slice(1));
  const minutesOf = (name) => MINUTES[Math.floor((talkOf(name) - 1) / 3)];

  function face(name) {
    const { colour, icon, words } = SUITS[name[0]];
    const minutes = minutesOf(name);
    return {
      ...{ colour, icon, letter: name[0], rank: name.slice(1), foot: `${minutes}′` },
      words: `${name}: ${words}, talk ${talkOf(name)}, ${minutes} minutes`,
    };
  }

  /** The whole trick, before it is collected. */
  function moments(before, step) {
    const after = step.facts;
    const isTrickOver = before.phase === "play" && after.table.every((card) => card === null);
    if (!isTrickOver) return [];
    const facts = {
      ...before,
      seat_to_move: null,
      hands: replaced(before.hands, step.seat, without(before.hands[step.seat], step.action)),
      table: replaced(before.table, step.seat, step.action),
    };
    if (before.caller && before.caller.card === null) {
      const isNew = (card) => !before.played.includes(card) && card !== step.action && card !== after.caller.card;
      const flipped = after.played.find(isNew); // by the unknown caller, last in the trick
      facts.caller = { ...before.caller, card: flipped ?? null };
    }
    return [{ facts, events: ["the trick is complete"] }];
  }

  /** The cards that would collect their suits. */
  function bestOf(facts) {
    const best = {};
    for (const name of [...facts.table, facts.caller?.card]) {
      if (name && talkOf(name) > talkOf(best[name[0]] ?? "-0")) best[name[0]] = name;
    }
    return Object.values(best);
  }

  function onTable(facts, name) {
    const isBest = facts.time !== "Evening" && bestOf(facts).includes(name);
    return card(face(name), classes(isBest && "t-best"));
  }

  function clock(time) {
    const now = TIMES.indexOf(time);
    const point = (turn, radius) => [50 + radius * Math.sin(turn), 50 - radius * Math.cos(turn)];
    const sectors = TIMES.map((name, number) => {
      const [from, to] = [number, number + 1].map((third) => (2 * Math.PI * (third - 0.5)) / 3 - Math.PI / 3);
      const [x0, y0, x1, y1] = [...point(from, 44), ...point(to, 44)];
      const look = classes("t-sector", `t-${name.toLowerCase()}`, number === now && "t-now");
      return shape("path", { class: look, d: `M50 50L${x0} ${y0}A44 44 0 0 1 ${x1} ${y1}Z` });
    });
    const [x, y] = point((2 * Math.PI * now) / 3 - Math.PI / 3, 34);
    return shape(
      "svg",
      { class: "t-clock", viewBox: "0 0 100 100", role: "img", "aria-label": time },
      sectors,
      shape("circle", { class: "t-rim", cx: 50, cy: 50, r: 46 }),
      shape("path", { class: "t-pointer", d: `M50 50L${x} ${y}` }),
      shape("circle", { class: "t-hub", cx: 50, cy: 50, r: 4 }),
    );
  }

  function centre(facts) {
    const plan = facts.plan === null ? "plan to be chosen" : `plan ${facts.plan} minutes`;
    return [
      clock(facts.time),
      element("strong", { class: "t-plan" }, plan),
      element("span", {}, `${facts.time}, trick ${facts.trick} of ${TRICKS}`),
      element("small", {}, `hand ${facts.hand_number}`, facts.time === "Evening" && " · nobody collects"),
    ];
  }

  function guest(facts) {
    if (!facts.caller) return null;
    const shown = facts.caller.card ? onTable(facts, facts.caller.card) : element("span", { class: "t-empty" });
    return { seat: facts.caller.before, shown: [shown, element("small", {}, "unknown caller")] };
  }

  function tokens(count) {
    const signs = Array.from({ length: Math.min(count, 8) }, () => icon("sim"));
    return element("span", { class: "t-tokens", role: "img", "aria-label": `${count} tokens` }, signs, `${count}`);
  }

  function meter(minutes, plan) {
    const scale = Math.max(1.2 * (plan ?? 180), minutes);
    const state = plan === null ? "" : minutes > plan ? "over" : minutes === plan ? "exact" : "";
    const made = element("div", { class: classes("t-meter", state && `t-${state}`) });
    made.style.setProperty("--share", minutes / scale);
    made.style.setProperty("--plan", (plan ?? scale) / scale);
    return [made, element("span", {}, `${minutes} of ${plan ?? "?"} min`, state && ` – ${state}`)];
  }

  function seat(facts, number) {
    const pile = facts.piles[number];
    const shown = facts.shown_suits[number];
    return element(
      "div",
      { class: "t-parts" },
      element("div", { class: "t-minutes" }, meter(facts.minutes[number], facts.plan)),
      element(
        "div",
        { class: "t-line" },
        element("span", {}, `talk ${facts.talk[number]}`),
        facts.start === number && badge("start"),
        shown && badge(`only ${SUITS[shown].words}`),
      ),
      element("div", { class: "t-piles" }, bySuit(pile, "FAW").map((group) => cards(group, face, "collected"))),
    );
  }

  return {
    ...{ face, moments, centre, guest, seat },
    score: (facts, number) => tokens(facts.tokens[number]),
    played: (facts, number) => facts.table[number] && onTable(facts, facts.table[number]),
  };
})();
