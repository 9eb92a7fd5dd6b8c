/* The viewer: controls, the table with its seats, what happened, and what was thought. */

const SECONDS_PER_STEP = 1;

/** The positions to stop at: every frame, and before it what its drawing shows of how it came about. */
function stopsOf(game, seat) {
  const drawing = drawingOf(game);
  const frames = framesOf(game, seat);
  return frames.flatMap((frame, number) => {
    const isAction = number > 0 && frame.action !== null;
    const moments = (isAction && drawing.moments?.(frames[number - 1].facts, frame, frames.slice(0, number))) || [];
    const told = moments.flatMap((moment) => moment.events);
    const events = frame.events.filter((event) => !told.includes(event));
    return [...moments.map((moment) => ({ ...frame, ...moment })), { ...frame, events, isWhole: true }];
  });
}

function drawingOf(game) {
  return Object.hasOwn(drawings, game.game) ? drawings[game.game] : drawings.generic;
}

class Viewer {
  constructor(root, games) {
    this.root = root;
    this.games = games;
    this.timer = null;
    this.build();
    this.open(0);
  }

  // --- The parts of the page ---

  build() {
    this.picker = element("select", { class: "t-picker", "aria-label": "game" });
    this.picker.append(...this.games.map((game, number) => element("option", { value: number }, this.titleOf(number))));
    this.watcher = element("select", { "aria-label": "who looks" });
    this.slider = element("input", { type: "range", min: 0, step: 1, "aria-label": "step" });
    this.player = this.button("play", "space", () => this.play());
    this.counter = element("span", { class: "t-counter" });
    this.said = element("div", { class: "t-said", role: "status", "aria-live": "polite" });
    this.board = element("div", { class: "t-board" });
    this.thought = element("section", { class: "t-thought", "aria-label": "what was thought" });
    const buttons = element(
      "div",
      { class: "t-buttons", role: "group", "aria-label": "step through the game" },
      this.button("first", "Home", () => this.go(0)),
      this.button("back", "left arrow", () => this.go(this.at - 1)),
      this.player,
      this.button("next", "right arrow", () => this.go(this.at + 1)),
      this.button("last", "End", () => this.go(this.stops.length - 1)),
    );
    const keys = "← → one step · Page Up, Page Down to what happened · Home, End · space plays";
    this.root.append(
      element("div", { class: "t-choice" }, this.picker, this.watcher),
      element("div", { class: "t-controls" }, buttons, this.slider, this.counter),
      this.said,
      element("div", { class: "t-stage" }, this.board, this.thought),
      element("p", { class: "t-keys" }, keys),
    );
    this.picker.addEventListener("change", () => this.open(Number(this.picker.value)));
    this.watcher.addEventListener("change", () => this.look());
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.root.addEventListener("keydown", (event) => this.press(event));
  }

  button(name, key, act) {
    const made = element("button", { type: "button", "aria-label": name, title: `${name} (${key})` });
    made.append(symbol(name));
    made.addEventListener("click", act);
    return made;
  }

  titleOf(number) {
    const game = this.games[number];
    const who = game.bots ? game.bots.map((bot, seat) => `${bot} ${game.scores[seat]}`).join(", ") : "";
    return [`${number + 1}. ${game.title}, ${game.players} players`, who].filter(Boolean).join(": ");
  }

  // --- What is looked at ---

  open(number) {
    this.stop();
    this.game = this.games[number];
    const seats = [...Array(this.game.players).keys()];
    const choices = [["", "all hands"], ...seats.map((seat) => [seat, `as ${this.who(seat)} sees it`])];
    this.watcher.replaceChildren(...choices.map(([value, text]) => element("option", { value }, text)));
    const hasThoughts = Object.keys(this.game.thoughts).length > 0;
    this.root.classList.toggle("t-thinks", hasThoughts);
    this.at = 0;
    this.look();
  }

  look() {
    this.seat = this.watcher.value === "" ? null : Number(this.watcher.value);
    this.stops = stopsOf(this.game, this.seat);
    this.slider.max = this.stops.length - 1;
    this.go(this.at);
  }

  go(number) {
    this.at = Math.max(0, Math.min(number, this.stops.length - 1));
    this.slider.value = this.at;
    if (this.at === this.stops.length - 1) this.stop();
    this.draw();
  }

