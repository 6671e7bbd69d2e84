import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { ProcessSpec } from "../../../src/ports/agent-processes.js";

const SOURCE = fileURLToPath(new URL("../../../src/adapters/process/detached-processes.ts", import.meta.url));

/** The adapter as one file that plain Node can run, made from the sources as they are now. */
export async function bundleAdapter(folder: string): Promise<string> {
  const { build } = await import("vite");
  await build({
    configFile: false,
    logLevel: "silent",
    ssr: { noExternal: true },
    build: { ssr: SOURCE, outDir: folder, emptyOutDir: false, minify: false },
  });
  return join(folder, "detached-processes.js");
}

/** Another engine, in a process of its own: starts the agents given, prints what `start` returned, then idles. */
export function engineProcess(bundle: string, specs: readonly ProcessSpec[]) {
  const script = join(bundle, "..", "engine.mjs");
  writeFileSync(
    script,
    `import { DetachedProcesses } from "./detached-processes.js";
     const processes = new DetachedProcesses({ graceSeconds: 0.3, tickSeconds: 1 });
     const started = await Promise.all(JSON.parse(process.argv[2]).map((spec) => processes.start(spec)));
     console.log(JSON.stringify(started));
     setInterval(() => {}, 1000);`,
  );
  const child: ChildProcess = spawn(process.execPath, [script, JSON.stringify(specs)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const started = new Promise<string>((resolve) =>
    child.stdout?.once("data", (data) => resolve(String(data))),
  );
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return { child, started, ended };
}
