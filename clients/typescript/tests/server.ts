// Real servers, each a process with a folder of its own, and small loopback ones that answer as a test says.

import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const REPOSITORY = fileURLToPath(new URL("../../../", import.meta.url));
const PYTHON = process.env["RIGHTCALL_PYTHON"] ?? join(REPOSITORY, ".venv/bin/python");

export interface RealServer {
  url: string;
  /** A key of the server. */
  key: (name: string, ...scopes: string[]) => string;
  log: () => string;
  stop: () => Promise<void>;
}

export async function startServer(flags: string[] = [], environment: Record<string, string> = {}): Promise<RealServer> {
  const folder = mkdtempSync(join(tmpdir(), "rightcall-client-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const told: string[] = [];
  const child = spawn(PYTHON, ["-m", "rightcall", "serve", "--port", String(port), "--data-dir", folder, ...flags], {
    cwd: folder,
    env: { ...process.env, RIGHTCALL_TRACE_SETTLE_SECONDS: "0.3", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => told.push(part.toString()));
  await answering(url, child, told);
  return {
    url,
    log: () => told.join(""),
    key: (name, ...scopes) => {
      const asked = scopes.flatMap((scope) => ["--scope", scope]);
      const made = spawnSync(PYTHON, ["-m", "rightcall", "keys", "create", name, ...asked, "--data-dir", folder], {
        encoding: "utf8",
      });
      if (made.status !== 0) throw new Error(made.stderr);
      return made.stdout.trim();
    },
    stop: async () => {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answering(url: string, child: ChildProcess, told: string[]): Promise<void> {
  for (let tried = 0; tried < 400; tried += 1) {
    if (child.exitCode !== null) break;
    const answer = await fetch(`${url}/healthz`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  child.kill("SIGKILL");
  throw new Error(`the server did not start: ${told.join("")}`);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

export interface Loopback {
  url: string;
  /** Every request so far: method, path, headers, body. */
  seen: { method: string; url: string; headers: IncomingMessage["headers"]; body: string }[];
  stop: () => Promise<void>;
}

/** A server whose answers are the test's, by the number of the request, from 0. */
export async function loopback(
  answer: (response: ServerResponse, number: number) => void,
): Promise<Loopback> {
  const seen: Loopback["seen"] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      seen.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
      answer(response, seen.length - 1);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Every operation of the API's document as METHOD PATH, with the scope that it asks for; "" where it asks for none. */
export function operations(): Map<string, string> {
  const text = readFileSync(join(REPOSITORY, "docs/reference/openapi.json"), "utf8");
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, { description?: string }>> };
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { description = "" }]) => [
        `${method.toUpperCase()} ${path}`,
        /Scope: `(\w+)`/.exec(description)?.[1] ?? "",
      ]),
    ),
  );
}

/** The page of the documentation about the client. */
export function page(): string {
  return readFileSync(join(REPOSITORY, "docs/typescript.md"), "utf8");
}
