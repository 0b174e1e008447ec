/* Elements are made here and nowhere else. Text goes in as text, so that nothing of the data is ever markup. */

const UNSHOWN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const codeOf = (character) => "U+" + character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");

/* Text for places that hold no elements: what can't be seen, or turns the text around, is named. */
const told = (text) => String(text).replace(UNSHOWN, (character) => `[${codeOf(character)}]`);

/* Text of the data as an element of its own: it can't turn around what follows. */
const shown = (text, className) => {
  const made = el("bdi", className ? { class: className } : {});
  let from = 0;
  for (const match of String(text).matchAll(UNSHOWN)) {
    made.append(text.slice(from, match.index), el("span", { class: "unshown" }, codeOf(match[0])));
    from = match.index + 1;
  }
  made.append(String(text).slice(from));
  return made;
};

const fill = (made, attributes, children) => {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : told(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false && child !== "") made.append(child);
  }
  return made;
};

const el = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);

const svg = (name, attributes, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

/* A name that may break at its underscores. */
const breaking = (text) => {
  const made = el("bdi");
  for (const part of told(text).split(/(?<=_)/)) made.append(part, el("wbr"));
  return made;
};

const say = (text) => { document.getElementById("said").textContent = text; };

const copied = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = el("textarea", { class: "visually-hidden", "aria-hidden": "true", tabindex: "-1" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
};

/* A text to be pasted elsewhere, with a button that copies it; one that could do more than it shows is not offered. */
const copyable = (text, what) => {
  if (text.search(UNSHOWN) >= 0 || /[\n\t]/.test(text)) return el("span", { class: "copy" }, el("code", {}, shown(text)));
  const button = el("button", { type: "button", "aria-label": `Copy ${what}` }, "Copy");
  button.addEventListener("click", async () => {
    const done = await copied(text);
    button.textContent = done ? "Copied" : "Select it";
    say(done ? `${what} copied` : "It could not be copied; select the text");
    setTimeout(() => { button.textContent = "Copy"; }, 1600);
  });
  return el("span", { class: "copy" }, el("code", { tabindex: "0", role: "group", "aria-label": what }, shown(text)), button);
};

const count = (number) => Number(number || 0).toLocaleString("en");
const counted = (number, one, many) => `${count(number)} ${number === 1 ? one : many || one + "s"}`;
const percent = (share) => {
  const value = 100 * share;
  if (value > 0 && value < 0.1) return "< 0.1 %";
  return `${value.toFixed(value > 99.9 && value < 100 ? 2 : 1).replace(/\.0$/, "")} %`;
};
const figure = (value, digits = 3) => {
  if (value === null || value === undefined) return "–";
  const text = value.toFixed(digits);
  /* What is not whole never looks whole. */
  if (Number(text) === Math.round(value) && value !== Math.round(value)) return String(Number(value.toPrecision(6)));
  return text;
};
const words = (name) => String(name).replaceAll("_", " ");

const table = (className, heads, rows, caption) =>
  el("table", { class: className, role: "table" },
    caption ? el("caption", { class: "visually-hidden" }, caption) : null,
    el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, heads.map((head) =>
      el("th", { scope: "col", role: "columnheader", class: head.number ? "number" : head.class }, head.text)))),
    el("tbody", { role: "rowgroup" }, rows));
