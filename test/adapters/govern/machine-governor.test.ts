import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { deadLeases } from "../../../src/adapters/govern/dead-leases.js";
import { GovernorFile } from "../../../src/adapters/govern/governor-file.js";
import { MachineGovernor } from "../../../src/adapters/govern/machine-governor.js";
import { readMemory } from "../../../src/adapters/govern/read-memory.js";
import { KoryphHome } from "../../../src/adapters/home/koryph-home.js";
import { tryLock } from "../../../src/adapters/home/lock-file.js";
import { leaseId } from "../../../src/core/govern/agent-lease.js";
import { configureMachine } from "../../../src/core/govern/configure-machine.js";
import { configurePool } from "../../../src/core/govern/configure-pool.js";
import type { AgentWish } from "../../../src/ports/govern/governor.js";
import { startScript, startScriptIn } from "../../support/cli/node-script.js";
import { LONG } from "../../support/long.js";
import { tempFolder } from "../../support/temp-folder.js";

const RACERS = LONG ? 32 : 8;
const KILLS = LONG ? 20 : 3;

const wish = (bead: string, given: Partial<AgentWish> = {}): AgentWish => ({
  ...{ project: "shop", bead, attempt: 1, pool: "", folder: "/nowhere" },
  resources: [],
  capacities: {},
  ...given,
});

/** An engine of its own, in a process of its own: `body` has `governor` and `wish`. */
const engine = (body: string) => `
  const { GovernorFile } = await built("adapters/govern/governor-file.js");
  const { MachineGovernor } = await built("adapters/govern/machine-governor.js");
  const { KoryphHome } = await built("adapters/home/koryph-home.js");
  const { DetachedProcesses } = await built("adapters/process/detached-processes.js");
  const governor = new MachineGovernor(new GovernorFile(new KoryphHome(args[0])), new DetachedProcesses());
  const wish = (bead) => ({ project: "shop", bead, attempt: 1, pool: "", folder: args[0] + "/" + bead,
    resources: [], capacities: {} });
  ${body}
  setInterval(() => {}, 1000);`;

function machine(set: Parameters<typeof configureMachine>[1] = {}) {
  const home = new KoryphHome(join(tempFolder(), "home"));
  const file = new GovernorFile(home);
  // No agent ever signs in here: a lease is as alive as its process.
  const governor = new MachineGovernor(file, { status: async () => ({ kind: "none" }) });
  const account = { pool: "", adaptive: false, cap: set.ceiling ?? null, seededCap: null, hardMax: null };
  const settle = () =>
    file.change((state) => ({
      state: configurePool(configureMachine(state, set), account, Date.now()),
      answer: null,
    }));
  const state = async () => {
    const reading = await file.read();
    if (reading.kind !== "read") throw new Error(reading.problem);
    return reading.state;
  };
  const beads = async () => (await state()).leases.map(({ bead }) => bead).sort();
  return { home, file, governor, settle, state, beads, path: home.governor.file };
}

describe("engines in processes of their own", () => {
  test(`${RACERS} that ask at once get exactly the ceiling`, { timeout: 300_000 }, async () => {
    const { home, settle, beads } = machine({ ceiling: 5 });
    await settle();
    const racers = Array.from({ length: RACERS }, (_, n) =>
      startScript(
        engine(`console.log((await governor.admit(wish("b-" + args[1]))).kind);`),
        home.path,
        `${n}`,
      ),
    );
    const answers = await Promise.all(racers.map((racer) => racer.line()));
    const granted = answers.flatMap((answer, n) => (answer === "granted" ? [`b-${n}`] : []));
    expect(granted).toHaveLength(5);
    expect(await beads()).toEqual(granted.sort());
  });

  test("one that is killed while it writes leaves a whole record, with all that it was granted", {
    timeout: 300_000,
  }, async () => {
    const { home, file, governor, settle, beads } = machine({ ceiling: 10_000 });
    await settle();
    for (let round = 0; round < KILLS; round += 1) {
      const asks = `for (let n = 0; ; n += 1) {
        const { kind } = await governor.admit(wish("b-${round}-" + n));
        console.log(kind === "granted" ? "b-${round}-" + n : kind);
      }`;
      const writer = startScript(engine(asks), home.path);
      const granted = [await writer.line(), await writer.line(), await writer.line()];
      await writer.kill();
      expect(await beads()).toEqual(expect.arrayContaining([...granted, ...(await writer.rest())]));
    }
    // The dead ones' places are to be had, and so is the lock that the last may have held.
    await file.change((state) => ({ state: configureMachine(state, { ceiling: 1 }), answer: null }));
    expect(await governor.admit(wish("mine"))).toEqual({ kind: "granted" });
    expect(await beads()).toEqual(["mine"]);
  });

  test("one that died between its agent's start and the next look keeps the agent's place", async () => {
    const { home, beads, file, settle } = machine({ ceiling: 1 });
    await settle();
    const engineOf = startScript(engine(`console.log((await governor.admit(wish("a"))).kind);`), home.path);
    expect(await engineOf.line()).toBe("granted");
    await engineOf.kill();
    const signedIn = { kind: "alive", identity: { pid: process.pid, start: "1", boot: "1" } } as const;
    const other = new MachineGovernor(file, {
      status: async (folder) => (folder === join(home.path, "a") ? signedIn : { kind: "none" }),
    });
    expect(await other.admit(wish("b"))).toMatchObject({ kind: "denied", why: { code: "machine_full" } });
    expect(await beads()).toEqual(["a"]);
  });
});

