import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, test, vi } from "vitest";
import {
  agentSlot,
  HOSTILE,
  isRunning,
  livingMarked,
  livingWrappers,
} from "../../support/engine/agent-slot.js";
import { eventually } from "../../support/eventually.js";

afterAll(() => expect(livingMarked()).toEqual([]));

/** Prints its arguments or environment as JSON, so that nothing is lost on the way. */
const PRINTS = {
  args: ["-e", "console.log(JSON.stringify(process.argv.slice(1)))", "--"],
  env: ["-e", "console.log(JSON.stringify(process.env))"],
};

describe("data stays data", () => {
  test("arguments arrive as they were given", async () => {
    const args = [HOSTILE, "", " ", "-n", "--", "a\nb\n", "\t", "%s\\n", "run", "=", "$@", "\u0001"];
    const slot = agentSlot("", { argv: [process.execPath, ...PRINTS.args, ...args] });
    await slot.processes.start(slot.spec);
    expect(await slot.ended()).toMatchObject({ code: 0 });
    expect(JSON.parse(slot.output())).toEqual(args);
    expect(readdirSync(slot.spec.cwd)).toEqual([]);
  });

  test("the environment is exactly the one given, whatever a shell makes of the names", async () => {
    vi.stubEnv("INHERITED", "no");
    const { marker } = agentSlot("").spec;
    const env = {
      KORYPH_SLOT: marker,
      HOSTILE,
      PATH: "/no/such/folder",
      IFS: "x",
      OLDPWD: "/elsewhere",
      SHLVL: "41",
      ENV: "/no/such/rc",
      CDPATH: "/tmp",
      PS4: "$(touch oops)",
      LINES: "a\nb\n",
      EMPTY: "",
      signal: "1",
    };
    const slot = agentSlot("", { argv: [process.execPath, ...PRINTS.env], env, marker });
    await slot.processes.start(slot.spec);
    await slot.ended();
    expect(JSON.parse(slot.output())).toEqual(env);
    vi.unstubAllEnvs();
  });

  test("no more than the marker makes an environment", async () => {
    const { marker } = agentSlot("").spec;
    const env = { KORYPH_SLOT: marker };
    const slot = agentSlot("", { argv: [process.execPath, ...PRINTS.env], env, marker });
    await slot.processes.start(slot.spec);
    await slot.ended();
    expect(JSON.parse(slot.output())).toEqual(env);
  });

  test("the prompt comes on standard input, and the clone is where the agent works", async () => {
    const slot = agentSlot("cat; printf '%s\\n' \"$(pwd -P)|\"; echo problem >&2");
    writeFileSync(slot.spec.stdin, "line 1\nline 2\n");
    await slot.processes.start(slot.spec);
    await slot.ended();
    expect(slot.output()).toBe(`line 1\nline 2\n${slot.spec.cwd}|\n`);
    expect(readFileSync(slot.file("err.log"), "utf8")).toBe("problem\n");
  });

  test("values of variables are not written to the disk", async () => {
    const { env, marker } = agentSlot("").spec;
    const slot = agentSlot("exit 0", { env: { ...env, API_KEY: "very-secret" }, marker });
    await slot.processes.start(slot.spec);
    await slot.ended();
    const written = readdirSync(slot.spec.folder).map((name) => readFileSync(slot.file(name), "utf8"));
    expect(written.join("")).toContain("API_KEY");
    expect(written.join("")).not.toContain("very-secret");
  });

  test("nothing is left in the folder but the files that have a name", async () => {
    const slot = agentSlot("exit 0");
    await slot.processes.start(slot.spec);
    await slot.ended();
    expect(readdirSync(slot.spec.folder).sort()).toEqual(
      ["agent", "err.log", "exit.json", "heard", "out.jsonl", "pid.json", "spec.json", "wrapper.sh"].sort(),
    );
  });
});

test("the wall-clock limit climbs as far as it must, and the exit file says why", async () => {
  const limit = { wallSeconds: 1 };
  const agents = [
    { slot: agentSlot("exit 3", limit), end: { code: 3, ended: "by-itself" } },
    { slot: agentSlot("exec sleep 600", limit), end: { code: 130, ended: "wall-clock" } },
    { slot: agentSlot("trap '' INT; sleep 600", limit), end: { code: 143, ended: "wall-clock" } },
    {
      slot: agentSlot("setsid sleep 600 & echo $!; trap '' INT TERM; sleep 600", limit),
      end: { code: 137, ended: "wall-clock" },
    },
  ];
  await Promise.all(agents.map(({ slot }) => slot.processes.start(slot.spec)));
  for (const { slot, end } of agents) expect(await slot.ended()).toEqual(end);
  // There may be no engine to sweep, so tools in sessions of their own go with their agent.
  expect(isRunning(Number(agents.at(-1)?.slot.output()))).toBe(false);
});

