/* Tricky Time Crisis: heroes against the villain, who may take what, and score piles with their limits. */

drawings.tricky_time_crisis = (() => {
  const SUITS = {
    S: { colour: "orange", icon: "sun", words: "Daylight Saver" },
    D: { colour: "green", icon: "rings", words: "Double Take" },
    K: { colour: "blue", icon: "bird", words: "Kid Cuckoo" },
    T: { colour: "pink", icon: "clock", words: "Doc Tock" },
    M: { colour: "ink", icon: "knight", words: "Mid-Knight" },
    V: { colour: "purple", icon: "hat", words: "Dr. Tricky-Time" },
  };
  const POWER = { S13: "13", "D+2": "+2", K0: "0", T10: "10", Mhalf: "½", Vinf: "∞" };
  const PHASES = {
    hero_takes: "the highest hero may take a card",
    villain_takes: "the villain may take up to two cards",
    mid_knight_takes: "Mid-Knight may take up to two cards",
    forced: "a hero has to take a card",
    stop_one: "stop it with Doc Tock, or take a card",
    stop_all: "stop it with Doc Tock, or take all",
  };

  function face(name) {
    const { colour, icon, words } = SUITS[name[0]];
    const rank = POWER[name] ?? name.slice(1);
    return { colour, icon, letter: name[0], rank, foot: "", isPower: name in POWER, words: `${name}: ${words} ${rank}` };
  }

  /** A trick that is cleared at once, by K0 or Vinf: all its cards, before they go. */
  function moments(before, step) {
    const isComplete = before.phase === "play" && before.trick.length === before.players - 1;
    if (!isComplete || step.facts.trick.length === before.players) return [];
    const facts = {
      ...before,
      seat_to_move: null,
      hands: replaced(before.hands, step.seat, without(before.hands[step.seat], step.action)),
      table: replaced(before.table, step.seat, step.action),
      trick: [...before.trick, step.action],
    };
    return [{ facts, events: ["the trick is complete"] }];
  }

  const isTeamUp = (facts) => facts.options.mid_knight === "team_up";

  /** Values of the heroes and of the villain in the trick; what depends on cards to come, as if there were none. */
  function totalsOf(facts) {
    const villain = facts.trick.filter((name) => name[0] === "V" && name !== "Vinf").map((name) => Number(name.slice(1)));
    const against = villain[0] ?? 0;
    const valueOf = (name) => (name === "Mhalf" ? Math.floor(against / 2) : Number(name.slice(1)));
    const knight = isTeamUp(facts) ? facts.trick.filter((name) => name[0] === "M").map(valueOf) : [];
    const isHero = (name) => name[0] !== "V" && !(isTeamUp(facts) && name[0] === "M");
    const heroes = facts.trick.filter((name) => isHero(name) && name !== "D+2").map(valueOf);
    const sum = (values) => values.reduce((total, value) => total + value, 0);
    const doubled = facts.trick.includes("D+2") ? 2 + Math.max(0, ...heroes) : 0;
    return { heroes: sum(heroes) + doubled, villain: against + sum(knight) };
  }

  function scale(facts) {
    const { heroes, villain } = totalsOf(facts);
    const isEndless = facts.trick.includes("Vinf");
    const isJudged = facts.trick.length === facts.players && !isEndless && !facts.trick.includes("K0");
    const side = (name, total, isAhead, ...signs) =>
      element("div", { class: classes("t-side", `t-${name}`, isJudged && isAhead && "t-ahead") }, signs, element("b", {}, total), element("small", {}, name));
    const made = element("div", { class: "t-scale" });
    made.style.setProperty("--share", isEndless ? 0 : heroes + villain ? heroes / (heroes + villain) : 0.5);
    return [
      element(
        "div",
        { class: "t-sides" },
        side("heroes", heroes, heroes >= villain, icon("sun"), icon("bird")),
        element("span", {}, "against"),
        side("villain", isEndless ? "∞" : villain, heroes < villain, icon("hat")),
      ),
      made,
    ];
  }

  /** Which suits lie in the trick and which are to come. */
  function suitsOf(facts) {
    const { mid_knight: knight, removed } = facts.options;
    const heroes = ["S", "D", "K", "T"].slice(0, facts.players === 6 ? 4 : facts.players - 1);
    let suits = [...heroes, "V"];
    if (knight.startsWith("replace:")) suits = suits.map((suit) => (suit === knight.slice(8) ? "M" : suit));
    if (knight === "team_up") suits = ["S", "D", "K", "T", "M", "V"].filter((suit) => suit !== removed);
    const lying = facts.trick.map((name) => name[0]);
    const shown = suits.map((suit) => {
      const { colour, icon: sign, words } = SUITS[suit];
      const isThere = lying.includes(suit);
      return element("li", { class: classes(`t-${colour}`, !isThere && "t-absent"), title: words }, icon(sign, "t-suit"), suit);
    });
    return element("ul", { class: "t-suits", "aria-label": `suits in the trick: ${lying.join(" ") || "none"}` }, shown);
  }

  function centre(facts) {
    const phase = PHASES[facts.phase];
    return [
      element("small", {}, icon("clock"), ` round ${facts.round} of ${facts.options.rounds}`),
      scale(facts),
      suitsOf(facts),
      phase && element("span", { class: "t-strong" }, phase),
      facts.offer.length > 0 && element("small", {}, `left to take: ${facts.offer.join(" ")}`),
    ];
  }

  /** A card of the trick; once cards are taken, those that are gone are faint. */
  function played(facts, seat) {
    const name = facts.table[seat];
    const isGone = facts.phase in PHASES && !facts.offer.includes(name);
    return name && card(face(name), isGone ? "t-gone" : "");
  }

  function seat(facts, number) {
    const limit = facts.players === 3 ? 2 : 1;
    const groups = bySuit(facts.piles[number], "SDKTMV").map((group) => {
      const isOver = group.length > limit;
      return element(
        "div",
        { class: classes("t-pile", isOver && "t-over"), title: isOver ? "too many of a suit: worth nothing" : null },
        cards(group, face, isOver ? "worth nothing" : "pile"),
      );
    });
    return element(
      "div",
      { class: "t-parts" },
      element(
        "div",
        { class: "t-line" },
        element("span", {}, `pile worth ${facts.pile_scores[number]}`),
        facts.dealer === number && badge("dealer"),
        facts.leader === number && badge("leads"),
      ),
      element("div", { class: "t-piles" }, groups),
    );
  }

  return {
    ...{ face, moments, centre, played, seat },
    score: (facts, number) => element("b", {}, facts.points[number], element("small", {}, " points")),
  };
})();