const CONTAINER = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"];

function makesContainers(): boolean {
  const [program = "", ...args] = CONTAINER;
  return spawnSync(program, [...args, "true"]).status === 0;
}

describe("containers that share one home", () => {
  test.runIf(makesContainers())("do not take each other's live leases for dead", async () => {
    const { home, governor, beads, settle } = machine({ ceiling: 2 });
    await settle();
    const asks = `const { kind } = await governor.admit(wish(args[1]));
      console.log(kind);
      const agent = { pid: 7, start: "1", boot: governor.self.boot };
      if (kind === "granted") {
        await governor.attach({ ...wish(args[1]), process: agent });
        console.log("attached");
      }`;
    for (const bead of ["a", "b"]) {
      const inside = startScriptIn(CONTAINER, engine(asks), home.path, bead);
      expect([await inside.line(), await inside.line()]).toEqual(["granted", "attached"]);
    }
    const full = { kind: "denied", why: { code: "machine_full" } };
    expect(await governor.admit(wish("c"))).toMatchObject(full);
    const third = startScriptIn(CONTAINER, engine(asks), home.path, "d");
    expect(await third.line()).toBe("denied");
    expect(await beads()).toEqual(["a", "b"]);
  });

  test("see their own dead all the same, and what has no mark is the machine's", async () => {
    const { governor, file, settle, state } = machine({ ceiling: 8 });
    await settle();
    await governor.admit(wish("a"));
    const gone = { pid: 4_000_000, start: "1", boot: governor.self.boot };
    await file.change((before) => {
      const [lease] = before.leases;
      if (lease === undefined) throw new Error("no lease");
      const held = (bead: string, process: object) => ({ ...lease, bead, process: { ...gone, ...process } });
      const leases = [
        held("machine", {}),
        held("mine", { space: "pid:[7]" }),
        held("other", { space: "pid:[8]" }),
      ];
      return { state: { ...before, leases }, answer: null };
    });
    const { leases } = await state();
    const dead = (space: string | null) =>
      deadLeases(leases, { status: async () => ({ kind: "none" }) }, space).then((found) =>
        leases.filter((lease) => found.has(leaseId(lease))).map(({ bead }) => bead),
      );
    expect(await dead("pid:[7]")).toEqual(["mine"]);
    expect(await dead(null)).toEqual(["machine"]);
  });
});

