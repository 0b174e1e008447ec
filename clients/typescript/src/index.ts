// The client of a rightcall server: `evaluate` for one case, `createClient` for all of its API.

import { createClient, type EvaluateOptions, type Selection } from "./client.js";
import type { ClientOptions } from "./transport.js";
import type { Case, Result } from "./types.js";

export { Client, createClient, type BatchOptions, type EvaluateOptions, type Selection } from "./client.js";
export { RightcallError } from "./errors.js";
export type { ReportEnding, ResultFilter } from "./runs.js";
export type { ClientOptions, RequestOptions, Rows } from "./transport.js";
export type * from "./types.js";

/** Score one case with one evaluator. */
export function evaluate(evaluator: string, given: Case, options?: ClientOptions & EvaluateOptions): Promise<Result>;
/** Score one case with several evaluators, or a suite: their results by id, in their order. */
export function evaluate(
  chosen: Selection,
  given: Case,
  options?: ClientOptions & EvaluateOptions,
): Promise<Record<string, Result>>;
export function evaluate(
  chosen: string | Selection,
  given: Case,
  options?: ClientOptions & EvaluateOptions,
): Promise<Result | Record<string, Result>>;
export async function evaluate(
  chosen: string | Selection,
  given: Case,
  options: ClientOptions & EvaluateOptions = {},
): Promise<Result | Record<string, Result>> {
  return createClient(options).evaluate(chosen, given, options);
}
