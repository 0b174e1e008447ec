/* What the reader must know within ten seconds: is it met, and what to fix first. */

const CAUSES = 5;

const outcomeOf = () => {
  const gates = overview.gates || [];
  const missed = gates.filter((gate) => !gate.met);
  if (!overview.complete) return { word: "The run did not end", sign: "!", tone: "warn" };
  if (!overview.cases) return { word: "No case was scored", sign: "!", tone: "warn" };
  if (missed.length) return { word: missed.length === 1 ? "A gate is missed" : `${missed.length} gates are missed`, sign: "✕", tone: "bad" };
  /* That few cases are in error says nothing about what they scored. */
  const asked = gates.filter((gate) => gate.gate !== "max_errors");
  if (asked.length) return { word: asked.length === 1 ? "The gate is met" : "All gates are met", sign: "✓", tone: "good" };
  if (!overview.passed && !overview.failed) return { word: "Nothing was scored", sign: "–", tone: "warn" };
  return overview.failed
    ? { word: "Scored; no gate was asked for", sign: "·", tone: "none" }
    : { word: "Every scored case passed", sign: "✓", tone: "good" };
};

const verdictCard = () => {
  const outcome = outcomeOf();
  const failed = (overview.failed || 0) - (overview.errors || 0);
  const parts = [
    [overview.passed || 0, "good", "passed", "passed"],
    [failed, "bad", "failed", "failed"],
    [overview.errors || 0, "warn", "in error", "error"],
    [overview.not_evaluated || 0, "none", "not evaluated", "not_evaluated"],
  ];
  const told_ = parts.filter(([number]) => number).map(([number, , word]) => `${count(number)} ${word}`).join(", ");
  return el("section", { class: `card verdict is-${outcome.tone}`, "aria-labelledby": "verdict" },
    el("h1", { id: "verdict" }, el("span", { class: outcome.tone, "aria-hidden": "true" }, outcome.sign), outcome.word),
    overview.cases ? stackedBar(parts, `Of ${counted(overview.cases, "case")}: ${told_}`) : null,
    el("ul", { class: "legend" }, parts.filter(([number]) => number).map(([number, tone, word, key]) =>
      el("li", {}, el("span", { class: `key fill-${tone}`, "aria-hidden": "true" }),
        el("a", { href: toList({ verdict: key }) }, `${count(number)} ${word}`), el("span", { class: "muted" }, percent(number / overview.cases))))),
    againstLine(), gateList());
};

/* How it stands against the run before, with the way to the whole comparison. */
const againstLine = () => {
  const found = overview.comparison;
  if (!found) return null;
  const [tone, word] = DIRECTIONS[found.verdict] || ["none", found.verdict];
  return el("p", { class: "row" }, el("span", { class: `badge ${tone}` }, word),
    el("span", {}, el("a", { href: hashOf({ view: "comparison" }) }, "against ", shown(found.a.name)), `: ${counted(found.changed, "changed result")}`));
};

const GATES = 4;

const gateItem = (gate) => el("li", {},
  el("strong", { class: gate.met ? "good" : "bad" }, gate.met ? "✓ met" : "✕ missed"),
  el("span", {}, el("span", { class: "muted" }, `${words(gate.gate)}${gate.on ? ` on ${told(gate.on)}` : ""}: `), shown(gate.message || ""),
    gate.interval && !String(gate.message).includes("interval") ? el("span", { class: "muted" }, ` (95 % interval ${figure(gate.interval.low)} to ${figure(gate.interval.high)})`) : null));

/* The missed ones first; what to fix stands on the first screen, however many gates there are. */
const gateList = () => {
  const gates = [...(overview.gates || [])].sort((a, b) => Number(Boolean(a.met)) - Number(Boolean(b.met)));
  if (!gates.length) return null;
  const rest = gates.slice(GATES);
  const missed = rest.filter((gate) => !gate.met).length;
  return el("div", {}, el("ul", { class: "gates", "aria-label": "Gates" }, gates.slice(0, GATES).map(gateItem)),
    rest.length ? el("details", {}, el("summary", { class: "small" }, `${counted(rest.length, "more gate")}: ${[missed ? `${missed} missed` : "", rest.length - missed ? `${rest.length - missed} met` : ""].filter(Boolean).join(", ")}`),
      el("ul", { class: "gates", "aria-label": "More gates" }, rest.map(gateItem))) : null);
};

const REASONS = 3;

