// A whole bot for bots/PROTOCOL.md: it plays a random legal action.
const readline = require("readline");

let seed = 0;

function random() {
  // mulberry32: a small generator with a seed, which Math.random has not
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}

const answers = {
  hello: () => ({ type: "hello", protocol: "timetricks-bot/1" }),
  new_game: (message) => {
    seed = message.seed | 0;
    return { type: "ready" };
  },
  act: (message) => {
    const legal = message.legal_actions;
    return { type: "action", action: legal[Math.floor(random() * legal.length)] };
  },
  quit: () => process.exit(),
};

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  const answer = answers[message.type]?.(message);
  if (answer) process.stdout.write(JSON.stringify(answer) + "\n");
});
