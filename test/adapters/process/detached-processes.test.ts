import { spawn } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { DetachedProcesses } from "../../../src/adapters/process/detached-processes.js";
import { UserError } from "../../../src/lib/user-error.js";
import { agentSlot, isRunning, livingMarked } from "../../support/engine/agent-slot.js";
import { eventually } from "../../support/eventually.js";
import { tempFolder } from "../../support/temp-folder.js";

afterAll(() => expect(livingMarked()).toEqual([]));

/** A process of somebody else, which nothing here may harm. */
function bystander(): number {
  const child = spawn("sleep", ["600"], { stdio: "ignore", detached: true });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return child.pid ?? 0;
}

const BY_ITSELF = { ended: "by-itself" };

describe("ends", () => {
  test.each([
    { name: "a good end", script: "exit 0", code: 0 },
    { name: "a failure", script: "exit 7", code: 7 },
    { name: "a crash", script: "kill -SEGV $$", code: 139 },
    { name: "an end of all it started", script: "sleep 600 & kill -KILL 0", code: 137 },
  ])("$name leaves its code", async ({ script, code }) => {
    const slot = agentSlot(script);
    await slot.processes.start(slot.spec);
    expect(await slot.ended()).toEqual({ ...BY_ITSELF, code });
  });

  test.each([
    { name: "a command that does not exist", argv: ["/no/such/agent"], says: "/no/such/agent", code: 127 },
    { name: "a folder that cannot be entered", cwd: "/no/such/clone", says: "/no/such/clone", code: 125 },
    { name: "a prompt that is not there", stdin: "/no/such/prompt", says: "/no/such/prompt", code: 125 },
  ])(
    "$name is a failed start with its reason in the error log",
    async ({ says, code, name: _, ...change }) => {
      const slot = agentSlot("echo ran", change);
      await slot.processes.start(slot.spec);
      expect(await slot.ended()).toEqual({ ...BY_ITSELF, code });
      expect(readFileSync(slot.file("err.log"), "utf8")).toContain(says);
      expect(slot.output()).toBe("");
    },
  );

  test("an end is an end although a child lives on", async () => {
    const slot = agentSlot("setsid sleep 600 & echo left behind");
    await slot.processes.start(slot.spec);
    expect(await slot.ended()).toEqual({ ...BY_ITSELF, code: 0 });
    expect(await slot.processes.sweep(slot.spec.marker, slot.spec.cwd)).toBe(1);
  });
});

describe("signals", () => {
  test.each([
    { signal: "SIGINT", code: 130 },
    { signal: "SIGTERM", code: 143 },
    { signal: "SIGKILL", code: 137 },
  ] as const)("$signal ends the whole group and the exit file is still written", async ({ signal, code }) => {
    const slot = agentSlot("sleep 600 & echo child=$!; echo up; wait");
    await slot.processes.start(slot.spec);
    await slot.says("up");
    await slot.processes.signal(slot.spec.folder, signal);
    // In a background job of a shell SIGINT is ignored; the shell itself heeds it.
    expect(await slot.ended()).toEqual({ ...BY_ITSELF, code });
    const child = Number(/child=(\d+)/.exec(slot.output())?.[1]);
    if (signal !== "SIGINT") await eventually(() => expect(isRunning(child)).toBe(false));
  });

  test("an agent that handles the signal ends in its own way", async () => {
    const slot = agentSlot("trap 'echo bye; exit 9' INT; echo up; while :; do sleep 0.01; done");
    await slot.processes.start(slot.spec);
    await slot.says("up");
    await slot.processes.signal(slot.spec.folder, "SIGINT");
    expect(await slot.ended()).toEqual({ ...BY_ITSELF, code: 9 });
    expect(slot.output()).toContain("bye");
  });

  test("an agent that ignores all but SIGKILL is ended by that", async () => {
    const slot = agentSlot("trap '' INT TERM HUP; echo up; sleep 600");
    const identity = await slot.processes.start(slot.spec);
    await slot.says("up");
    await slot.processes.signal(slot.spec.folder, "SIGINT");
    await slot.processes.signal(slot.spec.folder, "SIGTERM");
    expect(await slot.processes.status(slot.spec.folder)).toEqual({ kind: "alive", identity });
    await slot.processes.signal(slot.spec.folder, "SIGKILL");
    expect(await slot.ended()).toEqual({ ...BY_ITSELF, code: 137 });
  });

  test("a signal right after the start is not lost", async () => {
    const slot = agentSlot("sleep 600");
    await slot.processes.start(slot.spec);
    await slot.processes.signal(slot.spec.folder, "SIGTERM");
    expect(await slot.ended()).toEqual({ ...BY_ITSELF, code: 143 });
  });

  test("signals after the end, or where nothing was started, do nothing", async () => {
    const slot = agentSlot("exit 0");
    await slot.processes.signal(slot.spec.folder, "SIGTERM");
    await slot.processes.start(slot.spec);
    await slot.ended();
    await slot.processes.signal(slot.spec.folder, "SIGKILL");
    expect(await slot.ended()).toEqual({ ...BY_ITSELF, code: 0 });
  });
});

