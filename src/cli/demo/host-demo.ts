import { demoWords } from "../../core/replies/surfaces/demo.js";
import type { Terminal } from "../text/terminal.js";
import { DEMO_PARTS } from "./demo-backlog.js";
import { DemoThreads } from "./demo-threads.js";
import { DEMO_REPOSITORY, type DemoWorld, makeDemoFolder, makeDemoWorld } from "./demo-world.js";
import { leaveDemo } from "./leave-demo.js";
import { showDemo } from "./show-demo.js";

export interface DemoWish {
  readonly keep: boolean;
  readonly json: boolean;
  readonly report: string | undefined;
  readonly signal: AbortSignal;
}

const QUIET = { out: () => {} };

/** The whole demo, with nothing left behind but its report. Returns the exit code. */
export async function hostDemo(
  { keep, json, report, signal }: DemoWish,
  terminal: Terminal,
): Promise<number> {
  const top = await makeDemoFolder();
  let world: DemoWorld | null = null;
  try {
    world = await makeDemoWorld(top);
    const shown = json ? { ...QUIET, paint: terminal.paint } : terminal;
    const outcome = await showDemo(world, { terminal: shown, signal, report, keep });
    if (json) terminal.out(JSON.stringify(outcome, null, 2));
    if (keep) await keepRunning(world, json ? terminal.err : terminal.out, signal);
    return outcome.ok ? 0 : 1;
  } finally {
    await world?.close();
    await leaveDemo(top);
  }
}

async function keepRunning(
  world: DemoWorld,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { sandbox, appUrl } = world;
  const { number } = new DemoThreads(world, signal).pullOf(DEMO_PARTS.unblocked);
  for (const line of demoWords.kept(`${sandbox.url}/_/${DEMO_REPOSITORY}`, number, appUrl)) say(line);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
