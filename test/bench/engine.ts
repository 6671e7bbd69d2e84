import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { EngineWorld } from "./engine-world.js";
import { report } from "./measure.js";

/** What the kernel counts a process's time in. */
const TICKS_PER_SECOND = 100;
const POLL_MS = 10_000;

const COMMIT =
  'echo "$KORYPH_BEAD" >"$KORYPH_BEAD.txt" && git add --all && git commit --quiet -m "$KORYPH_BEAD"';

export async function benchEngine(): Promise<void> {
  report("load of the machine before the engine's figures", loadavg()[0] ?? 0, "—");
  await benchRefill();
  await benchIdle();
  await benchOverhead();
}

/** From an agent's end to the next agent's first line: the ends are spread out, so that they rarely meet. */
async function benchRefill(): Promise<void> {
  const agent = `date +%s%N\n${COMMIT}\nsleep "$(awk -v n="\${KORYPH_BEAD#b-}" 'BEGIN { print 1.5 + n * 0.37 % 1 }')"`;
  const world = new EngineWorld({ files: 1_000, beads: 40, slots: 4, agent });
  try {
    const said = await world.run("--timings", join(world.top, "timings.jsonl")).ended;
    const { exits, starts } = world.times();
    // The first four fill the slots; from then on the n-th free slot gets the n-th agent after them.
    const gaps = starts.slice(4).map((start, index) => start - (exits[index] ?? 0));
    const sorted = gaps.sort((a, b) => a - b);
    const middle = sorted[sorted.length >> 1] ?? 0;
    report("agent's exit to next agent's start, 4 slots, 1000 files: median ms", middle, "≤ 120");
    report("the same: 90th percentile ms", sorted[Math.floor(sorted.length * 0.9)] ?? 0, "≤ 300");
    report("a 10 s poll, which finds it after 5 s / ours", POLL_MS / 2 / middle, "> 20");
    // On a busy machine git alone takes longer than that; this ratio does not depend on it.
    report("the same / git clone --shared, commit, fetch at the same time", middle / plainMs(world, 10), "—");
    // What was under way meanwhile, without the last line, which names a file that goes.
    const [, table = ""] = /^timings: .*\n((?: {2}.*\n)*)/m.exec(said) ?? [];
    process.stdout.write(table);
  } finally {
    world.remove();
  }
}

/** What the engine costs while it has nothing to do but wait. */
async function benchIdle(): Promise<void> {
  const agent = `date +%s%N\n${COMMIT}\nwhile ! [ -e "$(dirname "$0")/enough" ]; do sleep 1; done`;
  const world = new EngineWorld({ files: 10, beads: 20, slots: 20, agent });
  const { child, ended } = world.run();
  try {
    while (world.attemptFiles("out.jsonl").length < 20) await Promise.race([delay(50), ended]);
    // The dust of twenty dispatches settles before anything is measured.
    await delay(3_000);
    const pid = child.pid ?? 0;
    const before = cpuSeconds(pid);
    await delay(60_000);
    const after = cpuSeconds(pid);
    const rss = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    report("engine with 20 sleeping agents: seconds of CPU in 60 s", after.own - before.own, "< 0.5");
    report(
      "the same with the git processes it started",
      after.own + after.children - before.own - before.children,
      "—",
    );
    report("its resident memory in MB", Number(rss ?? 0) / 1024, "< 120");
  } finally {
    execFileSync("touch", [join(world.top, "enough")]);
    await ended;
    world.remove();
  }
}

function cpuSeconds(pid: number): { own: number; children: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const fields = stat
    .slice(stat.lastIndexOf(") ") + 2)
    .split(" ")
    .map(Number);
  const at = (index: number) => (fields[index] ?? 0) / TICKS_PER_SECOND;
  return { own: at(11) + at(12), children: at(13) + at(14) };
}

/** All that the engine does for a bead whose agent does next to nothing, against the least a script would do. */
async function benchOverhead(): Promise<void> {
  const beads = 20;
  const world = new EngineWorld({ files: 1_000, beads, slots: 1, agent: `date +%s%N\n${COMMIT}` });
  try {
    const before = plainMs(world, beads / 2);
    await world.run().ended;
    const plain = (before + plainMs(world, beads / 2)) / 2;
    const { starts, exits } = world.times();
    const ours = ((exits.at(-1) ?? 0) - (starts[0] ?? 0)) / (beads - 1);
    report("one bead after the other, no-op agent: ms per bead", ours, "—");
    report("the same / plain loop of clone --shared, commit, fetch", ours / plain, "—");
  } finally {
    world.remove();
  }
}

const PLAIN_LOOP = `
git clone --quiet --bare "$1" plain.git
export GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@example.com GIT_COMMITTER_NAME=Ann GIT_COMMITTER_EMAIL=ann@example.com
for n in $(seq "$2"); do
  git clone --quiet --shared plain.git "clone-$n"
  (cd "clone-$n" && git checkout --quiet -b "agent/$n" && echo "$n" >"$n.txt" && git add --all && git commit --quiet -m "$n")
  git -C plain.git fetch --quiet "../clone-$n" "agent/$n:agent/$n"
  rm -rf "clone-$n"
done
rm -rf plain.git`;

/** What a script takes per bead that does no more than it must. */
function plainMs(world: EngineWorld, beads: number): number {
  const start = performance.now();
  execFileSync("sh", ["-ec", PLAIN_LOOP, "sh", world.remote, String(beads)], {
    cwd: world.top,
    env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: "/dev/null", HOME: world.top },
    stdio: ["ignore", "ignore", "inherit"],
  });
  return (performance.now() - start) / beads;
}
