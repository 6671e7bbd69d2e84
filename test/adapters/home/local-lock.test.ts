import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { lookAtLock, takeLocalLock } from "../../../src/adapters/home/local-lock.js";
import { tryLock, withLock } from "../../../src/adapters/home/lock-file.js";
import { type LockHolder, thisProcess } from "../../../src/adapters/home/lock-holder.js";
import { startScript } from "../../support/cli/node-script.js";
import { LONG } from "../../support/long.js";
import { tempFolder } from "../../support/temp-folder.js";

function lockPath(): string {
  return join(tempFolder(), "projects", "shop", "engine.lock");
}

/** A lock file that says whatever a test wants. */
function leave(path: string, overrides: Partial<LockHolder>): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ ...thisProcess(), ...overrides }));
}

async function take(path: string) {
  const attempt = await takeLocalLock(path);
  if (attempt.kind === "held") throw new Error(`held by ${attempt.by.pid}`);
  return attempt.lock;
}

const HOLD = `
  const { takeLocalLock } = await built("adapters/home/local-lock.js");
  const attempt = await takeLocalLock(args[0]);
  console.log(attempt.kind === "taken" ? "taken" : "held by " + attempt.by.pid);
  if (args[1] === "exit") process.exit(0);
  setInterval(() => {}, 1000);`;

describe("one at a time", () => {
  test("a free lock is taken, names its holder, and is free again when released", async () => {
    const path = lockPath();
    const lock = await take(path);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({
      pid: process.pid,
      host: lock.holder.host,
    });
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    await lock.release();
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  test("a live holder is named to whoever asks, also within one process", async () => {
    const path = lockPath();
    await take(path);
    expect(await takeLocalLock(path)).toMatchObject({ kind: "held", by: { pid: process.pid } });
  });

  test("a live holder in another process keeps its lock", async () => {
    const path = lockPath();
    const holder = startScript(HOLD, path);
    expect(await holder.line()).toBe("taken");
    expect(await takeLocalLock(path)).toMatchObject({ kind: "held", by: { pid: holder.pid } });
  });

  test("whoever waits gets it when the holder is done", async () => {
    const path = join(tempFolder(), "lock");
    const order: string[] = [];
    const turn = (name: string) =>
      withLock(path, { what: "it" }, async () => {
        order.push(`${name} in`);
        await new Promise((resolve) => setImmediate(resolve));
        order.push(`${name} out`);
      });
    await Promise.all(["a", "b", "c", "d"].map(turn));
    expect(order.filter((_, index) => index % 2 === 0).map((entry) => entry[0])).toEqual(
      order.filter((_, index) => index % 2 === 1).map((entry) => entry[0]),
    );
    expect(order).toHaveLength(8);
  });

  test("waiting has an end, with the holder named", async () => {
    const path = join(tempFolder(), "lock");
    await tryLock(path);
    await expect(withLock(path, { what: "the thing", waitSeconds: 0.05 }, async () => {})).rejects.toThrow(
      `the thing is in use by process ${process.pid} on `,
    );
  });

  test("what a failing action threw comes through, and the lock is free", async () => {
    const path = join(tempFolder(), "lock");
    const failing = withLock(path, { what: "it" }, () => Promise.reject(new Error("inner")));
    await expect(failing).rejects.toThrow("inner");
    expect(existsSync(path)).toBe(false);
  });
});

describe("what a holder says it is doing", () => {
  const work = { by: "land", bead: "gh-1" } as const;

  test("is in the lock, the latest last, and goes with it", async () => {
    const path = lockPath();
    const lock = await take(path);
    const running = { command: "npm test", number: 1, of: 1, since: 5 };
    lock.tell(work);
    lock.tell({ ...work, running });
    await expect.poll(async () => (await lookAtLock(path))?.work).toEqual({ ...work, running });
    expect(await takeLocalLock(path)).toMatchObject({ kind: "held", by: { nonce: lock.holder.nonce } });
    lock.tell(work);
    await lock.release();
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  test("may be missing or in a form that nobody knows", async () => {
    const path = lockPath();
    leave(path, { work: { by: "somebody" } as never });
    expect(await lookAtLock(path)).toMatchObject({ pid: process.pid, work: undefined });
  });
});

describe("holders that are gone", () => {
  test("a holder killed with SIGKILL is followed by the next", async () => {
    const path = lockPath();
    const holder = startScript(HOLD, path);
    await holder.line();
    await holder.kill();
    expect(existsSync(path)).toBe(true);
    const lock = await take(path);
    expect(lock.holder.pid).toBe(process.pid);
    expect(readdirSync(dirname(path))).toEqual(["engine.lock"]);
  });

  test("looking at a lock tells a live holder from a dead one, and takes nothing", async () => {
    const path = lockPath();
    expect(await lookAtLock(path)).toBeNull();
    const holder = startScript(HOLD, path);
    await holder.line();
    expect(await lookAtLock(path)).toMatchObject({ pid: holder.pid, gone: false });
    await holder.kill();
    expect(await lookAtLock(path)).toMatchObject({ pid: holder.pid, gone: true });
    expect(readdirSync(dirname(path))).toEqual(["engine.lock"]);
  });

  test("a holder that exits takes its lock with it", async () => {
    const path = lockPath();
    const holder = startScript(HOLD, path, "exit");
    await holder.rest();
    await expect.poll(() => holder.child.exitCode).not.toBeNull();
    expect(existsSync(path)).toBe(false);
  });

  test.each<{ name: string; holder: Partial<LockHolder>; outcome: "taken" | "held" }>([
    { name: "whose pid now belongs to a later process", holder: { start: "1" }, outcome: "taken" },
    { name: "of an earlier boot", holder: { boot: "another" }, outcome: "taken" },
    { name: "with a pid nobody has", holder: { pid: 2 ** 30 }, outcome: "taken" },
    {
      name: "on another machine, of which nothing can be known",
      holder: { host: "other", pid: 2 ** 30 },
      outcome: "held",
    },
    {
      name: "in another container, where the pid means nothing here",
      holder: { space: "pid:[1]", pid: 2 ** 30 },
      outcome: "held",
    },
  ])("the lock of a holder $name is $outcome", async ({ holder, outcome }) => {
    const path = lockPath();
    leave(path, holder);
    expect((await takeLocalLock(path)).kind).toBe(outcome);
  });

  test("a zombie is gone", async () => {
    const path = lockPath();
    // The shell starts a child and never waits for it; the child's end leaves a zombie.
    const parent = startScript(`
      const { spawn } = await import("node:child_process");
      const shell = spawn("sh", ["-c", "sh -c 'echo $$; read x' & exec sleep 600"], { stdio: ["pipe", "pipe", "inherit"] });
      shell.stdout.once("data", (text) => { console.log(String(text).trim()); });
      process.on("exit", () => shell.kill("SIGKILL"));
      setInterval(() => {}, 1000);`);
    const pid = Number(await parent.line());
    const stat = () => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1) ?? "";
    const start = stat().split(" ")[19] ?? "";
    process.kill(pid, "SIGKILL");
    await expect.poll(() => stat()[0]).toBe("Z");
    leave(path, { pid, start });
    expect((await takeLocalLock(path)).kind).toBe("taken");
    process.kill(Number(stat().split(" ")[1]), "SIGKILL");
  });

  test("a lock that cannot be read is nobody's to take", async () => {
    const path = lockPath();
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "{ half");
    expect(await takeLocalLock(path)).toMatchObject({ kind: "held", by: { host: "an unknown host" } });
    expect(readFileSync(path, "utf8")).toBe("{ half");
  });

  test("a taker that died while taking over is followed too", async () => {
    const path = lockPath();
    const [first, second] = ["a".repeat(24), "b".repeat(24)];
    leave(path, { nonce: first, start: "1" });
    leave(`${path}.after-${first}`, { nonce: second, start: "1" });
    const lock = await take(path);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ nonce: lock.holder.nonce });
    expect(readdirSync(dirname(path))).toEqual(["engine.lock"]);
  });

  test("while a live taker takes over, it counts as the holder", async () => {
    const path = lockPath();
    const dead = "a".repeat(24);
    leave(path, { nonce: dead, start: "1" });
    leave(`${path}.after-${dead}`, {});
    expect(await takeLocalLock(path)).toMatchObject({ kind: "held", by: { pid: process.pid } });
  });

  test("releasing never removes somebody else's lock", async () => {
    const path = lockPath();
    const lock = await take(path);
    leave(path, { nonce: "c".repeat(24) });
    await lock.release();
    expect(existsSync(path)).toBe(true);
  });
});

