import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { access, open, stat } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";

export interface SearchPlaces {
  readonly root: string;
  readonly path: string | undefined;
}

export type FoundProgram =
  | { readonly kind: "found"; readonly binary: string }
  | { readonly kind: "not-found" }
  | { readonly kind: "not-executable"; readonly path: string }
  /** A script whose first line names a program that is not there. */
  | { readonly kind: "bad-interpreter"; readonly path: string; readonly interpreter: string };

/**
 * The absolute path of a program, or what keeps it from being run. A name is looked for on `path`; a path is
 * taken from `root`, never from the agent's clone, whose files a branch can change.
 */
export async function findProgram(program: string, places: SearchPlaces): Promise<FoundProgram> {
  let closed: string | null = null;
  for (const path of candidates(program, places)) {
    const state = await fileState(path);
    if (state === "not-executable") closed ??= path;
    if (state !== "executable") continue;
    const interpreter = await missingInterpreter(path, places);
    return interpreter === null
      ? { kind: "found", binary: path }
      : { kind: "bad-interpreter", path, interpreter };
  }
  return closed === null ? { kind: "not-found" } : { kind: "not-executable", path: closed };
}

/** Null when there is no such program, or none that may be executed. */
export async function findBinary(program: string, places: SearchPlaces): Promise<string | null> {
  for (const path of candidates(program, places)) if ((await fileState(path)) === "executable") return path;
  return null;
}

function candidates(program: string, { root, path }: SearchPlaces): string[] {
  if (program.includes("/")) return [resolve(root, program)];
  return (path ?? "")
    .split(":")
    .filter(isAbsolute)
    .map((folder) => join(folder, program));
}

async function fileState(path: string): Promise<"absent" | "not-executable" | "executable"> {
  try {
    if (!(await stat(path)).isFile()) return "absent";
  } catch {
    return "absent";
  }
  return access(path, constants.X_OK).then(
    () => "executable",
    () => "not-executable",
  );
}

/** Linux itself reads no more of a script's first line. */
const FIRST_LINE_BYTES = 256;

/**
 * The program that a script's first line names and that cannot be started, as it stands there; null when it
 * can, or when the file is no script. `env` looks its program up on the agent's own `PATH`.
 */
async function missingInterpreter(path: string, places: SearchPlaces): Promise<string | null> {
  const [, line = ""] = /^#![ \t]*([^\n]*)/.exec(await beginning(path)) ?? [];
  const [interpreter = "", ...words] = line.split(/[ \t]+/);
  if (interpreter === "") return null;
  if ((await fileState(resolve("/", interpreter))) !== "executable") return interpreter;
  if (!/\/env$/.test(interpreter)) return null;
  const [named] = words[0] === "-S" ? words.slice(1) : words;
  // Options and settings of its own are its own business.
  if (named === undefined || named === "" || /^-|=/.test(named)) return null;
  return (await findBinary(named, places)) === null ? named : null;
}

async function beginning(path: string): Promise<string> {
  // A program may be run without being readable; then there is nothing to be told from it.
  const file = await open(path).catch(() => null);
  if (file === null) return "";
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(FIRST_LINE_BYTES), 0, FIRST_LINE_BYTES, 0);
    return buffer.subarray(0, bytesRead).toString("latin1");
  } finally {
    await file.close();
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