describe("identity", () => {
  test("nothing is known of a folder in which nothing was started, or which does not exist", async () => {
    const slot = agentSlot("");
    expect(await slot.processes.status(slot.spec.folder)).toEqual({ kind: "none" });
    expect(await slot.processes.status("/no/such/slot")).toEqual({ kind: "none" });
  });

  test.each([
    { name: "a later process with the same pid", change: { start: "1" } },
    { name: "a process of another boot", change: { boot: "another" } },
    { name: "a pid nobody has", change: { pid: 2 ** 22 + 1 } },
  ])("$name is not ours: it has ended without word, and no signal reaches it", async ({ change }) => {
    const [slot, pid] = [agentSlot(""), bystander()];
    const start = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[19] ?? "";
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    writeFileSync(slot.file("pid.json"), JSON.stringify({ pid, start, boot, ...change }));
    writeFileSync(slot.file("agent"), `${pid} ${start}\n`);
    expect(await slot.ended()).toEqual({ code: null, ended: "unknown" });
    await slot.processes.signal(slot.spec.folder, "SIGKILL");
    expect(isRunning(pid)).toBe(true);
  });

  test("an agent's pid that has passed to another process is not signalled", async () => {
    const [slot, pid] = [agentSlot("sleep 600"), bystander()];
    await slot.processes.start(slot.spec);
    await eventually(() => expect(statSync(slot.file("agent")).size).toBeGreaterThan(0));
    writeFileSync(slot.file("agent"), `${pid} 1\n`);
    await slot.processes.signal(slot.spec.folder, "SIGKILL");
    expect(isRunning(pid)).toBe(true);
  });

  test.each([
    { name: "empty", text: "" },
    { name: "cut off", text: '{"code":' },
    { name: "of another shape", text: '{"code":"none"}' },
    { name: "null", text: "null" },
  ])("an exit file that is $name says nothing, and no more than that", async ({ text }) => {
    const slot = agentSlot("sleep 600");
    writeFileSync(slot.file("exit.json"), text);
    const identity = await slot.processes.start(slot.spec);
    expect(await slot.processes.status(slot.spec.folder)).toEqual({ kind: "alive", identity });
    writeFileSync(slot.file("pid.json"), JSON.stringify({ ...identity, start: "1" }));
    expect(await slot.ended()).toEqual({ code: null, ended: "unknown" });
  });

  test("an identity file that a crash cut off means an end without word", async () => {
    const slot = agentSlot("echo ran");
    writeFileSync(slot.file("pid.json"), '{"pid":');
    expect(await slot.ended()).toEqual({ code: null, ended: "unknown" });
    expect((await slot.processes.start(slot.spec)).pid).toBe(0);
    expect(slot.output()).toBe("");
  });
});

describe("starting again", () => {
  test("the living process is found and not doubled", async () => {
    const slot = agentSlot("echo ran; sleep 600");
    const first = await slot.processes.start(slot.spec);
    await slot.says("ran");
    expect(await slot.processes.start(slot.spec)).toEqual(first);
    expect(await new DetachedProcesses().start(slot.spec)).toEqual(first);
    expect(slot.output()).toBe("ran\n");
  });

  test("of many starts at once one wins, and all learn which", async () => {
    const slot = agentSlot("echo ran; sleep 600");
    const all = await Promise.all(Array.from({ length: 5 }, () => slot.processes.start(slot.spec)));
    expect(new Set(all.map(({ pid }) => pid)).size).toBe(1);
    await slot.says("ran");
    expect(slot.output()).toBe("ran\n");
  });

  test("what has ended stays ended", async () => {
    const slot = agentSlot("echo ran");
    const first = await slot.processes.start(slot.spec);
    await slot.ended();
    expect(await slot.processes.start(slot.spec)).toEqual(first);
    expect(await slot.ended()).toEqual({ ...BY_ITSELF, code: 0 });
    expect(slot.output()).toBe("ran\n");
  });
});

