/* The calls of a case side by side, their differences, and how they were paired. */

const MARKS = {
  equal: ["good", "✓", "equal"], differs: ["warn", "≠", "differs"], missing: ["bad", "✕", "missing"], extra: ["bad", "+", "extra"], "not made": ["none", "–", "not made"],
};

/* Two texts, with what is not common to them marked. */
const apart = (text, other) => {
  if (text === undefined) return el("span", { class: "muted" }, "–");
  if (other === undefined || text === other) return shown(text);
  let start = 0;
  while (start < text.length && start < other.length && text[start] === other[start]) start += 1;
  let end = 0;
  while (end < text.length - start && end < other.length - start && text[text.length - 1 - end] === other[other.length - 1 - end]) end += 1;
  const middle = text.slice(start, text.length - end);
  /* Where little is common, marks only disturb; between the halves of one letter nothing is cut. */
  if (start + end < text.length / 3 || /[\ud800-\udfff]/.test(middle)) return shown(text);
  return el("bdi", {}, shown(text.slice(0, start)), middle ? el("mark", {}, shown(middle)) : null, shown(text.slice(text.length - end)));
};

const callName = (call, side) => el("span", {}, el("span", { class: "muted small" }, `${side} ${call.number} `), el("span", { class: "name mono" }, shown(call.name)),
  call.says ? el("span", { class: "tag" }, shown(call.says)) : null);

const oneCall = (call, side) => [callName(call, side), el("code", { class: "arguments" }, shown(call.arguments || ""))];

const argumentsTable = (pair) => {
  const rows = pair.arguments.map((one) => el("tr", { role: "row", class: one.same ? null : "differs" },
    el("th", { scope: "row", role: "rowheader" }, one.same ? null : el("span", { class: "warn" }, el("span", { "aria-hidden": "true" }, "≠ "), el("span", { class: "visually-hidden" }, "differs: ")), shown(one.name || "")),
    el("td", { role: "cell", "data-label": "expected" }, one.same ? shown(one.expected ?? "–") : apart(one.expected, one.actual)),
    el("td", { role: "cell", "data-label": "actual" }, one.same ? shown(one.actual ?? "–") : apart(one.actual, one.expected))));
  return table("stacks", [{ text: "Argument" }, { text: "Expected" }, { text: "Actual" }], rows, "Arguments");
};

const pairItem = (pair) => {
  const [tone, sign, word] = MARKS[pair.mark];
  const { expected, actual } = pair;
  const header = el("header", {}, el("span", { class: `badge ${tone}` }, el("span", { class: "sign", "aria-hidden": "true" }, sign), word));
  const item = el("li", { class: `pair ${pair.mark.replace(" ", "-")}` }, header);
  if (pair.mark !== "differs") {
    if (expected && actual) header.append(callName(expected, "expected"), ...oneCall(actual, "actual"));
    else header.append(...(expected ? oneCall(expected, "expected") : oneCall(actual, "actual")));
    return item;
  }
  header.append(callName(expected, "expected"), callName(actual, "actual"));
  if (pair.problem) {
    item.append(el("p", { class: "bad" }, shown(pair.problem)), el("p", {}, el("span", { class: "muted small" }, "expected "), el("code", {}, shown(expected.arguments || ""))),
      el("p", {}, el("span", { class: "muted small" }, "actual "), el("code", {}, shown(actual.arguments || ""))));
  } else if (pair.arguments) {
    item.append(argumentsTable(pair));
    if (pair.arguments_left_out) item.append(el("p", { class: "muted small" }, `and ${counted(pair.arguments_left_out, "more argument")}`));
  }
  return item;
};

const callsCard = (view) => {
  const card = el("section", { class: "card", "aria-labelledby": "calls" },
    el("header", {}, el("h2", { id: "calls" }, "Calls side by side"),
      el("p", { class: "muted small" }, "as ", el("span", { class: "mono" }, shown(view.evaluator)), ` pairs them (${words(view.rule)})`, view.path ? `, expected path ${view.path}` : "")));
  if (!view.rows) card.append(el("p", { class: "muted" }, "No call was expected, and none was made."));
  else card.append(el("ol", { class: "calls" }, view.rows.map(pairItem)));
  if (view.rows_left_out) card.append(el("p", { class: "muted small" }, `and ${counted(view.rows_left_out, "more call")}, ${count(view.equal_left_out)} of them equal`));
  return card;
};

const differencesCard = (differences, leftOut) => {
  if (!differences || !differences.length) return null;
  return el("section", { class: "card", "aria-labelledby": "differences" }, el("h2", { id: "differences" }, "Differences"),
    el("ol", { class: "differences" }, differences.map((item) => el("li", {},
      el("p", { class: "row" }, el("strong", {}, sentence(words(item.kind))), item.tool ? el("code", {}, shown(item.tool)) : null, item.path ? el("code", { class: "muted" }, shown(item.path)) : null),
      el("p", {}, shown(item.message || "")),
      item.accept_with ? el("div", { class: "row small" }, "accept with", copyable(flagOf(item.accept_with), "option")) : null))),
    leftOut ? el("p", { class: "muted small" }, `and ${counted(leftOut, "more difference")}`) : null);
};

const TONES = { equal: "good", partial: "warn", none: "bad" };

const stepsCard = (view) => {
  if (view.steps === undefined) return null;
  const heading = el("h2", { id: "steps" }, "How the pairs were made");
  if (view.steps === null) return el("section", { class: "card", "aria-labelledby": "steps" }, heading, el("p", { class: "muted" }, "There are too many calls to play the pairing step by step."));
  return el("section", { class: "card", "aria-labelledby": "steps" }, heading,
    el("ol", { class: "steps" }, view.steps.map((step) => el("li", {}, el("span", { class: "muted number" }, `${step.number}.`),
      el("span", {}, shown(step.call), ": ", step.could ? el("span", { class: "muted" }, `${told(step.could)}; `) : null, el("span", { class: TONES[step.tone] }, shown(step.took)))))),
    view.steps_left_out ? el("p", { class: "muted small" }, `and ${counted(view.steps_left_out, "more step")}`) : null);
};