/* What the cases in error have in common, once they are unpacked. */
const errorsCard = () => {
  if (!overview.errors || !cases.details) return null;
  const found = new Map();
  for (const [row, detail] of Object.entries(cases.details)) {
    if (cases.verdicts[row] !== "E") continue;
    const reason = detail.results[cases.outcomes.findIndex((column) => column[row] === "E")].reason || "";
    if (!found.has(reason)) found.set(reason, []);
    found.get(reason).push(Number(row));
  }
  const reasons = [...found].sort((a, b) => b[1].length - a[1].length || a[1][0] - b[1][0]);
  return el("section", { class: "card", "aria-labelledby": "in-error" },
    el("header", {}, el("h2", { id: "in-error" }, "Cases in error"), el("a", { class: "small", href: toList({ verdict: "error" }) }, `all ${count(overview.errors)}`)),
    el("ol", { class: "differences" }, reasons.slice(0, REASONS).map(([reason, rows]) => el("li", {},
      el("p", {}, el("strong", { class: "warn number" }, `${count(rows.length)} × `), shown(reason)),
      el("p", { class: "small" }, "e.g. ", rows.slice(0, 2).map((row, at) => [at ? ", " : "", el("a", { href: toCase(row, { verdict: "error" }) }, shown(nameOf(row)))]))))),
    reasons.length > REASONS ? el("p", { class: "small muted" }, `and ${counted(reasons.length - REASONS, "more reason")}`) : null);
};

const showErrors = () => document.getElementById("error-reasons")?.replaceChildren(...[errorsCard()].filter(Boolean));

const causesCard = () => {
  const causes = overview.causes || [];
  const card = el("section", { class: "card", "aria-labelledby": "causes" });
  const scored = overview.evaluators.filter((one) => one.scored);
  card.append(el("header", {}, el("h2", { id: "causes" }, "What to fix"),
    causes.length ? el("p", { class: "muted small" }, `share of all points lost${scored.length > 1 ? `, over ${scored.length} evaluators` : ""}`) : null));
  if (!causes.length) {
    card.append(el("p", {}, nothingLost(scored)));
    return card;
  }
  const list = el("ol", {}, causes.slice(0, CAUSES).map(causeItem));
  card.append(list);
  if (causes.length > CAUSES) {
    const more = el("button", { type: "button", class: "no-print" }, `Show ${causes.length - CAUSES} more`);
    more.addEventListener("click", () => {
      const added = causes.slice(CAUSES).map((cause, at) => causeItem(cause, CAUSES + at));
      list.append(...added);
      more.remove();
      added[0].querySelector("a, button")?.focus();
    });
    card.append(el("div", {}, more));
  }
  return card;
};

const nothingLost = (scored) => {
  if (overview.errors && !scored.length) return "No case could be scored: they ended in error, for the reasons below.";
  if (!scored.length) return "No case was scored, so no point could be lost. The case list says why.";
  return overview.errors ? "No point was lost in the cases that were scored; others ended in error." : "No point was lost.";
};

const causeItem = (cause, at) => {
  const filter = toList({ kind: cause.kind, tool: cause.tool, path: cause.path });
  const option = cause.accept_with ? flagOf(cause.accept_with) : null;
  /* The advice ends with the option; that is shown apart, to be copied. */
  const fix = String(cause.fix || "");
  const ending = option && fix.endsWith(option) ? fix.slice(0, -option.length) : fix;
  return el("li", { class: at === 0 ? "cause first" : "cause" },
    el("span", { class: "rank number", "aria-hidden": "true" }, String(at + 1)),
    el("div", { class: "share" }, el("strong", { class: "number" }, percent(cause.share || 0)), shareBar(cause.share || 0)),
    el("div", { class: "body" },
      el("h3", {}, `${sentence(words(cause.kind))} `, cause.tool ? el("code", {}, shown(`${cause.tool}${cause.path ? ` ${cause.path}` : ""}`)) : null),
      el("p", { class: "fix" }, at === 0 ? "Fix this first: " : "Fix: ", shown(ending.trimEnd()), ending === fix ? null : ":"),
      option ? el("div", {}, copyable(option, "option")) : null,
      whatIf(cause),
      el("p", { class: "small muted" }, shown(cause.message)),
      el("p", { class: "small row" }, el("a", { href: filter }, counted(cause.cases, "case")),
        cause.examples ? el("span", {}, "e.g. ", cause.examples.map((id, number) => [number ? ", " : "", el("a", { href: hashOf({ case: id, kind: cause.kind, tool: cause.tool, path: cause.path }) }, shown(id))])) : null)));
};

const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

