// One request: where it goes, what it carries, how long it may take, and when it is tried again.

import { Deadline, pause } from "./deadline.js";
import { encode } from "./encode.js";
import { errorOf, refused, RightcallError } from "./errors.js";

export interface RequestOptions {
  /** Ends the request; what is thrown is its reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt, the answer included; 60,000 unless given. Uploads have no limit unless given. */
  timeout?: number | undefined;
  /** How often a 429 or 503 is tried again; 3 unless given. */
  retries?: number | undefined;
}

export interface ClientOptions extends RequestOptions {
  /** Where the server is; `RIGHTCALL_URL` in Node, else http://127.0.0.1:8077. */
  baseUrl?: string | undefined;
  /** A key of the server; `RIGHTCALL_API_KEY` in Node. */
  apiKey?: string | undefined;
  /** Milliseconds that are waited at most before another try; a server that wants more gets none. 60,000 unless given. */
  longestWait?: number | undefined;
  /** Stands for the platform's own. */
  fetch?: typeof globalThis.fetch | undefined;
}

/** What can be uploaded: text, bytes, a file, or a stream, which can't be sent twice and so is never tried again. */
export type Rows = string | Blob | ArrayBuffer | Uint8Array | ReadableStream<Uint8Array>;

/** An operation as the generated types describe it. */
interface Described {
  url: string;
  path?: unknown;
  query?: unknown;
  body?: unknown;
}

interface Parts {
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
}

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** A body that goes as it is, and what it is. */
export interface Upload {
  rows: Rows;
  media: string;
}

export const DEFAULT_URL = "http://127.0.0.1:8077";
const TIMEOUT = 60_000;
const RETRIES = 3;
const LONGEST_WAIT = 60_000;
const FIRST_WAIT = 500;

