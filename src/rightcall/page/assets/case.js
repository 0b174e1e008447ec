/* One case: its results, why, the calls side by side. */

const CASE_KEYS = [["j", "next case"], ["k", "previous case"], ["Esc", "back to the list"]];

const around = (row, filters) => {
  let rows = listFor(filters);
  let at = rows.indexOf(row);
  if (at < 0) {
    rows = listFor({});
    at = rows.indexOf(row);
    filters = {};
  }
  return { at, of: rows.length, previous: at > 0 ? toCase(rows[at - 1], filters) : null, next: at + 1 < rows.length ? toCase(rows[at + 1], filters) : null };
};

const resultsCard = (row, detail) => {
  const rows = cases.evaluators.map((name, at) => {
    const outcome = cases.outcomes[at][row];
    const score = cases.scores[at][row];
    const more = detail ? detail.results[at] : {};
    const word = outcome === "F" ? el("span", { class: "badge bad" }, el("span", { "aria-hidden": "true" }, "✕"), "missed") : badge(outcome);
    return el("tr", { role: "row" }, el("th", { scope: "row", role: "rowheader" }, breaking(name)),
      el("td", { role: "cell" }, word),
      el("td", { class: "number", role: "cell", "data-label": "score" }, score === null ? "–" : el("span", {}, figure(score), el("span", { class: "muted small" }, ` of ${figure(more.threshold ?? 1, 2).replace(/\.00$/, "")}`))),
      el("td", { role: "cell", class: "wide" }, more.reason ? shown(more.reason) : null,
        (more.warnings || []).map((warning) => el("p", { class: "warn small" }, "warning: ", shown(warning)))));
  });
  return el("section", { class: "card", "aria-labelledby": "results" }, el("h2", { id: "results" }, "Results"),
    el("div", { class: "scroll" }, table("stacks", [{ text: "Evaluator" }, { text: "Verdict" }, { text: "Score, asked", number: true }, { text: "Reason" }], rows, "Results")));
};

const caseHead = (row, detail, filters) => {
  const near = around(row, filters);
  const step = (href, text, label) => (href ? el("a", { href, "aria-label": label }, text) : el("span", { class: "muted", "aria-hidden": "true" }, text));
  const id = cases.ids[row];
  const cut = /… \([\d,]+ characters\)$/.test(id);
  return [
    el("nav", { class: "row no-print", "aria-label": "Cases" }, el("a", { href: toList(filters), id: "back" }, "← All cases"),
      step(near.previous, "↑ Previous", "Previous case"), step(near.next, "↓ Next", "Next case"),
      el("span", { class: "muted small number" }, `${count(near.at + 1)} of ${count(near.of)}${Object.keys(filters).some((name) => name !== "sort") && near.of < cases.count ? " in the filter" : ""}`)),
    el("section", { class: `card verdict is-${VERDICTS[cases.verdicts[row]].tone}`, "aria-labelledby": "case" },
      el("div", { class: "row" }, badge(cases.verdicts[row]), el("span", { class: "small muted mono" }, shown(placeOf(row))),
        ((detail && detail.tags) || []).map((tag) => el("span", { class: "tag" }, shown(tag)))),
      el("h1", { id: "case" }, shown(nameOf(row))),
      detail ? null : whyTags(row, Infinity),
      detail && detail.input ? el("blockquote", { class: "said", tabindex: "0", "aria-label": "What was asked" }, shown(detail.input)) : null,
      cut ? null : el("div", {}, copyable(`rightcall explain ${quoted(overview.run)} ${quoted(id)}`, "command"))),
  ];
};

const showCase = (at) => {
  if (!cases.ids) return showCases({});
  const filters = filtersOf(at);
  delete filters.page;
  const row = rowAt(at);
  if (row === null) {
    return [el("h1", {}, "No such case"), el("p", {}, "This run has no case ", el("code", {}, shown(at.get("case") ?? at.get("row") ?? "")), "."), el("p", {}, el("a", { href: toList({}) }, "All cases"))];
  }
  const detail = detailOf(row);
  const parts = caseHead(row, detail, filters);
  parts.push(resultsCard(row, detail));
  if (!detail) parts.push(el("p", { class: "notice" }, `The page holds the calls and reasons of the worst ${count(Object.keys(cases.details).length)} cases; the command above shows them for this one.`));
  else if (detail.view) parts.push(callsCard(detail.view), differencesCard(detail.view.differences, detail.view.differences_left_out), stepsCard(detail.view));
  else {
    if (cases.without) parts.push(el("p", { class: "notice" }, "The calls can't be shown: ", shown(cases.without), "."));
    parts.push(differencesCard(detail.differences, 0));
  }
  parts.push(keysLine(CASE_KEYS));
  return parts;
};
