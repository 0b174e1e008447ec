// What is sent is what was meant: JSON.stringify makes null of NaN and can't write a BigInt, and both would be scored.

import { refused } from "./errors.js";

type Raw = (text: string) => unknown;

/** The JSON text of a body. A BigInt is written in full where the platform can (Node 22 or later). */
export function encode(body: unknown): string {
  const raw = (JSON as { rawJSON?: Raw }).rawJSON;
  try {
    return JSON.stringify(body, (_, value: unknown) => {
      if (typeof value === "bigint" && raw !== undefined) return raw(String(value));
      if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError(`${value} is no JSON number`);
      return value;
    });
  } catch (error) {
    const why = error instanceof Error ? error.message.split("\n", 1)[0] : String(error);
    throw refused(`it can't be written as JSON: ${why}`, placeOf(body, raw !== undefined), "send the calls as JSON text");
  }
}

/** The path of the first value that JSON has no form for. */
function placeOf(value: unknown, bigints: boolean, path = "", above: readonly unknown[] = []): string | undefined {
  if (typeof value === "bigint") return bigints ? undefined : path;
  if (typeof value === "number") return Number.isFinite(value) ? undefined : path;
  if (typeof value !== "object" || value === null) return undefined;
  if (above.includes(value)) return path;
  for (const [name, inner] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${name}]` : `${path && "."}${name}`;
    const found = placeOf(inner, bigints, path + step, [...above, value]);
    if (found !== undefined) return found;
  }
  return undefined;
}
