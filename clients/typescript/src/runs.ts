// Runs: ask for one, follow it, look at what came of it.

import { encode } from "./encode.js";
import { RightcallError } from "./errors.js";
import { eventsIn } from "./events.js";
import type * as api from "./generated/types.gen.js";
import { through } from "./pages.js";
import type { RequestOptions, Rows, Transport } from "./transport.js";
import type * as t from "./types.js";

type Query<D extends { query?: unknown }> = NonNullable<D["query"]>;

/** Which results: by label, evaluator, or a difference on a tool or of a kind. */
export type ResultFilter = Omit<Query<api.RunResultsData>, "cursor">;
export type ReportEnding = api.RunReportData["path"]["ending"];

export function runsOf(transport: Transport) {
  const list = (query: Query<api.ListRunsData> = {}, options?: RequestOptions): Promise<t.RunPage> =>
    transport.json<api.ListRunsData, t.RunPage>("GET", "/api/v1/runs", { query }, options);

  const get = (id: string, options?: RequestOptions): Promise<t.Run> =>
    transport.json<api.GetRunData, t.Run>("GET", "/api/v1/runs/{id}", { path: { id } }, options);

  const events = (id: string, options?: RequestOptions): AsyncGenerator<t.RunEvent, void, undefined> =>
    followed(transport, id, options);

  const resultsPage = (
    id: string,
    { cursor, ...filter }: ResultFilter & { cursor?: string | null | undefined } = {},
    options?: RequestOptions,
  ): Promise<t.ResultPage> => {
    const query = cursor === undefined || cursor === null ? filter : { ...filter, cursor };
    return transport.json<api.RunResultsData, t.ResultPage>(
      "GET", "/api/v1/runs/{id}/results", { path: { id }, query }, options,
    );
  };

  return {
    /** Make a run in the background: of a stored data set, of `cases`, or of rows (JSON Lines) that are sent along. */
    create: (body: t.RunRequest, options?: RequestOptions & { rows?: Rows | undefined }): Promise<t.RunRecord> =>
      options?.rows === undefined
        ? transport.json<api.CreateRunData, t.RunRecord>("POST", "/api/v1/runs", { body }, options)
        : transport.upload<api.CreateRunData, t.RunRecord>(
            "POST", "/api/v1/runs", { query: { run: encode(body) } },
            { rows: options.rows, media: "application/x-ndjson" }, options,
          ),

    /** The newest runs; `before` leads to the next page. */
    list,

    /** All runs, the newest first, a page at a time. */
    all: (query: Query<api.ListRunsData> = {}, options?: RequestOptions): AsyncGenerator<t.RunRecord> =>
      through(async (before?: string) => {
        const page = await list({ ...query, ...(before === undefined ? {} : { before }) }, options);
        return { items: page.runs, next: page.before };
      }),

    /** A run, and once it has ended its summary. */
    get,

    /** How far a run is, until it has ended. A stream that breaks off is taken up again. */
    events,

    /** The run once it has ended, however it did: see its `state`. */
    wait: async (id: string, options?: RequestOptions): Promise<t.Run> => {
      for await (const event of events(id, options)) if (event.type === "end") break;
      return get(id, options);
    },

    /** A page of results; its `cursor` leads to the next one. */
    resultsPage,

    /** All results in the order of the cases, those that the filter leaves; of a run that goes on, those so far. */
    results: (id: string, filter: ResultFilter = {}, options?: RequestOptions): AsyncGenerator<t.StoredResult> =>
      through(async (cursor?: string) => {
        const page = await resultsPage(id, { ...filter, cursor }, options);
        return { items: page.results, next: page.cursor };
      }),

    /** One case, call by call, as an evaluator saw it. */
    case: (id: string, name: string, options: RequestOptions & { evaluator?: string | undefined } = {}): Promise<t.CaseShown> =>
      transport.json<api.RunCaseData, t.CaseShown>(
        "GET", "/api/v1/runs/{id}/cases/{case}",
        { path: { id, case: name }, query: { evaluator: options.evaluator ?? null } }, options,
      ),

    /** What the points were lost to, the costliest first. */
    causes: (id: string, options?: RequestOptions): Promise<t.CauseSummary[]> =>
      transport.json<api.RunCausesData, t.CauseSummary[]>("GET", "/api/v1/runs/{id}/causes", { path: { id } }, options),

    /** What the run would come to with options more, each as NAME=JSON; those of the costliest causes unless given. */
    whatIf: (id: string, option?: readonly string[], options?: RequestOptions): Promise<t.WhatIf[]> =>
      transport.json<api.RunWhatIfData, t.WhatIf[]>(
        "GET", "/api/v1/runs/{id}/what-if", { path: { id }, query: { option: option ? [...option] : null } }, options,
      ),

    /** A report of a run that has ended: `html`, `md`, `json`, or `xml` (JUnit). */
    report: (id: string, ending: ReportEnding, options?: RequestOptions): Promise<string> =>
      transport.text<api.RunReportData>("GET", "/api/v1/runs/{id}/report.{ending}", { path: { id, ending } }, options),

    /** End a run; what is finished of it is kept. */
    cancel: (id: string, options?: RequestOptions): Promise<t.RunRecord> =>
      transport.json<api.CancelRunData, t.RunRecord>("POST", "/api/v1/runs/{id}/cancel", { path: { id } }, options),

    /** Go on with a run that was cancelled or failed. */
    resume: (id: string, options?: RequestOptions): Promise<t.RunRecord> =>
      transport.json<api.ResumeRunData, t.RunRecord>("POST", "/api/v1/runs/{id}/resume", { path: { id } }, options),

    /** Remove a run with its results. */
    delete: (id: string, options?: RequestOptions): Promise<void> =>
      transport.done<api.DeleteRunData>("DELETE", "/api/v1/runs/{id}", { path: { id } }, options),
  };
}

/** The server tells the present state on every new stream, so going on after a break loses nothing. */
async function* followed(
  transport: Transport,
  id: string,
  options: RequestOptions = {},
): AsyncGenerator<t.RunEvent, void, undefined> {
  const retries = transport.retries(options);
  let last = "";
  for (let broken = 0; ; broken += 1) {
    try {
      const chunks = await transport.open<api.RunEventsData>("/api/v1/runs/{id}/events", { path: { id } }, options);
      for await (const { event, data } of eventsIn(chunks)) {
        if (data === last || (event !== "progress" && event !== "end")) continue;
        last = data;
        broken = 0;
        yield { type: event, run: JSON.parse(data) as t.RunRecord };
        if (event === "end") return;
      }
    } catch (error) {
      const way = error instanceof RightcallError && /:(unreachable|timeout)$/.test(error.type);
      if (!way || last === "" || broken >= retries) throw error;
    }
    if (broken >= retries) {
      throw new RightcallError({ slug: "unreachable", title: "Unreachable", detail: `the events of ${id} broke off` });
    }
    await transport.wait(broken, undefined, options);
  }
}
