import type { UserConsoleLog } from "vitest";
import type { Reporter, TestModule } from "vitest/node";
import { LAYER_MISSING } from "./layer-missing.js";

/** Ends the run with one plain line, so that a log without tests is noticed by whoever reads only its end. */
export default class ClosingLine implements Reporter {
  /** Said once, however many files have noticed. */
  readonly #missing = new Set<string>();

  onUserConsoleLog({ content }: UserConsoleLog): void {
    for (const line of content.split("\n")) if (line.startsWith(LAYER_MISSING)) this.#missing.add(line);
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const count = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const state = test.result().state;
        if (state !== "pending") count[state] += 1;
      }
      // A file that cannot be loaded has no tests to fail, and is a failure all the same.
      if (module.state() === "failed" && [...module.children.allTests()].length === 0) count.failed += 1;
    }
    // Vitest prints its own summary after this hook; the line has to come last.
    process.once("exit", () => {
      for (const line of this.#missing) process.stdout.write(`${line}\n`);
      process.stdout.write(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
    });
  }
}
