/* Cards, told apart by number, letter and symbol, not by colour alone. */

/**
 * A card. `face` holds colour (a name of cards.css), letter, rank, icon, foot (small, at the bottom), words, isPower.
 * `look` holds more classes: t-hidden (face down, but known to who looks), t-best, t-gone.
 */
function card(face, look = "") {
  if (face === null) return element("span", { class: "t-card t-back", title: "not known" }, icon("clock"));
  return element(
    "span",
    { class: classes("t-card", `t-${face.colour}`, face.isPower && "t-power", look), title: face.words },
    element("span", { class: "t-rank" }, face.rank),
    element("span", { class: "t-letter" }, face.letter),
    face.icon && icon(face.icon, "t-suit"),
    element("span", { class: "t-foot" }, face.foot),
  );
}

/** Cards side by side; readers of the screen hear their names. */
function cards(names, faceOf, what, look = "") {
  const isKnown = (name) => name !== "?";
  const label = names.length ? names.map((name) => (isKnown(name) ? name : "unknown")).join(" ") : "none";
  return element(
    "div",
    { class: "t-cards", role: "img", "aria-label": `${what}: ${label}` },
    names.map((name) => card(isKnown(name) ? faceOf(name) : null, look)),
  );
}

/** Cards in groups of one suit, in the order of the letters `suits`. */
function bySuit(names, suits) {
  return [...suits].map((suit) => names.filter((name) => name[0] === suit)).filter((group) => group.length);
}

/** A hand without a card; one that is not known loses any. */
function without(hand, name) {
  const at = hand.includes(name) ? hand.indexOf(name) : hand.length - 1;
  return hand.filter((_, index) => index !== at);
}

/** A list with another item at an index. */
function replaced(list, index, item) {
  return list.map((old, at) => (at === index ? item : old));
}

/** A small label with a value. */
function badge(text, look = "", ...more) {
  return element("span", { class: classes("t-badge", look) }, more, text);
}
