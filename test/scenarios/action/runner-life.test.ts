import { expect, test, vi } from "vitest";
import { type WaveWorld, waveWorld } from "../../support/action/wave-world.js";
import { git } from "../../support/cli/project.js";
import { JobFate } from "../../support/cli/run-composite.js";
import { longTest } from "../../support/long.js";

// Many processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 600_000 });

/** Subjects of what was saved of a bead. */
const saved = ({ repository, tip }: WaveWorld, bead: string) =>
  tip(`refs/koryph/wip/${bead}`) === ""
    ? []
    : git(repository().gitDir, "log", "--reverse", "--format=%s", `main..refs/koryph/wip/${bead}`)
        .trimEnd()
        .split("\n");

/** An agent that commits, and goes on until it is allowed to commit again; it does not heed an interrupt. */
const STUBBORN =
  "trap '' INT\nsay working ''\ncommit one\nmark $KORYPH_BEAD\nawait $KORYPH_BEAD\ncommit two\nsay done ''";

test("a cancelled run saves its agents' commits in time, and the next one goes on from them on another machine", async () => {
  const world = await waveWorld({ agents: { a: STUBBORN, b: STUBBORN } });
  const fate = new JobFate();
  const cancelled = world.runs({ fate, inputs: { "auto-merge": "true" } });
  for (const bead of ["a", "b"]) await world.lab.marked(bead);
  const before = world.pushes();
  fate.cancel();
  const first = await cancelled;

  expect(first.log).toContain("run ended (interrupted)");
  expect(first).toMatchObject({
    orphans: 0,
    outputs: { outcome: "continue", reason_code: "interrupted", dispatched: "2", merged: "0" },
  });
  // The runner would have sent SIGTERM by then, and the second signal ends koryph at once.
  expect(first.cancelMs).toBeLessThan(7_500);
  for (const bead of ["a", "b"]) {
    expect(saved(world, bead)).toEqual([`feat: ${bead} one`]);
    const [stopping, ended] = (await world.told(bead)).slice(-3);
    expect([stopping, ended]).toEqual(["slot.stopping", "slot.ended"]);
  }
  expect(world.pushes() - before).toBe(1);
  expect(world.checks()).toMatchObject([
    { status: "completed", conclusion: "neutral", output: { title: "2 queued" } },
  ]);

  for (const bead of ["a", "b"]) world.lab.allow(bead);
  const second = await world.runs({ inputs: { "auto-merge": "true" } });
  expect(second.log).toContain("2 landed");
  expect(second.outputs).toMatchObject({ outcome: "complete", merged: "2" });
  expect(second.outputs.run_id).not.toBe(first.outputs.run_id);
  for (const bead of ["a", "b"]) {
    expect(world.lab.starts(bead)).toHaveLength(2);
    expect(git(world.repository().gitDir, "log", "--format=%s", "main")).toContain(`feat: ${bead} two`);
    expect(saved(world, bead)).toEqual([]);
  }
  expect(world.sandbox.problems).toEqual([]);
});

longTest("a runner that vanished is gone on from, from what it had saved", async () => {
  const world = await waveWorld({ agents: { a: STUBBORN } });
  const fate = new JobFate();
  const lost = world.runs({ fate, inputs: { "auto-merge": "true" } });
  await world.lab.marked("a");
  await expect.poll(() => saved(world, "a"), { timeout: 120_000, interval: 200 }).toEqual(["feat: a one"]);
  fate.lose();
  expect((await lost).outputs).toMatchObject({ outcome: "", run_id: "" });
  expect(world.checks().map(({ name, status }) => [name, status])).toEqual([["koryph / run", "in_progress"]]);

  world.lab.allow("a");
  const next = await world.runs({ inputs: { "auto-merge": "true" } });
  expect(next.log).toContain("waiting for the lease of");
  expect(next.outputs).toMatchObject({ outcome: "complete", merged: "1", dispatched: "1" });
  expect(world.lab.starts("a")).toHaveLength(2);
  expect(world.checks().map(({ status, conclusion, output }) => [status, conclusion, output.title])).toEqual([
    ["completed", "neutral", "its runner is gone"],
    ["completed", "success", "1 landed"],
  ]);
  const subjects = git(world.repository().gitDir, "log", "--format=%s", "main");
  expect(subjects.match(/feat: a (one|two)/g)).toEqual(["feat: a two", "feat: a one"]);
});

longTest("of two runners at once one dispatches, and the other has not failed", async () => {
  const beads = ["a", "b", "c"];
  const world = await waveWorld({
    agents: Object.fromEntries(beads.map((bead) => [bead, "mark $KORYPH_BEAD\nawait all\ncommit one"])),
  });
  const one = world.runs({ inputs: { "auto-merge": "true" } });
  for (const bead of beads) await world.lab.marked(bead);
  const other = world.runs({ inputs: { "auto-merge": "true" } });
  const second = await other;
  expect(second).toMatchObject({
    conclusion: "success",
    outputs: { outcome: "continue", reason_code: "lease_held", dispatched: "0" },
  });
  expect(second.annotations.map(({ level, message }) => `${level}: ${message.split(":")[0]}`)).toEqual([
    "warning: another engine runs this project",
  ]);
  world.lab.allow("all");
  expect((await one).outputs).toMatchObject({ outcome: "complete", merged: "3" });
  for (const bead of beads) expect(world.lab.starts(bead)).toHaveLength(1);
});