describe("one engine", () => {
  test("has a lease until it gives it back, and asking again changes nothing", async () => {
    const { governor, beads, path, settle } = machine({ ceiling: 1 });
    await settle();
    expect(await governor.admit(wish("a"))).toEqual({ kind: "granted" });
    const written = readFileSync(path, "utf8");
    expect(await governor.admit(wish("a"))).toEqual({ kind: "granted" });
    expect(readFileSync(path, "utf8")).toBe(written);
    expect(await governor.admit(wish("b"))).toMatchObject({ kind: "denied", why: { code: "machine_full" } });
    await governor.end([{ agent: wish("a"), how: "clean" }]);
    expect(await governor.admit(wish("b"))).toEqual({ kind: "granted" });
    expect(await beads()).toEqual(["b"]);
  });

  test("gives a lease back and takes another in one step, also when others wait for that place", async () => {
    const { home, governor, beads, settle } = machine({ ceiling: 1 });
    await settle();
    await governor.admit(wish("a"));
    const other = new MachineGovernor(new GovernorFile(home), { status: async () => ({ kind: "none" }) });
    const ended = [{ agent: wish("a"), how: "clean" as const }];
    const answers = await Promise.all([governor.admit(wish("b"), ended), other.admit(wish("c"))]);
    expect(answers.filter(({ kind }) => kind === "granted")).toHaveLength(1);
    expect(await beads()).not.toContain("a");
  });

  test("gives a lease back also where the other is denied", async () => {
    const { governor, beads, settle } = machine({ ceiling: 2 });
    await settle();
    for (const bead of ["a", "b"]) await governor.admit(wish(bead));
    const gpu = { resources: ["gpu"], capacities: { gpu: 0 } };
    const ended = [{ agent: wish("a"), how: "clean" as const }];
    expect(await governor.admit(wish("c", gpu), ended)).toMatchObject({ kind: "denied" });
    expect(await beads()).toEqual(["b"]);
  });

  test("gives back at its end what it holds itself, and not what an agent holds", async () => {
    const { governor, beads, state } = machine();
    await governor.admit(wish("starting"));
    await governor.admit(wish("running"));
    const agent = { pid: process.ppid, start: "0", boot: governor.self.boot };
    await governor.attach({ ...wish("running"), process: agent });
    await governor.leave("shop");
    expect(await beads()).toEqual(["running"]);
    expect((await state()).demand).toEqual([]);
  });
});

describe("a record that cannot be read", () => {
  test.each([
    { name: "cut off", text: '{"schema_version": 1, "ceil' },
    { name: "of another kind", text: '{"schema_version": 2}' },
    { name: "empty", text: "" },
  ])("$name: nobody is admitted, nothing is written, and a copy is kept", async ({ text }) => {
    const { home, file, governor, path } = machine();
    await governor.admit(wish("a"));
    writeFileSync(path, text);
    expect(await governor.admit(wish("b"))).toMatchObject({
      kind: "denied",
      why: { code: "governor_unavailable", problem: expect.stringContaining(path) },
    });
    await expect(governor.end([{ agent: wish("a"), how: "clean" }])).rejects.toThrow("no agent is started");
    expect(await file.read()).toMatchObject({ kind: "unreadable", backup: `${path}.unreadable` });
    expect(readFileSync(`${path}.unreadable`, "utf8")).toBe(text);
    expect(readFileSync(path, "utf8")).toBe(text);
    expect(existsSync(home.governor.lock)).toBe(false);
  });
});

test("whoever has the lock for too long is named", async () => {
  const { home, governor } = machine();
  await governor.admit(wish("a"));
  await tryLock(home.governor.lock);
  const impatient = new GovernorFile(home, { waitSeconds: 0.05 });
  const other = new MachineGovernor(impatient, { status: async () => ({ kind: "none" }) });
  expect(await other.admit(wish("b"))).toMatchObject({
    why: { code: "governor_unavailable", problem: expect.stringContaining(`process ${process.pid}`) },
  });
});

test("nothing is left lying beside the record", async () => {
  const { home, governor } = machine();
  await Promise.all(["a", "b", "c"].map((bead) => governor.admit(wish(bead))));
  expect(readdirSync(home.path)).toEqual(["governor.json"]);
});

test("an agent waits for memory beside others, and the only one does not", async () => {
  const meminfo = join(tempFolder(), "meminfo");
  writeFileSync(meminfo, "MemTotal: 16777216 kB\nMemAvailable: 1048576 kB\n");
  vi.stubEnv("KORYPH_MEMINFO", meminfo);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { governor } = machine();
  expect(await governor.admit(wish("a", { memoryMb: 17_000 }))).toMatchObject({
    why: { code: "memory_candidate", candidateMb: 17_000 },
  });
  expect(await governor.admit(wish("a"))).toEqual({ kind: "granted" });
  expect(await governor.admit(wish("b"))).toMatchObject({ why: { code: "memory_floor", floorMb: 2048 } });
});

test("memory is read from a file of that form, and nothing is known where there is none", () => {
  const file = join(tempFolder(), "meminfo");
  writeFileSync(file, "MemTotal:       16384000 kB\nMemFree:   1 kB\nMemAvailable:    2048000 kB\n");
  expect(readMemory(file)).toEqual({ availableMb: 2000, totalMb: 16_000 });
  expect(readMemory(join(tempFolder(), "none"))).toEqual({ availableMb: null, totalMb: null });
});
