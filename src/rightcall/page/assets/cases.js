/* The list of cases: filtered, sorted, a page at a time. The address holds what is asked for. */

const PAGE = 100;
const SORTS = { worst: "worst first", best: "best first", input: "order of the data", id: "id" };
const COLUMNS = 5;

let listed = [];
let listedFor = "";

const options = (counts, label) => [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  .map(([value, number]) => [value, `${label ? label(value) : told(value)} (${count(number)})`]);

/* What the filters offer, with the number of cases of each. */
let offered = null;
const offers = () => {
  if (offered) return offered;
  const [tools, kinds, tags] = [new Map(), new Map(), new Map()];
  const more = (counts, value) => { if (value) counts.set(value, (counts.get(value) || 0) + 1); };
  cases.why.forEach((why) => {
    for (const kind of new Set(why.map((at) => cases.kinds[at][0]))) more(kinds, kind);
    for (const tool of new Set(why.map((at) => cases.kinds[at][1]))) more(tools, tool);
  });
  for (const detail of Object.values(cases.details)) for (const tag of detail.tags || []) more(tags, tag);
  offered = { tool: options(tools), kind: options(kinds, words), tag: options(tags) };
  return offered;
};

const fits = (filters) => {
  const text = (filters.text || "").toLowerCase();
  const at = filters.evaluator ? cases.evaluators.indexOf(filters.evaluator) : -1;
  const letter = Object.keys(VERDICTS).find((key) => VERDICTS[key].key === filters.verdict);
  const kinds = filters.kind || filters.tool || filters.path
    ? new Set(cases.kinds.flatMap(([kind, tool, path], number) => ((!filters.kind || kind === filters.kind) && (!filters.tool || tool === filters.tool) && (!filters.path || path === filters.path) ? [number] : [])))
    : null;
  const outcome = at < 0 ? cases.verdicts : cases.outcomes[at];
  return (row) => {
    if (letter && outcome[row] !== letter) return false;
    if (text && !cases.text[row].includes(text) && !nameOf(row).toLowerCase().includes(text)) return false;
    if (kinds && !cases.why[row].some((number) => kinds.has(number))) return false;
    if (filters.label) {
      const labels = at < 0 ? cases.evaluators.map((_, each) => labelOf(each, row)) : [labelOf(at, row)];
      if (!labels.includes(filters.label)) return false;
    }
    return !filters.tag || (detailOf(row)?.tags || []).includes(filters.tag);
  };
};

const listFor = (filters) => {
  const key = JSON.stringify({ ...filters, page: undefined });
  if (key === listedFor) return listed;
  const kept = [];
  const test = fits(filters);
  for (let row = 0; row < cases.count; row += 1) if (test(row)) kept.push(row);
  const at = filters.evaluator ? cases.evaluators.indexOf(filters.evaluator) : -1;
  const value = (row) => (at < 0 ? cases.badness[row] : { N: 10, E: -1 }[cases.outcomes[at][row]] ?? cases.scores[at][row]);
  const sort = filters.sort || "worst";
  if (sort === "id") kept.sort((a, b) => cases.ids[a].localeCompare(cases.ids[b], "en", { numeric: true }) || a - b);
  else if (sort === "worst") kept.sort((a, b) => value(a) - value(b) || a - b);
  else if (sort === "best") kept.sort((a, b) => value(b) - value(a) || a - b);
  listed = kept;
  listedFor = key;
  return kept;
};

const choice = (name, label, entries, filters) => {
  const select = el("select", { name, id: `filter-${name}` }, el("option", { value: "" }, "any"));
  for (const [value, text] of entries) {
    const option = el("option", {}, told(text));
    option.value = value;
    select.append(option);
  }
  if (name === "sort") select.firstChild.remove();
  select.value = filters[name] || (name === "sort" ? "worst" : "");
  return el("label", { for: select.id }, label, select);
};

const filterForm = (filters) => {
  const found = offers();
  const text = el("input", { type: "search", name: "text", id: "filter-text", autocomplete: "off", spellcheck: "false", "aria-keyshortcuts": "/" });
  text.value = filters.text || "";
  const verdicts = Object.values(VERDICTS).map((verdict) => [verdict.key, verdict.word]);
  const labels = ["match", "partial", "mismatch", "not_evaluated", "error"].map((label) => [label, words(label)]);
  /* On a narrow screen the list itself comes first. */
  const more = el("button", { type: "button", class: "more", "aria-expanded": "false" }, "More filters and order");
  const open = () => { form.classList.add("wide-open"); more.setAttribute("aria-expanded", "true"); more.hidden = true; };
  more.addEventListener("click", open);
  const form = el("form", { class: "filters", role: "search", "aria-label": "Filter the cases" },
    el("label", { for: "filter-text" }, "Id contains", text),
    more,
    choice("verdict", filters.evaluator ? "Verdict of it" : "Verdict", verdicts, filters),
    cases.evaluators.length > 1 ? choice("evaluator", "Evaluator", cases.evaluators.map((name) => [name, name]), filters) : null,
    choice("label", "Label", labels, filters),
    found.kind.length ? choice("kind", "Difference", found.kind, filters) : null,
    found.tool.length ? choice("tool", "On tool", found.tool, filters) : null,
    found.tag.length ? choice("tag", cases.count > Object.keys(cases.details).length ? "Tag (of the worst)" : "Tag", found.tag, filters) : null,
    choice("sort", "Sort", Object.entries(SORTS), filters));
  if (Object.keys(filters).some((name) => !["text", "page"].includes(name))) open();
  const asked = () => {
    const given = { path: filters.path };
    for (const field of form.elements) if (field.name && !(field.name === "sort" && field.value === "worst")) given[field.name] = field.value;
    return given;
  };
  let waiting = null;
  const go = () => { clearTimeout(waiting); replacePlace(toList(asked())); };
  form.addEventListener("input", (event) => {
    clearTimeout(waiting);
    if (event.target === text) waiting = setTimeout(go, 120);
    else go();
  });
  form.addEventListener("submit", (event) => { event.preventDefault(); go(); });
  return form;
};

const scoreCell = (at, row) => {
  const outcome = cases.outcomes[at][row];
  const attributes = { class: "number", role: "cell", "data-label": cases.evaluators[at] };
  if (outcome === "N") return el("td", attributes, el("span", { class: "muted", title: "not evaluated" }, "–"));
  if (outcome === "E") return el("td", attributes, el("span", { class: "warn" }, "error"));
  const score = figure(cases.scores[at][row], 2);
  return el("td", attributes, outcome === "F" ? el("span", { class: "missed" }, el("span", { "aria-hidden": "true" }, "✕ "), score, el("span", { class: "visually-hidden" }, " missed")) : el("span", { class: "muted" }, score));
};

/* Of many evaluators the worst result stands for all. */
const worstCell = (row) => {
  const judged = cases.evaluators.map((_, at) => at).filter((at) => cases.outcomes[at][row] !== "N");
  const missed = judged.filter((at) => cases.outcomes[at][row] !== "P");
  if (!judged.length) return el("td", { role: "cell", class: "muted" }, "–");
  if (!missed.length) return el("td", { role: "cell", class: "muted" }, `${judged.length} of ${judged.length} passed`);
  const worst = missed.reduce((low, at) => ((cases.scores[at][row] ?? -1) < (cases.scores[low][row] ?? -1) ? at : low));
  return el("td", { role: "cell" }, el("span", { class: "missed" }, `✕ ${missed.length} of ${judged.length} missed`),
    el("span", { class: "small muted place" }, `worst: ${told(cases.evaluators[worst])} ${cases.scores[worst][row] === null ? "error" : figure(cases.scores[worst][row], 2)}`));
};

const WHYS = 3;
const REASON = 160;

/* Why a case has no score, where the page knows. */
const unscored = (row) => {
  if (!["E", "N"].includes(cases.verdicts[row])) return null;
  const at = cases.outcomes.findIndex((column) => column[row] === cases.verdicts[row]);
  const reason = detailOf(row)?.results[at]?.reason;
  return reason ? el("span", { class: "small" }, shown(reason.length > REASON ? `${reason.slice(0, REASON)}…` : reason)) : null;
};

/* What went wrong, in tags: kind, tool, path. */
const whyTags = (row, most) => {
  const why = cases.why[row];
  return el("span", { class: "why" }, why.slice(0, most).map((at) => {
    const [kind, tool, path] = cases.kinds[at];
    return el("span", { class: "tag" }, words(kind), tool ? el("span", { class: "muted" }, " ", shown(`${tool}${path ? ` ${path}` : ""}`)) : null);
  }), why.length > most ? el("span", { class: "small muted" }, `+ ${why.length - most}`) : null);
};

const caseRow = (row, filters) => {
  const { page, ...kept } = filters;
  return el("tr", { role: "row" },
    el("td", { role: "cell" }, badge(cases.verdicts[row])),
    el("th", { scope: "row", role: "rowheader" }, el("a", { href: toCase(row, kept), class: "open" }, shown(nameOf(row))),
      el("span", { class: "place small muted" }, shown(nearPlaceOf(row)))),
    el("td", { role: "cell", class: "wide" }, unscored(row), whyTags(row, WHYS)),
    cases.evaluators.length <= COLUMNS ? cases.evaluators.map((_, at) => scoreCell(at, row)) : worstCell(row));
};

const pagerOf = (page, pages, filters) => {
  if (pages === 1) return null;
  const link = (to, text, label) => (to < 1 || to > pages ? el("span", { class: "muted", "aria-hidden": "true" }, text)
    : el("a", { href: toList({ ...filters, page: to === 1 ? "" : to }), "aria-label": label }, text));
  return el("nav", { class: "pager", "aria-label": "Pages of the list" }, link(page - 1, "← Previous", "Previous page"),
    el("span", { class: "number" }, `page ${count(page)} of ${count(pages)}`), link(page + 1, "Next →", "Next page"));
};

const leftOf = (number, filters) => {
  const narrowed = Object.keys(filters).some((name) => !["sort", "page"].includes(name));
  const text = narrowed ? `${count(number)} of ${counted(cases.count, "case")}` : counted(cases.count, "case");
  return el("p", { class: "row", id: "left" }, el("strong", { class: "number" }, text),
    filters.path ? el("span", { class: "tag" }, "path ", el("code", {}, shown(filters.path))) : null,
    narrowed ? el("a", { href: toList(filters.sort ? { sort: filters.sort } : {}) }, "Clear the filter") : null);
};

const LIST_KEYS = [["/", "filter"], ["j", "next"], ["k", "previous"], ["Enter", "open"], ["Esc", "leave"]];

const keysLine = (keys) => el("p", { class: "keys small muted" }, keys.map(([key, does]) => el("span", {}, el("kbd", {}, key), ` ${does}`)));

const listBody = (filters) => {
  const rows = listFor(filters);
  const pages = Math.max(1, Math.ceil(rows.length / PAGE));
  const page = Math.min(pages, Math.max(1, Math.trunc(Number(filters.page)) || 1));
  const heads = [{ text: "Verdict" }, { text: "Case" }, { text: "What went wrong" }];
  if (cases.evaluators.length <= COLUMNS) heads.push(...cases.evaluators.map((name) => ({ text: breaking(name), number: true })));
  else heads.push({ text: "Scores" });
  const part = rows.slice((page - 1) * PAGE, page * PAGE);
  return [leftOf(rows.length, filters),
    part.length ? el("div", { class: "scroll" }, table("stacks list", heads, part.map((row) => caseRow(row, filters)), "Cases"))
      : el("p", { class: "notice" }, cases.count ? "No case fits the filter." : "This run has no case."),
    pagerOf(page, pages, filters)];
};

const showCases = (filters) => {
  if (!cases.ids) return [el("h1", {}, "Cases"), el("p", { class: "notice" }, cases.problem || "This page holds no cases.")];
  const body = el("div", { class: "card", id: "list" }, listBody(filters));
  const details = Object.keys(cases.details).length;
  return [el("div", { class: "row" }, el("h1", {}, "Cases")), keysLine(LIST_KEYS), filterForm(filters), body,
    details < cases.count ? el("p", { class: "muted small" }, `Calls and reasons are kept of the worst ${count(details)} cases; the others are rows.`) : null];
};
