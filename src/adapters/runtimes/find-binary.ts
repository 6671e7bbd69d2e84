import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";

/**
 * The absolute path of a program, or null when there is none that may be executed. A name is looked for on
 * `path`; a path is taken from `root`, never from the agent's clone, whose files a branch can change.
 */
export async function findBinary(
  program: string,
  { root, path }: { readonly root: string; readonly path: string | undefined },
): Promise<string | null> {
  if (program.includes("/")) return executable(resolve(root, program));
  for (const folder of (path ?? "").split(":")) {
    if (!isAbsolute(folder)) continue;
    const found = await executable(join(folder, program));
    if (found !== null) return found;
  }
  return null;
}

async function executable(path: string): Promise<string | null> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile() ? path : null;
  } catch {
    return null;
  }
}

export type VersionAnswer =
  | { readonly kind: "said"; readonly text: string }
  | { readonly kind: "failed"; readonly problem: string };

const ANSWER_CHARACTERS = 4000;

/** What a program prints for `--version`. One that does not answer in time is killed with all its children. */
export function askVersion(
  [program, ...args]: readonly [string, ...string[]],
  { env, timeoutSeconds }: { readonly env: Record<string, string>; readonly timeoutSeconds: number },
): Promise<VersionAnswer> {
  return new Promise((done) => {
    // A group of its own: a script's child would keep the pipes open after the script was killed.
    const child = spawn(program, [...args, "--version"], {
      env,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (data) => {
      stdout = `${stdout}${data}`.slice(0, ANSWER_CHARACTERS);
    });
    child.stderr.on("data", (data) => {
      stderr = `${stderr}${data}`.slice(0, ANSWER_CHARACTERS);
    });
    const timer = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      done({ kind: "failed", problem: `no answer within ${timeoutSeconds} s` });
    }, timeoutSeconds * 1000);
    child.on("error", (error) => {
      clearTimeout(timer);
      done({ kind: "failed", problem: error.message });
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      if (code === 0) done({ kind: "said", text: stdout.trim() });
      else done({ kind: "failed", problem: stderr.trim() || `exit code ${code}` });
    });
  });
}
