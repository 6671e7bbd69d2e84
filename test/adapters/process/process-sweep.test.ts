import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { parseStat } from "../../../src/adapters/process/proc-table.js";
import type { OtherAttempts } from "../../../src/ports/agent-processes.js";
import { agentSlot, isRunning, livingMarked, livingWrappers } from "../../support/engine/agent-slot.js";
import { BUILT_ADAPTER } from "../../support/engine/engine-process.js";
import { eventually } from "../../support/eventually.js";
import { tempFolder } from "../../support/temp-folder.js";

/** util-linux has it; without it nothing here can make a terminal. */
const hasScript = existsSync("/usr/bin/script");

afterAll(() => expect(livingMarked()).toEqual([]));

/** Starts an agent that prints the pids of what it leaves behind, and waits for its end. */
async function leftBy(script: string) {
  const slot = agentSlot(script);
  await slot.processes.start(slot.spec);
  await slot.ended();
  const pids = slot.output().trim().split("\n").map(Number);
  return { pids, sweep: () => slot.processes.sweep(slot.spec.marker, slot.spec.cwd) };
}

function startIn(cwd: string, env: NodeJS.ProcessEnv = { PATH: process.env.PATH }): number {
  const child = spawn("sleep", ["600"], { cwd, env, stdio: "ignore", detached: true });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return child.pid ?? 0;
}

describe("what a sweep finds", () => {
  test.each([
    { name: "a child in the background", script: "sleep 600 & echo $!" },
    { name: "a daemon in its own session", script: "setsid sleep 600 & echo $!" },
    { name: "a daemon that left the clone", script: "cd /; setsid sleep 600 & echo $!" },
    { name: "a child without the marker", script: "env -i /bin/sh -c 'sleep 600 & echo $!'" },
    {
      name: "a child without the marker below the clone",
      script: "mkdir -p 'a b/c'; cd 'a b/c'; env -i /bin/sh -c 'sleep 600 & echo $!'",
    },
    {
      name: "a child in a folder that is gone",
      script: "mkdir x; cd x; env -i /bin/sh -c 'sleep 600 & echo $!'; cd ..; rmdir x",
    },
    {
      name: "a daemon without the marker, forked twice into a session of its own",
      script: "env -i setsid -f /bin/sh -c 'sleep 600 >/dev/null & echo $!' | cat",
    },
    {
      name: "a child with another HOME and without the marker",
      script: "env -u KORYPH_SLOT HOME=/nonexistent setsid sleep 600 & echo $!",
    },
  ])("$name is ended", async ({ script }) => {
    const { pids, sweep } = await leftBy(script);
    expect(pids.map(isRunning)).toEqual([true]);
    expect(await sweep()).toBe(1);
    expect(pids.map(isRunning)).toEqual([false]);
    expect(await sweep()).toBe(0);
  });

  test.runIf(hasScript)("what sits at a terminal that the agent made is ended with its holder", async () => {
    const { pids, sweep } = await leftBy(`trap : HUP
env -i setsid script -qc "trap '' HUP; echo \\$\\$ >pid; while :; do sleep 0.2; done" /dev/null >/dev/null 2>&1 </dev/null &
until [ -s pid ]; do sleep 0.05; done
cat pid`);
    expect(pids.map(isRunning)).toEqual([true]);
    expect(await sweep()).toBeGreaterThan(1);
    expect(pids.map(isRunning)).toEqual([false]);
  });

  test("processes that start each other anew are all ended", async () => {
    const { sweep } = await leftBy(
      "setsid sh -c 'trap \"\" TERM; while :; do setsid sleep 0.05 & sleep 0.01; done' & echo 0",
    );
    expect(await sweep()).toBeGreaterThan(0);
    await eventually(() => expect(livingMarked()).toEqual([]));
  });

  test("a clone named through a symbolic link is the same clone, also once it is removed", async () => {
    const { processes } = agentSlot("");
    const root = tempFolder();
    const [real, link] = [join(root, "real"), join(root, "link")];
    mkdirSync(join(real, "clone"), { recursive: true });
    symlinkSync(real, link);
    const [first, second] = [startIn(join(real, "clone")), startIn(join(real, "clone"))];
    expect(await processes.sweep("nobody", join(link, "clone"))).toBe(2);
    await eventually(() => expect([first, second].map(isRunning)).toEqual([false, false]));
    const third = startIn(join(real, "clone"));
    rmSync(join(real, "clone"), { recursive: true });
    expect(await processes.sweep("nobody", join(link, "clone"))).toBe(1);
    await eventually(() => expect(isRunning(third)).toBe(false));
  });
});

/** An agent with a HOME of its own, as all attempts at one bead have it. */
async function attemptOf(script: string) {
  const slot = agentSlot(script);
  const home = tempFolder();
  const { marker, cwd } = slot.spec;
  const starting = slot.processes.start({ ...slot.spec, env: { ...slot.spec.env, HOME: home } });
  const others = { home, besides: null, inside: false };
  const sweep = (changes: Partial<OtherAttempts> = {}) =>
    slot.processes.sweep({ ...others, ...changes }, cwd);
  const status = async () => (await slot.processes.status(slot.spec.folder)).kind;
  return { ...slot, marker, home, starting, sweep, status };
}

