import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { commitOnce } from "../../support/engine/engine-agents.js";
import { EngineLab, type LedgerLine, WAIT } from "../../support/engine/engine-lab.js";
import { processesOf } from "../../support/engine/engine-processes.js";
import { longTest } from "../../support/long.js";

// Many processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 180_000 });

/** Variations of stories that the short form tells once, or that rules tell more cheaply. */
/** Says that it is there, and goes on when the test allows it. */
const gated = (name: string) => `mark ${name}\nawait ${name}\n${commitOnce}`;

function endOf(log: readonly LedgerLine[]) {
  return log.findLast(({ type }) => type === "run.ended")?.data;
}

longTest("drain lets agents finish, starts nothing more and ends with 4", async () => {
  const lab = new EngineLab({
    config: { max_concurrent_slots: 1 },
    agents: { a: gated("a"), b: commitOnce },
  });
  const engine = lab.begin("run");
  await lab.marked("a");
  expect((await lab.koryph("drain")).stdout).toBe(
    "lab: agents at work finish, no new ones start, then the run ends\n",
  );
  lab.allow("a");
  const { code, stdout } = await engine.ended;
  expect(code).toBe(4);
  expect(stdout).toContain("\nrun ended (operator-drain): 1 finished");
  expect(lab.starts("b")).toEqual([]);
  expect(endOf(await lab.log())).toEqual({ reason: "operator-drain", code: 4 });

  // One-shot: the next run takes the rest.
  expect((await lab.koryph("run")).code).toBe(4);
  expect(await lab.status()).toEqual({ a: "merge-pending", b: "merge-pending" });
});

test("nudge, resize, stop and a forced stop of all reach a running engine", async () => {
  const lab = new EngineLab({
    config: { max_concurrent_slots: 2 },
    agents: {
      a: gated("a"),
      "b.1": `trap '' INT TERM\n${gated("b")}`,
      b: commitOnce,
      "c.1": `commit half\ntrap '' INT TERM\n${gated("c")}`,
      c: commitOnce,
    },
  });
  const engine = lab.begin("run", "--max", "1");
  await lab.marked("a");
  await lab.koryph("nudge", "a", "mind", "the", "gap");
  const inbox = () => {
    const [run = ""] = lab.names("runs");
    const file = join(lab.projectHome, "runs", run, "a", "agent", "INBOX.md");
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  };
  await expect.poll(inbox, WAIT).toContain("mind the gap");
  expect(existsSync(join(lab.top, "starts", "b.mark"))).toBe(false);

  await lab.koryph("resize", "--max", "2");
  await lab.marked("b");
  lab.allow("a");
  await lab.marked("c");
  await lab.koryph("stop", "--run", "--force");
  const { code, stdout } = await engine.ended;
  expect(code, stdout).toBe(4);
  expect(stdout).toContain("b  queued again in 0 s: stopped");
  expect(await lab.status()).toEqual({ a: "merge-pending", b: "merge-pending", c: "merge-pending" });
  // What it had committed when it was stopped goes on.
  expect(lab.commits("c")).toEqual(["c half"]);
  expect(lab.starts("c")).toHaveLength(1);
  expect(lab.starts("b")).toHaveLength(2);
});

longTest("a bead whose agent says blocked is blocked, and retry takes it up again", async () => {
  const lab = new EngineLab({ agents: { "a.1": "say blocked 'no licence'\n", a: commitOnce } });
  expect((await lab.koryph("run")).stdout).toContain("a  blocked: the agent says blocked: no licence");
  expect(await lab.koryph("retry", "a")).toMatchObject({ code: 0 });
  const { code, stdout } = await lab.koryph("run", "--resume");
  expect(code, stdout).toBe(4);
  expect(await lab.status()).toEqual({ a: "merge-pending" });
  // Finished work can be sent back as well; what is queued already cannot.
  expect(await lab.koryph("retry", "a")).toMatchObject({ code: 0 });
  expect((await lab.koryph("retry", "a")).stderr).toContain("a is queued, so there is nothing to retry");
});

longTest("a run below a parent takes an injected bead besides", async () => {
  const lab = new EngineLab({
    agents: { child: gated("child"), else: commitOnce, other: commitOnce },
    beads: { epic: { issue_type: "epic", labels: [] }, child: { parent: "epic" } },
  });
  const engine = lab.begin("run", "--parent", "epic");
  await lab.marked("child");
  const unknown = await lab.koryph("inject", "nosuch");
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("has no bead nosuch") });
  await lab.koryph("inject", "other");
  lab.allow("child");
  const { code, stdout } = await engine.ended;
  expect(code, stdout).toBe(4);
  expect(await lab.status()).toEqual({ child: "merge-pending", other: "merge-pending" });
});

