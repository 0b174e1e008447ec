// Shapes of answers, by the names that people use; all of them come from the API's own document.

import type { RunRecord } from "./generated/types.gen.js";

export type {
  BatchEvaluated,
  BatchRequest,
  CalibrationRecord,
  CalibrationRequest,
  CallShown,
  CaseEvaluated,
  CaseShown,
  CaseView,
  CauseSummary,
  Comparison,
  DatasetPage,
  DatasetRecord,
  DatasetRequest,
  DetailsShown as Details,
  Difference,
  EvaluatorPage,
  EvaluatorShown,
  Exported,
  FormatShown,
  GatesAsked,
  GoldenCase,
  Health,
  KeyMade,
  KeyRecord,
  KeyRequest,
  LabelPage,
  LabelRecord,
  LabelRequest,
  Problem,
  ReadAnswer,
  ResultPage,
  ResultShown as Result,
  RunPage,
  RunRecord,
  RunRequest,
  RunShown as Run,
  RunSummary,
  StoredResult,
  SuiteShown,
  TraceAnswer as Trace,
  TracePage,
  TraceRecord,
  TraceShown,
  VersionRecord,
  WhatIf,
} from "./generated/types.gen.js";

/** How far a run is. The last one is `end`. */
export interface RunEvent {
  type: "progress" | "end";
  run: RunRecord;
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