const evaluatorsCard = () => {
  if (!overview.evaluators.length) return null;
  const rows = overview.evaluators.map((one) => {
    const rate = one.pass_rate_interval;
    const none = !one.scored;
    return el("tr", { role: "row" },
      el("th", { scope: "row", role: "rowheader" }, breaking(one.name)),
      el("td", { class: "number", role: "cell", "data-label": "mean" }, figure(one.mean)),
      el("td", { class: "plot wide", role: "cell" }, none ? el("span", { class: "muted small" }, "nothing scored") : intervalPlot({
        value: one.mean || 0, interval: one.mean_interval,
        label: `Mean ${figure(one.mean || 0)}${one.mean_interval ? `, 95 % interval ${figure(one.mean_interval.low || 0)} to ${figure(one.mean_interval.high || 0)}` : ", no interval"}`,
      })),
      el("td", { class: "number small broad", role: "cell", "data-label": "interval" }, one.mean_interval ? `${figure(one.mean_interval.low || 0)} – ${figure(one.mean_interval.high || 0)}` : "–"),
      el("td", { class: "number broad", role: "cell", "data-label": "pass rate" }, one.scored || one.errors ? percent(one.pass_rate || 0) : "–",
        rate ? el("span", { class: "muted small" }, ` ${percent(rate.low || 0)} – ${percent(rate.high || 0)}`) : null),
      el("td", { class: "number", role: "cell", "data-label": "scored" }, count(one.scored)),
      el("td", { class: "number", role: "cell", "data-label": "errors" }, one.errors ? el("span", { class: "warn" }, count(one.errors)) : "0"),
      el("td", { class: "number", role: "cell", "data-label": "not evaluated" }, count(one.not_evaluated)));
  });
  const heads = [{ text: "Evaluator" }, { text: "Mean", number: true }, { text: "0 to 1, with 95 % interval" }, { text: "95 % interval", number: true },
    { text: "Pass rate and interval", number: true }, { text: "Scored", number: true }, { text: "Errors", number: true }, { text: "Not evaluated", number: true }];
  return el("section", { class: "card", "aria-labelledby": "evaluators" },
    el("h2", { id: "evaluators" }, "Scores"),
    el("div", { class: "scroll" }, table("stacks", heads, rows, "Scores by evaluator")), slicesTable());
};

/* The parts of the cases that gates asked for. */
const slicesTable = () => {
  const rows = overview.evaluators.flatMap((one) => (one.slices || []).map((part) => el("tr", { role: "row" },
    el("th", { scope: "row", role: "rowheader" }, shown(part.name)), el("td", { role: "cell", class: "wide" }, breaking(one.name)),
    el("td", { class: "number", role: "cell", "data-label": "mean" }, figure(part.mean), part.mean_interval ? el("span", { class: "muted small" }, ` ${figure(part.mean_interval.low)} – ${figure(part.mean_interval.high)}`) : null),
    el("td", { class: "number", role: "cell", "data-label": "pass rate" }, part.pass_rate === undefined ? "–" : percent(part.pass_rate)),
    el("td", { class: "number", role: "cell", "data-label": "scored" }, count(part.scored)),
    el("td", { class: "number", role: "cell", "data-label": "errors" }, count(part.errors)))));
  if (!rows.length) return null;
  return el("div", { class: "scroll" }, el("h3", {}, "Parts that gates ask for"), table("stacks", [{ text: "Part" }, { text: "Evaluator" }, { text: "Mean", number: true }, { text: "Pass rate", number: true }, { text: "Scored", number: true }, { text: "Errors", number: true }], rows, "Scores by part"));
};

const warningsCard = () => (overview.warnings ? el("section", { class: "card", "aria-labelledby": "warnings" },
  el("h2", { id: "warnings" }, "Warnings"),
  el("ul", { class: "differences" }, overview.warnings.map((warning) => el("li", {}, shown(warning))))) : null);

const madeCard = () => el("section", { class: "card", "aria-labelledby": "how" },
  el("h2", { id: "how" }, "How these numbers were made"),
  el("p", { class: "small muted" }, "The same data scored by this line gives the same numbers: version, evaluators, options, thresholds."),
  el("div", {}, copyable(overview.signature, "signature")),
  el("p", { class: "small muted" }, "The same ranking on a terminal, and one case call by call:"),
  el("div", {}, copyable(`rightcall explain ${quoted(overview.run)}`, "command")));

/* A word for a POSIX shell. */
const quoted = (word) => {
  if (/^[\w@%+=:,./-]+$/.test(word) && !word.startsWith("-")) return word;
  return `${word.startsWith("-") ? "-- " : ""}'${word.replaceAll("'", `'"'"'`)}'`;
};

/* An option as it is typed into a shell, from the form in which it stands in a configuration. */
const flagOf = (acceptWith) => {
  const at = acceptWith.indexOf("=");
  const value = acceptWith.slice(at + 1);
  const plain = /^"[A-Za-z_]\w*"$/.test(value) && !/^"(true|false|null)"$/.test(value);
  const said = `${acceptWith.slice(0, at)}=${plain ? value.slice(1, -1) : value}`;
  return `--option ${quoted(said)}`;
};

const showOverview = () => [verdictCard(), causesCard(), overview.errors ? el("div", { id: "error-reasons" }, errorsCard()) : null, evaluatorsCard(), toolsCard(), confusionCard(), trialsCard(), warningsCard(), madeCard()];
