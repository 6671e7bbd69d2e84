import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { endGate } from "../../../src/adapters/gate/end-gate.js";
import { openHome } from "../../../src/adapters/home/koryph-home.js";
import { RunFolders } from "../../../src/adapters/home/run-folders.js";
import { DetachedProcesses } from "../../../src/adapters/process/detached-processes.js";
import type { AgentProcesses } from "../../../src/ports/agent-processes.js";
import { BEAD, type GateWorld, GREEN, gateWorld, livingCommands } from "../../support/landing/gate-world.js";
import { LONG } from "../../support/long.js";

// A wrapper that has written its last word takes a moment to go.
afterEach(() => expect.poll(livingCommands).toEqual([]));

const VERBS = ["start", "status", "sweep", "signal", "watch"] as const;

/** Processes of an engine that is gone from the moment `isDead` says so: none of its calls does anything any more. */
function mortal(isDead: (verb: string) => boolean): AgentProcesses {
  const living = new DetachedProcesses({ graceSeconds: 0.3, tickSeconds: 1 });
  let dead = false;
  return new Proxy(living, {
    get(target, name) {
      const method = Reflect.get(target, name, target).bind(target);
      if (!VERBS.includes(name as never)) return method;
      return (...args: unknown[]) => {
        dead ||= isDead(String(name));
        if (dead) throw new Error("the engine is gone");
        return method(...args);
      };
    },
  });
}

/** Runs the commands until the engine dies at its nth call of `verb`. */
async function dyingAt(w: GateWorld, verb: string, nth: number, ...commands: string[]): Promise<void> {
  let seen = 0;
  const processes = mortal((name) => {
    if (name === verb) seen += 1;
    return seen >= nth;
  });
  await expect(w.run({ commands, processes })).rejects.toThrow("the engine is gone");
}

describe("an engine that comes back", () => {
  test("waits for the command that its predecessor started, and does not run it again", async () => {
    const w = gateWorld();
    const commands = [
      "echo up >>$T; while ! test -e $T.go; do sleep 0.01; done; echo done >>$T",
      "echo last >>$T",
    ];
    await dyingAt(w, "watch", 1, ...commands);
    await w.says("up");
    const answer = w.run({ commands });
    await w.release();
    expect(await answer).toEqual(GREEN);
    expect(w.traces()).toEqual(["up", "done", "last"]);
    expect(w.checkouts()).toBe(1);
  });

  test("goes on in the same checkout after the commands that had passed", async () => {
    const w = gateWorld();
    const commands = ["echo one >>$T; touch made", "echo two >>$T; test -e made"];
    await dyingAt(w, "start", 2, ...commands);
    expect(await w.run({ commands })).toEqual(GREEN);
    expect(w.traces()).toEqual(["one", "two"]);
    expect(w.checkouts()).toBe(1);
  });

  test("makes the checkout again when nothing had been started in it", async () => {
    const w = gateWorld();
    await dyingAt(w, "start", 1, "test -e a.txt");
    expect(await w.run({ commands: ["test -e a.txt"] })).toEqual(GREEN);
    expect(w.checkouts()).toBe(2);
  });

  test("counts a first try that was red, and finishes the second one under way", async () => {
    const w = gateWorld();
    const commands = [
      "echo ran >>$T; [ $(wc -l <$T) = 1 ] || while ! test -e $T.go; do sleep 0.01; done; exit 5",
    ];
    await dyingAt(w, "watch", 2, ...commands);
    await vi.waitFor(() => expect(w.traces()).toEqual(["ran", "ran"]), 20_000);
    const answer = w.run({ commands });
    await w.release();
    expect(await answer).toMatchObject({ kind: "red", code: 5 });
    expect(w.traces()).toEqual(["ran", "ran"]);
  });

  test("finds the answer that was written down, and runs nothing", async () => {
    const w = gateWorld();
    const commands = ["echo ran >>$T; echo why; false"];
    const answer = await w.run({ commands });
    const processes = mortal(() => true);
    expect(await w.run({ commands, processes })).toEqual(answer);
    expect(w.checkouts()).toBe(2);
  });

  test("begins the try again when another checkout stands where its own was", async () => {
    const w = gateWorld();
    const commands = ["echo one >>$T; touch made", "test -e made"];
    await dyingAt(w, "start", 2, ...commands);
    await w.checkOut(`${BEAD}-gate`, w.request.head);
    expect(await w.run({ commands })).toEqual(GREEN);
    expect(w.traces()).toEqual(["one", "one"]);
    expect(existsSync(join(w.request.folder, "2"))).toBe(false);
  });
});