describe("a sweep of other attempts", () => {
  test("ends all that carries their markers, wherever it works, and waits for the wrapper", async () => {
    const slot = await attemptOf("echo $$; cd /; setsid env HOME=/ sleep 600 & echo $!; sleep 600");
    await eventually(() => expect(slot.output().trim().split("\n")).toHaveLength(2));
    const pids = slot.output().trim().split("\n").map(Number);
    expect(await slot.sweep({ besides: "run/bead/2" })).toBe(3);
    expect(pids.map(isRunning)).toEqual([false, false]);
    // Its end is on record, so nobody waits for it.
    expect(await slot.status()).toBe("ended");
    expect(livingWrappers(slot.spec.folder)).toEqual([]);
  });

  test("ends an agent that is only about to be started", async () => {
    const slot = await attemptOf("sleep 600");
    await vi.waitFor(() => expect(livingWrappers(slot.spec.folder)).not.toEqual([]), { interval: 1 });
    await slot.sweep();
    await slot.starting;
    expect(await slot.status()).toBe("ended");
  });

  test("finds them also where their HOME is named through a symbolic link", async () => {
    const slot = await attemptOf("echo ready; sleep 600");
    await slot.says("ready");
    const link = join(tempFolder(), "link");
    symlinkSync(join(slot.home, ".."), link);
    expect(await slot.sweep({ home: join(link, basename(slot.home)) })).toBeGreaterThan(0);
    expect(await slot.status()).toBe("ended");
  });

  test("leaves alone the attempt it is told to, and whoever else works inside the clone unless told", async () => {
    const slot = await attemptOf("echo ready; sleep 600");
    await slot.says("ready");
    const stranger = startIn(slot.spec.cwd);
    expect(await slot.sweep({ besides: slot.marker })).toBe(0);
    expect(isRunning(stranger)).toBe(true);
    expect(await slot.sweep({ besides: slot.marker, inside: true })).toBe(1);
    expect(await slot.status()).toBe("alive");
    await eventually(() => expect(isRunning(stranger)).toBe(false));
  });

  test("leaves alone attempts with another HOME", async () => {
    const slot = await attemptOf("echo ready; sleep 600");
    await slot.says("ready");
    expect(await slot.sweep({ home: join(tempFolder(), basename(slot.home)) })).toBe(0);
    expect(await slot.status()).toBe("alive");
  });
});

describe("what a sweep leaves alone", () => {
  test("neighbours: a folder or marker that only begins alike, or the marker under another name", async () => {
    const { processes } = agentSlot("");
    const root = tempFolder();
    const names = ["clone", "clone-2", "clone (deleted)"];
    for (const name of names) mkdirSync(join(root, name));
    const env = { PATH: process.env.PATH };
    const neighbours = [
      startIn(join(root, "clone-2")),
      startIn(join(root, "clone (deleted)")),
      startIn(root),
      startIn(root, { ...env, KORYPH_SLOT: "run/bead-10" }),
      startIn(root, { ...env, XKORYPH_SLOT: "run/bead-1" }),
      startIn(root, { ...env, OTHER: "KORYPH_SLOT=run/bead-1" }),
    ];
    expect(await processes.sweep("run/bead-1", join(root, "clone"))).toBe(0);
    expect(neighbours.map(isRunning)).toEqual(neighbours.map(() => true));
  });

  test("ourselves and those who started us, although we stand in that folder", async () => {
    const [folder, code] = [tempFolder(), tempFolder()];
    writeFileSync(
      join(code, "sweep.mjs"),
      `import { DetachedProcesses } from ${JSON.stringify(BUILT_ADAPTER)};
       console.log("swept", await new DetachedProcesses().sweep("nobody", process.cwd()));`,
    );
    const script = 'HOME=/ setsid sleep 600 & "$0" "$1"; echo "and here we are"';
    const answer = spawnSync("/bin/sh", ["-c", script, process.execPath, join(code, "sweep.mjs")], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(answer.stdout).toBe("swept 1\nand here we are\n");
  });

  test.each([
    { name: "everything on the machine", marker: "m", cwd: "/" },
    { name: "everything without a marker", marker: "", cwd: "/no/such/clone" },
  ])("$name: such a sweep is refused", async ({ marker, cwd }) => {
    await expect(agentSlot("").processes.sweep(marker, cwd)).rejects.toThrow("would end everything");
  });
});

test.each(["sh", "a b", ") R 1 2 3", "(((", "x\n) Z 9"])("a process named %j is read rightly", (name) => {
  const numbers = "S 1 2 3 4 5 6 7 8 9 10 100 200 300 400 20 0 1 0 7777 0 0";
  expect(parseStat(42, `42 (${name}) ${numbers}\n`)).toEqual({
    pid: 42,
    state: "S",
    parent: 1,
    session: 3,
    terminal: 4,
    start: "7777",
    cpuSeconds: 10,
  });
});
