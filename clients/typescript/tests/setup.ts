// One server for all tests that need no special one.

import type { TestProject } from "vitest/node";
import { startServer } from "./server.js";

declare module "vitest" {
  interface ProvidedContext {
    url: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer(["--trace-dataset", "golden"]);
  project.provide("url", server.url);
  return server.stop;
}
