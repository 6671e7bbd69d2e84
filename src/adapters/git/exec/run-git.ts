import { execFile, spawn } from "node:child_process";
import { UserError } from "../../../lib/user-error.js";
import { guarded } from "./git-settings.js";

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

/** Variables git may see. Everything else, `GIT_DIR` of a calling hook above all, would steer it elsewhere. */
const PASSED_ON = ["PATH", "HOME", "XDG_CONFIG_HOME", "TMPDIR", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"];

/** What a remote may need to be reached: keys, proxies, certificates. */
const FOR_REMOTES = [
  "SSH_AUTH_SOCK",
  "GIT_SSH_COMMAND",
  ...["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO"],
];

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

function gitNotFound(): UserError {
  return new UserError("git was not found", "install git and try again");
}

function gitEnvironment(additions: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { LC_ALL: "C", GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0" };
  for (const name of [...PASSED_ON, ...FOR_REMOTES])
    if (process.env[name] !== undefined) env[name] = process.env[name];
  return guarded({ ...env, ...additions });
}
