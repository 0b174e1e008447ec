// Whatever goes wrong is one class, with what the server said of it (RFC 9457) or what happened on the way.

import type { Problem } from "./generated/types.gen.js";

const PREFIX = "urn:rightcall:problem:";

interface Told {
  /** The kind of error: the server's slug, or `usage`, `unreachable`, `timeout`, `not-understood` of this client. */
  slug: string;
  detail: string;
  status?: number;
  title?: string | undefined;
  field?: string | undefined;
  hint?: string | undefined;
  requestId?: string | undefined;
  retryAfter?: number | undefined;
  cause?: unknown;
}

/** A request that was refused or failed. It never holds a key. */
export class RightcallError extends Error {
  /** The kind of error, as a URN: `urn:rightcall:problem:unknown-name`. */
  readonly type: string;
  /** The HTTP status; 0 where there was no answer. */
  readonly status: number;
  /** The kind in words. */
  readonly title: string;
  /** What is wrong, without the field and the hint that `message` has around it. */
  readonly detail: string;
  /** The path of the offending field, e.g. `tool_calls[0].name`. */
  readonly field: string | undefined;
  /** What was probably meant, or what to do. */
  readonly hint: string | undefined;
  /** The request, for whoever looks at the server's log. */
  readonly requestId: string | undefined;
  /** Seconds after which the server wants to be asked again. */
  readonly retryAfter: number | undefined;

  constructor(told: Told) {
    const where = told.field ? `${told.field}: ` : "";
    const hint = told.hint ? ` (${told.hint})` : "";
    super(`${where}${told.detail}${hint}`, told.cause === undefined ? undefined : { cause: told.cause });
    this.name = "RightcallError";
    this.type = told.slug.startsWith("urn:") ? told.slug : PREFIX + told.slug;
    this.status = told.status ?? 0;
    this.title = told.title ?? told.slug;
    this.detail = told.detail;
    this.field = told.field;
    this.hint = told.hint;
    this.requestId = told.requestId;
    this.retryAfter = told.retryAfter;
  }
}

/** Refuses what could not be sent. */
export function refused(detail: string, field?: string, hint?: string): RightcallError {
  return new RightcallError({ slug: "usage", title: "Refused request", detail, field, hint });
}

/** The error of an answer that is none of 2xx; of a proxy's own too, which knows no problems. */
export async function errorOf(response: Response): Promise<RightcallError> {
  const said = problemIn(await response.text());
  return new RightcallError({
    slug: said.type ?? `http-${response.status}`,
    status: response.status,
    title: said.title ?? (response.statusText || `HTTP ${response.status}`),
    detail: said.detail ?? said.title ?? `the server answered ${response.status} ${response.statusText}`.trim(),
    field: said.field ?? undefined,
    hint: said.hint ?? undefined,
    requestId: said.request_id ?? response.headers.get("x-request-id") ?? undefined,
    retryAfter: secondsOf(response.headers.get("retry-after")),
  });
}

function problemIn(text: string): Partial<Problem> {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === "object" && found !== null ? found : {};
  } catch {
    return {};
  }
}

/** Retry-After is a number of seconds or a date (RFC 9110, 10.2.3). */
function secondsOf(text: string | null): number | undefined {
  if (text === null) return undefined;
  const seconds = /^\s*\d+\s*$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
