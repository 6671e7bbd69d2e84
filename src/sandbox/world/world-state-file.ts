import { existsSync } from "node:fs";
import { mkdir, open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { sandboxAdvice } from "../../core/replies/surfaces/sandbox.js";
import { UserError } from "../../lib/user-error.js";
import type { ServedWorld } from "./make-world.js";
import type { SandboxState } from "./state.js";
import { gitFolder } from "./world-build.js";

const EVERY_MS = 1000;

const LISTS = ["users", "repositories", "apps", "tokens", "deliveries", "deviceLogins"] as const;

/** What an earlier sandbox left in its folder; null when there was none. */
export async function readState(folder: string): Promise<SandboxState | null> {
  const path = join(folder, "state.json");
  let state: unknown;
  try {
    state = JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw UserError.of(sandboxAdvice.badState(path, (error as Error).message));
  }
  if (!isState(state)) throw UserError.of(sandboxAdvice.badState(path, "its lists are missing"));
  // The folder may have been moved since, and an older sandbox may not have known everything.
  const repositories = state.repositories.map((each) => ({
    ...{ rulesets: [], protections: [], workflowRuns: [], verified: {} },
    ...each,
    gitDir: gitFolder(folder, each),
  }));
  for (const { owner, name, gitDir } of repositories) {
    if (!existsSync(join(gitDir, "HEAD")))
      throw UserError.of(sandboxAdvice.badState(path, `there is no repository ${owner}/${name} beside it`));
  }
  return { ...state, repositories };
}

function isState(value: unknown): value is SandboxState {
  if (typeof value !== "object" || value === null) return false;
  const fields = new Map(Object.entries(value));
  return typeof fields.get("nextId") === "number" && LISTS.every((name) => Array.isArray(fields.get(name)));
}

/** Writes the state down after changes, at most once a second, and when it is stopped. */
export function keepState(
  world: ServedWorld,
  folder: string,
): { save(): Promise<void>; stop(): Promise<void> } {
  let written = -1;
  let writing: Promise<void> = Promise.resolve();
  const write = () => {
    if (written === world.changes()) return;
    written = world.changes();
    writing = writing.then(() => writeState(folder, world.state));
  };
  const timer = setInterval(write, EVERY_MS);
  timer.unref();
  const save = async () => {
    written = -1;
    write();
    await writing;
  };
  return {
    save,
    stop: () => {
      clearInterval(timer);
      return save();
    },
  };
}

async function writeState(folder: string, state: SandboxState): Promise<void> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, "state.json");
  const file = await open(`${path}.tmp`, "w", 0o600);
  try {
    await file.writeFile(JSON.stringify(state));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.tmp`, path);
}
