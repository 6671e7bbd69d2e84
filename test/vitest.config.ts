import { dirname, resolve } from "node:path";
import { defineConfig } from "vitest/config";

const ROOT = new URL("..", import.meta.url).pathname;

/**
 * A whole run loads what the build made of each module: to read a thousand sources in every process, and to hand them
 * over one by one, costs a sixth of it. A run of single files, by hand, takes the sources as they are, without a build.
 */
const BUILT_MODULES = {
  name: "built-modules",
  enforce: "pre" as const,
  resolveId(source: string, importer: string | undefined) {
    if (importer === undefined || !source.startsWith(".")) return null;
    const path = resolve(dirname(importer), source);
    return path.startsWith(`${ROOT}src/`) ? path.replace(`${ROOT}src/`, `${ROOT}dist.modules/`) : null;
  },
};

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
  plugins: process.env.KORYPH_BUILT === undefined ? [] : [BUILT_MODULES],
  test: {
    server: { deps: { external: [/\/dist\.modules\//] } },
    execArgv: LATE_OPTIMISING,
    root: ROOT,
    // Most of the time goes by waiting for git and agents, so two cores bear three files at once.
    maxWorkers: 3,
    // No test sees what the machine's owner has set for git, nor how much memory others leave.
    env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", KORYPH_MEMINFO: "/dev/null" },
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
