import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { git, project } from "../../support/cli/project.js";
import { koryph } from "../../support/cli/standing-koryph.js";
import { commitOnce } from "../../support/engine/engine-agents.js";
import { EngineLab } from "../../support/engine/engine-lab.js";
import { longTest } from "../../support/long.js";

// Many processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 180_000 });

/** Variations of stories that the short form tells once, or that rules tell more cheaply. */
const gated = (name: string) => `mark ${name}\nawait ${name}\n${commitOnce}`;

async function engineOf(lab: EngineLab) {
  return JSON.parse((await lab.koryph("status", "--json")).stdout).engine;
}

test("status and the control verbs tell a live engine from a dead one, here and elsewhere", async () => {
  const lab = new EngineLab({ remote: true, agents: { a: gated("a") } });
  const other = lab.beside("other");
  expect(await engineOf(lab)).toBeNull();
  const engine = lab.start("run");
  await engine.says("agent started");
  const pid = engine.child.pid;

  expect((await lab.koryph("status")).stdout).toMatch(
    new RegExp(`\nengine: pid ${pid} on [^#/\\s]+ since 20`),
  );
  expect(await engineOf(lab)).toMatchObject({ pid, state: "running" });
  expect(await lab.koryph("nudge", "a", "hello")).toMatchObject({ code: 0, stderr: "" });
  expect((await other.koryph("status")).stdout).toContain(", another machine or home\n");
  expect(await engineOf(other)).toMatchObject({ pid, state: "elsewhere" });

  engine.child.kill("SIGKILL");
  await engine.ended;
  const { stdout } = await lab.koryph("status");
  expect(stdout).toContain("was cut short");
  expect(stdout).toContain(`\nengine (pid ${pid}) is gone; \`koryph run --resume\` goes on\n`);
  expect(await engineOf(lab)).toMatchObject({ pid, state: "gone" });
  expect(await engineOf(other)).toMatchObject({ pid, state: "elsewhere" });
  const gone = `lab: engine (pid ${pid}) is gone, so nobody acts on this`;
  expect(await lab.koryph("resize", "2")).toEqual({
    code: 0,
    stdout: "lab: at most 2 agents work at once in this run\n",
    stderr: `${gone} until \`koryph run --resume\`\n`,
  });
  expect(await lab.koryph("drain")).toEqual({
    code: 0,
    stdout: "lab: agents at work finish, no new ones start, then the run ends\n",
    stderr: `${gone}; the next run clears it, and \`koryph run --resume\` goes on\n`,
  });
  expect((await lab.log()).map(({ type }) => type).slice(-2)).toEqual(["control.resize", "control.drain"]);
  const rolled = await lab.koryph("ledger", "roll");
  expect(rolled.stderr).toContain(`engine (pid ${pid}) is gone, but the lease is still in its name`);

  lab.allow("a");
  expect((await lab.koryph("run", "--resume")).code).toBe(4);
  expect(await engineOf(lab)).toBeNull();

  // What is finished here can be had from any checkout of the remote.
  git(other.root, "fetch", "--quiet", "origin", "refs/koryph/wip/a:refs/heads/agent/a");
  expect(git(other.root, "log", "--format=%s", "main..agent/a")).toBe("a one\n");
});

