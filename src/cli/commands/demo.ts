import type { Command } from "commander";
import { docsPath } from "../../adapters/project/docs-path.js";
import { demoWords } from "../../core/replies/surfaces/demo.js";
import type { Surface } from "../program.js";

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

interface DemoFlags {
  readonly keep?: boolean;
  readonly json?: boolean;
  readonly report?: string;
}

export function addDemo(command: Command, { terminal, exit }: Surface): void {
  command
    .option("--keep", "leave GitHub and the App running at the end, to click through")
    .option("--report <file>", "write the report there (default: koryph-demo.html in the temporary folder)")
    .option("--json", `print JSON at the end and nothing else, as ${docsPath("json.md")} describes it`)
    .action(async ({ keep = false, json = false, report }: DemoFlags) => {
      // A whole GitHub takes a while to load, and the help page does without it.
      const { hostDemo } = await import("../demo/host-demo.js");
      const interrupt = listenForInterrupt();
      let ended: number | null = null;
      try {
        ended = await hostDemo({ keep, json, report, signal: interrupt.signal }, terminal);
        exit(ended);
      } catch (error) {
        if (!interrupt.signal.aborted) throw error;
        exit(interrupt.signal.reason);
      } finally {
        if (interrupt.signal.aborted && ended === null) terminal.err(demoWords.interrupted());
        interrupt.forget();
      }
    });
}

/**
 * Aborts with the exit code at the first signal. More of them change nothing: npm passes on what the keyboard has sent
 * already, and the demo is about to end.
 */
function listenForInterrupt(): { readonly signal: AbortSignal; forget(): void } {
  const aborted = new AbortController();
  const listeners = Object.entries(SIGNALS).map(([name, code]) => ({ name, on: () => aborted.abort(code) }));
  for (const { name, on } of listeners) process.on(name, on);
  return {
    signal: aborted.signal,
    forget: () => {
      for (const { name, on } of listeners) process.off(name, on);
    },
  };
}
