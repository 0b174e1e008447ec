// Shapes of answers, by the names that people use; all of them come from the API's own document.
// The document says only "an object" of a few answers. Those are written down here until it says more.

import type {
  CallShown,
  Page,
  ResultShown,
  RunRecord,
  RunSummary,
  TraceRecord,
} from "./generated/types.gen.js";

export type {
  BatchEvaluated,
  BatchRequest,
  CalibrationRecord,
  CalibrationRequest,
  CallShown,
  CaseEvaluated,
  CauseSummary,
  Comparison,
  DatasetPage,
  DatasetRecord,
  DatasetRequest,
  EvaluatorPage,
  EvaluatorShown,
  FormatShown,
  GatesAsked,
  Health,
  KeyMade,
  KeyRecord,
  KeyRequest,
  LabelPage,
  LabelRecord,
  LabelRequest,
  Problem,
  ReadAnswer,
  RunPage,
  RunRecord,
  RunRequest,
  RunSummary,
  SuiteShown,
  TracePage,
  TraceRecord,
  TraceShown,
  VersionRecord,
  WhatIf,
} from "./generated/types.gen.js";

/** Why two calls are not the same. `path` is a JSON Pointer into the arguments; `accept_with` the option that accepts it. */
export interface Difference {
  kind: string;
  message: string;
  path?: string;
  expected?: unknown;
  actual?: unknown;
  accept_with?: string;
  tool?: string;
  actual_call?: number;
  expected_call?: number;
  [more: string]: unknown;
}

/** Which calls were paired, which are missing or too many, and what differs. Evaluators add measures of their own. */
export interface Details {
  rule?: string | null;
  pairs?: { actual: number; expected: number; credit: number }[];
  missing?: unknown[];
  extra?: unknown[];
  differences?: Difference[];
  [measure: string]: unknown;
}

export type Status = "scored" | "not_evaluated" | "error";
export type Label = "match" | "partial" | "mismatch" | "not_evaluated" | "error";

/** What one evaluator says of a case. `score` is null where it could not be evaluated; `reason` says why in words. */
export type Result = Omit<ResultShown, "details" | "status" | "label"> & {
  status: Status;
  label: Label;
  details: Details;
};

/** A result of a run, with the case and the row of the data that it came from. */
export interface StoredResult {
  id: string;
  trial: number | null;
  cluster: string | null;
  evaluator: string;
  kind: string;
  status: Status;
  score: number | null;
  label: Label;
  passed: boolean | null;
  threshold: number;
  reason: string;
  warnings: string[];
  error: string | null;
  probabilities: number[] | null;
  details: Details;
  row: { file: string; line: number | null; offset: number | null };
}

/** Some results of a run; `cursor` leads to the next ones and is null at the end. */
export type ResultPage = Omit<Page, "results"> & { results: StoredResult[] };

/** A run, and once it has ended its summary. */
export type Run = RunRecord & { summary: RunSummary | null };

/** How far a run is. The last one is `end`. */
export interface RunEvent {
  type: "progress" | "end";
  run: RunRecord;
}

/** One case of a run: its results, and its calls side by side as `evaluator` saw them; once for each trial. */
export interface CaseShown {
  trials: {
    id: string;
    trial: number | null;
    passed: boolean | null;
    results: StoredResult[];
    evaluator: string | null;
    view: { [part: string]: unknown } | null;
  }[];
}

/** A trace, and once it was scored what it came to. */
export type Trace = TraceRecord & {
  outcome: {
    results: Result[];
    calls: CallShown[];
    text: string | null;
    warnings: string[];
    error: string | null;
  } | null;
};

/** What became of spans that were sent: all were taken in, unless it says how many were not, and why. */
export interface Exported {
  partialSuccess?: { rejectedSpans: string; errorMessage: string };
}

/** A case as a line of a golden file. */
export interface GoldenCase {
  id: string;
  expected_tool_calls: unknown;
  [field: string]: unknown;
}

/** One side of a case: a list of calls, one call, a message, or the JSON text of any. */
export type Side = string | object | null;

/**
 * What the agent did and what was expected, by the names that rows of files have, so that such a row can be passed on.
 * Left out or null is "not recorded" and "nothing to compare with". In a JSON text numbers of any length stay exact.
 */
export interface Case {
  id?: string | undefined;
  /** The calls made; with `tool_calls` given it is the agent's text. */
  output?: Side | undefined;
  /** The calls made, under their other name. */
  tool_calls?: Side | undefined;
  /** The calls that should have been made. */
  expected?: Side | undefined;
  /** The same, under their other name. */
  expected_tool_calls?: Side | undefined;
  /** Accepted values for each argument. */
  expected_any?: unknown;
  /** Whole lists, any of which is fine. */
  expected_any_of?: unknown;
  /** Tools that must not be called. */
  forbidden?: unknown;
  /** How often tools must be called. */
  expected_counts?: unknown;
  /** Definitions of the tools that were offered. */
  tools?: Side | undefined;
  /** What the agent was asked. */
  input?: unknown;
}
