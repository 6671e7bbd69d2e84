import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { EngineLab } from "../../support/engine/engine-lab.js";
import { FORBIDDEN, LIMITED, SCRIPTED_CLAUDE } from "../../support/engine/scripted-claude.js";
import { longTest } from "../../support/long.js";

vi.setConfig({ testTimeout: 180_000 });

/** Variations of stories that the short form tells once, or that rules tell more cheaply. */
/** A project of so many beads whose agents are scripted ones. */
function claudeLab(beads: number, width: number): EngineLab {
  const names = Array.from({ length: beads }, (_, index) => [`b-${index + 1}`, ""]);
  const lab = new EngineLab({ agents: Object.fromEntries(names) });
  const program = join(lab.top, "claude.sh");
  writeFileSync(program, SCRIPTED_CLAUDE, { mode: 0o755 });
  lab.configure({
    default_runtime: "claude",
    runtimes: { claude: { command: [program, lab.top] } },
    max_concurrent_slots: width,
  });
  return lab;
}

function answer(lab: EngineLab, lines: string): void {
  writeFileSync(join(lab.top, "model"), `${lines}\n`);
}

/** What the agents were asked on, oldest first: bead and model. */
function calls(lab: EngineLab): string[] {
  const file = join(lab.top, "calls");
  return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
}

test("a refused credential blocks no bead, ends the run with what to do, and the next run goes on", async () => {
  const lab = claudeLab(4, 2);
  answer(lab, FORBIDDEN);
  const refused = await lab.koryph("run");
  expect(refused.code, refused.stdout).toBe(1);
  expect(refused.stdout).toContain("runtime-fault");
  expect(refused.stdout).toMatch(/claude: .*403 forbidden/);
  expect(calls(lab).length).toBeLessThanOrEqual(2);
  expect(Object.values(await lab.status())).not.toContain("blocked");
  expect((await lab.koryph("status")).stdout).toMatch(/paused: claude: .*403 forbidden/);

  const plan = JSON.parse((await lab.koryph("run", "--dry-run", "--json")).stdout);
  expect(plan.dispatch).toHaveLength(1);
  expect(plan.deferred.map((bead: { reason_code: string }) => bead.reason_code)).toContain("runtime_paused");

  const again = await lab.koryph("run");
  expect(again.code, again.stdout).toBe(1);
  // One agent finds out for all of them.
  expect(calls(lab).length).toBeLessThanOrEqual(3);

  answer(lab, "work");
  const mended = await lab.koryph("run");
  expect(mended.code, mended.stdout).toBe(4);
  expect(Object.values(await lab.status())).toEqual(Array.from({ length: 4 }, () => "merge-pending"));
});

longTest("a rate limit is waited out once for all beads, and costs none of them an attempt", async () => {
  const lab = claudeLab(4, 2);
  answer(lab, `[ "$(calls)" -le 5 ] && ${LIMITED}\nwork`);
  const run = await lab.koryph("run");
  expect(run.code, run.stdout).toBe(4);
  expect(Object.values(await lab.status())).toEqual(Array.from({ length: 4 }, () => "merge-pending"));
  // Two agents met the limit and three more tried whether it was over; each bead then took one.
  expect(calls(lab)).toHaveLength(5 + 4);
  const events = await lab.log();
  // From the first limit to the answer no two agents try it at once.
  const trying = new Set<string | undefined>();
  const types = events.map(({ type }) => type);
  for (const event of events.slice(types.indexOf("runtime.paused"), types.indexOf("runtime.resumed"))) {
    if (event.type === "slot.dispatching") trying.add(event.bead);
    if (event.type === "slot.ended") trying.delete(event.bead);
    expect(trying.size).toBeLessThanOrEqual(1);
  }
  expect(events.filter(({ type }) => type === "slot.queued").map(({ data }) => data.counts)).not.toContain(
    "death",
  );
  expect(events.some(({ type }) => type === "runtime.resumed")).toBe(true);
});

longTest("the last attempt at a bead that failed runs on the stronger model, and says so", async () => {
  const lab = claudeLab(1, 1);
  answer(lab, '[ "$model" = sonnet ] && fail\nwork');
  const run = await lab.koryph("run");
  expect(run.code, run.stdout).toBe(4);
  expect(calls(lab)).toEqual(["b-1 sonnet", "b-1 sonnet", "b-1 opus"]);
  expect(run.stdout).toContain("b-1  dispatched on opus instead of sonnet, for a last try");
  expect((await lab.koryph("status")).stdout).toContain("opus instead of sonnet");
});
