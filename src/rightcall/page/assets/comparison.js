/* This run against an earlier one: what got better, what got worse, and how sure one can be. */

const DIRECTIONS = { improved: ["good", "▲ improved"], regressed: ["bad", "▼ regressed"] };

const signed = (value, digits = 3) => (value === null || value === undefined ? "–" : `${value > 0 ? "+" : value < 0 ? "−" : "±"}${figure(Math.abs(value), digits)}`);

const comparisonHead = (found) => {
  const tone = { improved: "good", regressed: "bad" }[found.verdict] || "none";
  const sign = { improved: "▲", regressed: "▼" }[found.verdict] || "·";
  const facts = [["before", found.a], ["now", found.b]].flatMap(([word, run]) => [el("dt", {}, word),
    el("dd", {}, el("span", { class: "mono" }, shown(run.name)), `, ${counted(run.cases, "case")}`, run.complete ? "" : el("span", { class: "warn" }, ", incomplete"))]);
  const only = [["only before", found.only_in_a], ["only now", found.only_in_b]].filter(([, side]) => side && side.count)
    .flatMap(([word, side]) => [el("dt", {}, word), el("dd", {}, counted(side.count, "case"), side.examples ? [": ", side.examples.map((name, at) => [at ? ", " : "", shown(name)]), side.count > side.examples.length ? " …" : ""] : "")]);
  return el("section", { class: `card verdict is-${tone}`, "aria-labelledby": "verdict" },
    el("h1", { id: "verdict" }, el("span", { class: tone, "aria-hidden": "true" }, sign), sentence(found.verdict)),
    el("dl", { class: "facts" }, facts, el("dt", {}, "in both"), el("dd", {}, counted(found.cases, "case")), only),
    (found.warnings || []).map((warning) => el("p", { class: "notice" }, shown(warning))));
};

const reach = (evaluators) => {
  const ends = evaluators.flatMap((one) => [one.mean_difference, one.mean_interval?.low, one.mean_interval?.high]).map((value) => Math.abs(value || 0));
  const most = Math.max(...ends, 0.01);
  return [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1].find((step) => step >= most * 1.05) || 1;
};

const comparisonFigures = (found) => {
  const evaluators = found.evaluators || [];
  if (!evaluators.length) return el("section", { class: "card" }, el("p", { class: "muted" }, "The two runs share no evaluator."));
  const most = reach(evaluators);
  const rows = evaluators.map((one) => {
    const interval = one.mean_interval;
    const tone = { improved: "good", regressed: "bad" }[one.verdict] || "none";
    const number = (side) => (side ? side.count || 0 : 0);
    const said = `${signed(one.mean_difference)}${interval ? `, 95 % interval ${signed(interval.low)} to ${signed(interval.high)}` : ""}`;
    return el("tr", { role: "row" }, el("th", { scope: "row", role: "rowheader" }, breaking(one.name)),
      el("td", { role: "cell", class: "broad" }, el("span", { class: `badge ${tone}` }, (DIRECTIONS[one.verdict] || [, one.verdict])[1])),
      el("td", { class: "number broad", role: "cell", "data-label": "mean" }, `${figure(one.mean_a)} → ${figure(one.mean_b)}`),
      el("td", { class: "plot wide", role: "cell" }, one.mean_difference === undefined ? el("span", { class: "muted" }, "–") : [
        intervalPlot({ value: one.mean_difference, interval, low: -most, high: most, zero: 0, label: `Difference of the means ${said}` }),
        el("span", { class: "small number" }, said)]),
      el("td", { class: "number", role: "cell", "data-label": "improved" }, el("span", { class: number(one.improved) ? "good" : "muted" }, count(number(one.improved)))),
      el("td", { class: "number", role: "cell", "data-label": "regressed" }, el("span", { class: number(one.regressed) ? "bad" : "muted" }, count(number(one.regressed)))),
      el("td", { class: "number", role: "cell", "data-label": "unchanged" }, count(number(one.unchanged))),
      el("td", { class: "number broad", role: "cell", "data-label": "pass rate" }, `${one.pass_rate_a === undefined ? "–" : percent(one.pass_rate_a)} → ${one.pass_rate_b === undefined ? "–" : percent(one.pass_rate_b)}`),
      el("td", { class: "number", role: "cell", "data-label": "Holm p" }, probability(one.holm_p)));
  });
  const heads = [{ text: "Evaluator" }, { text: "Verdict" }, { text: "Mean", number: true }, { text: `Difference of means, −${most} to +${most}` }, { text: "Improved", number: true }, { text: "Regressed", number: true },
    { text: "Unchanged", number: true }, { text: "Pass rate", number: true }, { text: "Holm p", number: true }];
  const detectable = evaluators.filter((one) => one.detectable_mean !== undefined || one.detectable_pass_rate !== undefined);
  return el("section", { class: "card", "aria-labelledby": "differences-of" }, el("h2", { id: "differences-of" }, "By evaluator"),
    el("div", { class: "scroll" }, table("stacks", heads, rows, "Comparison by evaluator")),
    el("p", { class: "small muted" }, "Holm p decides: the smaller p of two tests, of passes (exact McNemar, one-sided) and of the mean, adjusted over the evaluators."),
    detectable.length ? el("p", { class: "small muted" }, "The smallest change that so many pairs would show (power 80 %): ",
      detectable.map((one, at) => [at ? "; " : "", breaking(one.name), " ", [one.detectable_mean === undefined ? null : `mean ${figure(one.detectable_mean)}`, one.detectable_pass_rate === undefined ? null : `pass rate ${percent(one.detectable_pass_rate)}`].filter(Boolean).join(", ")]), ".") : null);
};

