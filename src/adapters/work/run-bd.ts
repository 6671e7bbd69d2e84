import { execFile } from "node:child_process";
import { readJson } from "../../core/config/read-json.js";
import { workAdvice } from "../../core/replies/config/work.js";
import { plainText } from "../../lib/plain-text.js";
import { UserError } from "../../lib/user-error.js";

export interface BdAnswer {
  readonly stdout: string;
  /** What a failing bd said; null when it succeeded. */
  readonly failure: string | null;
}

export interface BdCall {
  readonly root: string;
  readonly args: readonly string[];
  readonly timeoutSeconds: number;
  readonly maxBytes?: number;
}

/** Half of what fits into one string. */
const LONGEST_ANSWER = 256 * 1024 * 1024;

/**
 * Runs bd in the project's folder. Throws a `UserError` when there is no bd, when it does not answer in
 * time, or when its answer has no end.
 */
export function runBd({ root, args, timeoutSeconds, maxBytes = LONGEST_ANSWER }: BdCall): Promise<BdAnswer> {
  const options = {
    cwd: root,
    timeout: timeoutSeconds * 1000,
    killSignal: "SIGKILL" as const,
    maxBuffer: maxBytes,
  };
  return new Promise((resolve, reject) => {
    const child = execFile("bd", [...args], options, (error, stdout, stderr) => {
      if (error === null) return resolve({ stdout, failure: null });
      if (error.code === "ENOENT") return reject(UserError.of(workAdvice.noBd()));
      if (error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER")
        return reject(UserError.of(workAdvice.bdLong(bdCommand(args), maxBytes)));
      if (error.killed) return reject(UserError.of(workAdvice.bdSlow(bdCommand(args), timeoutSeconds)));
      resolve({ stdout, failure: failureOf(stdout, stderr) ?? error.message });
    });
    // Nobody is there to answer what it may ask. It may also end before it notices.
    child.stdin?.on("error", () => {});
    child.stdin?.end();
  });
}

/** Depending on version and command bd reports a failure in words or as JSON, on either stream. */
function failureOf(stdout: string, stderr: string): string | null {
  for (const text of [stderr, stdout]) {
    const json = readJson(text);
    const error = json.kind === "json" ? errorIn(json.data) : null;
    if (error !== null) return error;
  }
  return stderr.trim() || null;
}

/** The text of bd's `{"error": …}`; null when the answer is something else. */
export function errorIn(data: unknown): string | null {
  const error = (data as { error?: unknown } | null)?.error;
  return typeof error === "string" && error !== "" ? error : null;
}

const SHOWN_CHARACTERS = 200;

/** The command for messages: on one line, and not longer than one can take in. */
export function bdCommand(args: readonly string[]): string {
  const command = plainText(`bd ${args.join(" ")}`);
  return command.length > SHOWN_CHARACTERS ? `${command.slice(0, SHOWN_CHARACTERS)}…` : command;
}
