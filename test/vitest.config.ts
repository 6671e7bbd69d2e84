import { defineConfig } from "vitest/config";

/**
 * Files that leave nothing behind in their process, so that those after them need not load everything anew. Not those
 * that start many processes: each start costs more, the more its process has loaded.
 */
const SHARED = [
  "test/core/**/*.test.ts",
  "test/lib/**/*.test.ts",
  "test/sandbox/**/*.test.ts",
  "test/adapters/store/**/*.test.ts",
  "test/scenarios/app/**/*.test.ts",
];

export default defineConfig({
  test: {
    root: new URL("..", import.meta.url).pathname,
    // Most of the time goes by waiting for git and agents, so two cores bear three files at once.
    maxWorkers: 3,
    // Real git and real processes on two cores: the default of five seconds is a race, not a limit.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    setupFiles: ["test/support/around-file.ts"],
    reporters: ["default", "./test/support/closing-line.ts"],
    projects: [
      { extends: true, test: { name: "shared", include: SHARED, isolate: false } },
      { extends: true, test: { name: "apart", include: ["test/**/*.test.ts"], exclude: SHARED } },
    ],
  },
});
