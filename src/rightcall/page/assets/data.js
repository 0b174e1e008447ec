/* The data of the page: the overview at once, the cases when they are unpacked. */

const overview = JSON.parse(document.getElementById("overview-data").textContent);

const cases = { ready: false, problem: "", count: 0 };

const unpacked = async (text) => {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at += 1) bytes[at] = letters.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
};

const loadCases = async () => {
  const block = document.getElementById("cases-data");
  if (block === null) {
    cases.ready = true;
    return;
  }
  try {
    Object.assign(cases, await unpacked(block.textContent));
  } catch (error) {
    cases.problem = `The cases can't be unpacked (${error.message}): a newer browser can.`;
    cases.ready = true;
    return;
  }
  block.remove();
  cases.count = cases.ids.length;
  cases.text = cases.ids.map((id) => id.toLowerCase());
  cases.shared = new Set();
  const seen = new Map();
  cases.ids.forEach((id, row) => {
    const key = nameOf(row);
    if (seen.has(key)) cases.shared.add(key);
    else seen.set(key, row);
  });
  cases.rowOf = seen;
  cases.firstOf = new Map();
  cases.ids.forEach((id, row) => { if (!cases.firstOf.has(id)) cases.firstOf.set(id, row); });
  cases.badness = cases.ids.map((_, row) => badness(row));
  cases.ready = true;
};

const trialOf = (row) => (cases.trials && cases.trials[row] !== null ? cases.trials[row] : null);

const nameOf = (row) => {
  const trial = trialOf(row);
  return trial === null ? cases.ids[row] : `${cases.ids[row]} [trial ${trial}]`;
};

const fileOf = (row) => cases.files[cases.file ? cases.file[row] : 0] || "";

const placeOf = (row) => {
  const file = fileOf(row);
  const line = cases.lines[row];
  return line === null ? file : `${file === "-" ? "standard input" : file}:${line}`;
};

/* The same, short: the line where all stand in one file. */
const nearPlaceOf = (row) => {
  const line = cases.lines[row];
  const file = fileOf(row).split(/[\\/]/).at(-1);
  if (line === null) return file;
  return cases.files.length > 1 ? `${file} line ${line}` : `line ${line}`;
};

/* As the page was packed: what did not pass first, by its mean, where an error counts 0. */
const badness = (row) => {
  let sum = 0;
  let number = 0;
  cases.outcomes.forEach((column, at) => {
    if (column[row] === "N") return;
    sum += cases.scores[at][row] || 0;
    number += 1;
  });
  const verdict = { F: 0, E: 0, N: 10, P: 20 }[cases.verdicts[row]];
  return verdict + (number ? sum / number : 0);
};

const VERDICTS = {
  P: { word: "passed", sign: "✓", tone: "good", key: "passed" },
  F: { word: "failed", sign: "✕", tone: "bad", key: "failed" },
  E: { word: "error", sign: "!", tone: "warn", key: "error" },
  N: { word: "not evaluated", sign: "–", tone: "none", key: "not_evaluated" },
};

const badge = (letter) => {
  const verdict = VERDICTS[letter];
  return el("span", { class: `badge ${verdict.tone}` }, el("span", { "aria-hidden": "true" }, verdict.sign), verdict.word);
};

const labelOf = (at, row) => {
  const outcome = cases.outcomes[at][row];
  if (outcome === "N") return "not_evaluated";
  if (outcome === "E") return "error";
  const score = cases.scores[at][row];
  return score >= 1 ? "match" : score > 0 ? "partial" : "mismatch";
};

const detailOf = (row) => cases.details[row] || null;
