/* A game that has no drawing of its own: its facts, those with an item for each seat at the seats. */

const drawings = {};
const KNOWN_ELSEWHERE = ["game", "players", "options", "seat_to_move", "hands"];

function isForSeats(value, players) {
  return Array.isArray(value) && value.length === players;
}

/** A fact as text; lists of plain things in a line, others by their keys. */
function told(value) {
  if (value === null) return "–";
  if (Array.isArray(value)) return value.length ? value.map(told).join(" ") : "none";
  if (typeof value === "object") {
    return Object.entries(value)
      .map(([key, item]) => `${key}: ${told(item)}`)
      .join(", ");
  }
  return String(value);
}

function listed(facts) {
  const rows = facts.map(([key, value]) => [element("dt", {}, key.replaceAll("_", " ")), element("dd", {}, told(value))]);
  return element("dl", { class: "t-facts" }, rows);
}

drawings.generic = {
  face: (name) => ({ colour: "ink", letter: "", rank: name, foot: "", words: name }),

  score: (facts, seat) => {
    const points = facts.points ?? facts.scores;
    return isForSeats(points, facts.players) ? told(points[seat]) : "";
  },

  seat(facts, seat) {
    const own = Object.entries(facts).filter(
      ([key, value]) => !KNOWN_ELSEWHERE.includes(key) && isForSeats(value, facts.players),
    );
    return own.length ? listed(own.map(([key, value]) => [key, value[seat]])) : null;
  },

  played: () => null,

  centre(facts) {
    const shared = Object.entries(facts).filter(
      ([key, value]) => !KNOWN_ELSEWHERE.includes(key) && !isForSeats(value, facts.players),
    );
    return listed(shared);
  },
};