const probability = (value) => (value === undefined ? "–" : value < 0.001 ? "< 0.001" : figure(value));

const CHANGES = 200;

const changesCard = (found) => {
  const changes = found.changes || [];
  const card = el("section", { class: "card", "aria-labelledby": "changes" }, el("h2", { id: "changes" }, "Cases that changed"));
  if (!changes.length) {
    card.append(el("p", { class: "muted" }, found.changed ? `${counted(found.changed, "result")} changed; the list was not asked for.` : "No case changed."));
    return card;
  }
  const body = el("div");
  const status = el("p", { class: "muted small" });
  const draw = (direction) => {
    const kept = changes.filter((change) => !direction || change.direction === direction);
    const rows = kept.slice(0, CHANGES).map(changeRow);
    body.replaceChildren(rows.length ? table("stacks list", [{ text: "Change" }, { text: "Case" }, { text: "Evaluator" }, { text: "Before", number: true }, { text: "Now", number: true }], rows, "Changed cases")
      : el("p", { class: "muted" }, "None."));
    status.textContent = `${count(Math.min(CHANGES, kept.length))} of ${count(direction ? kept.length : found.changed)} changed results, the worst first`;
  };
  const choices = [["", "all"], ["regressed", "regressed"], ["improved", "improved"]];
  const select = el("select", { "aria-label": "Which changes" }, choices.map(([value, text]) => el("option", { value }, text)));
  select.addEventListener("change", () => draw(select.value));
  card.firstChild.replaceWith(el("header", {}, el("h2", { id: "changes" }, "Cases that changed"), el("label", { class: "small muted row no-print" }, "show", select)));
  draw("");
  card.append(status, el("div", { class: "scroll" }, body));
  return card;
};

const changeRow = (change) => {
  const [tone, word] = DIRECTIONS[change.direction];
  const name = change.trial === undefined ? change.id : `${change.id} [trial ${change.trial}]`;
  const row = cases.ids ? (change.trial === undefined ? cases.firstOf.get(change.id) : cases.rowOf.get(name)) : undefined;
  const side = (score, passed) => el("span", {}, score === undefined ? "error" : figure(score), el("span", { class: passed ? "good" : "bad" }, passed ? " ✓" : " ✕", el("span", { class: "visually-hidden" }, passed ? " passed" : " missed")));
  return el("tr", { role: "row" }, el("td", { role: "cell" }, el("span", { class: `badge ${tone}` }, word)),
    el("th", { scope: "row", role: "rowheader" }, row === undefined ? shown(name) : el("a", { href: toCase(row, {}), class: "open" }, shown(name))),
    el("td", { role: "cell", class: "wide" }, breaking(change.evaluator)),
    el("td", { class: "number", role: "cell", "data-label": "before" }, side(change.score_a, change.passed_a)),
    el("td", { class: "number", role: "cell", "data-label": "now" }, side(change.score_b, change.passed_b)));
};

const showComparison = () => {
  const found = overview.comparison;
  if (!found) return [el("h1", {}, "Comparison"), el("p", {}, "This run was compared with no other.")];
  return [comparisonHead(found), comparisonFigures(found), changesCard(found)];
};
