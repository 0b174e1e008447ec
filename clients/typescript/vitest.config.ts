import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/**/*.test.ts"],
    globalSetup: "tests/setup.ts",
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 1, // the server wants the other core
    unstubEnvs: true,
  },
});
