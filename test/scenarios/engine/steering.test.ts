import { renameSync } from "node:fs";
import { userInfo } from "node:os";
import { expect, test, vi } from "vitest";
import { commitOnce } from "../../support/engine/engine-agents.js";
import { EngineLab } from "../../support/engine/engine-lab.js";
import { landLab } from "../../support/landing/land-lab.js";
import { longTest } from "../../support/long.js";

// Many processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 180_000 });

const gated = (name: string) => `mark ${name}\nawait ${name}\n${commitOnce}`;
const me = userInfo().username;
/** Variations of stories that the short form tells once. */
async function waiting(lab: EngineLab): Promise<string[]> {
  const { stdout } = await lab.koryph("status");
  return stdout.split("\n").filter((line) => line.startsWith("waiting: "));
}

/** Refused with these words, and nothing written. */
async function refuses(lab: EngineLab, args: readonly string[], ...says: readonly string[]): Promise<void> {
  const before = lab.ledgerTip();
  const { code, stdout, stderr } = await lab.koryph(...args);
  expect({ code, stdout }, args.join(" ")).toEqual({ code: 1, stdout: "" });
  for (const words of says) expect(stderr).toContain(words);
  expect(lab.ledgerTip()).toBe(before);
}

test("without a run under way there is nothing to drain, to resize, to stop or to inject into", async () => {
  const lab = new EngineLab({ agents: { a: commitOnce, b: commitOnce } });
  const nothing = (verb: string) => `no run is under way, so there is nothing to ${verb}`;
  await refuses(lab, ["drain"], nothing("drain"), "`koryph run` starts one");
  expect((await lab.koryph("run", "--only", "a")).code).toBe(4);
  await refuses(lab, ["drain"], nothing("drain"));
  await refuses(lab, ["resize", "--max", "2"], nothing("resize"), "`koryph run --max 2` starts one so wide");
  await refuses(lab, ["resize", "--clear"], nothing("resize"));
  await refuses(lab, ["stop", "--run"], nothing("stop"));
  await refuses(lab, ["inject", "b"], nothing("inject into"), "`koryph run --only b` starts one with it");
  const nowhere = "no run is under way in any registered project";
  await refuses(lab, ["stop", "--all"], nowhere);
  await refuses(lab, ["resize", "2", "--all-projects"], nowhere);
});

test("a hold is of a bead that is there, and its reason is not lost to a second one", async () => {
  const lab = landLab({
    agents: { a: "commit a", b: "commit b" },
    config: () => ({ merge_policy: "manual" }),
  });
  expect((await lab.koryph("run", "--only", "a")).code).toBe(4);
  await refuses(lab, ["hold", "nosuch"], "the work source has no bead nosuch");

  await lab.koryph("hold", "a", "after", "the", "release");
  const before = lab.ledgerTip();
  expect(await lab.koryph("hold", "a")).toMatchObject({
    code: 0,
    stdout: `lab: a is held already, by ${me}: after the release (no run is under way)\n`,
  });
  expect(lab.ledgerTip()).toBe(before);
  await refuses(lab, ["land", "a"], `a is held by ${me}: after the release`);
  expect((await lab.koryph("hold", "a", "after lunch")).stdout).toContain(
    `a is held: no new attempt is started and nothing of it lands; it replaces the hold by ${me}: after the release`,
  );
  expect((await lab.koryph("status")).stdout).toMatch(/held: a by .*: after lunch\n/);

  await lab.koryph("unhold", "a");
  expect((await lab.koryph("land", "a")).code).toBe(0);
  await refuses(lab, ["hold", "a"], "a has landed as ", ", so there is nothing to hold");
  // Known to the work source alone.
  expect((await lab.koryph("hold", "b")).code).toBe(0);
});

longTest(
  "the engine says who steers it; a second drain is none, and an injected bead must be to be had",
  async () => {
    const lab = new EngineLab({
      config: { max_concurrent_slots: 2 },
      agents: { child: gated("child"), other: commitOnce, done: commitOnce, later: commitOnce },
      beads: { epic: { issue_type: "epic", labels: [] }, child: { parent: "epic" } },
    });
    expect((await lab.koryph("run", "--only", "done")).code).toBe(4);
    const engine = lab.begin("run", "--parent", "epic");
    await lab.marked("child");
    // The agent is there before the engine has written so.
    await engine.says("agent started");

    await refuses(lab, ["inject", "child"], "child is running, so a run has it already");
    await refuses(lab, ["inject", "done"], "done is finished, so a run has it already", "agent/done");
    await lab.koryph("hold", "later", "not", "yet");
    await engine.says(`later  held by ${me}: not yet\n`);
    // Held, so the run ends without having taken it.
    await lab.koryph("inject", "later");
    expect((await lab.koryph("inject", "later")).stdout).toContain("inject of later is asked for already");
    expect(await waiting(lab)).toHaveLength(1);
    await lab.koryph("hold", "other");
    await lab.koryph("unhold", "other");
    await engine.says(`other  hold lifted by ${me}\n`);
    await lab.koryph("nudge", "child", "mind the gap");
    await engine.says(`child  nudge by ${me}: delivered\n`);
    await lab.koryph("resize", "--max", "1");
    await engine.says(`width 1, asked for by ${me}\n`);
    await lab.koryph("resize", "--clear");
    await engine.says(`width as the run was started with, asked for by ${me}\n`);

    await lab.koryph("drain");
    await engine.says(`draining, asked for by ${me}\n`);
    const before = lab.ledgerTip();
    expect((await lab.koryph("drain")).stdout).toContain(`lab: drain is asked for already, by ${me} at 20`);
    expect(lab.ledgerTip()).toBe(before);
    lab.allow("child");
    const { stdout } = await engine.ended;
    expect(stdout).toContain(`later  inject by ${me}: the run ended without it\n`);
    expect(stdout).toContain("run ended (operator-drain)");
    expect(await waiting(lab)).toEqual([]);
  },
);