describe("only results of the very check count", () => {
  test.each<{ name: string; change: (w: GateWorld) => Parameters<GateWorld["run"]>[0] }>([
    { name: "another head", change: (w) => ({ head: w.commit("b.txt"), commands: ["echo ran >>$T"] }) },
    { name: "other commands", change: () => ({ commands: ["echo ran >>$T; true"] }) },
    {
      name: "a record that cannot be read",
      change: (w) => {
        writeFileSync(join(w.request.folder, "gate.json"), '{"head":');
        return { commands: ["echo ran >>$T"] };
      },
    },
  ])("$name starts over", async ({ change }) => {
    const w = gateWorld();
    expect(await w.run({ commands: ["echo ran >>$T"] })).toEqual(GREEN);
    expect(await w.run(change(w))).toEqual(GREEN);
    expect(w.traces()).toEqual(["ran", "ran"]);
  });

  test("a command for another head that still runs is ended first", async () => {
    const w = gateWorld();
    await dyingAt(w, "watch", 1, 'echo $$ >"$T.pid"; echo up >>$T; sleep 600');
    await w.says("up");
    const head = w.commit("b.txt");
    const isAlone = 'test -e b.txt && ! kill -0 "$(cat "$T.pid")"';
    expect(await w.run({ head, commands: [isAlone] })).toEqual(GREEN);
  });
});

describe("a folder that goes takes the commands in it along", () => {
  test.each<{ name: string; remove: (folders: RunFolders) => Promise<unknown> }>([
    { name: "another head is checked", remove: (folders) => folders.openGate(BEAD, "head-0002") },
    { name: "all of the bead's checks go", remove: (folders) => folders.dropGates(BEAD) },
  ])("$name", async ({ remove }) => {
    const w = gateWorld();
    const processes = new DetachedProcesses({ graceSeconds: 0.3, tickSeconds: 1 });
    const home = await openHome({ KORYPH_HOME: join(w.root, "home") });
    const folders = new RunFolders(home, "p", (path) => endGate(processes, path));
    const folder = await folders.openGate(BEAD, "head-0001");
    let isDead = false;
    const commands = ["echo up >>$T; setsid sleep 600 & sleep 600"];
    const dying = w.run({ folder, commands, processes: mortal(() => isDead) });
    await w.says("up");
    isDead = true;
    await expect(dying).rejects.toThrow("the engine is gone");
    await remove(folders);
    expect(existsSync(folder)).toBe(false);
    expect(livingCommands()).toEqual([]);
  });
});

describe("a command that vanished", () => {
  test("says nothing about the code: its try begins again", async () => {
    const w = gateWorld();
    const commands = ["echo up >>$T; test -e $T.go || sleep 600"];
    await dyingAt(w, "watch", 1, ...commands);
    await w.says("up");
    const { pid } = JSON.parse(readFileSync(join(w.request.folder, "1/1/pid.json"), "utf8"));
    process.kill(pid, "SIGKILL");
    await w.release();
    expect(await w.run({ commands })).toEqual(GREEN);
    expect(w.traces()).toEqual(["up", "up"]);
    expect(existsSync(join(w.request.folder, "2"))).toBe(false);
    expect(w.checkouts()).toBe(2);
  });

  test("time and again is red in the end, without a code", async () => {
    const w = gateWorld();
    expect(
      await w.run({ commands: ["echo ran >>$T; echo before; kill -KILL $PPID; sleep 600"] }),
    ).toMatchObject({
      kind: "red",
      code: null,
      output: "before\n[it vanished without an exit code]",
    });
    expect(w.traces()).toHaveLength(4);
  });
});

describe("wherever the engine dies, the answer is the same and no command that passed runs twice", () => {
  const GREEN_RUN = {
    commands: ["echo one >>$T; touch made", "echo two >>$T; test -e made"],
    traces: ["one", "two"],
  };
  const RED_RUN = {
    commands: ["echo one >>$T", "echo two >>$T; exit 4"],
    traces: ["one", "two", "one", "two"],
  };
  const every = LONG ? 1 : 20;

  test.each([
    { name: "green", ...GREEN_RUN, kind: "green" },
    { name: "red", ...RED_RUN, kind: "red" },
  ])("$name", async ({ commands, traces, kind }) => {
    let points = 0;
    const whole = gateWorld();
    await whole.run({
      commands,
      processes: mortal(() => {
        points += 1;
        return false;
      }),
    });
    expect(whole.traces()).toEqual(traces);
    for (let point = 1; point <= points; point += every) {
      const w = gateWorld();
      let calls = 0;
      const processes = mortal(() => ++calls >= point);
      // Who watches may learn of an end without asking, so a later point is not always reached.
      const first = await w.run({ commands, processes }).catch(() => null);
      const answer = await w.run({ commands });
      expect(answer.kind).toBe(kind);
      if (first !== null) expect(answer).toEqual(first);
      expect(w.traces()).toEqual(traces);
    }
  });
});
