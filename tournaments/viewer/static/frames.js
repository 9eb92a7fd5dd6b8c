/* The games as `frames.py` writes them: frames told as differences, and views told as differences from frames. */

/** What `difference` of frames.py makes of a value. */
function changed(old, difference) {
  if (old === null || typeof old !== "object") return difference;
  if (difference === "?") return old.map(() => "?");
  if (!Array.isArray(difference)) return changedByKey(old, difference);
  if (!Array.isArray(old) || !Array.isArray(difference[0])) return difference[0];
  const list = [...old];
  for (const [start, count, ...items] of difference) list.splice(start, count, ...items);
  return list;
}

function changedByKey(old, differences) {
  const copy = Array.isArray(old) ? [...old] : { ...old };
  for (const [key, difference] of Object.entries(differences)) copy[key] = changed(old[key], difference);
  return copy;
}

/** The frames of a game as `seat` sees them, or as they are (null): {seat, action, isHidden, events, facts, ply}. */
function framesOf(game, seat) {
  let facts = null;
  let ply = 0; // actions taken so far
  let hiding = {};
  const masks = new Map(seat === null ? [] : game.views[seat]);
  return game.frames.map(([actor, action, isSecret, difference, events], number) => {
    facts = changed(facts, difference);
    hiding = masks.get(number) ?? hiding;
    ply += action === null ? 0 : 1;
    const isHidden = Boolean(isSecret) && seat !== null && seat !== actor;
    return { seat: actor, action, isHidden, events, ply, facts: changed(facts, hiding) };
  });
}
