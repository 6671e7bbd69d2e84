import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { git } from "../../support/cli/project.js";
import { commitOnce } from "../../support/engine/engine-agents.js";
import { EngineLab, WAIT } from "../../support/engine/engine-lab.js";
import { longTest } from "../../support/long.js";

// Many processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 180_000 });

const LEASE = { seconds: 4, graceSeconds: 3 };
const slowly = `sleep 0.5\n${commitOnce}`;

test("of two engines on one remote one dispatches each bead once, and the other waits for its lease", async () => {
  const lab = new EngineLab({ remote: true, agents: { a: slowly, b: slowly } });
  const other = lab.beside("other");
  const engines = [lab.engine({ lease: LEASE }), other.engine({ lease: LEASE })];
  const ends = await Promise.all(engines.map(({ ended }) => ended));
  expect(ends.map(({ code, stderr }) => ({ code, stderr }))).toEqual([
    { code: 0, stderr: "" },
    { code: 0, stderr: "" },
  ]);
  expect(ends.filter(({ stdout }) => stdout.includes('"waiting-for-lease"'))).toHaveLength(1);
  for (const bead of lab.beads) expect(lab.starts(bead), bead).toHaveLength(1);
  const log = await lab.log();
  expect(log.filter(({ type }) => type === "slot.dispatching")).toHaveLength(2);
  expect(log.filter(({ type }) => type === "slot.finished")).toHaveLength(2);
});

longTest("an engine in the same home refuses at once and names the one that runs", async () => {
  const lab = new EngineLab({ agents: { a: `mark a\nawait a\n${commitOnce}` } });
  const first = lab.start("run");
  await lab.marked("a");
  const second = await lab.koryph("run");
  expect(second).toMatchObject({ code: 1, stdout: "" });
  expect(second.stderr).toContain(
    `an engine runs this project on this machine already: pid ${first.child.pid}`,
  );
  lab.allow("a");
  expect((await first.ended).code).toBe(4);
});

// In the short form the simulator tells it.
longTest(
  "an engine that was killed is followed by another when its lease has run out, and never two agents at once",
  async () => {
    const lab = new EngineLab({
      remote: true,
      agents: { a: "mark a\nawait a\n", "a.2": commitOnce, b: commitOnce },
      beads: { b: { labels: ["fp:a"] } },
    });
    const other = lab.beside("other");
    const first = lab.engine({ lease: LEASE });
    await lab.marked("a");
    // Told to others before it dies: what nobody heard of is dispatched anew anyway. A request is shared at once, with
    // all that went before.
    await lab.koryph("nudge", "a", "hello");
    await expect.poll(async () => (await other.status()).a, { ...WAIT, interval: 500 }).toBe("running");
    first.child.kill("SIGKILL");
    const second = await other.engine({ lease: LEASE, resume: true }).ended;
    expect(second, second.stdout).toMatchObject({ code: 0, stderr: "" });
    expect(second.stdout).toContain('"waiting-for-lease"');
    expect(await other.status()).toEqual({ a: "merge-pending", b: "merge-pending" });
    expect(lab.starts("a")).toHaveLength(2);
    expect(existsSync(join(lab.top, "starts", "a.overlap"))).toBe(false);
    expect(git(lab.remote, "rev-parse", "main")).toBe(git(lab.root, "rev-parse", "main"));
  },
);
