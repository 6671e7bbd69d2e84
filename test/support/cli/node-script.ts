import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface, type Interface } from "node:readline";
import type { Readable } from "node:stream";
import { onTestFinished } from "vitest";

const DIST = new URL("../../../dist/", import.meta.url).href;

export interface Script {
  readonly pid: number;
  readonly child: ChildProcessByStdio<null, Readable, null>;
  /** The next line it prints. */
  line(): Promise<string>;
  /** All lines still to come, once it has ended. */
  rest(): Promise<string[]>;
  /** SIGKILL, and waits until it is gone. */
  kill(): Promise<void>;
}

/**
 * Runs a few lines of JavaScript in a process of their own, which ends with the test at the latest. They
 * import what was built with `built("adapters/…")` and find `args` as given.
 */
export function startScript(body: string, ...args: string[]): Script {
  return startScriptIn([], body, ...args);
}

/** The same behind a program that starts it, such as one that makes a container. */
export function startScriptIn(around: readonly string[], body: string, ...args: string[]): Script {
  const source = `const built = (path) => import(new URL(path, ${JSON.stringify(DIST)}).href);
    const args = process.argv.slice(1);\n${body}`;
  const [program = "", ...rest] = [...around, process.execPath, "--input-type=module", "-e", source, ...args];
  const child = spawn(program, rest, {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const reader: Interface = createInterface({ input: child.stdout });
  const lines = reader[Symbol.asyncIterator]();
  return {
    pid: child.pid ?? 0,
    child,
    async line() {
      const { done, value } = await lines.next();
      if (done) throw new Error("the script ended before it printed a line");
      return value;
    },
    async rest() {
      const all: string[] = [];
      for (let next = await lines.next(); !next.done; next = await lines.next()) all.push(next.value);
      return all;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
