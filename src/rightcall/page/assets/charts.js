/* Drawings. Each says in words what it shows, since not everybody sees it. */

/* Parts of a whole, side by side: [number, tone]. */
const stackedBar = (parts, label) => {
  const whole = parts.reduce((sum, [number]) => sum + number, 0) || 1;
  const bar = svg("svg", { class: "bar", viewBox: "0 0 1000 12", preserveAspectRatio: "none", role: "img", "aria-label": label });
  let from = 0;
  for (const [number, tone] of parts) {
    if (!number) continue;
    /* What is there can be seen, however few they are. */
    const width = Math.max(4, (1000 * number) / whole);
    bar.append(svg("rect", { class: `fill-${tone}`, x: from.toFixed(1), y: 0, width: Math.max(1, width - 2).toFixed(1), height: 12 }));
    from += width;
  }
  return bar;
};

const shareBar = (share) => svg("svg", { class: "bar", viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true" },
  svg("rect", { class: "fill-none", x: 0, y: 5, width: 100, height: 2 }),
  svg("rect", { class: "fill-bad", x: 0, y: 1, width: Math.max(0.6, 100 * share).toFixed(2), height: 10 }));

/* A value with its interval on a scale. `asked` is a line that it should reach. */
const intervalPlot = ({ value, interval, low = 0, high = 1, asked = null, zero = null, label }) => {
  const x = (number) => (4 + (232 * (Math.min(high, Math.max(low, number)) - low)) / (high - low)).toFixed(1);
  const plot = svg("svg", { viewBox: "0 0 240 30", role: "img", "aria-label": label });
  plot.append(svg("line", { class: "axis", x1: 4, x2: 236, y1: 21, y2: 21 }));
  for (const at of [low, (low + high) / 2, high]) plot.append(svg("line", { class: "axis", x1: x(at), x2: x(at), y1: 18, y2: 24 }));
  for (const at of [asked, zero]) if (at !== null) plot.append(svg("line", { class: "asked", x1: x(at), x2: x(at), y1: 2, y2: 28 }));
  if (interval) {
    plot.append(svg("line", { class: "whisker", x1: x(interval.low || 0), x2: x(interval.high || 0), y1: 12, y2: 12 }));
    for (const end of [interval.low || 0, interval.high || 0]) plot.append(svg("line", { class: "whisker", x1: x(end), x2: x(end), y1: 7, y2: 17 }));
  }
  plot.append(svg("circle", { class: "dot", cx: x(value), cy: 12, r: 4.5 }));
  return plot;
};


/* Expected tools (rows) against the tools that were made (columns). */
const heatMap = (confusion) => {
  const tools = confusion.tools;
  const CELL = tools.length > 24 ? 20 : 26;
  const names = tools.map((name) => (name === "" ? "none" : told(name)));
  const clipped = names.map((name) => (name.length > 26 ? `${name.slice(0, 25)}…` : name));
  const longest = Math.max(...clipped.map((name) => name.length), 4);
  const left = Math.min(210, 18 + longest * 7);
  const top = Math.min(200, 14 + longest * 6.6);
  const size = tools.length * CELL;
  const most = Math.max(...confusion.cells.map((cell) => cell[2]), 1);
  const wrong = confusion.cells.filter(([expected, made]) => expected !== made).reduce((sum, cell) => sum + cell[2], 0);
  const map = svg("svg", {
    class: "heat", width: left + size + 8, height: top + size + 8, role: "img",
    "aria-label": `Expected tools against made tools: ${count(wrong)} calls were not of the expected tool. The table beside it lists them.`,
  });
  clipped.forEach((name, at) => {
    const middle = at * CELL + CELL / 2;
    map.append(svg("text", { x: left - 6, y: top + middle + 4, "text-anchor": "end" }, name, svg("title", {}, names[at])));
    map.append(svg("text", { transform: `translate(${left + middle + 4} ${top - 6}) rotate(-90)` }, name, svg("title", {}, names[at])));
  });
  const found = new Map(confusion.cells.map(([expected, made, number]) => [`${expected} ${made}`, number]));
  for (let expected = 0; expected < tools.length; expected += 1) {
    for (let made = 0; made < tools.length; made += 1) {
      if (tools[expected] === "" && tools[made] === "") continue;
      const number = found.get(`${expected} ${made}`) || 0;
      const x = left + made * CELL;
      const y = top + expected * CELL;
      const cell = svg("rect", { class: "empty", x: x + 1, y: y + 1, width: CELL - 2, height: CELL - 2, rx: 3 });
      map.append(cell);
      if (!number) continue;
      const strength = 0.2 + 0.8 * Math.sqrt(number / most);
      map.append(svg("rect", { class: expected === made ? "right" : "wrong", x: x + 1, y: y + 1, width: CELL - 2, height: CELL - 2, rx: 3, "fill-opacity": strength.toFixed(2) },
        svg("title", {}, `expected ${names[expected]}, made ${names[made]}: ${count(number)}`)));
      map.append(svg("text", { class: strength > 0.75 ? "cell-text on-fill" : "cell-text", x: x + CELL / 2, y: y + CELL / 2 + 4, "aria-hidden": "true" }, short(number)));
    }
  }
  return map;
};

const short = (number) => (number < 1000 ? String(number) : number < 9950 ? `${(number / 1000).toFixed(1).replace(/\.0$/, "")}k` : number < 1e6 ? `${Math.round(number / 1000)}k` : `${Math.round(number / 1e6)}M`);
