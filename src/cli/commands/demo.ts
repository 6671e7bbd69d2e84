import { demoWords } from "../../core/replies/surfaces/demo.js";
import type { DemoPlace } from "../demo/demo-repository.js";
import type { Surface } from "../program.js";

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export function addDemo({ program, terminal, exit }: Surface): void {
  program
    .command("demo")
    .description("show koryph at work on a throw-away repository")
    .option("--keep", "leave the repository in place and say where it is")
    .action(async ({ keep }: { keep?: true }) => {
      const [{ makeDemo }, { showDemo }, { leaveDemo }] = await Promise.all([
        import("../demo/demo-repository.js"),
        import("../demo/show-demo.js"),
        import("../demo/leave-demo.js"),
      ]);
      const interrupt = listenForInterrupt();
      let place: DemoPlace | null = null;
      try {
        place = await makeDemo();
        exit(await showDemo(place, terminal, interrupt.signal));
      } catch (error) {
        if (!interrupt.signal.aborted) throw error;
        exit(interrupt.signal.reason);
      } finally {
        if (place !== null && keep && !interrupt.signal.aborted)
          for (const line of demoWords.kept(place.home, place.repository)) terminal.out(line);
        else if (place !== null) await leaveDemo(place);
        if (interrupt.signal.aborted) terminal.err(demoWords.interrupted());
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
