import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { commitOnce } from "../../support/engine/engine-agents.js";
import {
  type CrashPoint,
  crash,
  crashLab,
  expectAllFinished,
  recover,
} from "../../support/engine/engine-crash.js";
import { EngineLab, WAIT } from "../../support/engine/engine-lab.js";
import { LONG } from "../../support/long.js";

// Many processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 180_000 });

/** One point of each kind of step, in the order of a slot's life. */
const IN_A_ROW: readonly CrashPoint[] = [
  { point: "ledger.claim:run.started", when: "after", n: 1 },
  { point: "source.claim", when: "after", n: 1 },
  { point: "worktrees.prepare", when: "after", n: 1 },
  { point: "processes.start", when: "after", n: 1 },
  // The one that dies is queued again once: before any other life can have collected it.
  { point: "ledger.observe:slot.queued", when: "after", n: 1 },
  { point: "worktrees.collect", when: "after", n: 1 },
  { point: "ledger.observe:slot.finished", when: "before", n: 1 },
  { point: "source.comment", when: "before", n: 1 },
];

/** Left out of the short form: others in the row die close by. */
const LONG_ONLY = ["source.claim", "worktrees.prepare", "source.comment"];

/** Every call by which the engine changes or learns something, with the numbers of the calls that die. */
const POINTS: Readonly<Record<string, readonly number[]>> = {
  "ledger.refresh": [1, 2, 3],
  "ledger.claim:run.started": [1],
  "ledger.observe:slot.dispatching": [1, 2, 3, 4],
  "ledger.observe:slot.started": [1],
  "ledger.observe:slot.ended": [1, 2, 4],
  "ledger.observe:slot.queued": [1],
  "ledger.observe:slot.finished": [1, 2, 3],
  "ledger.observe:run.ended": [1],
  "ledger.share": [1, 2, 5],
  "ledger.share:now": [1],
  "liveness.touch": [1],
  "source.all": [1, 3],
  "source.claim": [1, 3],
  "source.comment": [1, 2],
  "worktrees.fetch": [1],
  "worktrees.prepare": [1, 2, 4],
  "worktrees.collect": [1, 2, 4],
  "worktrees.checkpoint": [1, 2],
  "folders.markPrepared": [1, 2, 4],
  "folders.writeLaunch": [1, 2, 4],
  "folders.writeManifest": [1, 3, 6],
  "folders.readStatus": [1, 2],
  "processes.start": [1, 3, 4],
  "processes.status": [1, 3, 10],
  "processes.sweep": [1, 2, 7, 8],
};

const ALL: readonly CrashPoint[] = Object.entries(POINTS).flatMap(([point, calls]) =>
  calls.flatMap((n) => [
    { point, when: "before" as const, n },
    { point, when: "after" as const, n },
  ]),
);

/** Made only in the long form: minutes of kills that add little to what the others show. */
const describeLong = (name: string, body: () => void) => {
  if (LONG) describe(name, body);
};

test("an engine killed again and again is gone on with, and every bead finishes once", async () => {
  const lab = crashLab();
  const row = IN_A_ROW.filter(({ point }) => LONG || !LONG_ONLY.includes(point));
  for (const [index, point] of row.entries()) await crash(lab, point, index > 0);
  await recover(lab);
  await expectAllFinished(lab);
});

describeLong("an engine killed once is gone on with, and every bead finishes once", () => {
  test.each(ALL)("$when $point, call $n", async (point) => {
    const lab = crashLab();
    await crash(lab, point);
    await recover(lab);
    await expectAllFinished(lab);
  });
});

/** Points on the way of a request: taken up, acted on, taken off the ledger. */
const STOPPING: readonly CrashPoint[] = [
  { point: "processes.signal", when: "after", n: 1 },
  { point: "processes.signal", when: "before", n: 1 },
  { point: "ledger.observe:slot.stopping", when: "before", n: 1 },
  { point: "ledger.observe:slot.stopping", when: "after", n: 1 },
  { point: "ledger.claim:control.consumed", when: "before", n: 1 },
  { point: "ledger.claim:control.consumed", when: "after", n: 1 },
];

describeLong("an engine killed while it stops an agent", () => {
  test.each(STOPPING)("$when $point", async (point) => {
    const lab = new EngineLab({ agents: { "a.1": "mark a\nawait a\nexit 3\n", a: commitOnce } });
    const engine = lab.engine(point);
    await lab.marked("a");
    await lab.koryph("stop", "a");
    await engine.ended;
    expect(engine.child.signalCode).toBe("SIGKILL");
    lab.allow("a");
    await recover(lab);
    await expectAllFinished(lab, { a: ["a one"] });
  });
});

describeLong("an engine killed while it delivers a nudge", () => {
  test.each<CrashPoint>([
    { point: "folders.deliver", when: "before", n: 1 },
    { point: "folders.deliver", when: "after", n: 1 },
    { point: "ledger.claim:control.consumed", when: "after", n: 1 },
  ])("$when $point leaves it once in the inbox", async (point) => {
    const lab = new EngineLab({
      agents: { a: `mark a\nawait a\n${commitOnce}cp "$KORYPH_AGENT_DIR/INBOX.md" "$lab/inbox"\n` },
    });
    const engine = lab.engine(point);
    await lab.marked("a");
    await lab.koryph("nudge", "a", "mind the gap");
    await engine.ended;
    expect(engine.child.signalCode).toBe("SIGKILL");
    const next = lab.start("run", "--resume");
    await expect
      .poll(async () => (await lab.log()).some(({ type }) => type === "control.consumed"), WAIT)
      .toBe(true);
    lab.allow("a");
    expect((await next.ended).code).toBe(4);
    expect(readFileSync(join(lab.top, "inbox"), "utf8").match(/mind the gap/g)).toHaveLength(1);
  });
});

describeLong("a run without --resume after a crash", () => {
  test.each<CrashPoint>([
    { point: "source.claim", when: "after", n: 1 },
    { point: "worktrees.prepare", when: "after", n: 1 },
    { point: "processes.start", when: "after", n: 2 },
    { point: "worktrees.collect", when: "after", n: 1 },
    { point: "ledger.observe:slot.queued", when: "after", n: 1 },
    { point: "ledger.observe:slot.finished", when: "after", n: 1 },
  ])("$when $point keeps what has work for --resume, and every bead finishes once", async (point) => {
    const lab = crashLab();
    await crash(lab, point);
    const { stdout, stderr } = await lab.koryph("run");
    expect(stderr, stdout).toBe("");
    await recover(lab);
    await expectAllFinished(lab);
  });
});
