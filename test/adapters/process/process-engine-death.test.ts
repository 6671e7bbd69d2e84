import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, expect, test, vi } from "vitest";
import { DetachedProcesses } from "../../../src/adapters/process/detached-processes.js";
import { agentSlot, livingMarked } from "../../support/engine/agent-slot.js";
import { engineProcess } from "../../support/engine/engine-process.js";
import { eventually } from "../../support/eventually.js";
import { LONG, longTest } from "../../support/long.js";

afterAll(() => {
  expect(livingMarked()).toEqual([]);
});

test("an agent outlives its engine's SIGKILL, and the next engine finds, watches and stops it", async () => {
  const slot = agentSlot("echo up; sleep 600");
  const engine = engineProcess([slot.spec]);
  const [identity] = JSON.parse(await engine.started);
  await slot.says("up");
  engine.child.kill("SIGKILL");
  await engine.ended;

  const next = new DetachedProcesses();
  const told = vi.fn();
  expect(await next.status(slot.spec.folder)).toEqual({ kind: "alive", identity });
  expect(await next.start(slot.spec)).toEqual(identity);
  next.watch(slot.spec.folder, told);
  await next.signal(slot.spec.folder, "SIGTERM");
  await vi.waitFor(() => expect(told).toHaveBeenCalledTimes(1), 10_000);
  expect(await slot.ended()).toEqual({ code: 143, ended: "by-itself" });
});

test("an end while no engine lived is found with its code", async () => {
  const slot = agentSlot("cat; exit 4");
  const engine = engineProcess([slot.spec]);
  await engine.started;
  engine.child.kill("SIGKILL");
  await engine.ended;
  expect(await slot.ended()).toEqual({ code: 4, ended: "by-itself" });
});

longTest(
  "a wrapper that is a zombie is dead, and a watch that no event tells of it learns by looking",
  async () => {
    const slot = agentSlot("sleep 600");
    const engine = engineProcess([slot.spec]);
    const [identity] = JSON.parse(await engine.started);
    const told = vi.fn();
    slot.processes.watch(slot.spec.folder, told);
    // A stopped parent does not take note of its child's end.
    engine.child.kill("SIGSTOP");
    process.kill(identity.pid, "SIGKILL");
    await eventually(() => expect(readFileSync(`/proc/${identity.pid}/stat`, "latin1")).toContain(") Z "));
    expect(await slot.processes.status(slot.spec.folder)).toEqual({
      kind: "ended",
      exit: { code: null, ended: "unknown" },
    });
    await vi.waitFor(() => expect(told).toHaveBeenCalledTimes(1), 10_000);
  },
);

test("engines killed at any moment of a start never leave two agents", async () => {
  const rounds = LONG ? 100 : 3;
  const slots = Array.from({ length: rounds }, () => agentSlot("echo ran; sleep 600"));
  for (const [index, slot] of slots.entries()) {
    const engine = engineProcess([slot.spec]);
    // Each dies a little later than the one before, around the moment the wrapper comes into being.
    await vi.waitFor(() => expect(existsSync(slot.file("spec.json"))).toBe(true), {
      interval: 1,
      timeout: 20_000,
    });
    for (let turn = 0; turn < index * 4; turn += 1) await new Promise(setImmediate);
    engine.child.kill("SIGKILL");
    await engine.ended;
    const identity = await slot.processes.start(slot.spec);
    await slot.says("ran");
    expect(await slot.processes.status(slot.spec.folder)).toEqual({ kind: "alive", identity });
    await slot.processes.signal(slot.spec.folder, "SIGKILL");
    await slot.ended();
    expect(slot.output()).toBe("ran\n");
  }
});

test("a wrapper that has not signed in yet is found by its command line", async () => {
  const slot = agentSlot("echo ran; sleep 600");
  writeFileSync(slot.file("spec.json"), "{}");
  writeFileSync(slot.file("wrapper.sh"), "sleep 600\n");
  // Stands where the wrapper stands before its first line has run.
  const wrapper = spawn("/bin/sh", [slot.file("wrapper.sh"), "run"], {
    detached: true,
    stdio: "ignore",
  });
  try {
    await eventually(async () =>
      expect(await slot.processes.status(slot.spec.folder)).toMatchObject({
        kind: "alive",
        identity: { pid: wrapper.pid },
      }),
    );
    expect((await slot.processes.start(slot.spec)).pid).toBe(wrapper.pid);
  } finally {
    process.kill(-(wrapper.pid ?? 0), "SIGKILL");
  }
  await eventually(async () => expect((await slot.processes.status(slot.spec.folder)).kind).toBe("none"));
});