longTest(
  "what was asked to be injected into a run that was cut short waits for its resumption only",
  async () => {
    const lab = new EngineLab({ agents: { a: gated("a"), b: commitOnce } });
    const engine = lab.start("run", "--only", "a", "--max", "1");
    await lab.marked("a");
    engine.child.kill("SIGKILL");
    await engine.ended;
    const { code, stderr } = await lab.koryph("inject", "b");
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining("nobody acts on this until `koryph run --resume`"),
    });
    // Nobody else would end the agent before its lease runs out.
    expect(await lab.koryph("stop", "a", "--hold")).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^lab: engine \(pid \d+\) is gone, so the agents were ended from here: a; what was committed is kept; `koryph run --resume` goes on without a, held until unhold\n$/,
      ),
      stderr: "",
    });
    expect((await lab.koryph("stop", "--all")).stdout).toContain("no agent of it is alive on this machine");
    expect(await lab.log()).toContainEqual(
      expect.objectContaining({ type: "slot.stopping", bead: "a", data: expect.anything() }),
    );
    await lab.koryph("unhold", "a");
    lab.allow("a");
    const { stdout } = await lab.koryph("run", "--only", "a");
    expect(stdout).toMatch(/a request to inject from 20\S+ by \S+ was stale and is cleared\n/);
    expect(await waiting(lab)).toEqual([]);
    expect(lab.starts("b")).toEqual([]);
  },
);

longTest("with --all a project without a run keeps nobody from draining the others", async () => {
  const lab = new EngineLab({ agents: { a: gated("a") } });
  const idle = new EngineLab({ agents: { b: commitOnce } });
  idle.env = { KORYPH_HOME: lab.home };
  idle.configure({ project_id: "idle" });
  expect((await idle.koryph("run")).code).toBe(4);
  const engine = lab.begin("run");
  await lab.marked("a");
  expect(await lab.koryph("resize", "2", "--all")).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^lab: .*2.*\n$/),
    stderr: "idle: no run is under way, so there is nothing to resize\n",
  });
  expect(await lab.koryph("drain", "--all-projects")).toEqual({
    code: 0,
    stdout: "lab: agents at work finish, no new ones start, then the run ends\n",
    stderr: "idle: no run is under way, so there is nothing to drain\n",
  });
  lab.allow("a");
  expect((await engine.ended).stdout).toContain("run ended (operator-drain)");
});

longTest("with --all the agents of every project are stopped, whichever folder it is typed in", async () => {
  const here = new EngineLab({ agents: { a: gated("a") } });
  const there = new EngineLab({ agents: { a: gated("a") } });
  const labs = [here, there];
  there.env = { KORYPH_HOME: here.home };
  there.configure({ project_id: "there" });
  const engines = labs.map((lab) => lab.begin("run"));
  for (const lab of labs) await lab.marked("a");
  const { code, stdout } = await here.koryph("stop", "--all", "--drain");
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^lab: all agents of the run are asked to stop.*\nthere: all agents of the run .*\n$/,
  );
  for (const engine of engines) expect((await engine.ended).stdout).toContain("run ended (operator-drain)");
});

longTest("with --all one that is gone keeps nobody from draining the others", async () => {
  const lab = new EngineLab({ agents: { a: gated("a") } });
  const gone = new EngineLab({ agents: { b: commitOnce } });
  gone.env = { KORYPH_HOME: lab.home };
  gone.configure({ project_id: "gone" });
  expect((await gone.koryph("run")).code).toBe(4);
  renameSync(gone.root, `${gone.root}.away`);
  const engine = lab.begin("run");
  await lab.marked("a");
  expect(await lab.koryph("drain", "--all")).toMatchObject({
    code: 1,
    stdout: "lab: agents at work finish, no new ones start, then the run ends\n",
    stderr: expect.stringMatching(/^gone: not asked: .*\n.*1 of the registered projects could not be asked/),
  });
  lab.allow("a");
  expect((await engine.ended).stdout).toContain("run ended (operator-drain)");
});

longTest(
  "while the remote is away, the engine of this machine is seen and stopped all the same",
  async () => {
    const lab = new EngineLab({ agents: { a: gated("a") }, remote: true });
    const engine = lab.begin("run");
    await lab.marked("a");
    renameSync(lab.remote, `${lab.remote}.away`);
    const offline = expect.stringContaining("what follows is this machine's copy of the ledger");
    expect(await lab.koryph("status")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("running"),
      stderr: offline,
    });
    expect(await lab.koryph("tail", "a")).toMatchObject({ code: 0, stderr: offline });
    expect(await lab.koryph("log")).toMatchObject({ code: 0, stderr: offline });
    const drained = await lab.koryph("drain");
    expect(drained).toMatchObject({
      code: 0,
      stdout: "lab: agents at work finish, no new ones start, then the run ends\n",
      stderr: offline,
    });
    expect(drained.stderr).toContain("an engine on this machine acts on it");
    lab.allow("a");
    renameSync(`${lab.remote}.away`, lab.remote);
    expect((await engine.ended).stdout).toContain("run ended (operator-drain)");
  },
);
