import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { GitLedger } from "../../../../src/adapters/git/ledger/git-ledger.js";
import { SNAPSHOT_FILE } from "../../../../src/adapters/git/ledger/ledger-snapshot.js";
import { packageVersion } from "../../../../src/adapters/project/package-version.js";
import { LedgerError } from "../../../../src/core/run/ledger/ledger-error.js";
import {
  bareGit,
  bareGitWith,
  dispatching,
  LEDGER_REF,
  ledgerWorld,
  nudge,
  nudges,
  remoteLines,
  remoteTip,
} from "../../../support/core/ledgers.js";
import { longTest } from "../../../support/long.js";

async function told(ledger: GitLedger, ...texts: string[]) {
  await ledger.observe(texts.map((text) => nudge(text)));
  await ledger.share("now");
  return ledger.refresh();
}

async function rolled(ledger: GitLedger) {
  const { kind, view } = await ledger.roll(await ledger.refresh());
  expect(kind).toBe("won");
  return view;
}

async function kindOf(work: Promise<unknown>): Promise<unknown> {
  const error = await work.catch((thrown: unknown) => thrown);
  return error instanceof LedgerError ? error.kind : error;
}

async function texts(ledger: GitLedger, archived: boolean): Promise<string[]> {
  const list: string[] = [];
  for await (const { chain, reading } of ledger.log({ archived }))
    if (reading.kind === "event")
      list.push(
        `${chain}:${reading.event.type === "control.nudge" ? reading.event.data.text : reading.event.type}`,
      );
  return list;
}

/** Whether a text is in any object of a repository, pointed to or not. */
function holds(gitDir: string, text: string): boolean {
  const list = bareGit(gitDir, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)");
  return bareGitWith(`${list}\n`, gitDir, "cat-file", "--batch").includes(text);
}

