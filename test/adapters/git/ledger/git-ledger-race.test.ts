import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { describe, expect, onTestFinished, test } from "vitest";
import type { GitLedger } from "../../../../src/adapters/git/ledger/git-ledger.js";
import { LEDGER_REF, lease, ledgerWorld, nudge, nudges, remoteLines } from "../../../support/core/ledgers.js";
import { LONG } from "../../../support/long.js";

/** The same numbers for a seed on every machine. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe("two homes on one remote", () => {
  test("of two claims decided on the same tip one wins and one loses, every time", async () => {
    const world = ledgerWorld();
    const ledgers = [world.ledger("a"), world.ledger("b")];
    for (let round = 0; round < (LONG ? 40 : 3); round += 1) {
      const views = await Promise.all(ledgers.map((ledger) => ledger.refresh()));
      const claims = await Promise.all(
        ledgers.map((ledger, index) => ledger.claim([lease(`${index}`)], views[index] ?? views[0] ?? fail())),
      );
      expect(claims.map(({ kind }) => kind).sort()).toEqual(["lost", "won"]);
    }
    expect(remoteLines(world.remote)).toHaveLength(LONG ? 40 : 3);
  });

  test.each(Array.from({ length: LONG ? 30 : 1 }, (_, index) => index + 1))(
    "every observation survives exactly once in any interleaving (seed %i)",
    async (seed) => {
      const world = ledgerWorld();
      const homes = ["a", "b"];
      const written: string[] = [];
      const claimed: string[] = [];
      await Promise.all(
        homes.map(async (home, index) => {
          const pick = numbers(seed * 10 + index);
          let ledger: GitLedger = world.ledger(home);
          for (let step = 0; step < 9; step += 1) {
            const name = `${home}-${step}`;
            const action = pick(10);
            if (action < 4) {
              await ledger.observe([nudge(name), nudge(`${name}'`)]);
              written.push(name, `${name}'`);
            } else if (action < 6) await ledger.share("now");
            else if (action < 8) {
              const { kind } = await ledger.claim([lease(name)], await ledger.refresh());
              if (kind === "won") claimed.push(name);
            } else if (action < 9) ledger = world.ledger(home);
            else await ledger.roll(await ledger.refresh());
          }
          await ledger.share("now");
        }),
      );
      const views = await Promise.all(homes.map((home) => world.ledger(home).refresh()));
      expect(nudges(views[0] ?? fail()).sort()).toEqual(written.sort());
      expect(views[0]).toEqual(views[1]);
      expect(views[0]?.state.events).toBe(
        written.length + claimed.length + (views[0]?.state.chain.number ?? 0) - 1,
      );
    },
  );
});

describe("a process that is killed", () => {
  /** Appends without end, and says after each append that it was acknowledged. */
  const APPENDER = `
    import { writeSync } from "node:fs";
    const { GitLedger } = await import(process.argv[1]);
    const [gitDir, remote, round] = process.argv.slice(2);
    const ledger = new GitLedger({ gitDir, remote, ref: "${LEDGER_REF}", actor: round, now: Date.now });
    for (let index = 0; ; index += 1) {
      const text = round + "-" + index;
      await ledger.observe([{ type: "control.nudge", bead: "b", data: { text } }]);
      writeSync(1, text + "\\n");
      if (index % 4 === 3) await ledger.share("now");
    }`;
  const BUILT = new URL("../../../../dist/adapters/git/ledger/git-ledger.js", import.meta.url).href;

  async function killedAfter(acknowledged: number, args: readonly string[]): Promise<string[]> {
    const child: ChildProcess = spawn(
      process.execPath,
      ["--input-type=module", "-e", APPENDER, BUILT, ...args],
      { detached: true, stdio: ["ignore", "pipe", "inherit"] },
    );
    const end = () => {
      try {
        // With the git it is running, in the middle of whatever that does.
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {}
    };
    onTestFinished(end);
    const closed = once(child, "close");
    const heard: string[] = [];
    if (child.stdout === null) throw new Error("no output");
    for await (const line of createInterface({ input: child.stdout })) {
      heard.push(line);
      if (heard.length === acknowledged) end();
    }
    await closed;
    return heard;
  }

  test("loses no acknowledged append and leaves none twice", async () => {
    const world = ledgerWorld();
    const pick = numbers(3);
    const acknowledged: string[] = [];
    for (let round = 0; round < (LONG ? 40 : 2); round += 1)
      acknowledged.push(...(await killedAfter(1 + pick(9), [world.gitDir("a"), world.remote, `r${round}`])));

    const ledger = world.ledger("a");
    const found = nudges(await ledger.refresh());
    expect(found).toEqual(expect.arrayContaining(acknowledged));
    expect(new Set(found).size).toBe(found.length);
    await ledger.share("now");
    expect(nudges(await world.ledger("b").refresh())).toEqual(found);
  });
});

function fail(): never {
  throw new Error("there are two homes");
}
