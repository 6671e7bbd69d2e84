import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { DetachedProcesses } from "../../src/adapters/process/detached-processes.js";
import { commandOf, readEntry } from "../../src/adapters/process/proc-table.js";
import type { ProcessSpec } from "../../src/ports/agent-processes.js";
import { median, report } from "./measure.js";

const ROUNDS = 30;
const IDLE_AGENTS = 20;
const IDLE_SECONDS = 20;
/** How often the engine looks at every slot. */
const TICK_SECONDS = 5;

/** What supervision costs: once per agent, and for as long as agents sleep. */
export async function benchProcesses(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "koryph-bench-"));
  try {
    await benchStart(root);
    await benchIdle(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function specOf(root: string, name: string, argv: readonly string[]): ProcessSpec {
  const [folder, alive] = [join(root, name), join(root, "alive")];
  mkdirSync(folder);
  writeFileSync(alive, "");
  return {
    folder,
    cwd: root,
    argv,
    env: { PATH: "/usr/bin:/bin", KORYPH_SLOT: `koryph-bench-${process.pid}` },
    stdin: "/dev/null",
    marker: `koryph-bench-${process.pid}`,
    wallSeconds: 600,
    livenessFile: alive,
    leaseSeconds: 60,
  };
}

async function benchStart(root: string): Promise<void> {
  const processes = new DetachedProcesses();
  const [bare, wrapped]: [number[], number[]] = [[], []];
  for (let round = -1; round < ROUNDS; round += 1) {
    const start = performance.now();
    await new Promise((resolve) => spawn("/usr/bin/true", { stdio: "ignore" }).once("exit", resolve));
    const middle = performance.now();
    const spec = specOf(root, `true-${round}`, ["/usr/bin/true"]);
    const begin = performance.now();
    await processes.start(spec);
    while (!existsSync(join(spec.folder, "exit.json"))) await delay(0.1);
    // The round before the first warms the code up.
    if (round < 0) continue;
    bare.push(middle - start);
    wrapped.push(performance.now() - begin);
  }
  report(
    "`true` under supervision, start to exit file / bare spawn to exit",
    median(wrapped) / median(bare),
    "≤ 10",
  );
}

/**
 * CPU of wrappers and their sleeps, from the kernel's own books. These count in hundredths of a second, and a
 * wrapper uses less than that in a minute: so they look up ten times as often as usual, and a tenth is reported.
 */
async function benchIdle(root: string): Promise<void> {
  const hurry = 10;
  const processes = new DetachedProcesses({ tickSeconds: 10 / hurry });
  const specs = Array.from({ length: IDLE_AGENTS }, (_, index) =>
    specOf(root, `idle-${index}`, ["/usr/bin/sleep", "600"]),
  );
  const stops: (() => void)[] = [];
  try {
    const wrappers = await Promise.all(specs.map((spec) => processes.start(spec)));
    await delay(500);
    // Sleeps that have ended are in the books of the shell that waited for them.
    const family = new Set([...wrappers.map(({ pid }) => pid), ...watchersOf(root)]);
    const used = () => [...family].reduce((sum, pid) => sum + (readEntry(pid)?.cpuSeconds ?? 0), 0);
    // As an engine that came back sees them: no exit events, so it watches files and looks at pids.
    const later = new DetachedProcesses();
    for (const { folder } of specs) stops.push(later.watch(folder, () => {}));
    const [before, ours] = [used(), process.cpuUsage()];
    for (let second = 0; second < IDLE_SECONDS; second += 1) {
      await delay(1000);
      writeFileSync(join(root, "alive"), "");
      if (second % TICK_SECONDS !== 0) continue;
      await Promise.all(
        specs.flatMap(({ folder, marker }) => [later.status(folder), later.activity(folder, marker)]),
      );
    }
    const engine = process.cpuUsage(ours);
    report(
      `${IDLE_AGENTS} sleeping agents: CPU of all wrappers, share of one core in %`,
      ((used() - before) / IDLE_SECONDS / hurry) * 100,
      "≤ 1",
    );
    report(
      `${IDLE_AGENTS} sleeping agents: CPU of supervision in the engine, share of one core in %`,
      ((engine.user + engine.system) / 1e6 / IDLE_SECONDS) * 100,
      "≤ 1",
    );
  } finally {
    for (const stop of stops) stop();
    await Promise.all(specs.map(({ folder }) => processes.signal(folder, "SIGKILL")));
    await processes.sweep(`koryph-bench-${process.pid}`, root);
  }
}

function watchersOf(root: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && commandOf(pid)[1]?.startsWith(`${root}/`));
}