export class Transport {
  readonly #base: string;
  readonly #key: string | undefined;
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = { ...options, apiKey: undefined }; // it has one place only
    this.#base = baseOf(options.baseUrl || fromEnvironment("RIGHTCALL_URL") || DEFAULT_URL);
    this.#key = options.apiKey || fromEnvironment("RIGHTCALL_API_KEY");
    if (this.#key !== undefined && !/^[\x21-\x7e]+$/.test(this.#key)) {
      throw refused("a key is made of visible ASCII characters, and this one is not", "apiKey");
    }
    if (options.fetch === undefined && typeof globalThis.fetch !== "function") {
      throw refused("there is no fetch here", "fetch", "Node 20 or later, or a browser");
    }
  }

  /** An answer of JSON. `D` is the generated description: its address, parameters and body are checked by it. */
  json<D extends Described, Answer>(
    method: Method,
    url: D["url"],
    parts: Omit<D, "url">,
    options: RequestOptions = {},
  ): Promise<Answer> {
    return this.#read(method, url, parts as Parts, options, async (response) => parsed<Answer>(response));
  }

  /** An answer of text. */
  text<D extends Described>(
    method: Method,
    url: D["url"],
    parts: Omit<D, "url">,
    options: RequestOptions = {},
  ): Promise<string> {
    return this.#read(method, url, parts as Parts, options, (response) => response.text());
  }

  /** No answer but that it is done. */
  async done<D extends Described>(
    method: Method,
    url: D["url"],
    parts: Omit<D, "url">,
    options: RequestOptions = {},
  ): Promise<void> {
    await this.#read(method, url, parts as Parts, options, (response) => response.text());
  }

  /** Rows go out as they are, an answer of JSON comes back. */
  upload<D extends Described, Answer>(
    method: Method,
    url: D["url"],
    parts: Omit<D, "url" | "body">,
    upload: Upload,
    options: RequestOptions = {},
  ): Promise<Answer> {
    const untimed = { ...options, timeout: options.timeout ?? this.#options.timeout ?? Number.POSITIVE_INFINITY };
    const whole: Parts = { ...(parts as Parts), body: upload };
    return this.#read(method, url, whole, untimed, async (response) => parsed<Answer>(response), upload);
  }

  /** A stream of bytes, which ends when its reader does. The timeout is for silence, not for the whole. */
  async open<D extends Described>(
    url: D["url"],
    parts: Omit<D, "url">,
    options: RequestOptions = {},
  ): Promise<AsyncIterable<Uint8Array>> {
    const [response, deadline] = await this.#retried("GET", url, parts as Parts, options, undefined);
    return this.#chunks(response, deadline, options);
  }

  /** How often something is tried again. */
  retries(options: RequestOptions): number {
    return options.retries ?? this.#options.retries ?? RETRIES;
  }

  /** Wait before the next try: as long as the server says, else longer each time. */
  async wait(attempt: number, error: RightcallError | undefined, options: RequestOptions): Promise<void> {
    await pause(this.#waitOf(attempt, error), options.signal ?? this.#options.signal);
  }

  async #read<Answer>(
    method: Method,
    url: string,
    parts: Parts,
    options: RequestOptions,
    read: (response: Response) => Promise<Answer>,
    upload?: Upload,
  ): Promise<Answer> {
    const [response, deadline] = await this.#retried(method, url, parts, options, upload);
    try {
      return await read(response);
    } catch (error) {
      throw this.#explained(error, deadline, options);
    } finally {
      deadline.close();
    }
  }

  async #retried(
    method: Method,
    url: string,
    parts: Parts,
    options: RequestOptions,
    upload: Upload | undefined,
  ): Promise<[Response, Deadline]> {
    const address = this.#base + filled(url, parts.path ?? {}) + queryOf(parts.query ?? {});
    const request = this.#request(method, parts.body, upload);
    const retries = upload?.rows instanceof ReadableStream ? 0 : this.retries(options);
    for (let attempt = 0; ; attempt += 1) {
      const deadline = new Deadline(options.signal ?? this.#options.signal, this.#timeout(options));
      let error: unknown;
      try {
        const response = await this.#fetch(address, { ...request, signal: deadline.signal });
        if (response.ok) return [response, deadline];
        error = await errorOf(response);
      } catch (thrown) {
        error = this.#explained(thrown, deadline, options);
      }
      deadline.close();
      if (!(error instanceof RightcallError) || attempt >= retries || !this.#again(attempt, error)) throw error;
      await this.wait(attempt, error, options);
    }
  }

  #request(method: Method, body: unknown, upload: Upload | undefined): RequestInit {
    const headers: Record<string, string> = { Accept: "application/json, */*;q=0.1" };
    if (this.#key !== undefined) headers["Authorization"] = `Bearer ${this.#key}`;
    const request: RequestInit = { method, headers };
    if (upload !== undefined) {
      headers["Content-Type"] = upload.media;
      request.body = upload.rows as BodyInit;
      // What fetch asks of streams; the types of browsers do not know it yet.
      if (upload.rows instanceof ReadableStream) Object.assign(request, { duplex: "half" });
    } else if (body !== undefined) {
      headers["Content-Type"] = "application/json";
      request.body = encode(body);
    }
    return request;
  }

  #fetch(address: string, request: RequestInit): Promise<Response> {
    const own = this.#options.fetch;
    return own === undefined ? globalThis.fetch(address, request) : own(address, request);
  }

  #timeout(options: RequestOptions): number {
    return options.timeout ?? this.#options.timeout ?? TIMEOUT;
  }

  #again(attempt: number, error: RightcallError): boolean {
    const longest = this.#options.longestWait ?? LONGEST_WAIT;
    return (error.status === 429 || error.status === 503) && this.#waitOf(attempt, error) <= longest;
  }

  #waitOf(attempt: number, error: RightcallError | undefined): number {
    if (error?.retryAfter !== undefined) return error.retryAfter * 1000;
    // Half of it by chance, so that many clients do not come back at once.
    const full = Math.min(FIRST_WAIT * 2 ** attempt, this.#options.longestWait ?? LONGEST_WAIT);
    return full * (0.5 + Math.random() / 2);
  }

  #explained(error: unknown, deadline: Deadline, options: RequestOptions): unknown {
    const given = options.signal ?? this.#options.signal;
    if (given?.aborted) return given.reason;
    if (deadline.passed) {
      const detail = `no answer within ${this.#timeout(options).toLocaleString("en")} ms`;
      return new RightcallError({ slug: "timeout", title: "Timeout", detail, cause: error });
    }
    if (error instanceof RightcallError) return error;
    const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const why = inner instanceof Error ? inner.message || inner.name : String(inner);
    return new RightcallError({
      slug: "unreachable",
      title: "Unreachable",
      detail: `no answer from ${this.#base}: ${why}`,
      hint: "is the server there (`rightcall serve`), and may this page call it (RIGHTCALL_CORS_ORIGINS)?",
      cause: error,
    });
  }

  async *#chunks(response: Response, deadline: Deadline, options: RequestOptions): AsyncGenerator<Uint8Array> {
    const reader = response.body?.getReader();
    try {
      for (;;) {
        deadline.touch();
        const part = await reader?.read();
        if (part === undefined || part.done) return;
        deadline.rest(); // what its reader does with it is no silence of the server
        yield part.value;
      }
    } catch (error) {
      throw this.#explained(error, deadline, options);
    } finally {
      deadline.close();
    }
  }
}

async function parsed<Answer>(response: Response): Promise<Answer> {
  const text = await response.text();
  try {
    return JSON.parse(text) as Answer;
  } catch {
    const detail = "the answer is not JSON: is this address that of a rightcall server?";
    throw new RightcallError({ slug: "not-understood", title: "Not understood", detail, status: response.status });
  }
}

/** The root of the server, without a slash at its end; a path that a proxy serves it under is kept. */
function baseOf(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw refused("that is no address", "baseUrl", `for example ${DEFAULT_URL}`);
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw refused(`${url.protocol} is no address of a server`, "baseUrl", "http or https");
  }
  if (url.username || url.password) throw refused("an address may hold no password", "baseUrl", "apiKey");
  return url.origin + url.pathname.replace(/\/+$/, "");
}

function filled(url: string, path: Readonly<Record<string, string>>): string {
  return url.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name];
    // A segment of dots is taken out of an address before it is sent, and an empty one means something else.
    if (typeof value !== "string" || /^\.{0,2}$/.test(value)) {
      throw refused(`${JSON.stringify(value) ?? "nothing"} can't be asked for in an address`, name);
    }
    try {
      return encodeURIComponent(value);
    } catch {
      throw refused("half of a character can't be sent", name);
    }
  });
}

function queryOf(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== undefined && one !== null)
      .map((one) => [name, String(one)]),
  );
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}

function fromEnvironment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}
