import { execFile } from "node:child_process";
import type { Variables } from "../../core/runtimes/agent-environment.js";
import { type CcusageReading, readCcusage } from "../../core/usage/read-ccusage.js";
import type { CcusageProblem } from "../../core/usage/usage-measurement.js";
import { LONGEST_WINDOW_MS } from "../../core/usage/window-spending.js";
import { findBinary } from "../runtimes/find-binary.js";

export type CcusageAnswer =
  | { readonly kind: "read"; readonly reading: CcusageReading }
  | { readonly kind: "not-installed" }
  | { readonly kind: "problem"; readonly problem: CcusageProblem };

const MOST_BYTES = 32 * 1024 * 1024;
/** Nothing of the operator's environment that holds secrets; only where records and programs are. */
const PASSED_ON = ["PATH", "HOME", "CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "LANG", "TZ"];

/** What ccusage says of Claude Code's account, where it is installed. */
export async function askCcusage(
  env: Variables,
  { now, timeoutSeconds }: { readonly now: number; readonly timeoutSeconds: number },
): Promise<CcusageAnswer> {
  const program = await findBinary("ccusage", { root: "/", path: env.PATH });
  if (program === null) return { kind: "not-installed" };
  // Two days more than the week, since it counts days where the machine is. Without the network its prices are its own.
  const since = new Date(now - LONGEST_WINDOW_MS - 2 * 86_400_000)
    .toISOString()
    .slice(0, 10)
    .replaceAll("-", "");
  const answer = await ran(program, ["blocks", "--json", "--offline", "--since", since], env, timeoutSeconds);
  if (typeof answer !== "string") return { kind: "problem", problem: answer.problem };
  const reading = readCcusage(answer, now);
  return reading === null ? { kind: "problem", problem: "not-understood" } : { kind: "read", reading };
}

function ran(
  program: string,
  args: readonly string[],
  env: Variables,
  timeoutSeconds: number,
): Promise<string | { readonly problem: CcusageProblem }> {
  const options = {
    // It reads settings from the folder it is in, and a repository's are a stranger's.
    cwd: "/",
    env: Object.fromEntries([
      ...PASSED_ON.map((name) => [name, env[name]]),
      ["NO_COLOR", "1"],
      ["LOG_LEVEL", "0"],
    ]),
    timeout: timeoutSeconds * 1000,
    killSignal: "SIGKILL" as const,
    maxBuffer: MOST_BYTES,
  };
  return new Promise((done) => {
    const child = execFile(program, [...args], options, (error, stdout) => {
      if (error === null) done(stdout);
      else
        done({
          problem: error.killed && error.code !== "ERR_CHILD_PROCESS_STDIO_MAXBUFFER" ? "slow" : "failed",
        });
    });
    child.stdin?.on("error", () => {});
    child.stdin?.end();
  });
}