test("of many processes that find a dead holder's lock exactly one gets it, every time", async () => {
  const path = join(tempFolder(), "lock");
  const rounds = LONG ? 1000 : 60;
  const contender = () =>
    startScript(
      `const { tryLock } = await built("adapters/home/lock-file.js");
       const { thisProcess } = await built("adapters/home/lock-holder.js");
       const fs = await import("node:fs/promises");
       console.log("ready");
       for (let round = 0; round < Number(args[1]); round += 1) {
         const path = args[0] + "-" + round;
         const dead = { ...thisProcess(), start: "1", nonce: round.toString(16).padStart(24, "0") };
         await fs.writeFile(path + ".dead." + process.pid, JSON.stringify(dead));
         await fs.link(path + ".dead." + process.pid, path).catch(() => {});
         const attempts = await Promise.all([tryLock(path), tryLock(path)]);
         console.log(attempts.filter((attempt) => attempt.kind === "taken").length);
       }
       setInterval(() => {}, 1000);`,
      path,
      `${rounds}`,
    );
  const contenders = [contender(), contender(), contender()];
  await Promise.all(contenders.map((each) => each.line()));
  const winners: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const counts = await Promise.all(contenders.map((each) => each.line()));
    winners.push(counts.reduce((sum, count) => sum + Number(count), 0));
  }
  expect(winners).toEqual(winners.map(() => 1));
});
