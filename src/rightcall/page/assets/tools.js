/* The tools: how often each was called right, and which was taken for which. */

const TOOL_HEADS = ["Tool", "Expected", "Made", "Exact", "Name only", "Missing", "Extra", "Exact of expected"];
const TOOLS = 12;

const withTools = () => overview.evaluators.filter((one) => one.tools && one.tools.length);

const chosenOf = (found, label, draw) => {
  const body = el("div");
  const put = (at) => body.replaceChildren(draw(found[at]));
  put(0);
  if (found.length === 1) return [null, body];
  const select = el("select", { "aria-label": label }, found.map((one, at) => el("option", { value: at }, told(one.name))));
  select.addEventListener("change", () => put(Number(select.value)));
  return [select, body];
};

const toolsCard = () => {
  const found = withTools();
  const card = el("section", { class: "card", "aria-labelledby": "tools" });
  const heading = el("h2", { id: "tools" }, "Tools");
  if (!overview.evaluators.some((one) => one.scored)) return null;
  if (!found.length) {
    card.append(heading, el("p", { class: "muted" }, "No evaluator of this run pairs calls, so there is nothing to count by tool."));
    return card;
  }
  const [select, body] = chosenOf(found, "Tools as paired by", toolsTable);
  card.append(el("header", {}, heading, select ? el("label", { class: "small muted row" }, "as paired by", select) : null), body);
  return card;
};

const toolsTable = (evaluator) => {
  let sorted = 7;
  let down = false;
  let all = false;
  const body = el("tbody", { role: "rowgroup" });
  const heads = TOOL_HEADS.map((text, at) => {
    const button = el("button", { type: "button" }, text, el("span", { "aria-hidden": "true" }, ""));
    button.addEventListener("click", () => {
      down = sorted === at ? !down : at !== 0 && at !== 7;
      sorted = at;
      draw();
    });
    return el("th", { scope: "col", role: "columnheader", class: at ? "number" : null }, button);
  });
  const share = (tool) => (tool[1] ? tool[3] / tool[1] : 0);
  const value = (tool) => (sorted === 7 ? share(tool) : tool[sorted]);
  const more = el("button", { type: "button", class: "no-print" }, `Show all ${count(evaluator.tools.length)}`);
  more.addEventListener("click", () => { all = true; draw(); });
  const draw = () => {
    const rows = [...evaluator.tools].sort((a, b) => {
      const [one, other] = [value(a), value(b)];
      const order = typeof one === "string" ? one.localeCompare(other) : one - other;
      return (down ? -order : order) || b[1] - a[1];
    });
    heads.forEach((head, at) => {
      head.setAttribute("aria-sort", at === sorted ? (down ? "descending" : "ascending") : "none");
      head.querySelector("span").textContent = at === sorted ? (down ? " ↓" : " ↑") : "";
    });
    body.replaceChildren(...(all ? rows : rows.slice(0, TOOLS)).map(toolRow));
    more.hidden = all || rows.length <= TOOLS;
  };
  draw();
  return el("div", {}, el("div", { class: "scroll" },
    el("table", { class: "stacks", role: "table" }, el("caption", { class: "visually-hidden" }, "Calls by tool"),
      el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, heads)), body)),
  el("p", {}, more),
  evaluator.tools_left_out ? el("p", { class: "muted small" }, `and ${counted(evaluator.tools_left_out, "more tool")} with fewer faults`) : null);
};

const toolRow = (tool) => el("tr", { role: "row" },
  el("th", { scope: "row", role: "rowheader" }, tool[4] + tool[5] + tool[6]
    ? el("a", { href: toList({ tool: tool[0] }) }, shown(tool[0])) : shown(tool[0])),
  TOOL_HEADS.slice(1, 7).map((head, at) => {
    const number = tool[at + 1];
    const wrong = at >= 3 && number > 0;
    return el("td", { class: "number", role: "cell", "data-label": head }, wrong ? el("span", { class: "bad" }, count(number)) : count(number));
  }),
  el("td", { class: "number broad", role: "cell", "data-label": TOOL_HEADS[7] }, tool[1] ? percent(tool[3] / tool[1]) : "–"));

const confusionCard = () => {
  const found = withTools().filter((one) => one.confusion && one.confusion.cells.some(([expected, made]) => expected !== made));
  const card = el("section", { class: "card", "aria-labelledby": "confusion" });
  const heading = el("h2", { id: "confusion" }, "Which tool was taken for which");
  if (!withTools().length) return null;
  if (!overview.evaluators.some((one) => one.scored)) return null;
  if (!found.length) {
    card.append(heading, el("p", { class: "muted" }, "None was: every call was of the tool that was expected."));
    return card;
  }
  const [select, body] = chosenOf(found, "Confusions as paired by", confusionOf);
  card.append(el("header", {}, heading, select ? el("label", { class: "small muted row" }, "as paired by", select) : null), body);
  return card;
};

const PAIRS = 12;

const confusionOf = (evaluator) => {
  const confusion = evaluator.confusion;
  const wrong = confusion.cells.filter(([expected, made]) => expected !== made).sort((a, b) => b[2] - a[2]);
  const name = (at) => (confusion.tools[at] === "" ? el("em", { class: "muted" }, "none") : el("code", {}, shown(confusion.tools[at])));
  const rows = wrong.slice(0, PAIRS).map(([expected, made, number]) => el("tr", { role: "row" },
    el("th", { scope: "row", role: "rowheader" }, name(expected)), el("td", { role: "cell" }, name(made)),
    el("td", { class: "number", role: "cell" }, count(number))));
  const drawn = confusion.tools.filter((tool) => tool !== "").length;
  return el("div", { class: confusion.tools.length > 14 ? "" : "split" },
    el("figure", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Heat map" }, heatMap(confusion),
      el("figcaption", { class: "muted small" }, "Rows are expected tools, columns the tools made; what is off the diagonal is wrong. “none” stands for a call that was missing, or made without need.",
        drawn < confusion.of ? ` Of ${count(confusion.of)} tools the ${count(drawn)} most confused are drawn.` : "")),
    el("div", {}, table("", [{ text: "Expected" }, { text: "Made" }, { text: "Calls", number: true }], rows, "The commonest confusions"),
      wrong.length > PAIRS ? el("p", { class: "muted small" }, `and ${counted(wrong.length - PAIRS, "rarer pair")}`) : null));
};
