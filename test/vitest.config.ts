import { defineConfig } from "vitest/config";

/** Files that load the App or the loopback GitHub, or nothing at all. What they need is loaded once for all of them. */
const SHARED = [
  "test/core/**/*.test.ts",
  "test/lib/**/*.test.ts",
  "test/sandbox/**/*.test.ts",
  "test/adapters/github/**/!(github-recovery).test.ts",
  "test/adapters/store/**/*.test.ts",
  "test/scenarios/app/**/*.test.ts",
];
/** Files that put something in the place of a module, which would stay there for the next file of a process. */
const APART = ["test/adapters/github/github-recovery.test.ts"];

/**
 * A test file is over before optimised code has paid for its making, which costs Node 20 an eighth of the whole run.
 * Newer versions have a quick compiler in between, and do not know this option.
 */
const LATE_OPTIMISING = process.versions.node.startsWith("20.") ? ["--interrupt-budget=1000000"] : [];

export default defineConfig({
  test: {
    execArgv: LATE_OPTIMISING,
    root: new URL("..", import.meta.url).pathname,
    // Most of the time goes by waiting for git and agents, so two cores bear three files at once.
    maxWorkers: 3,
    // No test sees what the machine's owner has set for git.
    env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    // Real git and real processes on two cores: the default of five seconds is a race, not a limit.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000, interval: 50 } },
    globalSetup: "test/support/memory-folder.ts",
    setupFiles: ["test/support/around-file.ts"],
    reporters: ["default", "./test/support/file-times.ts", "./test/support/closing-line.ts"],
    projects: [
      { extends: true, test: { name: "shared", include: SHARED, isolate: false } },
      // In processes of their own, which stay small: each start of another process costs more, the more is loaded.
      {
        extends: true,
        test: {
          name: "small",
          include: ["test/**/*.test.ts"],
          exclude: [...SHARED, ...APART],
          isolate: false,
        },
      },
      { extends: true, test: { name: "apart", include: APART } },
    ],
  },
});
