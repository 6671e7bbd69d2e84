import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import type { Ended } from "./koryph.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** The superuser may read and write everything, so a test of what may not be needs somebody else; else null. */
export const NOBODY = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : null;

/** All that the bundled command line reads for what needs neither a database nor the App. */
const NEEDED = ["dist/cli", "dist/chunks", "package.json"];

let copy: string | null = null;
afterAll(() => {
  if (copy !== null) rmSync(copy, { recursive: true, force: true });
});

/** This checkout may lie where nobody else may enter, below the superuser's home for instance. */
function readableRoot(): string {
  if (NOBODY === null) return ROOT;
  if (copy === null) {
    copy = mkdtempSync(join(tmpdir(), "koryph-readable-"));
    for (const path of NEEDED) cpSync(join(ROOT, path), join(copy, path), { recursive: true });
    spawnSync("chmod", ["-R", "a+rX", copy]);
    chmodSync(copy, 0o755);
  }
  return copy;
}

/** Why nobody cannot be asked here; null when they can. */
export function whyNotNobody(): string | null {
  if (NOBODY === null) return null;
  const main = join(readableRoot(), "dist/cli/main.js");
  const { status, error, stderr } = spawnSync(process.execPath, [main, "validate", "--help"], {
    encoding: "utf8",
    cwd: "/",
    env: {},
    ...NOBODY,
  });
  return status === 0 ? null : `another user cannot run ${process.execPath} ${main}: ${error ?? stderr}`;
}

export function koryphAsNobody(folder: string, ...args: string[]): Ended {
  const main = join(readableRoot(), "dist/cli/main.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: "1" },
    // What hangs must not hang the suite.
    timeout: 30_000,
    ...NOBODY,
  });
  return { code: status, stdout, stderr };
}
