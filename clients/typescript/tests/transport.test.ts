// What happens on the way: tries, waits, ends, and what is never told.

import { inspect } from "node:util";
import { afterEach, describe, expect, test, vi } from "vitest";
import { eventsIn } from "../src/events.js";
import { createClient, RightcallError } from "../src/index.js";
import { loopback, type Loopback } from "./server.js";

const KEY = "rc_0123456789_very-secret";
const open: Loopback[] = [];

async function answers(...given: Parameters<typeof loopback>): Promise<Loopback> {
  const server = await loopback(...given);
  open.push(server);
  return server;
}

afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(open.splice(0).map((server) => server.stop()));
});

async function failure(work: Promise<unknown>): Promise<RightcallError> {
  const error = await work.then(() => undefined, (thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RightcallError);
  return error as RightcallError;
}

const problem = (status: number, more: object = {}): string =>
  JSON.stringify({ type: "urn:rightcall:problem:x", title: "X", status, detail: "not now", request_id: "r1", ...more });
const HEALTH = '{"status": "ok", "version": "1"}';

describe("tries", () => {
  test.each([429, 503])("a %i is tried again after the time that it names", async (status) => {
    const server = await answers((response, number) => {
      if (number > 0) response.end(HEALTH);
      else response.writeHead(status, { "Retry-After": "1" }).end(problem(status));
    });
    const start = performance.now();
    expect(await createClient({ baseUrl: server.url }).health()).toEqual(JSON.parse(HEALTH));
    expect(performance.now() - start).toBeGreaterThan(950);
    expect(server.seen).toHaveLength(2);
  });

  test("the same body goes out again", async () => {
    const server = await answers((response, number) => {
      if (number > 1) response.end('{"traces": []}');
      else response.writeHead(503, { "Retry-After": "0" }).end();
    });
    await createClient({ baseUrl: server.url }).read([{ name: "f" }]);
    expect(new Set(server.seen.map((request) => request.body))).toEqual(new Set(['{"source":[{"name":"f"}]}']));
    expect(server.seen).toHaveLength(3);
  });

  test("a date is a time too", async () => {
    const server = await answers((response, number) => {
      if (number > 0) response.end(HEALTH);
      else response.writeHead(503, { "Retry-After": new Date(Date.now() + 1500).toUTCString() }).end();
    });
    const start = performance.now();
    await createClient({ baseUrl: server.url }).health();
    expect(performance.now() - start).toBeGreaterThan(450); // dates have whole seconds
    expect(server.seen).toHaveLength(2);
  });

  test("there are no more than were asked for", async () => {
    const server = await answers((response) => response.writeHead(429, { "Retry-After": "0" }).end(problem(429)));
    const error = await failure(createClient({ baseUrl: server.url, retries: 2 }).health());
    expect(error).toMatchObject({ status: 429, detail: "not now", requestId: "r1", retryAfter: 0 });
    expect(server.seen).toHaveLength(3);
    await failure(createClient({ baseUrl: server.url }).health({ retries: 0 }));
    expect(server.seen).toHaveLength(4);
  });

  test("a server that wants to be left alone for longer than one waits is", async () => {
    const server = await answers((response) => response.writeHead(503, { "Retry-After": "3600" }).end(problem(503)));
    expect(await failure(createClient({ baseUrl: server.url }).health())).toMatchObject({ status: 503, retryAfter: 3600 });
    expect(server.seen).toHaveLength(1);
  });

  test("without a time the waits grow", async () => {
    vi.spyOn(Math, "random").mockReturnValue(1);
    const server = await answers((response) => response.writeHead(503).end());
    const start = performance.now();
    await failure(createClient({ baseUrl: server.url, retries: 2 }).health());
    expect(performance.now() - start).toBeGreaterThan(500 + 1000 - 50);
    expect(server.seen).toHaveLength(3);
  });

  test.each([400, 401, 403, 404, 409, 413, 422, 500, 501, 502])("a %i is not tried again", async (status) => {
    const server = await answers((response) => response.writeHead(status).end(problem(status, { field: "f", hint: "h" })));
    const error = await failure(createClient({ baseUrl: server.url }).health());
    expect(error).toMatchObject({ status, field: "f", hint: "h", title: "X", message: "f: not now (h)" });
    expect(server.seen).toHaveLength(1);
  });

  test("a stream is sent once, since it can't be read twice", async () => {
    const server = await answers((response) => response.writeHead(503, { "Retry-After": "0" }).end());
    const rows = new Blob(['{"id": "a"}\n']).stream();
    expect((await failure(createClient({ baseUrl: server.url }).datasets.upload("d", rows, "a.jsonl"))).status).toBe(503);
    expect(server.seen.map((request) => request.body)).toEqual(['{"id": "a"}\n']);
  });
});

describe("what is no problem document", () => {
  test("a proxy's page is told by its status", async () => {
    const server = await answers((response) => {
      response.writeHead(502, { "Content-Type": "text/html", "X-Request-Id": "p7" }).end("<h1>Bad gateway</h1>");
    });
    const error = await failure(createClient({ baseUrl: server.url }).health());
    expect(error).toMatchObject({ status: 502, type: "urn:rightcall:problem:http-502", requestId: "p7" });
  });

  test.each(["null", "[]", '"text"', "{}", "{"])("nor is %s", async (body) => {
    const server = await answers((response) => response.writeHead(500).end(body));
    expect((await failure(createClient({ baseUrl: server.url }).health())).status).toBe(500);
  });

  test("a good answer of another server is not understood", async () => {
    const server = await answers((response) => response.end("<h1>Welcome</h1>"));
    expect((await failure(createClient({ baseUrl: server.url }).health())).type).toMatch(/:not-understood$/);
  });
});

describe("ends", () => {
  test("nobody there is told with the address", async () => {
    const server = await answers((response) => response.end());
    await server.stop();
    const error = await failure(createClient({ baseUrl: server.url }).health());
    expect(error.type).toMatch(/:unreachable$/);
    expect(error.message).toContain(server.url);
    expect(error.message).toContain("rightcall serve");
  });

  test("an answer that does not come", async () => {
    const server = await answers(() => {});
    const error = await failure(createClient({ baseUrl: server.url, timeout: 100 }).health());
    expect(error).toMatchObject({ status: 0, detail: "no answer within 100 ms" });
    expect(error.type).toMatch(/:timeout$/);
  });

  test("an answer that does not end", async () => {
    const server = await answers((response) => response.writeHead(200).write("{"));
    expect((await failure(createClient({ baseUrl: server.url, timeout: 200 }).health())).type).toMatch(/:timeout$/);
  });

  test("an answer that breaks off", async () => {
    const server = await answers((response) => {
      response.writeHead(200, { "Content-Length": "100" });
      response.write("{");
      setTimeout(() => response.destroy(), 20);
    });
    expect((await failure(createClient({ baseUrl: server.url }).health())).type).toMatch(/:unreachable$/);
  });

  test("the caller's reason is what is thrown: before, during the answer, and while it waits", async () => {
    const reason = new Error("enough");
    const never = await answers(() => {});
    const busy = await answers((response) => response.writeHead(503, { "Retry-After": "30" }).end());
    await expect(createClient({ baseUrl: never.url }).health({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(never.seen).toHaveLength(0);
    for (const server of [never, busy]) {
      const ending = new AbortController();
      setTimeout(() => ending.abort(reason), 100);
      await expect(createClient({ baseUrl: server.url }).health({ signal: ending.signal })).rejects.toBe(reason);
    }
    const ending = new AbortController();
    setTimeout(() => ending.abort(), 50);
    const work = createClient({ baseUrl: never.url, signal: ending.signal }).health();
    await expect(work).rejects.toMatchObject({ name: "AbortError" });
  });
});

describe("a key", () => {
  test("is sent as a bearer", async () => {
    const server = await answers((response) => response.end(HEALTH));
    await createClient({ baseUrl: server.url, apiKey: KEY }).health();
    vi.stubEnv("RIGHTCALL_API_KEY", KEY);
    await createClient({ baseUrl: server.url }).health();
    vi.stubEnv("RIGHTCALL_API_KEY", "");
    await createClient({ baseUrl: server.url }).health();
    expect(server.seen.map((request) => request.headers.authorization)).toEqual([`Bearer ${KEY}`, `Bearer ${KEY}`, undefined]);
  });

  test("is in nothing that can be printed, and nothing is printed", async () => {
    const printed = vi.spyOn(console, "log");
    const server = await answers((response) => response.writeHead(401).end(problem(401)));
    const client = createClient({ baseUrl: server.url, apiKey: KEY });
    const error = await failure(client.health());
    await server.stop();
    const unreachable = await failure(client.health());
    const deep = { depth: 20, showHidden: true };
    for (const shown of [client, error, unreachable, error.stack]) {
      expect(inspect(shown, deep)).not.toContain(KEY);
      expect(JSON.stringify(shown)).not.toContain(KEY);
    }
    expect(printed).not.toHaveBeenCalled();
  });

  test("that no header can hold is refused without being repeated", () => {
    for (const bad of ["se cret", "sécret", "secret\n"]) {
      let error: unknown;
      try {
        createClient({ apiKey: bad });
      } catch (thrown) {
        error = thrown;
      }
      expect(error).toMatchObject({ field: "apiKey" });
      expect(String(error)).not.toContain(bad);
    }
  });
});

describe("addresses", () => {
  test("ids are one segment, whatever they hold", async () => {
    const server = await answers((response) => response.end('{"trials": []}'));
    await createClient({ baseUrl: server.url }).runs.case("r?", "a/b #1 ü");
    expect(server.seen[0]?.url).toBe("/api/v1/runs/r%3F/cases/a%2Fb%20%231%20%C3%BC");
  });

  test.each(["", ".", "..", "\ud800"])("%j can't be one", async (id) => {
    const fetch = vi.fn();
    expect((await failure(createClient({ fetch }).runs.get(id))).field).toBe("id");
    expect(fetch).not.toHaveBeenCalled();
  });
});

describe("events", () => {
  const run = (cases: number): string => JSON.stringify({ id: "r", cases });
  const event = (kind: string, cases: number): string => `event: ${kind}\ndata: ${run(cases)}\n\n`;

  async function heard(server: Loopback, options: object = {}): Promise<string[]> {
    const found: string[] = [];
    for await (const { type, run } of createClient({ baseUrl: server.url }).runs.events("r", options)) {
      found.push(`${type} ${run.id} ${run.cases}`);
    }
    return found;
  }

  test("come out of pieces of any size, of all ends of lines, between comments and other events", async () => {
    const other = ": hello\r\n\r\nevent: other\rdata: {}\r\r";
    const progress = 'event:progress\r\ndata:{"id": "ü",\r\ndata: "cases": 1}\r\n\r\n';
    const said = other + progress + event("end", 2);
    for (const size of [1, 2, 3, 1000]) {
      const server = await answers((response) => {
        response.writeHead(200, { "Content-Type": "text/event-stream" });
        const bytes = Buffer.from(said);
        let at = 0;
        const more = (): void => {
          if (at >= bytes.length) return void response.end();
          response.write(bytes.subarray(at, (at += size)));
          setImmediate(more);
        };
        more();
      });
      expect(await heard(server)).toEqual(["progress ü 1", "end r 2"]);
    }
  });

  test("a stream that breaks off is taken up again, and nothing is told twice", async () => {
    const server = await answers((response, number) => {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.write(event("progress", 1));
      if (number === 0) response.end(`event: progress\ndata: ${run(9)}`);
      else if (number === 1) setTimeout(() => response.destroy(), 20);
      else response.end(event("end", 3));
    });
    expect(await heard(server)).toEqual(["progress r 1", "end r 3"]);
    expect(server.seen).toHaveLength(3);
  });

  test("breaks are counted anew after each event", async () => {
    const server = await answers((response, number) => {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.end(event(number < 3 ? "progress" : "end", number));
    });
    expect(await heard(server, { retries: 1 })).toEqual(["progress r 0", "progress r 1", "progress r 2", "end r 3"]);
  });

  test("lines of data are put together with ends of lines", async () => {
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode("data: a\ndata\ndata: b\n\ndata: unfinished\n");
    }
    const found = [];
    for await (const one of eventsIn(chunks())) found.push(one);
    expect(found).toEqual([{ event: "message", data: "a\n\nb" }]);
  });

  test("one that breaks off time after time is an error", async () => {
    const server = await answers((response) => response.writeHead(200).end(event("progress", 1)));
    expect((await failure(heard(server, { retries: 1 }))).message).toContain("broke off");
    expect(server.seen).toHaveLength(2);
  });

  test("silence is a break, and so many breaks are an error", async () => {
    const server = await answers((response) => response.writeHead(200).write(event("progress", 1)));
    expect((await failure(heard(server, { retries: 1, timeout: 200 }))).type).toMatch(/:timeout$/);
    expect(server.seen).toHaveLength(2);
  });

  test("what is refused is told at once", async () => {
    const server = await answers((response) => response.writeHead(404).end(problem(404)));
    expect((await failure(heard(server))).status).toBe(404);
    expect(server.seen).toHaveLength(1);
  });

  test("whoever has heard enough ends the stream", async () => {
    let ended = false;
    const server = await answers((response) => {
      response.on("close", () => (ended = true));
      response.writeHead(200).write(event("progress", 1));
    });
    for await (const _ of createClient({ baseUrl: server.url }).runs.events("r")) break;
    await vi.waitFor(() => expect(ended).toBe(true));
    const reason = new Error("enough");
    const ending = new AbortController();
    setTimeout(() => ending.abort(reason), 50);
    await expect(heard(server, { signal: ending.signal })).rejects.toBe(reason);
  });
});
