/* Cases that were tried several times, and the verdicts that somebody gave. */

const trialsCard = () => {
  /* One trial of each case is no more than the case itself. */
  const tried = overview.evaluators.filter((one) => one.trials && Object.keys(one.trials.pass_at_k || {}).some((k) => k > 1));
  const judged = overview.evaluators.filter((one) => one.verdict);
  if (!tried.length && !judged.length) return null;
  const parts = [];
  if (tried.length) parts.push(el("h2", { id: "trials" }, "Trials"), trialsTable(tried), ...tried.map(flaky));
  if (judged.length) parts.push(el("h2", { id: tried.length ? null : "trials" }, "Against the verdicts in the data"), verdictsTable(judged));
  return el("section", { class: "card", "aria-labelledby": "trials" }, parts);
};

const KS = 8;

const trialsTable = (tried) => {
  const ks = [...new Set(tried.flatMap((one) => Object.keys(one.trials.pass_at_k || {})))].map(Number).sort((a, b) => a - b);
  const kept = ks.length <= KS ? ks : [...ks.slice(0, KS - 1), ks.at(-1)];
  const rows = tried.flatMap((one) => [["pass_at_k", "one of k passes"], ["pass_hat_k", "all k pass"]].map(([measure, meaning]) =>
    el("tr", { role: "row" }, el("th", { scope: "row", role: "rowheader" }, breaking(one.name), " ", el("span", { class: "muted small" }, `${meaning} (${measure === "pass_at_k" ? "pass@k" : "pass^k"})`)),
      kept.map((k) => {
        const found = (one.trials[measure] || {})[k];
        return el("td", { class: "number", role: "cell", "data-label": `k = ${k}` }, found ? figure(found.value) : "–");
      }))));
  return el("div", { class: "scroll" }, table("stacks", [{ text: `Over ${counted(tried[0].trials.cases, "case")} with trials` }, ...kept.map((k) => ({ text: `k = ${k}`, number: true }))], rows, "Trials"));
};

/* Cases that pass in some of their trials only. */
const flaky = (one) => {
  const found = one.trials.flaky;
  if (!found || !found.repeated) return null;
  return el("p", { class: "small" }, breaking(one.name), ": ", found.cases ? el("strong", { class: "warn" }, `${counted(found.cases, "flaky case")}`) : "no flaky case",
    ` of ${counted(found.repeated, "case")} with two trials or more`,
    found.worst ? [": ", found.worst.slice(0, 5).map((each, at) => [at ? ", " : "", el("a", { href: toList({ text: each.id, sort: "id" }) }, shown(each.id)), ` (${each.passed} of ${each.trials} passed)`]), found.cases > 5 ? " …" : ""] : null);
};

const verdictsTable = (judged) => {
  const cell = (found, name, head) => el("td", { class: "number", role: "cell", "data-label": head }, figure(found && found[name]));
  const rows = judged.map((one) => el("tr", { role: "row" }, el("th", { scope: "row", role: "rowheader" }, breaking(one.name)),
    el("td", { class: "number", role: "cell", "data-label": "agreement" }, percent(one.verdict.agreement || 0)),
    cell(one.verdict.wrong, "precision", "precision of failed"), cell(one.verdict.wrong, "recall", "recall of failed"),
    el("td", { class: "number", role: "cell", "data-label": "cases" }, count(one.verdict.cases))));
  return el("div", { class: "scroll" }, table("stacks", [{ text: "Evaluator" }, { text: "Agreement", number: true }, { text: "Precision of “failed”", number: true }, { text: "Recall of “failed”", number: true }, { text: "Cases", number: true }], rows, "Agreement with verdicts"));
};

/* What an option would change: it was computed by scoring the cases again. */
const whatIf = (cause) => {
  const found = (overview.what_ifs || []).find((one) => one.option === cause.accept_with);
  if (!found) return null;
  const means = (found.evaluators || []).filter((one) => one.mean !== one.mean_with);
  const passed = found.passed !== undefined && found.passed !== found.passed_with;
  return el("p", { class: "small" }, means.length ? ["With this option the mean would be: ",
    means.map((one, at) => [at ? ", " : "", breaking(one.name), " ", el("span", { class: "number" }, figure(one.mean), " → ", el("strong", {}, figure(one.mean_with)))])]
    : "With this option alone no mean would change",
  passed ? [means.length ? "; " : ", but ", el("span", { class: "number" }, count(found.passed), " → ", el("strong", {}, count(found.passed_with)), " cases would pass")] : null, ".",
  found.written !== found.option ? [" Beside the options of this run it is written ", copyable(flagOf(found.written), "option as written"), "."] : null);
};
