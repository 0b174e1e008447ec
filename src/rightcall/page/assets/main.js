/* What is shown where, the keys, and the light. */

const content = document.getElementById("content");
const hasRun = overview.evaluators !== undefined;

const viewAt = (at) => {
  if (at.has("case") || at.has("row")) return "case";
  if (["cases", "comparison"].includes(at.get("view"))) return at.get("view");
  return hasRun ? "overview" : "comparison";
};

const drawTabs = (view) => {
  const tabs = [];
  if (hasRun) tabs.push(["overview", "#", "Overview"], ["cases", toList({}), `Cases ${count(overview.cases)}`]);
  if (overview.comparison) tabs.push(["comparison", hashOf({ view: "comparison" }), "Comparison"]);
  const current = view === "case" ? "cases" : view;
  document.getElementById("tabs").replaceChildren(...tabs.map(([name, href, text]) =>
    el("li", {}, el("a", { href, "aria-current": name === current ? "page" : null }, text))));
};

let drawn = null;

const draw = () => {
  const at = place();
  const view = viewAt(at);
  drawTabs(view);
  if (view === "cases" && drawn === "cases" && document.getElementById("list")) {
    redrawList(filtersOf(at));
    return;
  }
  if (["cases", "case"].includes(view) && !cases.ready) {
    content.replaceChildren(el("p", { class: "muted" }, "Unpacking the cases …"));
    return;
  }
  const parts = { overview: showOverview, cases: () => showCases(filtersOf(at)), case: () => showCase(at), comparison: showComparison }[view]();
  content.replaceChildren(...parts.filter(Boolean));
  if (drawn !== null) {
    scrollTo(0, 0);
    if (document.activeElement === document.body || document.activeElement === null) content.focus({ preventScroll: true });
    const heading = content.querySelector("h1");
    if (heading) say(heading.textContent);
  }
  if (view === "cases" && lastRow !== null) returnTo(lastRow);
  lastRow = view === "case" ? location.hash : null;
  drawn = view;
};

/* The case that was open, so that the list is left where it was. */
let lastRow = null;

const returnTo = (hash) => {
  const key = (href) => { const at = new URLSearchParams(href.slice(1)); return `${at.get("case")} ${at.get("trial")} ${at.get("row")}`; };
  const link = [...content.querySelectorAll("a.open")].find((one) => key(one.hash) === key(hash));
  if (link) link.focus();
};

/* While somebody filters, the fields stay as they are and only the rows change. */
const redrawList = (filters) => {
  const list = document.getElementById("list");
  const form = content.querySelector("form.filters");
  const inside = form.contains(document.activeElement) ? document.activeElement.name : null;
  list.replaceChildren(...listBody(filters).filter(Boolean));
  const text = form.querySelector("#filter-text");
  const fresh = filterForm(filters);
  if (inside === "text" || !inside) {
    for (const field of form.elements) {
      if (field.name && field !== document.activeElement) field.value = fresh.elements[field.name].value;
    }
    if (!inside) text.value = filters.text || "";
  } else {
    form.replaceWith(fresh);
    fresh.elements[inside].focus();
  }
  say(document.getElementById("left").textContent);
};

const move = (by) => {
  const links = [...content.querySelectorAll("a.open")];
  if (!links.length) return;
  const at = links.indexOf(document.activeElement);
  if (at >= 0 && (at + by < 0 || at + by >= links.length)) {
    const turn = content.querySelector(`.pager a[aria-label="${by > 0 ? "Next" : "Previous"} page"]`);
    if (!turn) return;
    turn.click();
    addEventListener("hashchange", () => { const fresh = [...content.querySelectorAll("a.open")]; fresh.at(by > 0 ? 0 : -1)?.focus(); }, { once: true });
    return;
  }
  const next = links[at < 0 ? (by > 0 ? 0 : links.length - 1) : at + by];
  next.focus();
  next.closest("tr").scrollIntoView({ block: "nearest" });
};

const keys = (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.matches("input, select, textarea");
  const view = viewAt(place());
  if (event.key === "Escape") {
    if (typing) event.target.blur();
    else if (view === "case") location.hash = toList(filtersOf(place()));
    else if (view === "cases") location.hash = Object.keys(filtersOf(place())).length ? toList({}) : "#";
    return;
  }
  if (typing) return;
  if (event.key === "/" && hasRun) {
    event.preventDefault();
    if (view !== "cases") { location.hash = toList({}); setTimeout(() => document.getElementById("filter-text")?.focus(), 30); }
    document.getElementById("filter-text")?.focus();
  } else if (event.key === "j" || event.key === "k") {
    if (view === "case") content.querySelector(`nav a[aria-label="${event.key === "j" ? "Next" : "Previous"} case"]`)?.click();
    else move(event.key === "j" ? 1 : -1);
  }
};

/* What was chosen is kept where the browser allows it; a file has no memory in some. */
const memory = (value) => {
  try {
    if (value !== undefined) localStorage.setItem("rightcall-theme", value);
    return localStorage.getItem("rightcall-theme");
  } catch {
    return null;
  }
};

const setTheme = (theme) => {
  document.documentElement.dataset.theme = theme;
  const other = theme === "dark" ? "Light" : "Dark";
  document.getElementById("theme").textContent = other;
  document.getElementById("theme").setAttribute("aria-label", `${other} colours`);
};

const start = async () => {
  document.getElementById("run").append(shown(overview.run));
  document.getElementById("made").textContent = overview.version ? `Made by rightcall ${told(overview.version)}.` : "Made by rightcall.";
  setTheme(memory() || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
  document.getElementById("theme").addEventListener("click", () => {
    const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    setTheme(theme);
    memory(theme);
  });
  document.getElementById("skip").addEventListener("click", (event) => { event.preventDefault(); content.focus(); });
  addEventListener("hashchange", draw);
  addEventListener("keydown", keys);
  draw();
  await loadCases();
  if (drawn === "overview") showErrors();
  else { drawn = null; draw(); }
  document.documentElement.dataset.ready = "yes";
};

start();
