// Every function against a real server; the last test holds them against the API's document.

import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createClient, RightcallError, type Run } from "../src/index.js";
import { operations, page, startServer, type RealServer } from "./server.js";

const called = new Set<string>();
const spied: typeof fetch = (address, request) => {
  called.add(`${request?.method} ${new URL(String(address)).pathname}`);
  return fetch(address, request);
};
const client = createClient({ baseUrl: inject("url"), fetch: spied });

function cases(count: number): object[] {
  return Array.from({ length: count }, (_, n) => ({
    id: `case/${n}`,
    tool_calls: [{ name: n % 3 === 0 ? "other" : "find", args: { n } }],
    expected_tool_calls: [{ name: "find", args: { n: n % 3 === 1 ? n + 1 : n } }],
  }));
}

const lines = (count: number): string => cases(count).map((row) => `${JSON.stringify(row)}\n`).join("");

async function made(count: number, more: object = {}): Promise<Run> {
  const run = await client.runs.create({ suite: "agent", cases: cases(count), ...more });
  return client.runs.wait(run.id);
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe("the catalogue", () => {
  test("evaluators, suites, formats", async () => {
    const evaluators = await client.evaluators.list();
    expect(evaluators.map(({ id }) => id)).toContain("tool_call_accuracy");
    expect((await client.evaluators.get("tool_call_accuracy")).options.length).toBeGreaterThan(0);
    const agent = (await client.suites()).find(({ id }) => id === "agent");
    expect(agent?.evaluators[0]).toBe("tool_call_accuracy");
    expect((await client.formats()).length).toBeGreaterThan(10);
    await expect(client.evaluators.get("tool_call_acuracy")).rejects.toMatchObject({ status: 404 });
  });

  test("the server's health and counts", async () => {
    expect((await client.health()).status).toBe("ok");
    expect((await client.ready()).version).toBe((await client.health()).version);
    expect(await client.metrics()).toContain("rightcall_requests_total");
  });
});

describe("on request", () => {
  test("evaluate", async () => {
    const calls = [{ name: "f", args: {} }];
    expect(await client.evaluate("tool_call_args", { output: calls, expected: calls })).toMatchObject({ score: 1 });
  });

  test("a batch, where one case can't be read", async () => {
    const found = await client.batch("tool_call_args", [...cases(3), { id: "bad", tool_calls: 7 }]);
    expect(found.cases.map(({ id, passed }) => [id, passed])).toEqual([
      ["case/0", false], ["case/1", false], ["case/2", true], ["bad", false],
    ]);
    expect(found.cases[3]?.results[0]).toMatchObject({ status: "error" });
    expect(found.summary).toMatchObject({ cases: 4, passed: 1, errors: 1 });
    expect((await client.batch({ suite: "agent" }, cases(1), { summarize: false })).summary ?? null).toBeNull();
  });

  test("reading a recording", async () => {
    const call = { id: "1", type: "function", function: { name: "f", arguments: '{"a": 1}' } };
    const message = { role: "assistant", tool_calls: [call] };
    const [trace] = await client.read([message]);
    expect(trace?.calls).toMatchObject([{ name: "f", arguments: { a: 1 } }]);
    expect((await client.read(JSON.stringify([message]), { format: trace?.format ?? "auto" }))[0]?.calls).toHaveLength(1);
    await expect(client.read([], { format: "opnai" })).rejects.toMatchObject({ status: 422, field: "format" });
  });
});

describe("data sets", () => {
  test("are made, uploaded, listed, followed and removed", async () => {
    const set = await client.datasets.create({ name: "shop", description: "what it should do" });
    await expect(client.datasets.create({ name: "shop" })).rejects.toMatchObject({ status: 409 });
    expect(await client.datasets.upload(set.id, lines(3), "rows.jsonl")).toMatchObject({ number: 1, cases: 3 });
    const bytes = new TextEncoder().encode(lines(4));
    expect(await client.datasets.upload(set.id, bytes, "rows.jsonl")).toMatchObject({ number: 2, cases: 4 });
    expect(await client.datasets.upload(set.id, new Blob([lines(5)]), "rows.jsonl")).toMatchObject({ cases: 5 });
    const packed = new Blob([lines(6)]).stream().pipeThrough(new CompressionStream("gzip"));
    expect(await client.datasets.upload(set.id, packed, "rows.jsonl.gz")).toMatchObject({ number: 4, cases: 6 });
    expect((await client.datasets.get(set.id)).version?.number).toBe(4);
    expect((await client.datasets.history(set.id)).map(({ cases }) => cases).sort()).toEqual([3, 4, 5, 6]);
    const more = await client.datasets.create({ name: "shop 2" });
    const page = await client.datasets.list({ limit: 1 });
    expect(page.datasets).toMatchObject([{ name: "shop 2" }]);
    expect((await all(client.datasets.all({ limit: 1 }))).map(({ name }) => name)).toEqual(["shop 2", "shop"]);
    await client.datasets.delete(set.id);
    await client.datasets.delete(more.id);
    await expect(client.datasets.get(set.id)).rejects.toMatchObject({ status: 404 });
  });
});

describe("runs", () => {
  let run: Run;
  beforeAll(async () => {
    run = await made(30, { name: "first", gates: { fail_under: 0.9 } });
  });

  test("end with their summary and their gates", () => {
    expect(run).toMatchObject({ state: "complete", cases: 30, name: "first" });
    expect(run.summary?.evaluators["tool_call_args"]?.mean).toBeCloseTo(1 / 3, 6);
    const means = run.summary?.gates?.filter(({ gate }) => gate === "fail_under") ?? [];
    expect(means).toContainEqual(expect.objectContaining({ met: false, asked: 0.9 }));
  });

  test("of rows that are sent along, and of a stored data set", async () => {
    const sent = await client.runs.create({ evaluators: ["tool_call_args"] }, { rows: lines(7) });
    expect((await client.runs.wait(sent.id)).cases).toBe(7);
    const again = await client.runs.create({ evaluators: ["tool_call_args"], dataset: sent.dataset });
    expect((await client.runs.wait(again.id)).cases).toBe(7);
  });

  test("tell how far they are", async () => {
    const started = await client.runs.create({ suite: "agent", cases: cases(400) });
    const heard = await all(client.runs.events(started.id));
    expect(heard.at(-1)).toMatchObject({ type: "end", run: { id: started.id, state: "complete", cases: 400 } });
    expect(heard.slice(0, -1).every(({ type }) => type === "progress")).toBe(true);
    await expect(all(client.runs.events("run_none"))).rejects.toMatchObject({ status: 404 });
  });

  test("give their results a page at a time, as one row of them", async () => {
    const page = await client.runs.resultsPage(run.id, { limit: 50 });
    expect(page.results).toHaveLength(50);
    const next = await client.runs.resultsPage(run.id, { limit: 50, cursor: page.cursor ?? undefined });
    expect(next.results[0]?.id).not.toBe(page.results[0]?.id);
    const every = await all(client.runs.results(run.id, { limit: 7 }));
    const agent = (await client.suites()).find(({ id }) => id === "agent")?.evaluators ?? [];
    expect(every).toHaveLength(30 * agent.length);
    expect(new Set(every.map(({ id, evaluator }) => `${id} ${evaluator}`)).size).toBe(every.length);
    const filter = { label: "mismatch", evaluator: "tool_call_args", tool: "find", kind: "value", limit: 3 } as const;
    const wrong = await all(client.runs.results(run.id, filter));
    expect(wrong).toHaveLength(10);
    expect(wrong[0]?.details.differences?.[0]).toMatchObject({ tool: "find", kind: "value", path: "/n" });
  });

  test("show a case, also one whose id has a slash", async () => {
    const { trials } = await client.runs.case(run.id, "case/1", { evaluator: "tool_call_args" });
    expect(trials).toMatchObject([{ id: "case/1", passed: false, evaluator: "tool_call_args" }]);
    expect((await client.runs.case(run.id, "case/2")).trials[0]?.passed).toBe(true);
    await expect(client.runs.case(run.id, "case/none")).rejects.toMatchObject({ status: 404 });
  });

  test("say what was lost, and what an option would gain", async () => {
    const [worst] = await client.runs.causes(run.id);
    expect(worst?.lost).toBeGreaterThan(0);
    const [gain, other] = await client.runs.whatIf(run.id, ['ignore=["/n"]', 'args="allow_missing"']);
    expect(gain?.passed_with).toBeGreaterThan(gain?.passed ?? Number.NaN);
    expect(other?.option).toContain("allow_missing");
    expect(Array.isArray(await client.runs.whatIf(run.id))).toBe(true);
  });

  test.each([
    ["html", "<!doctype html"],
    ["md", "tool_call_args"],
    ["json", "{"],
    ["xml", "<?xml"],
  ] as const)("are reported as %s", async (ending, begin) => {
    expect((await client.runs.report(run.id, ending)).toLowerCase()).toContain(begin);
  });

  test("are compared, listed and removed", async () => {
    const second = await made(30, { config: { ignore: ["/n"] }, name: "second" });
    const found = await client.compare(run.id, second.id, { most: 5 });
    expect(found.verdict).toBe("improved");
    expect(found.changes).toHaveLength(5);
    const names = (await all(client.runs.all({ limit: 2 }))).map(({ name }) => name);
    expect(names[0]).toBe("second");
    expect(names).toContain("first");
    expect((await client.runs.list({ limit: 1, state: "complete" })).before).not.toBeNull();
    await client.runs.delete(second.id);
    await expect(client.runs.get(second.id)).rejects.toMatchObject({ status: 404 });
  });

  test("are ended and gone on with", async () => {
    const rows = lines(20_000);
    const started = await client.runs.create({ suite: "agent" }, { rows });
    expect((await client.runs.cancel(started.id)).id).toBe(started.id);
    const ended = await client.runs.wait(started.id);
    expect(ended.state).toBe("cancelled");
    await client.runs.resume(started.id);
    expect(await client.runs.wait(started.id)).toMatchObject({ state: "complete", cases: 20_000 });
    await expect(client.runs.resume(started.id)).rejects.toMatchObject({ status: 409 });
  });
});

describe("traces", () => {
  test("are sent, scored against what is stored, and made golden", async () => {
    const golden = await client.datasets.create({ name: "golden" });
    const row = { id: "refund-1", tool_calls: [], expected_tool_calls: [{ name: "find", arguments: { n: 1 } }] };
    await client.datasets.upload(golden.id, JSON.stringify(row), "golden.jsonl");
    const traceId = "0123456789abcdef0123456789abcdef";
    const attributes = Object.entries({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "find",
      "gen_ai.tool.call.id": "call-1",
      "gen_ai.tool.call.arguments": '{"n": 1}',
      "rightcall.case_id": "refund-1",
    }).map(([key, stringValue]) => ({ key, value: { stringValue } }));
    const times = { startTimeUnixNano: "1", endTimeUnixNano: "2" };
    const spans = [
      { traceId, spanId: "00000000000000a1", name: "invoke_agent", attributes: [], ...times },
      { traceId, spanId: "00000000000000a2", parentSpanId: "00000000000000a1", name: "execute_tool find", attributes, ...times },
    ];
    expect(await client.traces.export({ resourceSpans: [{ scopeSpans: [{ spans }] }] })).toEqual({});
    let found = await client.traces.get(traceId);
    for (let tried = 0; tried < 200 && found.state === "open"; tried += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      found = await client.traces.get(traceId);
    }
    expect(found).toMatchObject({ state: "scored", passed: true, case_id: "refund-1" });
    expect(found.outcome?.calls).toMatchObject([{ name: "find", arguments: { n: 1 } }]);
    expect(found.outcome?.results[0]?.score).toBe(1);
    expect((await client.traces.list({ state: "scored", case_id: "refund-1" })).traces).toHaveLength(1);
    expect((await all(client.traces.all({ limit: 1 }))).map(({ id }) => id)).toEqual([traceId]);
    expect(await client.traces.golden(traceId)).toMatchObject({ id: "refund-1" });
    await client.traces.delete(traceId);
    await expect(client.traces.get(traceId)).rejects.toMatchObject({ status: 404 });
    const bad = await client.traces.export({ resourceSpans: [{ scopeSpans: [{ spans: [{ name: "no id" }] }] }] });
    expect(bad.partialSuccess?.rejectedSpans).toBe("1");
  });
});

describe("labels and calibrations", () => {
  test("are kept, listed, and fitted on", async () => {
    await expect(client.calibrations.create()).rejects.toMatchObject({ status: 409, field: "labels" });
    const call = (day: string) => ({ name: "book", arguments: { day } });
    const kept: string[] = [];
    for (let n = 1; n <= 12; n += 1) {
      const actual = call(`Nov ${n} 2025`);
      const expected = call(`2025-11-0${((n - 1) % 9) + 1}`);
      kept.unshift((await client.labels.create({ actual, expected, equivalent: n <= 9 })).id);
    }
    expect((await client.labels.list({ limit: 1 })).labels.map(({ id }) => id)).toEqual([kept[0]]);
    expect((await all(client.labels.all({ limit: 5 }))).map(({ id }) => id)).toEqual(kept);
    const made = await client.calibrations.create({ precision: 0.9 });
    expect(made).toMatchObject({ model: "local", report: { labels: 12 } });
    expect(await client.calibrations.get(made.id)).toEqual(made);
    expect(await client.calibrations.list({ limit: 1 })).toEqual([made]);
    await expect(client.calibrations.get("cal_none")).rejects.toMatchObject({ status: 404 });
  });
});

describe("keys", () => {
  let closed: RealServer;
  beforeAll(async () => {
    closed = await startServer(["--require-key", "--rate-per-minute", "30"]);
  });
  afterAll(() => closed?.stop());

  test("are made, used, and ended", async () => {
    const admin = createClient({ baseUrl: closed.url, apiKey: closed.key("root", "admin"), fetch: spied });
    await expect(createClient({ baseUrl: closed.url }).suites()).rejects.toMatchObject({ status: 401, field: "Authorization" });
    const made = await admin.keys.create({ name: "ci", scopes: ["evaluate"] });
    const ci = createClient({ baseUrl: closed.url, apiKey: made.secret });
    expect((await ci.suites()).length).toBeGreaterThan(0);
    const lacking = await ci.runs.list().catch((error: unknown) => error);
    expect(lacking).toBeInstanceOf(RightcallError);
    expect(lacking).toMatchObject({ status: 403, detail: "the key 'ci' lacks the scope 'read'" });
    expect((await admin.keys.list()).map(({ name }) => name).sort()).toEqual(["ci", "root"]);
    expect((await admin.keys.revoke(made.key.id)).revoked).not.toBeNull();
    expect(closed.log()).not.toContain(made.secret);
  });

  test("that ask too often are told when to come again, and the client comes then or not at all", async () => {
    const many = createClient({ baseUrl: closed.url, apiKey: closed.key("many", "evaluate"), longestWait: 0 });
    const asked = await Promise.allSettled(Array.from({ length: 40 }, () => many.suites()));
    const refused = asked.filter((one) => one.status === "rejected").map((one) => one.reason as RightcallError);
    expect(refused.length).toBeGreaterThan(0);
    for (const error of refused) expect(error).toMatchObject({ status: 429 });
    expect(refused[0]?.retryAfter).toBeGreaterThan(0);
  });
});

test("every operation of the document has its function", () => {
  const missing = [...operations().keys()].filter((operation) => {
    const [method = "", path = ""] = operation.split(" ");
    const pattern = new RegExp(`^${method} ${path.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "[^/]+")}$`);
    return ![...called].some((one) => pattern.test(one));
  });
  expect(missing).toEqual([]);
});

test("the page on the client lists every function with its request", () => {
  const table = [...page().matchAll(/^\| (`.*`) \| `(.*)` \| (\w*) ?\|$/gm)];
  const named = table.flatMap(([, functions = ""]) => [...functions.matchAll(/`([\w.]+)\(/g)].map(([, name]) => name));
  expect(named.sort()).toEqual(functionsOf(client).sort());
  expect(new Map(table.map(([, , request, scope]) => [request, scope]))).toEqual(operations());
});

/** Every function of a client, as `part.name`. */
function functionsOf(found: object): string[] {
  const own = Object.getOwnPropertyNames(Object.getPrototypeOf(found)).filter((name) => name !== "constructor");
  const parts = Object.entries(found).flatMap(([part, inner]) => Object.keys(inner as object).map((name) => `${part}.${name}`));
  return [...own, ...parts];
}
