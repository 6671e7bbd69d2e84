import { type ChildProcess, spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import type { ProcessSpec } from "../../../src/ports/agent-processes.js";

/** The adapter as it was built, for scripts that plain Node runs. */
export const BUILT_ADAPTER = new URL("../../../dist/adapters/process/detached-processes.js", import.meta.url)
  .href;

/** Another engine, in a process of its own: starts the agents given, prints what `start` returned, then idles. */
export function engineProcess(specs: readonly ProcessSpec[]) {
  const script = `import { DetachedProcesses } from ${JSON.stringify(BUILT_ADAPTER)};
     const processes = new DetachedProcesses({ graceSeconds: 0.3, tickSeconds: 1 });
     const started = await Promise.all(JSON.parse(process.argv[1]).map((spec) => processes.start(spec)));
     console.log(JSON.stringify(started));
     setInterval(() => {}, 1000);`;
  const child: ChildProcess = spawn(
    process.execPath,
    ["--input-type=module", "--eval", script, JSON.stringify(specs)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const started = new Promise<string>((resolve, reject) => {
    child.stdout?.once("data", (data) => resolve(String(data)));
    child.once("exit", (code) => reject(new Error(`the engine ended with ${code} before it had started`)));
  });
  // Not everybody waits for it.
  started.catch(() => {});
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return { child, started, ended };
}
