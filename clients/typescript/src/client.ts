// The API as functions. Addresses, parameters and bodies are checked against the generated types of each operation.

import { refused, RightcallError } from "./errors.js";
import type * as api from "./generated/types.gen.js";
import { calibrationsOf, datasetsOf, evaluatorsOf, keysOf, labelsOf, tracesOf } from "./parts.js";
import { runsOf } from "./runs.js";
import { Transport, type ClientOptions, type RequestOptions } from "./transport.js";
import type * as t from "./types.js";

/** Several evaluators: ids, a suite with ids beside it, or another tool's rules. */
export type Selection =
  | readonly string[]
  | { suite?: string; preset?: string; evaluators?: readonly string[] };

export interface EvaluateOptions extends RequestOptions {
  /** The judge; evaluators that ask none accept any value and do not use it. */
  modelName?: string | undefined;
  /** Options for all evaluators by name, and by evaluator id a table of options for that one. */
  config?: { readonly [name: string]: unknown } | undefined;
  /** The score at which a result passes: for all, or by evaluator id. */
  threshold?: number | { readonly [evaluator: string]: number } | undefined;
  /** Another tool's rules. */
  preset?: string | undefined;
  /** The format of the calls made; told by their structure unless given. */
  format?: string | undefined;
}

export type BatchOptions = EvaluateOptions & {
  /** Whether to sum up; it is done unless false. */
  summarize?: boolean | undefined;
};

export class Client {
  readonly #transport: Transport;
  readonly evaluators: ReturnType<typeof evaluatorsOf>;
  readonly datasets: ReturnType<typeof datasetsOf>;
  readonly runs: ReturnType<typeof runsOf>;
  readonly traces: ReturnType<typeof tracesOf>;
  readonly labels: ReturnType<typeof labelsOf>;
  readonly calibrations: ReturnType<typeof calibrationsOf>;
  readonly keys: ReturnType<typeof keysOf>;

  constructor(options: ClientOptions = {}) {
    this.#transport = new Transport(options);
    this.evaluators = evaluatorsOf(this.#transport);
    this.datasets = datasetsOf(this.#transport);
    this.runs = runsOf(this.#transport);
    this.traces = tracesOf(this.#transport);
    this.labels = labelsOf(this.#transport);
    this.calibrations = calibrationsOf(this.#transport);
    this.keys = keysOf(this.#transport);
  }

  /** Score one case with one evaluator. */
  evaluate(evaluator: string, given: t.Case, options?: EvaluateOptions): Promise<t.Result>;
  /** Score one case with several evaluators: their results by id, in their order. */
  evaluate(chosen: Selection, given: t.Case, options?: EvaluateOptions): Promise<Record<string, t.Result>>;
  evaluate(
    chosen: string | Selection,
    given: t.Case,
    options?: EvaluateOptions,
  ): Promise<t.Result | Record<string, t.Result>>;
  async evaluate(
    chosen: string | Selection,
    given: t.Case,
    options: EvaluateOptions = {},
  ): Promise<t.Result | Record<string, t.Result>> {
    const body = { ...given, ...asked(chosen, options) } as api.EvaluateRequest;
    const answer = await this.#transport.json<api.EvaluateData, { results: t.Result[] }>(
      "POST", "/api/v1/evaluate", { body }, options,
    );
    if (typeof chosen !== "string") {
      return Object.fromEntries(answer.results.map((result) => [result.evaluator, result]));
    }
    const [result] = answer.results;
    if (result === undefined) throw new RightcallError({ slug: "not-understood", detail: "the answer has no result" });
    return result;
  }

  /** Score up to 1,000 cases, rows as in a file of cases. One that can't be read is an error of that case alone. */
  async batch(chosen: string | Selection, cases: readonly unknown[], options: BatchOptions = {}): Promise<t.BatchEvaluated> {
    const body: api.BatchRequest = { ...asked(chosen, options), cases: [...cases] };
    if (options.summarize !== undefined) body.summarize = options.summarize;
    return this.#transport.json<api.EvaluateBatchData, t.BatchEvaluated>(
      "POST", "/api/v1/evaluate/batch", { body }, options,
    );
  }

  /** The calls of a recording: JSON as it is, or a text that holds it. */
  async read(source: unknown, options: RequestOptions & { format?: string | undefined } = {}): Promise<t.TraceShown[]> {
    const body: api.ReadRequest = { source, ...(options.format === undefined ? {} : { format: options.format }) };
    const answer = await this.#transport.json<api.ReadData, t.ReadAnswer>("POST", "/api/v1/read", { body }, options);
    return answer.traces;
  }

  /** The suites and the evaluators of each. */
  suites(options?: RequestOptions): Promise<t.SuiteShown[]> {
    return this.#transport.json<api.ListSuitesData, t.SuiteShown[]>("GET", "/api/v1/suites", {}, options);
  }

  /** The formats of recordings. */
  formats(options?: RequestOptions): Promise<t.FormatShown[]> {
    return this.#transport.json<api.ListFormatsData, t.FormatShown[]>("GET", "/api/v1/formats", {}, options);
  }

  /** Two runs side by side; `before` came before. `most` changed cases of each direction are told at most. */
  compare(
    before: string,
    after: string,
    options: RequestOptions & { most?: number | undefined } = {},
  ): Promise<t.Comparison> {
    const body: api.CompareRequest = { a: before, b: after, ...(options.most === undefined ? {} : { most: options.most }) };
    return this.#transport.json<api.CompareData, t.Comparison>("POST", "/api/v1/compare", { body }, options);
  }

  /** That the server lives. */
  health(options?: RequestOptions): Promise<t.Health> {
    return this.#transport.json<api.HealthzData, t.Health>("GET", "/healthz", {}, options);
  }

  /** That the server can work: its database answers. */
  ready(options?: RequestOptions): Promise<t.Health> {
    return this.#transport.json<api.ReadyzData, t.Health>("GET", "/readyz", {}, options);
  }

  /** What it counts, as Prometheus reads it. */
  metrics(options?: RequestOptions): Promise<string> {
    return this.#transport.text<api.MetricsData>("GET", "/metrics", {}, options);
  }
}

/** A client of a server. */
export function createClient(options: ClientOptions = {}): Client {
  return new Client(options);
}

type Asked = Pick<api.EvaluateRequest, "evaluators" | "suite" | "preset" | "config" | "threshold" | "model" | "format">;

function asked(chosen: string | Selection, options: EvaluateOptions): Asked {
  const { modelName: model, config, threshold, format } = options;
  const named = typeof chosen === "string" ? { evaluators: [chosen] } : "length" in chosen ? { evaluators: chosen } : chosen;
  const { evaluators = [], suite, preset = options.preset } = named as Exclude<Selection, readonly string[]>;
  if (evaluators.length === 0 && suite === undefined && preset === undefined) {
    throw refused("choose an evaluator, a suite or a preset", "evaluators");
  }
  const whole = { evaluators: [...evaluators], suite, preset, config, threshold, model, format };
  return Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined));
}