describe("refusals", () => {
  test("running agents needs Linux", () => {
    const refused = () => new DetachedProcesses({ platform: "darwin" });
    expect(refused).toThrow(UserError);
    expect(refused).toThrow("running agents needs Linux, and this is darwin");
  });

  test("a folder that cannot be written is told before anything starts", async () => {
    const slot = agentSlot("");
    // Not even root makes folders there.
    const started = slot.processes.start({ ...slot.spec, folder: "/sys/koryph" });
    await expect(started).rejects.toThrow("the agent was not started: /sys/koryph cannot be written");
    await expect(started).rejects.toBeInstanceOf(UserError);
  });

  const named = { KORYPH_SLOT: "m", PATH: "/bin" };
  test.each([
    { name: "no command", change: { argv: [] } },
    { name: "a command that looks like an option", change: { argv: ["-x"] } },
    { name: "a bare command without a PATH", change: { argv: ["agent"], env: { KORYPH_SLOT: "m" } } },
    { name: "a variable no shell passes on", change: { env: { ...named, "a.b": "1" } } },
    { name: "a variable of the wrapper's own", change: { env: { ...named, koryph_wall: "1" } } },
    { name: "a marker that is not in the environment", change: { marker: "other" } },
    { name: "a marker of two lines", change: { marker: "a\nb", env: { ...named, KORYPH_SLOT: "a\nb" } } },
  ])("$name is refused", async ({ change }) => {
    const slot = agentSlot("");
    const spec = { ...slot.spec, marker: "m", env: named, ...change };
    await expect(slot.processes.start(spec)).rejects.toThrow(slot.spec.folder);
    expect(existsSync(slot.file("pid.json"))).toBe(false);
  });
});

describe("watching", () => {
  test("the end of a process is told once", async () => {
    const slot = agentSlot("read line");
    const told = vi.fn();
    await slot.processes.start(slot.spec);
    slot.processes.watch(slot.spec.folder, told);
    await vi.waitFor(() => expect(told).toHaveBeenCalled(), 10_000);
    await slot.ended();
    expect(told).toHaveBeenCalledTimes(1);
  });

  test("an end that was before is told too, and an end before which watching stopped is not", async () => {
    const slot = agentSlot("sleep 600");
    const [told, untold] = [vi.fn(), vi.fn()];
    await slot.processes.start(slot.spec);
    const stop = slot.processes.watch(slot.spec.folder, untold);
    stop();
    await slot.processes.signal(slot.spec.folder, "SIGTERM");
    await slot.ended();
    slot.processes.watch(slot.spec.folder, told);
    await eventually(() => expect(told).toHaveBeenCalledTimes(1));
    expect(untold).not.toHaveBeenCalled();
  });

  test("an engine that did not start the process learns of its end", async () => {
    const slot = agentSlot("sleep 600");
    const [told, later] = [vi.fn(), new DetachedProcesses()];
    await slot.processes.start(slot.spec);
    later.watch(slot.spec.folder, told);
    await later.signal(slot.spec.folder, "SIGTERM");
    await vi.waitFor(() => expect(told).toHaveBeenCalledTimes(1), 10_000);
  });

  test("a watch may begin before the start", async () => {
    const [slot, told] = [agentSlot("exit 0"), vi.fn()];
    slot.processes.watch(slot.spec.folder, told);
    await slot.processes.start(slot.spec);
    await vi.waitFor(() => expect(told).toHaveBeenCalledTimes(1), 10_000);
  });
});

describe("activity", () => {
  test("work and output show, wherever in the agent's family they happen", async () => {
    const slot = agentSlot("setsid sh -c 'while :; do :; done' & echo up; wait");
    await slot.processes.start(slot.spec);
    await slot.says("up");
    const { folder, marker } = slot.spec;
    await vi.waitFor(
      async () => expect((await slot.processes.activity(folder, marker)).cpuSeconds).toBeGreaterThan(0.05),
      10_000,
    );
    const { outputAt } = await slot.processes.activity(folder, marker);
    expect(outputAt).toBe(statSync(slot.file("out.jsonl")).mtimeMs);
  });

  test("a silent agent has no output, and a folder without one neither", async () => {
    const slot = agentSlot("sleep 600");
    await slot.processes.start(slot.spec);
    expect((await slot.processes.activity(slot.spec.folder, slot.spec.marker)).outputAt).toBeNull();
    expect(await slot.processes.activity(join(tempFolder(), "none"), "none")).toEqual({
      cpuSeconds: 0,
      outputAt: null,
    });
  });
});
