/* Where the reader is: the part after the # says it, so a link leads there and Back goes back. */

const FILTERS = ["text", "verdict", "evaluator", "label", "tool", "kind", "path", "tag", "sort", "page"];

const place = () => new URLSearchParams(location.hash.slice(1));

const hashOf = (fields) => {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== null && value !== undefined && value !== "") parts.set(name, String(value).toWellFormed());
  }
  return `#${parts}`;
};

const filtersOf = (at) => Object.fromEntries(FILTERS.filter((name) => at.get(name)).map((name) => [name, at.get(name)]));

const toList = (filters) => hashOf({ view: "cases", ...filters });

/* A case by its id where that is its own and can stand in an address, else by its row. */
const toCase = (row, filters) => {
  const id = cases.ids[row];
  const alone = id !== "" && !cases.shared.has(nameOf(row)) && id.length <= 200 && id.isWellFormed();
  return hashOf({ ...(alone ? { case: id, trial: trialOf(row) } : { row }), ...filters });
};

/* The row that the address names; null where there is none. */
const rowAt = (at) => {
  if (at.has("row")) {
    const row = Number(at.get("row"));
    return Number.isInteger(row) && row >= 0 && row < cases.count ? row : null;
  }
  const id = at.get("case");
  const trial = at.get("trial");
  const row = trial === null ? cases.firstOf.get(id) : cases.rowOf.get(`${id} [trial ${trial}]`);
  return row === undefined ? null : row;
};

/* Replaces the address without a new step for Back, as while somebody types. */
const replacePlace = (hash) => {
  if (location.hash !== hash) location.replace(hash);
};