  play() {
    if (this.timer !== null) return this.stop();
    if (this.at === this.stops.length - 1) this.go(0);
    this.timer = setInterval(() => this.go(this.at + 1), 1000 * SECONDS_PER_STEP);
    this.mark("pause");
  }

  stop() {
    if (this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
    this.mark("play");
  }

  mark(name) {
    this.player.setAttribute("aria-label", name);
    this.player.title = `${name} (space)`;
    this.player.replaceChildren(symbol(name));
  }

  press(event) {
    if (event.target.tagName === "SELECT" || event.altKey || event.ctrlKey || event.metaKey) return;
    const isButton = event.target.tagName === "BUTTON";
    const acts = {
      ArrowRight: () => this.go(this.at + 1),
      ArrowLeft: () => this.go(this.at - 1),
      Home: () => this.go(0),
      End: () => this.go(this.stops.length - 1),
      PageDown: () => this.go(this.eventful(1)),
      PageUp: () => this.go(this.eventful(-1)),
      " ": isButton ? null : () => this.play(),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }

  /** The next stop in a direction at which more happened than an action. */
  eventful(direction) {
    let number = this.at + direction;
    while (this.stops[number] && !this.stops[number].events.length) number += direction;
    return number;
  }

  // --- Drawing ---

  draw() {
    const stop = this.stops[this.at];
    const facts = stop.facts;
    const lines = this.lines(stop);
    this.counter.textContent = `${this.at} / ${this.stops.length - 1}`;
    this.slider.setAttribute("aria-valuetext", `step ${this.at} of ${this.stops.length - 1}`);
    this.said.replaceChildren(...lines.map(([line, look]) => element("p", { class: look }, line)));
    this.board.className = classes("t-board", `t-${this.game.game}`, `t-seats-${this.game.players}`);
    const seats = [...Array(this.game.players).keys()];
    this.board.replaceChildren(this.table(stop), ...seats.map((seat) => this.panel(facts, seat)));
    this.think(stop);
  }

  who(seat) {
    return this.game.bots ? `seat ${seat} (${this.game.bots[seat]})` : `seat ${seat}`;
  }

  lines(stop) {
    const action = stop.isHidden ? "chooses in secret" : stop.action;
    const did = stop.action !== null ? `${this.who(stop.seat)}: ${action}` : this.at ? "a new deal" : "the deal";
    const faults = this.game.faults.filter((fault) => stop.action !== null && fault.action_number === stop.ply - 1);
    const turn = stop.facts.seat_to_move;
    const isOver = this.at === this.stops.length - 1;
    const lines = [
      did,
      ...faults.map((fault) => `${this.who(fault.seat)} is at fault (${fault.reason}); chance plays on`),
      ...stop.events,
      isOver && turn === null && `the end: ${this.results()}`,
    ];
    const next = turn === null ? [] : [[`${this.who(turn)} is to move`, "t-next"]];
    return [...lines.filter(Boolean).map((line) => [line, null]), ...next];
  }

  results() {
    const seats = [...Array(this.game.players).keys()];
    return seats.map((seat) => `${this.who(seat)} ${this.game.scores[seat]}, rank ${this.game.ranks[seat]}`).join("; ");
  }

  /** Where a seat sits, 0 at the bottom, then clockwise; who looks sits at the bottom. */
  place(seat) {
    return (seat - (this.seat ?? 0) + this.game.players) % this.game.players;
  }

  table(stop) {
    const drawing = drawingOf(this.game);
    const seats = [...Array(this.game.players).keys()];
    const around = seats.toSorted((one, other) => this.place(one) - this.place(other));
    const spots = around.map((seat) => {
      const shown = drawing.played(stop.facts, seat);
      const label = element("small", { class: "t-whose" }, `seat ${seat}`);
      return spot(this.place(seat), this.game.players, shown && [shown, label]);
    });
    const extra = drawing.guest?.(stop.facts);
    if (extra) spots.push(spot(this.place(extra.seat) - 0.5, this.game.players, extra.shown));
    const look = drawing.look?.(stop.facts);
    const middle = element("div", { class: "t-middle" }, drawing.centre(stop.facts));
    return element("div", { class: classes("t-table", look), role: "group", "aria-label": "table" }, middle, element("div", { class: "t-spots" }, spots));
  }

  panel(facts, seat) {
    const drawing = drawingOf(this.game);
    const isTurn = facts.seat_to_move === seat;
    const name = this.game.bots?.[seat];
    const hand = facts.hands?.[seat];
    return element(
      "section",
      {
        class: classes("t-panel", `t-place-${this.place(seat)}`, isTurn && "t-turn", this.seat === seat && "t-self"),
        "aria-label": this.who(seat),
        "data-seat": seat,
      },
      element(
        "header",
        {},
        element("span", { class: "t-chair" }, seat),
        element("span", { class: "t-name", title: name }, name ?? `seat ${seat}`),
        isTurn && badge("to move", "t-to-move"),
        element("span", { class: "t-score" }, drawing.score(facts, seat)),
      ),
      drawing.seat(facts, seat),
      Array.isArray(hand) && element("div", { class: "t-hand" }, cards(hand, drawing.face, "hand")),
    );
  }

  /** What was thought before the action to come; another seat's thoughts would give its hand away. */
  think(stop) {
    const seat = stop.facts.seat_to_move;
    const thought = stop.isWhole && seat !== null ? this.game.thoughts[stop.ply] : null;
    const isSecret = this.seat !== null && this.seat !== seat;
    const thinker = this.game.thinker === null ? this.who(seat) : `${this.game.thinker} as seat ${seat}`;
    const played = this.stops.find((later) => later.ply === stop.ply + 1)?.action ?? null;
    this.thought.replaceChildren(
      element("h3", {}, "What was thought"),
      ...(thought && !isSecret
        ? [thoughtOf(thought, thinker, played, drawingOf(this.game))]
        : [element("p", {}, thought ? "another seat thinks" : "nothing that was noted here")]),
    );
  }
}

/** A place on the table in front of a seat. Angles go clockwise from the bottom. */
function spot(place, players, shown) {
  const angle = Math.PI * (0.5 + (2 * place) / players);
  const made = element("div", { class: "t-spot" }, shown);
  made.style.left = `${50 + 36 * Math.cos(angle)}%`;
  made.style.top = `${50 + 37 * Math.sin(angle)}%`;
  return made;
}

function symbol(name) {
  const paths = {
    first: "M5 4h3v16H5zM20 4v16L9 12z",
    back: "M18 4v16L6 12z",
    play: "M7 3v18l13-9z",
    pause: "M6 4h4v16H6zM14 4h4v16h-4z",
    next: "M6 4v16l12-8z",
    last: "M16 4h3v16h-3zM4 4v16l11-8z",
  };
  return shape("svg", { class: "t-icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, shape("path", { d: paths[name] }));
}

/** Visits and values by action, as bars and numbers. */
function thoughtOf(thought, thinker, played, drawing) {
  const choice = thought.choice ?? thought.actions[0]?.[0];
  const most = Math.max(1, ...thought.actions.map(([, visits]) => visits));
  const rows = thought.actions.map(([name, visits, value, error]) =>
    element(
      "tr",
      { class: classes(name === played && "t-played", name === choice && "t-chosen") },
      element("th", { scope: "row" }, name, name === choice && mark("★", "its choice"), name === played && mark("▸", "played")),
      element("td", {}, bar(visits / most, "t-visits"), element("span", {}, visits.toLocaleString("en"))),
      element(
        "td",
        { title: error === null ? null : `± ${error.toFixed(3)}` },
        bar(visits ? value : 0, "t-value"),
        element("span", {}, visits ? value.toFixed(3) : "–"),
      ),
    ),
  );
  const head = ["action", "visits", "value"].map((word) => element("th", { scope: "col" }, word));
  const budget = thought.iterations ? `${thought.iterations.toLocaleString("en")} iterations · ` : "";
  const isSame = choice === played;
  return element(
    "div",
    {},
    element("p", {}, `${thinker}: ${choice ?? "–"}${isSame ? ", as played" : `; played: ${played ?? "–"}`}`),
    rows.length > 0 && element("table", {}, element("thead", {}, element("tr", {}, head)), element("tbody", {}, rows)),
    rows.length > 0 && element("p", { class: "t-keys" }, `${budget}value: mean reward, 0 to 1 · ★ its choice · ▸ played`),
  );
}

function mark(sign, words) {
  return element("span", { class: "t-mark", title: words, role: "img", "aria-label": words }, sign);
}

function bar(share, look) {
  const made = element("span", { class: classes("t-bar", look) });
  made.style.setProperty("--share", Math.max(0, Math.min(share, 1)));
  return made;
}

function show(root) {
  new Viewer(root, JSON.parse(root.querySelector('script[type="application/json"]').textContent));
}