longTest("a run ends with the steps that follow, and its branch is fetched as it says", async () => {
  const lab = new EngineLab({
    agents: { a: commitOnce, b: "say blocked 'no licence'\n" },
    config: { commit_style: "none" },
  });
  lab.env = { KORYPH_HOME: join(lab.top, "koryph home") };
  const { code, stdout } = await lab.koryph("run");
  expect(code).toBe(4);
  const [summary, ...steps] = stdout.trimEnd().split("\n").slice(-5);
  expect(summary).toContain("run ended (drained): 1 finished, 1 blocked");
  expect(steps).toEqual([
    "waiting for a person:",
    "  a  finished  koryph land a lands it, koryph diff a shows it",
    // It has no commits, so there is nothing to land.
    "  b  blocked   koryph retry b lets it try again",
    "               the agent says blocked: no licence",
  ]);
  const shown = (await lab.koryph("show", "a")).stdout;
  expect(shown).toMatch(/^a {2}finished, \d+s ago: work on a\n {2}next {5}koryph land a lands it/);
  expect(shown).toMatch(/\n1 commit, .*\n {2}[0-9a-f]{12} a one\n\n(.*\n)+.*1 file changed, 1 insertion/);
  const [, command = ""] = /\n {2}(git fetch .*)\n$/.exec(shown) ?? [];
  execFileSync("sh", ["-c", command], { cwd: lab.root, env: lab.environment, stdio: "pipe" });
  expect(git(lab.root, "log", "--format=%s", "main..agent/a")).toBe("a one\n");

  // What a run left explains why nothing is ready.
  for (const args of [
    ["run", "--dry-run"],
    ["status", "--frontier"],
  ]) {
    const shown = (await lab.koryph(...args)).stdout;
    expect(shown).toContain("nothing is ready: of the open beads 2 taken or set aside");
    expect(shown).toMatch(/TAKEN BY RUNS \(2\)\n {2}a {2}finished .* koryph land a lands it, .*\n/);
    expect(shown).toMatch(/\n {2}b {2}blocked .* koryph retry b lets it try again\n/);
  }

  // And a run that finds nothing to do says why, and what there is to do all the same.
  const idle = await lab.koryph("run", "--strict", "--ok");
  expect(idle.code).toBe(0);
  expect(idle.stdout).toMatch(
    /run ended \(drained\): 0 finished, 0 blocked; cost \$0\.00\n {2}nothing is ready: of the open beads 2 taken or set aside\nfrom earlier runs:\n {2}a {2}finished {2}koryph land a lands it, .*\n {2}b {2}blocked {3}koryph retry b lets it try again\n.*no licence\n$/,
  );
  expect((await lab.koryph("run", "--only", "a")).stdout).toMatch(
    /cost \$0\.00\n {2}bead a is not ready: its status is in_progress\nfrom earlier runs:\n {2}a {2}finished {2}koryph land a lands it, .*\n$/,
  );
  // The commands for whoever decides about it.
  expect((await lab.koryph("list")).stdout).toMatch(
    /^a {2}P2 {2}finished {2}work on a {2}koryph land a lands it, .*\nb {2}P2 {2}blocked {3}work on b {2}koryph retry b lets it try again\n$/,
  );
  expect((await lab.koryph("diff", "a")).stdout).toMatch(/^diff --git .*\n(.*\n)+\+/);
  expect(JSON.parse((await lab.koryph("diff", "a", "--json")).stdout)).toMatchObject({
    bead: "a",
    head: git(lab.root, "rev-parse", "agent/a").trim(),
    stat: expect.stringContaining("1 file changed"),
  });
  expect((await lab.koryph("diff", "b")).stderr).toContain("b has no commits\n  next: `koryph show b` tells");
  expect(JSON.parse((await lab.koryph("show", "b", "--json")).stdout)).toMatchObject({
    status: "blocked",
    note: "the agent says blocked: no licence",
    next: "koryph retry b lets it try again",
    commits: null,
  });
  expect((await lab.koryph("tail", "-f", "a")).stdout).toMatch(
    /\na is finished, and no agent is at work on it\n$/,
  );

  const { runs } = JSON.parse((await lab.koryph("project", "runs", "--json")).stdout);
  expect(runs).toMatchObject([
    { beads: 0, ended: { reason: "drained", code: 4 } },
    { beads: 0, ended: { reason: "drained", code: 4 } },
    { beads: 2, merged: 0, under_way_here: false, ended: { reason: "drained", code: 4 } },
  ]);
  await lab.koryph("retry", "b");
  await lab.koryph("hold", "b", "until monday");
  const resumed = (await lab.koryph("run", "--resume")).stdout;
  expect(resumed).toContain(": 0 finished, 0 blocked, 1 held\n");
  expect(resumed).toMatch(
    /\nwaiting for a person:\n {2}b {2}queued {2}held by .*: until monday: koryph unhold b, then koryph run --resume goes on with it\n/,
  );

  const landed = await lab.koryph("land", "--all");
  expect(landed).toMatchObject({ code: 0, stderr: "" });
  expect(landed.stdout).toMatch(/\na landed on main as [0-9a-f]{40}\n {2}receipt /);
  expect(JSON.parse((await lab.koryph("land", "--all", "--json")).stdout)).toEqual({ landings: [] });
  const both = await lab.koryph("land", "a", "b", "--json");
  expect(both.code).toBe(1);
  expect(JSON.parse(both.stdout)).toMatchObject({
    landings: [
      { bead: "a", result: "merged" },
      { bead: "b", result: "held" },
    ],
  });
  expect((await lab.koryph("show", "a")).stdout).toMatch(/ {2}gate {5}green\n[\s\S]*\n1 commit, /);
});

test("a work file that breaks in mid-run ends the run with what was done until then", async () => {
  const lab = new EngineLab({ agents: { a: "" } });
  lab.behave("a", `echo '{' >>'${lab.workFile}'\n${commitOnce}`);
  const { code, stdout, stderr } = await lab.koryph("run");
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /\nrun ended \(failed\): 1 finished, 0 blocked[^\n]*\nwaiting for a person:\n {2}a {2}finished {2}koryph land a/,
  );
  expect(stderr).toMatch(/beads\.jsonl:2: .*\n {2}next: mend the file; no bead was read\n$/);
});

