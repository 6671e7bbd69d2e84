import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { AGENT, CloneWorld, commit, git, put, read } from "../../../support/engine/clone-world.js";
import { LONG } from "../../../support/long.js";

const BUILT = fileURLToPath(new URL("../../../../dist/adapters/git", import.meta.url));
const TIMES = LONG ? 60 : 2;

/** Says when it begins, so that a kill falls into the work and not into the start of the process. */
const PROGRAM = `
  const { Clones } = await import(process.argv[1] + "/clones/clones.js");
  const { openRemote } = await import(process.argv[1] + "/remote/remote.js");
  const { facts, verb, request } = JSON.parse(process.argv[2]);
  const clones = new Clones({ ...facts, openRemote: () => openRemote(facts.operatorRepo, "origin") });
  process.stdout.write("begin\\n");
  await clones[verb](verb === "prepare" ? request : request.bead);
  process.stdout.write("end\\n");
`;

interface Call {
  readonly verb: "prepare" | "collect" | "remove";
  readonly start?: "fresh" | "resume";
  readonly bootstrap?: readonly string[];
}

function begin(world: CloneWorld, call: Call): ChildProcess {
  const facts = {
    projectHome: world.home,
    operatorRepo: world.operator,
    agentIdentity: AGENT,
  };
  const request = { bead: "b-1", start: "fresh", bootstrap: [], folder: world.run("b-1"), ...call };
  const argument = JSON.stringify({ facts, verb: call.verb, request });
  const child = spawn(process.execPath, ["--input-type=module", "-e", PROGRAM, BUILT, argument], {
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => killGroup(child));
  return child;
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

/**
 * Ends the process somewhere in its work: the engine alone, whose git goes on without it, or both at once,
 * as when the machine goes down.
 */
async function crash(
  world: CloneWorld,
  call: Call,
  moment: { afterMs: number; both: boolean },
): Promise<void> {
  const child = begin(world, call);
  const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  await new Promise<void>((resolve) => child.stdout?.once("data", () => resolve()));
  const timer = setTimeout(() => {
    if (moment.both) killGroup(child);
    else child.kill("SIGKILL");
  }, moment.afterMs);
  // Null when it was killed: one that fails by itself has not come to where it was to be killed.
  expect([null, 0]).toContain(await ended);
  clearTimeout(timer);
  letTimePass(world.repo);
}

/** Locks of a killed git become old enough to be seen as left behind. */
function letTimePass(repo: string): void {
  for (const name of readdirSync(repo, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".lock")) continue;
    try {
      utimesSync(join(repo, name), 1, 1);
    } catch (error) {
      // A git that was left alive has come to its end meanwhile.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
}

const moments = Array.from({ length: TIMES }, (_, index) => ({
  afterMs: Math.round((index * 240) / TIMES),
  both: index % 2 === 1,
}));

test.each(LONG ? moments : moments.slice(1))(
  "a fresh start cut off after $afterMs ms (git too: $both) loses nothing",
  async (moment) => {
    const world = new CloneWorld();
    const path = await world.ready("b-1");
    const old = commit(path, "work", { "x.txt": "x\n" });
    put(path, { "half.txt": "half\n" });
    await crash(world, { verb: "prepare" }, moment);

    expect(["ready", "unfinished"]).toContain(await world.clones.state("b-1"));
    await world.clones.fetch();
    expect(await world.prepare("b-1")).toMatchObject({ kind: "ready", facts: { commits: 0 } });
    expect(await world.clones.state("b-1")).toBe("ready");
    expect(git(path, "status", "--porcelain", "--branch")).toBe("## agent/b-1");
    expect(git(world.repo, "for-each-ref", "--format=%(objectname)", "refs/koryph/old")).toBe(old);
    const patches = readdirSync(world.run("b-1")).filter((name) => name.endsWith(".patch"));
    expect(patches.map((name) => read(world.run("b-1"), name)).join()).toContain("+half");
    expectNothingLeft(world);
  },
);

test.each(moments)("a resume cut off after $afterMs ms (git too: $both) loses nothing", async (moment) => {
  const world = new CloneWorld();
  const path = await world.ready("b-1");
  commit(path, "work", { "x.txt": "x\n" });
  put(path, { "half.txt": "half\n" });
  const base = await world.moveBase({ "y.txt": "y\n" });
  await crash(world, { verb: "prepare", start: "resume" }, { ...moment, afterMs: moment.afterMs * 2 });

  await world.clones.fetch();
  expect(await world.prepare("b-1", "resume")).toMatchObject({
    kind: "ready",
    conflict: false,
    facts: { base, commits: 1 },
  });
  expect(read(path, "half.txt")).toBe("half\n");
  expect(await world.clones.collect("b-1")).toMatchObject({ commits: 1, dirty: true, findings: [] });
  expectNothingLeft(world);
});

test.each(LONG ? moments : moments.slice(0, 1))(
  "collecting cut off after $afterMs ms (git too: $both) is simply done again",
  async (moment) => {
    const world = new CloneWorld();
    const path = await world.ready("b-1");
    const files = Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`many/${n}.txt`, `${n}\n`]));
    const head = commit(path, "work", files);
    await crash(world, { verb: "collect" }, { ...moment, afterMs: moment.afterMs / 2 });

    await world.clones.fetch();
    expect(await world.clones.collect("b-1")).toMatchObject({ head, commits: 1, dirty: false, findings: [] });
    git(world.repo, "fsck", "--connectivity-only");
    expect(await world.clones.remove("b-1")).toBe("removed");
    expectNothingLeft(world);
  },
);

function expectNothingLeft(world: CloneWorld): void {
  for (const folder of ["making", "scratch", "trash"]) {
    const left = existsSync(join(world.home, folder, "b-1"))
      ? readdirSync(join(world.home, folder, "b-1"))
      : [];
    expect({ folder, left }).toEqual({ folder, left: [] });
  }
}

test("a bootstrap ends when its engine is killed, and the next prepare runs it again", async () => {
  const world = new CloneWorld();
  await world.clones.fetch();
  const pidFile = join(world.top, "pid");
  const child = begin(world, { verb: "prepare", bootstrap: [`echo $$ > ${pidFile}; sleep 300`] });
  await vi.waitFor(() => expect(read(pidFile)).toMatch(/\d+\n/), { timeout: 20_000 });
  child.kill("SIGKILL");
  const pid = Number(read(pidFile));
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 20_000 });
  expect(await world.clones.state("b-1")).toBe("unfinished");
  expect(await world.prepare("b-1", "resume", ["touch ignored-again"])).toMatchObject({ kind: "ready" });
  expect(existsSync(join(world.clones.pathOf("b-1"), "ignored-again"))).toBe(true);
});

function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(read("/proc", String(pid), "stat"));
  } catch {
    return false;
  }
}

test("a lock that a killed git left in repo.git is cleared once it is old, and not before", async () => {
  const world = new CloneWorld();
  await world.ready("b-1");
  const lock = join(world.repo, "refs/heads/agent/b-1.lock");
  put(world.repo, { "refs/heads/agent/b-1.lock": "" });
  await world.clones.fetch();
  await expect(world.prepare("b-1")).rejects.toThrow(/b-1\.lock/);
  utimesSync(lock, 1, 1);
  await world.clones.fetch();
  expect(await world.prepare("b-1")).toMatchObject({ kind: "ready" });
});
