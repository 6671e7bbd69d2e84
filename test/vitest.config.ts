import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: new URL("..", import.meta.url).pathname,
    include: ["test/**/*.test.ts"],
    // Most of the time goes by waiting for git and agents, so two cores bear three files at once.
    maxWorkers: 3,
    // Real git and real processes on two cores: the default of five seconds is a race, not a limit.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ["default", "./test/support/closing-line.ts"],
  },
});