test("an agent lives for as long as its engine beats, whatever the clock says, and not much longer", async () => {
  const lease = { leaseSeconds: 2 };
  const [forwards, backwards] = [agentSlot("sleep 5; exit 0", lease), agentSlot("sleep 5; exit 0", lease)];
  const [silent, gone] = [agentSlot("exec sleep 600", lease), agentSlot("exec sleep 600", lease)];
  rmSync(gone.spec.livenessFile);
  let beats = 0;
  const heart = setInterval(() => {
    beats += 1;
    utimesSync(forwards.spec.livenessFile, new Date(), new Date());
    utimesSync(backwards.spec.livenessFile, 1e9 - beats * 60, 1e9 - beats * 60);
  }, 100);
  try {
    const slots = [forwards, backwards, silent, gone];
    await Promise.all(slots.map(({ processes, spec }) => processes.start(spec)));
    for (const slot of [silent, gone])
      expect(await slot.ended()).toEqual({ code: 130, ended: "engine-gone" });
    for (const slot of [forwards, backwards])
      expect(await slot.ended()).toEqual({ code: 0, ended: "by-itself" });
  } finally {
    clearInterval(heart);
  }
});

describe("the wrapper", () => {
  test("signals to itself change nothing", async () => {
    const slot = agentSlot("echo up; sleep 600");
    const identity = await slot.processes.start(slot.spec);
    await slot.says("up");
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const)
      process.kill(identity.pid, signal);
    expect(await slot.processes.status(slot.spec.folder)).toEqual({ kind: "alive", identity });
    await slot.processes.signal(slot.spec.folder, "SIGTERM");
    expect(await slot.ended()).toEqual({ code: 143, ended: "by-itself" });
  });

  test("when it is killed, neither its agent nor the agent's tools go on unwatched", async () => {
    const slot = agentSlot("setsid sleep 600 & echo $!; echo $$; exec sleep 600");
    const { pid } = await slot.processes.start(slot.spec);
    const pids = () => slot.output().trim().split("\n").map(Number);
    await eventually(() => expect(pids()).toHaveLength(2));
    process.kill(pid, "SIGKILL");
    expect(await slot.ended()).toEqual({ code: null, ended: "unknown" });
    await vi.waitFor(() => expect(pids().map(isRunning)).toEqual([false, false]), 10_000);
    await vi.waitFor(() => expect(livingWrappers(slot.spec.folder)).toEqual([]), 10_000);
  });

  test("ends its agent in time although the folder is gone, and itself with it", async () => {
    const limit = { wallSeconds: 3 };
    const [early, late] = [
      agentSlot("setsid sleep 600 & echo $$; wait", limit),
      // Without the marker, so that only its pid tells who it is.
      agentSlot("echo $$; exec env -i sleep 600", limit),
    ];
    const pidOf = (slot: typeof early) => Number(slot.output());
    await Promise.all([early, late].map(({ processes, spec }) => processes.start(spec)));
    await eventually(() => expect([early, late].map(pidOf).map(isRunning)).toEqual([true, true]));
    const pids = [early, late].map(pidOf);
    rmSync(early.spec.folder, { recursive: true, maxRetries: 5 });
    utimesSync(late.spec.livenessFile, 1e9, 1e9);
    await vi.waitFor(() => expect(statSync(late.file("heard")).mtimeMs).toBe(1e12), 10_000);
    rmSync(late.spec.folder, { recursive: true, maxRetries: 5 });
    await vi.waitFor(() => expect(pids.map(isRunning)).toEqual([false, false]), 10_000);
    for (const { spec } of [early, late])
      await vi.waitFor(() => expect(livingWrappers(spec.folder)).toEqual([]), 10_000);
    await eventually(() => expect(livingMarked()).toEqual([]));
  });

  test("nothing of it outlives the agent for long", async () => {
    const slot = agentSlot("exit 0");
    await slot.processes.start(slot.spec);
    await slot.ended();
    await eventually(() => expect(livingWrappers(slot.spec.folder)).toEqual([]));
    await eventually(() => expect(livingMarked()).toEqual([]));
  });

  test("an agent holds none of the slot's files but the two it writes", async () => {
    const slot = agentSlot("readlink /proc/$$/fd/*");
    await slot.processes.start(slot.spec);
    await slot.ended();
    const held = slot.output().match(/--\/\S+/g);
    expect(held?.sort()).toEqual(["--/err.log", "--/out.jsonl"]);
  });
});