longTest(
  "beads that are not at work cannot be stopped or nudged, and the refusal names their status",
  async () => {
    const lab = new EngineLab({
      agents: { a: commitOnce, b: "say blocked 'no'\n", c: "echo half >half\nmark c\nawait c\n" },
    });
    const engine = lab.start("run");
    await lab.marked("c");
    await engine.says("a  finished");
    await engine.says("b  blocked");
    engine.child.kill("SIGINT");
    await engine.ended;
    const before = await lab.log();
    for (const [bead, status] of [
      ["a", "finished"],
      ["b", "blocked"],
      ["c", "queued"],
    ] as const) {
      for (const args of [
        ["stop", bead],
        ["nudge", bead, "hello"],
      ]) {
        const { code, stdout, stderr } = await lab.koryph(...args);
        expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
        expect(stderr).toContain(`${bead} is ${status}, so no agent is at work on it\n  next: `);
      }
    }
    expect(await lab.log()).toEqual(before);
  },
);

longTest("log says when the ledger has nothing about a bead, and tail where it looked", async () => {
  const lab = new EngineLab({
    agents: {
      task: `echo working; echo 'no such file' >&2\n${commitOnce}`,
      flood: `head -c 50000000 /dev/zero | tr '\\0' x; echo; echo after\n${commitOnce}`,
      mute: commitOnce,
    },
  });
  await lab.koryph("run");
  expect(await lab.koryph("log", "--bead", "tsk")).toEqual({
    code: 0,
    stdout: "",
    stderr:
      "koryph: no run knows of tsk; did you mean task?\n  next: `koryph status` lists the beads that runs have taken; one that was taken just now shows up within a minute; --archived also looks into what was rolled\n",
  });
  expect((await lab.koryph("log", "--bead", "task")).stderr).toBe("");

  expect((await lab.koryph("tail", "task")).stdout).toBe(
    "task, attempt 1, finished\n  working\n  stderr: no such file\n",
  );
  const flood = (await lab.koryph("tail", "flood")).stdout;
  expect(flood.length).toBeLessThan(100_000);
  expect(flood).toMatch(/…\n {2}after\n$/);
  const [run = ""] = lab.names("runs");
  const folder = join(lab.projectHome, "runs", run, "mute", "1");
  expect((await lab.koryph("tail", "mute")).stdout).toContain(
    `  its agent ended and printed nothing; its files are in ${folder}\n`,
  );
  // As on a machine that the bead was never worked on.
  execFileSync("rm", ["-r", folder]);
  expect((await lab.koryph("tail", "mute")).stderr).toContain(
    `no output of mute is on this machine: it would be in ${folder}\n`,
  );
});

const STOP = "stop takes one bead, or --run for all agents of the run, or --all for those of every project";

test.each([
  { args: ["resize"], says: "resize takes a number, or --clear" },
  { args: ["resize", "3", "--max", "2"], says: "resize takes a number, or --clear" },
  { args: ["resize", "--max", "2", "--clear"], says: "resize takes a number, or --clear" },
  { args: ["stop"], says: STOP },
  { args: ["stop", "a", "--all"], says: STOP },
  { args: ["land"], says: "land takes beads, or --all" },
  { args: ["land", "a", "--all"], says: "land takes beads, or --all" },
  { args: ["ledger", "purge"], says: "purge takes --id <event> or --text <text>" },
])("$args is bad usage: exit 2, nothing done", async ({ args, says }) => {
  const { code, stdout, stderr } = await koryph(project({ beads: "" }), ...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(`koryph: ${says}\n  next: `);
});

test("koryph run --timings says where the time goes between an agent's end and the next one's start", async () => {
  const lab = new EngineLab({ remote: true, agents: { a: commitOnce, b: commitOnce } });
  const file = join(lab.top, "timings.jsonl");
  expect(await lab.koryph("run", "--max", "1", "--timings", join(lab.top, "absent", "x"))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("the timings cannot be written to"),
  });
  const { stdout } = await lab.koryph("run", "--max", "1", "--timings", file);
  expect(stdout).toMatch(
    /\ntimings: from an agent's end to the next agent's start, 1 time: median \d+ ms[^\n]*\n {2}under way/,
  );
  expect(stdout).toMatch(/\n {2}worktrees\.prepare +[\d.]+ +[\d.]+ +1\.0\n/);
  const calls = readFileSync(file, "utf8").trimEnd().split("\n");
  expect(calls.map((line) => JSON.parse(line).what).filter((what) => what === "agent ended")).toHaveLength(2);
});