test("an interrupt stops the agents in order, and --resume finishes their beads", async () => {
  const lab = new EngineLab({
    config: { max_concurrent_slots: 2 },
    agents: {
      "a.1": gated("a"),
      a: commitOnce,
      "b.1": `commit one\necho more >more\n${gated("b")}`,
      b: "rm -f more\ncommit two\n",
      c: commitOnce,
    },
    beads: { epic: { issue_type: "epic", labels: [] }, a: { parent: "epic" }, b: { parent: "epic" } },
  });
  const engine = lab.start("run", "--parent", "epic", "--auto-merge");
  await Promise.all([lab.marked("a"), lab.marked("b")]);
  engine.child.kill("SIGINT");
  const { code, stdout, stderr } = await engine.ended;
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("interrupted: agents are stopped in order");
  expect(stdout).toContain("a  queued for the next run: stopped");
  expect(stdout).toContain(
    "run ended (interrupted): 0 finished, 0 blocked, 2 queued for koryph run --resume",
  );
  expect(processesOf(lab.top)).toEqual([]);

  // A new run gives back what has no work; what has some waits for --resume, which keeps to its parent.
  const would = async (...args: string[]) =>
    (await lab.koryph("run", "--dry-run", ...args)).stdout.split("SKIPPED")[0]?.match(/^ {2}\w+(?= {2}P)/gm);
  expect((await would())?.sort()).toEqual(["  a", "  c"]);
  expect((await would("--resume"))?.sort()).toEqual(["  a", "  b"]);

  const resumed = await lab.koryph("run", "--resume");
  expect(resumed.code).toBe(4);
  expect(resumed.stdout).toContain("it goes on as it was started, with --parent epic; ");
  expect(resumed.stdout).toContain("it was started with --auto-merge, which counts only when");
  expect(lab.commits("a")).toEqual(["a one"]);
  expect(lab.commits("b")).toEqual(["b one", "b two"]);
  expect(lab.starts("c")).toEqual([]);
});

longTest("a stop and an interrupt reach a bead whose clone is still being made ready", async () => {
  const lab = new EngineLab({ agents: { a: commitOnce } });
  const starts = join(lab.top, "starts");
  // Twice it takes longer than anybody waits; then it is over at once.
  lab.configure({
    bootstrap: [`n=$(ls ${starts} | grep -c boot); : >${starts}/boot$n.mark; [ $n -gt 1 ] || exec sleep 300`],
  });
  // Otherwise the gate on the default branch would meet it first.
  const engine = lab.start("run", "--allow-red-base");
  await lab.marked("boot0");
  await lab.koryph("stop", "a");
  await lab.marked("boot1");
  engine.child.kill("SIGINT");
  const { code, stdout, stderr } = await engine.ended;
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
  expect(processesOf(lab.top)).toEqual([]);
  expect((await lab.koryph("run", "--resume")).code).toBe(4);
  expect(lab.commits("a")).toEqual(["a one"]);
  // What was stopped on request is held against nobody.
  const { stdout: log } = await lab.koryph("log", "--json");
  expect(log).not.toContain('"counts":"death"');
});

longTest("a budget keeps what it cannot pay from starting", async () => {
  const costly = `printf '{"koryph":{"cost_usd":2}}\\n'\n${commitOnce}`;
  const lab = new EngineLab({ config: { max_concurrent_slots: 1 }, agents: { a: costly, b: costly } });
  const { code, stdout } = await lab.koryph("run", "--budget", "4", "--model", "sonnet");
  expect(code).toBe(0);
  expect(stdout).toContain("\nrun ended (budget-cap): 1 finished, 0 blocked; cost $2.00\n");
  expect(lab.starts("b")).toEqual([]);
});

longTest("--once is one wave, and wave mode fills no freed slot before the wave has ended", async () => {
  const lab = new EngineLab({
    config: { max_concurrent_slots: 2 },
    agents: { a: commitOnce, b: gated("b"), c: commitOnce, d: commitOnce },
  });
  const engine = lab.begin("run", "--dispatch-mode", "wave");
  await engine.says("a  finished");
  await lab.marked("b");
  lab.allow("b");
  expect((await engine.ended).code).toBe(4);
  const order = (await lab.log()).flatMap(({ type, bead }) =>
    type === "slot.dispatching" || type === "slot.finished" ? [`${type.slice(5)} ${bead}`] : [],
  );
  expect(order.slice(0, 4).sort()).toEqual(["dispatching a", "dispatching b", "finished a", "finished b"]);

  const once = new EngineLab({
    config: { max_concurrent_slots: 2 },
    agents: { a: commitOnce, b: commitOnce, c: commitOnce },
  });
  const { code, stdout } = await once.koryph("run", "--once");
  expect(code, stdout).toBe(0);
  expect(await once.status()).toEqual({ a: "merge-pending", b: "merge-pending" });
});
