import { setTimeout as delay } from "node:timers/promises";
import { checkReports } from "../../src/core/replies/report/check-report.js";
import { runSummaryPage } from "../../src/core/replies/report/run-summary.js";
import { summarise } from "../../src/core/replies/run/progress.js";
import { emptyState } from "../../src/core/run/ledger/ledger-state.js";
import type { ReportRow, RunReport } from "../../src/core/run/plan/run-report.js";
import { REPOSITORY, until } from "./app/app-world.js";
import { median, report } from "./measure.js";
import { WaveBenchWorld } from "./wave-world.js";

const COMMIT =
  'echo "$KORYPH_BEAD" >"$KORYPH_BEAD.txt" && git add --all && git commit --quiet -m "feat: $KORYPH_BEAD"';
const NUDGES = 5;

export async function benchWaves(): Promise<void> {
  benchSizes();
  await benchRequests();
  await benchSteering();
}

/** What GitHub is asked while a run takes ten issues from their release to their close. */
async function benchRequests(): Promise<void> {
  const world = await WaveBenchWorld.open(COMMIT, 10);
  try {
    const { sandbox } = world.github;
    const before = sandbox.requests.length;
    await world.run().ended;
    const open = sandbox.world.repository(REPOSITORY)?.issues.filter(({ state }) => state === "open") ?? [];
    if (open.length > 0) throw new Error(`${open.length} issues are open still`);
    const asked = sandbox.requests.slice(before).filter(({ operation }) => !operation.startsWith("git"));
    report("GitHub requests for a wave of 10 beads, from release to close", asked.length, "90 or fewer");
  } finally {
    await world.close();
  }
}

/** From a comment on GitHub to the words in front of an agent at work: App, ledger and engine in between. */
async function benchSteering(): Promise<void> {
  const agent = `touch "$top/begun"\nwhile ! [ -e "$top/enough" ]; do sleep 0.2; done\n${COMMIT}`;
  const world = await WaveBenchWorld.open(agent, 1);
  try {
    world.github.install();
    await world.github.start();
    const { ended } = world.run();
    const heard = async () => {
      while (!world.isThere("begun") || !world.knows("gh-1")) await delay(500);
    };
    await Promise.race([heard(), ended]);
    const took: number[] = [];
    for (let round = 1; round <= NUDGES; round += 1) {
      const start = performance.now();
      await world.github.writes("maria", 1, `/koryph nudge gh-1 "word-${round}"`);
      await until(() => world.inbox("gh-1").includes(`word-${round}`));
      took.push(performance.now() - start);
    }
    world.allow("enough");
    await ended;
    report("comment on GitHub to the engine's agent having it: median ms", median(took), "—");
    report("the same: slowest ms", Math.max(...took), "—");
  } finally {
    world.allow("enough");
    await world.close();
  }
}

const row = (index: number): ReportRow =>
  ({
    ...{ bead: `gh-${10_000 + index}`, title: "A title of the length that titles of issues often have" },
    footprint: { writes: [`src/component-${index}`, `docs/component-${index}`], reads: ["src/shared"] },
    ...{ model: "claude-sonnet-4-5", task: { kind: "implement" }, tries: 3, costUsd: 12.34, costKnown: true },
    pull: { number: 20_000 + index, url: `https://github.com/team/shop/pull/${20_000 + index}` },
    ...{ note: "the gate is red on its work: npm test ended with 1, see the report", landed: null },
    ...{ status: "blocked", stopping: false, at: "2026-11-18T12:00:00.000Z" },
  }) as unknown as ReportRow;

/** Bytes of what GitHub gets at 200 slots, as a part of what it takes. */
function benchSizes(): void {
  const rows = Array.from({ length: 200 }, (_, index) => row(index));
  const now = Date.parse("2026-11-18T13:00:00Z");
  const spans = rows.map(({ bead }, index) => ({ bead, from: now - 3_600_000 + index, to: now }));
  const facts: RunReport = {
    ...{ run: "20261118-120000-abcd", mode: "rolling", groups: [rows], spans, now },
    ended: { reason: "it ended (drained)", outcome: "complete" },
  };
  const [check] = checkReports(facts);
  const shown = check?.summary ?? "";
  const page = runSummaryPage(facts, summarise(emptyState(), facts.run, { reason: "drained", code: 4 }));
  report("check run at 200 slots, of the 65,535 bytes that GitHub takes", bytes(shown) / 65_535, "1 or less");
  report("the same: rows that fit", shown.match(/^\| <code>gh-/gm)?.length ?? 0, "—");
  report("job summary at 200 slots, of 1 MiB", bytes(page) / 1_048_576, "1 or less");
}

function bytes(text: string): number {
  return Buffer.byteLength(text);
}
