import { spawn } from "node:child_process";
import { mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { bootstrapFailure } from "../../../core/replies/run/worktrees.js";

/** Shuts one command in that works in a clone. */
export type ContainBootstrap = (
  command: {
    readonly argv: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly cwd: string;
  },
  room: {
    readonly writable: readonly string[];
    readonly readable: readonly string[];
    readonly folder: string;
  },
) => Promise<{ readonly argv: readonly string[]; readonly env: Readonly<Record<string, string>> }>;

export interface BootstrapFacts {
  readonly clone: string;
  /** Where the log and the private HOME go. */
  readonly folder: string;
  readonly commands: readonly string[];
  /** For each command. */
  readonly limitSeconds: number;
  readonly abort?: AbortSignal | undefined;
  /** Null where nothing shuts commands in. */
  readonly contain: ContainBootstrap | null;
  /** The folder that holds the objects that the clone borrows. */
  readonly objects: string;
}

/** Variables a build needs that say nothing about who runs it. */
const PASSED_ON = [
  ...["PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "USER", "LOGNAME"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"],
];
const PROXIES = ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "no_proxy", "NO_PROXY"];

/**
 * The engine holds the other end of descriptor 3. When it dies, however it dies, the watcher reads the end
 * and takes the whole group with it, so that no half-done bootstrap writes into a clone being rebuilt.
 */
const WRAPPER = '(cat <&3 >/dev/null; kill -KILL 0) >/dev/null 2>&1 & exec 3<&-; "$@"';
const TAIL_LINES = 8;
const TAIL_BYTES = 64 * 1024;

/** Runs the project's commands for a new clone, one after the other; null when all succeeded, else why not. */
export async function bootstrap(facts: BootstrapFacts): Promise<string | null> {
  if (facts.commands.length === 0) return null;
  const home = join(facts.folder, "bootstrap-home");
  const temporary = join(home, "tmp");
  await mkdir(temporary, { recursive: true });
  const logFile = join(facts.folder, "bootstrap.log");
  const log = await open(logFile, "w");
  try {
    for (const command of facts.commands) {
      if (facts.abort?.aborted) return bootstrapFailure.stopped(command);
      await log.write(`$ ${command}\n`);
      const start = (await log.stat()).size;
      const env = { ...environment(), HOME: home, TMPDIR: temporary };
      const argv = ["sh", "-c", command];
      const contained = await facts.contain?.(
        { argv, env, cwd: facts.clone },
        { writable: [facts.clone, home], readable: [facts.objects], folder: facts.folder },
      );
      const end = await run(contained?.argv ?? argv, {
        ...{ ...facts, env: contained?.env ?? env, output: log.fd },
      });
      if (end.code === 0 && !end.slow) continue;
      if (facts.abort?.aborted) return bootstrapFailure.stopped(command);
      const tail = await tailOf(logFile, start);
      return end.slow
        ? bootstrapFailure.slow(command, facts.limitSeconds, tail)
        : bootstrapFailure.exit(command, end.code, tail);
    }
    return null;
  } finally {
    await log.close();
  }
}

interface RunFacts extends BootstrapFacts {
  readonly env: Readonly<Record<string, string>>;
  readonly output: number;
}

function run(argv: readonly string[], facts: RunFacts): Promise<{ code: number | null; slow: boolean }> {
  return new Promise((resolve, reject) => {
    const child = spawn("sh", ["-c", WRAPPER, "sh", ...argv], {
      cwd: facts.clone,
      env: facts.env,
      detached: true,
      stdio: ["ignore", facts.output, facts.output, "pipe"],
    });
    const { pid } = child;
    let slow = false;
    const limit = setTimeout(() => {
      slow = true;
      endGroup(pid);
    }, facts.limitSeconds * 1000);
    const stop = () => endGroup(pid);
    facts.abort?.addEventListener("abort", stop, { once: true });
    child.stdio[3]?.on("error", () => {});
    child.once("error", (error) => {
      clearTimeout(limit);
      reject(error);
    });
    child.once("exit", (code) => {
      clearTimeout(limit);
      facts.abort?.removeEventListener("abort", stop);
      // The watcher still lives in the group, so its number cannot belong to anybody else yet.
      endGroup(pid);
      child.stdio[3]?.destroy();
      resolve({ code, slow });
    });
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function environment(): Record<string, string> {
  const env: Record<string, string> = { GIT_TERMINAL_PROMPT: "0", SHELL: "/bin/sh" };
  for (const name of PASSED_ON) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  for (const name of PROXIES) {
    const value = process.env[name];
    // A proxy's address may carry a password.
    if (value !== undefined && !value.includes("@")) env[name] = value;
  }
  return env;
}

async function tailOf(logFile: string, start: number): Promise<string> {
  const text = (await readFile(logFile)).subarray(start).subarray(-TAIL_BYTES).toString("utf8");
  return text.trimEnd().split("\n").slice(-TAIL_LINES).join(" | ");
}
