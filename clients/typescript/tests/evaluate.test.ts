import { afterEach, describe, expect, inject, test, vi } from "vitest";
import { createClient, evaluate, RightcallError, type Result } from "../src/index.js";

const baseUrl = inject("url");
const output = '[{"name": "get_weather", "arguments": {"city": "Paris"}}]';
const expected = '[{"name": "get_weather", "arguments": {"city": "Paris", "units": "celsius"}}]';
const REASON =
  "0 exact matches, 1 name-only match; 1 actual vs 1 expected call. get_weather: units is missing (expected 'celsius').";

async function refusal(work: Promise<unknown>): Promise<RightcallError> {
  const error = await work.then(() => undefined, (thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RightcallError);
  return error as RightcallError;
}

describe("one evaluator", () => {
  test("the published example gives its score and its reason, at the address of the environment", async () => {
    vi.stubEnv("RIGHTCALL_URL", baseUrl);
    const r = await evaluate("tool_call_accuracy", { output, expected }, { modelName: "turing_flash" });
    expect(r.score).toBe(0.5);
    expect(r.reason).toBe(REASON);
    expect(r).toMatchObject({ evaluator: "tool_call_accuracy", passed: false, label: "partial", status: "scored" });
    const [difference] = r.details.differences ?? [];
    expect(difference).toMatchObject({ kind: "missing_key", path: "/units", tool: "get_weather" });
  });

  test.each([
    ["lists", JSON.parse(output), JSON.parse(expected)],
    ["one call a side", JSON.parse(output)[0], JSON.parse(expected)[0]],
  ])("%s score as their text does", async (_, made, wanted) => {
    const r = await evaluate("tool_call_accuracy", { output: made, expected: wanted }, { baseUrl });
    expect([r.score, r.reason]).toEqual([0.5, REASON]);
  });

  test("calls under their other names, with the agent's text beside them", async () => {
    const calls = [{ name: "book_flight", args: { flight_id: "UA-873", passenger: "Priya" } }];
    const given = { output: "Booked.", tool_calls: calls, expected_tool_calls: calls, input: "book it" };
    const r = await evaluate("tool_call_args", given, { baseUrl });
    expect(r).toMatchObject({ score: 1, label: "match", passed: true, reason: "1/1 matched." });
  });

  test("options, thresholds and tools go along", async () => {
    const tools = [{ name: "get_weather", description: "", parameters: { type: "object", properties: {} } }];
    const options = { baseUrl, config: { args: "allow_missing" }, threshold: 0.25 };
    const r = await evaluate("tool_call_accuracy", { output, expected, tools }, options);
    expect(r).toMatchObject({ score: 1, threshold: 0.25 });
    const byId = { baseUrl, threshold: { tool_call_accuracy: 0.4 } };
    expect(await evaluate("tool_call_accuracy", { output, expected }, byId)).toMatchObject({ threshold: 0.4, passed: true });
  });

  test("nothing to compare with is no score, and no error", async () => {
    const r = await evaluate("tool_call_accuracy", { output }, { baseUrl });
    expect(r).toMatchObject({ score: null, passed: null, status: "not_evaluated", label: "not_evaluated" });
  });

  test("another tool's rule stands for ours", async () => {
    const r: Result = await evaluate("tool_call_args", { output, expected }, { baseUrl, preset: "uipath" });
    expect(r.evaluator).toMatch(/^uipath\./);
  });
});

describe("several evaluators", () => {
  test("a list gives results by id, in its order", async () => {
    const found = await evaluate(["tool_call_count", "tool_call_accuracy"], { output, expected }, { baseUrl });
    expect(Object.keys(found)).toEqual(["tool_call_count", "tool_call_accuracy"]);
    expect(found["tool_call_accuracy"]?.score).toBe(0.5);
  });

  test("a suite gives its own, and what is named beside it", async () => {
    const found = await evaluate({ suite: "agent" }, { output, expected }, { baseUrl });
    const suites = await createClient({ baseUrl }).suites();
    expect(Object.keys(found)).toEqual(suites.find(({ id }) => id === "agent")?.evaluators);
    expect(found["tool_call_order"]?.score).toBe(1);
    const more = await evaluate({ suite: "agent", evaluators: ["tool_call_f1"] }, { output, expected }, { baseUrl });
    expect(Object.keys(more)).toContain("tool_call_f1");
  });

  test("a preset gives all of its rules", async () => {
    const found = await evaluate({ preset: "uipath" }, { output, expected }, { baseUrl });
    expect(Object.keys(found).length).toBeGreaterThan(1);
    for (const id of Object.keys(found)) expect(id).toMatch(/^uipath\./);
  });

  test("none at all is refused before anything is sent", async () => {
    const fetch = vi.fn();
    expect((await refusal(evaluate([], { output, expected }, { baseUrl, fetch }))).field).toBe("evaluators");
    expect(fetch).not.toHaveBeenCalled();
  });
});

describe("what is refused", () => {
  test("an unknown evaluator, with the nearest name", async () => {
    const error = await refusal(evaluate("tool_call_acuracy", { output, expected }, { baseUrl }));
    expect(error).toMatchObject({
      name: "RightcallError",
      status: 422,
      type: "urn:rightcall:problem:unknown-name",
      field: "evaluators",
      hint: "did you mean 'tool_call_accuracy'?",
    });
    expect(error.message).toBe("evaluators: unknown evaluator 'tool_call_acuracy' (did you mean 'tool_call_accuracy'?)");
    expect(error.requestId).toMatch(/^[0-9a-f]{16}$/);
  });

  test("calls that can't be read, with their path", async () => {
    const error = await refusal(evaluate("tool_call_args", { output: [{ arguments: {} }], expected }, { baseUrl }));
    expect(error.status).toBe(422);
    expect(error.field).toContain("[0]");
  });

  test("a field that no case has", async () => {
    const given = { output, toolCalls: [] } as object;
    const error = await refusal(evaluate("tool_call_args", given, { baseUrl }));
    expect(error.message).toContain("tool_calls");
  });

  test("what JSON has no form for, which would else be sent as null", async () => {
    const call = { name: "pay", arguments: { amounts: [1, Number.NaN] } };
    const error = await refusal(evaluate("tool_call_args", { output: [call], expected: [call] }, { baseUrl }));
    expect(error).toMatchObject({ status: 0, type: "urn:rightcall:problem:usage", field: "output[0].arguments.amounts[1]" });
    const ring: Record<string, unknown> = {};
    ring["self"] = ring;
    expect((await refusal(evaluate("tool_call_args", { output: ring }, { baseUrl }))).field).toBe("output.self");
  });
});

describe("numbers that JavaScript can't hold", () => {
  const text = (last: number): string => `[{"name": "pay", "arguments": {"cents": 1234567890123456789${last}}}]`;

  test("stay exact in a text", async () => {
    const same = await evaluate("tool_call_args", { output: text(1), expected: text(1) }, { baseUrl });
    const other = await evaluate("tool_call_args", { output: text(1), expected: text(2) }, { baseUrl });
    expect([same.score, other.score]).toEqual([1, 0]);
  });

  test("stay exact as a BigInt, or are refused", async () => {
    const call = (cents: bigint) => [{ name: "pay", arguments: { cents } }];
    const work = evaluate("tool_call_args", { output: call(12345678901234567891n), expected: text(1) }, { baseUrl });
    if ("rawJSON" in JSON) expect((await work).score).toBe(1);
    else expect((await refusal(work)).field).toBe("output[0].arguments.cents");
  });
});

describe("where the server is", () => {
  afterEach(() => vi.unstubAllGlobals());

  test("without a process, as in a browser, nothing is read from an environment", async () => {
    vi.stubEnv("RIGHTCALL_URL", "http://127.0.0.1:1");
    vi.stubGlobal("process", undefined);
    let asked = "";
    const fetch = async (address: unknown): Promise<Response> => {
      asked = String(address);
      return new Response('{"status": "ok", "version": "1"}');
    };
    await createClient({ fetch }).health();
    expect(asked).toBe("http://127.0.0.1:8077/healthz");
  });

  test.each([
    ["no address", "nowhere"],
    ["another scheme", "file:///etc"],
    ["a password", "http://me:secret@127.0.0.1"],
  ])("%s is refused and not repeated", (_, address) => {
    let error: unknown;
    try {
      createClient({ baseUrl: address });
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ field: "baseUrl", status: 0 });
    expect(String(error)).not.toContain("secret");
  });

  test("a path under which a proxy serves it is kept", async () => {
    let asked = "";
    const fetch = async (address: unknown): Promise<Response> => {
      asked = String(address);
      return new Response("{}");
    };
    await createClient({ baseUrl: "https://example.org/rightcall/", fetch }).health();
    expect(asked).toBe("https://example.org/rightcall/healthz");
  });
});