describe("a roll", () => {
  test("goes on with the same state in a chain of one commit, and archives the old chain", async () => {
    const world = ledgerWorld();
    const ledger = world.ledger("a");
    await ledger.observe([{ type: "slot.dispatching", bead: "b", run: "r", data: dispatching }]);
    const before = await told(ledger, "one", "two");
    const { tip, state } = await rolled(ledger);

    expect({ ...state, chain: before.state.chain }).toEqual({
      ...before.state,
      events: before.state.events + 1,
    });
    expect(state.chain).toEqual({ number: 2, start: 4 });
    expect(remoteTip(world.remote)).toBe(tip);
    expect(remoteTip(world.remote, `${LEDGER_REF}-1`)).toBe(before.tip);
    expect(remoteLines(world.remote)).toHaveLength(1);
  });

  test("takes what was not shared yet into the archive", async () => {
    const world = ledgerWorld();
    const ledger = world.ledger("a");
    await told(ledger, "shared");
    const view = await ledger.observe([nudge("not yet")]);
    expect((await ledger.roll(view)).kind).toBe("won");
    expect(remoteLines(world.remote, `${LEDGER_REF}-1`)).toHaveLength(2);
    expect(nudges(await world.ledger("b").refresh())).toEqual(["shared", "not yet"]);
  });

  test("gives a new reader only the current chain, and the log all of them when asked", async () => {
    const world = ledgerWorld();
    const ledger = world.ledger("a");
    await told(ledger, "one");
    await rolled(ledger);
    await told(ledger, "two");
    await rolled(ledger);
    const view = await told(ledger, "three");

    const late = world.ledger("b");
    expect(await late.refresh()).toEqual(view);
    expect(bareGit(world.gitDir("b"), "rev-list", "--all", "--count")).toBe("2");
    expect(await texts(late, false)).toEqual(["3:ledger.rolled", "3:three"]);
    expect(await texts(late, true)).toEqual([
      "1:one",
      "2:ledger.rolled",
      "2:two",
      "3:ledger.rolled",
      "3:three",
    ]);
  });

  test("is lost, and moves nothing, when somebody appended first", async () => {
    const world = ledgerWorld();
    const [a, b] = [world.ledger("a"), world.ledger("b")];
    const view = await told(a, "one");
    await b.refresh();
    const theirs = await told(b, "two");
    const roll = await a.roll(view);

    expect([roll.kind, nudges(roll.view)]).toEqual(["lost", ["one", "two"]]);
    expect(remoteTip(world.remote)).toBe(theirs.tip);
    expect(remoteTip(world.remote, `${LEDGER_REF}-1`)).toBeNull();
  });

  longTest("is followed by readers several rolls behind, with their own observations kept", async () => {
    const world = ledgerWorld();
    const [a, b] = [world.ledger("a"), world.ledger("b")];
    await told(a, "one");
    await b.refresh();
    await b.observe([nudge("b, unshared")]);
    await told(a, "two");
    await rolled(a);
    await told(a, "three");
    await rolled(a);
    await told(a, "four");

    const expected = ["one", "two", "three", "four", "b, unshared"];
    expect(nudges(await b.refresh())).toEqual(expected);
    await b.share("now");
    expect(nudges(await a.refresh())).toEqual(expected);
  });

  longTest("does not bring an observation twice whose push arrived unreported before it", async () => {
    const world = ledgerWorld();
    const [a, b] = [world.ledger("a"), world.ledger("b")];
    await told(a, "one");
    await b.refresh();
    const { tip } = await b.observe([nudge("from b")]);
    // Arrived, but b never heard of it.
    bareGit(world.gitDir("b"), "push", "--quiet", world.remote, `${tip}:${LEDGER_REF}`);
    await rolled(a);
    expect(nudges(await b.refresh())).toEqual(["one", "from b"]);
    expect((await b.check()).unshared).toBe(0);
  });

  test("is found again by a process that died between push and record", async () => {
    const world = ledgerWorld();
    const ledger = world.ledger("a");
    await told(ledger, "one");
    const before = bareGit(world.gitDir("a"), "rev-parse", LEDGER_REF);
    const view = await rolled(ledger);
    for (const refs of [[LEDGER_REF, "refs/koryph/seen"], ["refs/koryph/seen"]]) {
      for (const ref of refs) bareGit(world.gitDir("a"), "update-ref", ref, before);
      expect(await world.ledger("a").refresh()).toEqual(view);
    }
  });

  test("counts only with the old chain in its archive", async () => {
    const world = ledgerWorld();
    const [a, b] = [world.ledger("a"), world.ledger("b")];
    await told(a, "one");
    await b.refresh();
    await rolled(a);
    bareGit(world.remote, "update-ref", "-d", `${LEDGER_REF}-1`);
    expect(await kindOf(b.refresh())).toBe("rewound");
  });

  longTest("in the middle of a chain is ignored, and named by the check", async () => {
    const world = ledgerWorld();
    const [a, b] = [world.ledger("a"), world.ledger("b")];
    await told(a, "one");
    await rolled(a);
    const forged = remoteLines(world.remote)[0]?.replace(/"id":"(.)/, '"id":"7') ?? "";
    await told(a, "two");
    const commit = bareGitWith(
      `forged\n\n${forged}\n`,
      world.remote,
      ...["commit-tree", bareGitWith("", world.remote, "mktree"), "-p", remoteTip(world.remote) ?? ""],
    );
    bareGit(world.remote, "update-ref", LEDGER_REF, commit);
    expect(nudges(await b.refresh())).toEqual(["one", "two"]);
    expect((await b.check()).shape).toEqual([{ commit, problem: "a roll that does not open the chain" }]);
  });

  test("that this koryph cannot read makes the ledger read-only, not empty", async () => {
    const world = ledgerWorld();
    const ledger = world.ledger("a");
    await told(ledger, "one");
    await rolled(ledger);
    const newer = remoteLines(world.remote)[0]?.replace(/"reducer":\d+/, '"reducer":99') ?? "";
    const root = bareGitWith(
      `newer\n\n${newer}\n`,
      world.remote,
      ...["commit-tree", bareGitWith("", world.remote, "mktree")],
    );
    bareGit(world.remote, "update-ref", LEDGER_REF, root);
    const { state } = await world.ledger("b").refresh();
    // The version that wrote it is on record: that one can read it.
    expect(state.readOnly).toEqual({ type: "ledger.rolled", needs: packageVersion() });
  });
});

describe("a purge", () => {
  const SECRET = 'ghp_"leaked\\token';

  test("drops the matching events from state, remote and this copy, and keeps the rest", async () => {
    const world = ledgerWorld();
    const ledger = world.ledger("a", { snapshotEvery: 3 });
    const snapshot = join(world.gitDir("a"), SNAPSHOT_FILE);
    await told(ledger, "before", `use ${SECRET}`, "after");
    expect(readFileSync(snapshot, "utf8")).toContain("leaked");
    expect(await ledger.purge({ text: SECRET })).toEqual({ events: 1, archives: [] });
    expect(existsSync(snapshot)).toBe(false);

    const view = await ledger.refresh();
    expect(nudges(view)).toEqual(["before", "after"]);
    expect(await world.ledger("b").refresh()).toEqual(view);
    expect(bareGit(world.remote, "for-each-ref", "--format=%(refname)")).toBe(LEDGER_REF);
    expect(holds(world.gitDir("a"), "leaked")).toBe(false);
    expect(nudges(await told(ledger, "goes on"))).toEqual(["before", "after", "goes on"]);
  });

  test("by id drops that event", async () => {
    const ledger = ledgerWorld().ledger("a");
    const { state } = await told(ledger, "keep", "drop");
    expect(await ledger.purge({ id: state.requests[1]?.id ?? "" })).toEqual({ events: 1, archives: [] });
    expect(nudges(await ledger.refresh())).toEqual(["keep"]);
  });

  longTest("deletes the archives that hold it, carried states included, and no other", async () => {
    const world = ledgerWorld();
    const ledger = world.ledger("a");
    await told(ledger, "clean");
    await rolled(ledger);
    await told(ledger, SECRET);
    await rolled(ledger);
    await told(ledger, "later");
    await rolled(ledger);
    await told(ledger, "last");

    expect(await ledger.purge({ text: SECRET })).toEqual({
      events: 1,
      archives: [`${LEDGER_REF}-2`, `${LEDGER_REF}-3`],
    });
    const refs = bareGit(world.remote, "for-each-ref", "--format=%(refname)").split("\n");
    expect(refs).toEqual([LEDGER_REF, `${LEDGER_REF}-1`]);
    expect(nudges(await world.ledger("b").refresh())).toEqual(["clean", "later", "last"]);
    await rolled(ledger);
    expect(nudges(await ledger.refresh())).toEqual(["clean", "later", "last"]);
  });

  longTest("takes a text out of a carried state whose chain is gone", async () => {
    const world = ledgerWorld();
    const ledger = world.ledger("a");
    await told(ledger, `use ${SECRET} now`);
    await rolled(ledger);
    bareGit(world.remote, "update-ref", "-d", `${LEDGER_REF}-1`);
    await ledger.purge({ text: SECRET });
    expect(nudges(await ledger.refresh())).toEqual(["use [purged] now"]);
  });

  test("is followed by others: their own observations stay, the secret goes from their copy too", async () => {
    const world = ledgerWorld();
    const [a, b] = [world.ledger("a"), world.ledger("b")];
    await told(a, "one", SECRET);
    await b.refresh();
    await b.observe([nudge("from b")]);
    await told(a, "two");
    await a.purge({ text: SECRET });

    expect(nudges(await b.refresh())).toEqual(["one", "two", "from b"]);
    await b.share("now");
    expect(nudges(await a.refresh())).toEqual(["one", "two", "from b"]);
    expect(holds(world.gitDir("b"), "leaked")).toBe(false);
  });

  longTest("by another process on the same copy does not disturb one that goes on recording", async () => {
    const world = ledgerWorld();
    const engine = world.ledger("a");
    await told(engine, "one", SECRET);
    await world.ledger("a").purge({ text: SECRET });
    expect(nudges(await engine.observe([nudge("two")]))).toEqual(["one", "two"]);
    await engine.share("now");
    expect(nudges(await world.ledger("b").refresh())).toEqual(["one", "two"]);
  });

  test("that finds nothing, or is too vague, changes nothing", async () => {
    const world = ledgerWorld();
    const ledger = world.ledger("a");
    const { tip } = await told(ledger, "one");
    expect(await ledger.purge({ text: "not there" })).toEqual({ events: 0, archives: [] });
    await expect(ledger.purge({ text: "e" })).rejects.toThrow("at least");
    expect(remoteTip(world.remote)).toBe(tip);
  });

  longTest("leaves readers alone that start from an older snapshot or none", async () => {
    const world = ledgerWorld();
    const ledger = world.ledger("a", { snapshotEvery: 1 });
    await told(ledger, "one", SECRET);
    await ledger.purge({ text: SECRET });
    const view = await ledger.refresh();
    rmSync(join(world.gitDir("a"), SNAPSHOT_FILE), { force: true });
    expect(await world.ledger("a").refresh()).toEqual(view);
  });
});
