import type { Reporter, TestModule } from "vitest/node";

/** Ends the run with one plain line, so that a log without tests is noticed by whoever reads only its end. */
export default class ClosingLine implements Reporter {
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
      process.stdout.write(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
    });
  }
}
