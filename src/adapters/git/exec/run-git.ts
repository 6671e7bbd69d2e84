import { execFile, spawn } from "node:child_process";
import { UserError } from "../../../lib/user-error.js";
import { gitEnvironment } from "./git-environment.js";

export interface GitAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface GitOptions {
  /** What git reads on its standard input; without it the input is closed. */
  readonly input?: string | Buffer;
  /** Set on top of the few variables git is allowed to see. */
  readonly env?: Readonly<Record<string, string>>;
  /** For commands that talk to a remote: after this long git is ended, and the answer has code 124. */
  readonly timeoutMs?: number;
}

/** Runs git in a folder and returns what it said; a non-zero exit is an answer, not an exception. */
export function runGit(
  folder: string,
  args: readonly string[],
  options: GitOptions = {},
): Promise<GitAnswer> {
  return new Promise((resolve, reject) => {
    const settings = {
      cwd: folder,
      env: gitEnvironment(options.env),
      maxBuffer: 256 * 1024 * 1024,
      timeout: options.timeoutMs ?? 0,
    };
    const child = execFile("git", [...args], settings, (error, stdout, stderr) => {
      if (error === null) return resolve({ code: 0, stdout, stderr });
      if (typeof error.code === "number") return resolve({ code: error.code, stdout, stderr });
      if (error.code === "ENOENT") return reject(gitNotFound());
      if (options.timeoutMs && error.killed)
        return resolve({ code: 124, stdout, stderr: `${stderr}no answer within ${options.timeoutMs} ms` });
      reject(error);
    });
    // Git may end before it has read everything; its exit code says why, the broken pipe does not.
    child.stdin?.on("error", () => {});
    child.stdin?.end(options.input);
  });
}

/** What git prints, piece by piece, for output that need not fit in memory. Throws when git fails. */
export async function* streamGit(
  folder: string,
  args: readonly string[],
  options: Pick<GitOptions, "env"> = {},
): AsyncGenerator<string, void, undefined> {
  const child = spawn("git", [...args], {
    cwd: folder,
    env: gitEnvironment(options.env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("close", resolve);
    child.once("error", (error: NodeJS.ErrnoException) =>
      reject(error.code === "ENOENT" ? gitNotFound() : error),
    );
  });
  ended.catch(() => {});
  try {
    yield* child.stdout.setEncoding("utf8") as AsyncIterable<string>;
    const code = await ended;
    if (code !== 0) throw new Error(`git ${args.join(" ")} ended with ${code}: ${stderr.trim()}`);
  } finally {
    // A reader that has seen enough leaves git behind in the middle of its output.
    child.kill();
  }
}

/** What is thrown where there is no git. */
export function gitNotFound(): UserError {
  return new UserError("git was not found", "install git and try again");
}
