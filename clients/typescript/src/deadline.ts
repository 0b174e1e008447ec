// A request ends when its caller says so or when nothing has been heard for too long.

/** What a timer can hold; a longer time would be none at all. */
const LONGEST = 2 ** 31 - 1;

/** An AbortSignal of both. AbortSignal.any would do half of it, and Node 20.0 has none. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #given: AbortSignal | undefined;
  readonly #milliseconds: number;
  readonly #abort = (): void => this.#controller.abort(this.#given?.reason);
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether it was the time that ended it. */
  passed = false;

  constructor(given: AbortSignal | undefined, milliseconds: number) {
    this.#given = given;
    this.#milliseconds = milliseconds;
    given?.throwIfAborted();
    given?.addEventListener("abort", this.#abort, { once: true });
    this.touch();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Nothing is waited for: the time stands still. */
  rest(): void {
    clearTimeout(this.#timer);
  }

  /** Something is waited for: the time begins anew. */
  touch(): void {
    this.rest();
    if (!Number.isFinite(this.#milliseconds)) return;
    this.#timer = setTimeout(() => {
      this.passed = true;
      this.#controller.abort();
    }, Math.min(this.#milliseconds, LONGEST));
  }

  /** End what still goes on, and let go of the caller's signal. */
  close(): void {
    this.rest();
    this.#given?.removeEventListener("abort", this.#abort);
    this.#controller.abort();
  }
}

/** Wait, or throw the signal's reason as soon as it is aborted. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, Math.min(milliseconds, LONGEST));
    signal?.addEventListener("abort", abort, { once: true });
  });
}
