import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SNAPSHOT_FILE } from "../../../../src/adapters/git/ledger/ledger-snapshot.js";
import { LedgerError } from "../../../../src/core/run/ledger/ledger-error.js";
import type { NewEvent } from "../../../../src/core/run/ledger/ledger-event.js";
import { UserError } from "../../../../src/lib/user-error.js";
import {
  bareGit,
  bareGitWith,
  dispatching,
  LEDGER_REF,
  lease,
  ledgerWorld,
  nudge,
  nudges,
  remoteLines,
  remoteTip,
  strangerPushes,
} from "../../../support/core/ledgers.js";
import { LONG, longTest } from "../../../support/long.js";

async function troubleOf(work: Promise<unknown>): Promise<LedgerError> {
  const error = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(LedgerError);
  return error as LedgerError;
}

async function listOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const stranger = { id: "01HF0000000000000000000000", at: "2023-11-14", actor: "x" };

describe("recording", () => {
  test("an observation is durable before anything is shared, and another process on the copy sees it", async () => {
    const world = ledgerWorld();
    await world.ledger("a").observe([nudge("one")]);

    expect(nudges(await world.ledger("a").observe([]))).toEqual(["one"]);
    expect(remoteTip(world.remote)).toBeNull();
  });

  test("an append is one commit on the empty tree, with a short subject and one event per line", async () => {
    const world = ledgerWorld();
    const ledger = world.ledger("a");
    await ledger.observe([{ type: "slot.dispatching", bead: "gh-12", run: "r", data: dispatching }]);
    await ledger.observe([nudge("one\ntwo"), nudge("three"), { type: "control.drain", data: {} }]);

    const log = bareGit(world.gitDir("a"), "log", "--format=%s|%an <%ae>|%T", LEDGER_REF);
    const rest = "koryph <koryph@localhost>|4b825dc642cb6eb9a060e54bf8d69288fbee4904";
    expect(log.split("\n")).toEqual([
      `3 events: control.nudge, control.drain|${rest}`,
      `slot.dispatching gh-12|${rest}`,
    ]);
    const body = bareGit(world.gitDir("a"), "log", "-1", "--format=%b", LEDGER_REF).split("\n");
    expect(body.map((line) => JSON.parse(line).type)).toEqual([
      "control.nudge",
      "control.nudge",
      "control.drain",
    ]);
  });

  test("nothing to record appends nothing", async () => {
    const ledger = ledgerWorld().ledger("a");
    const { tip } = await ledger.observe([nudge("one")]);
    expect((await ledger.observe([])).tip).toBe(tip);
  });

  test("a view stays what it was when more is recorded", async () => {
    const ledger = ledgerWorld().ledger("a");
    await ledger.observe([{ type: "slot.dispatching", bead: "b", run: "r", data: dispatching }]);
    const before = await ledger.observe([nudge("one")]);
    const kept = structuredClone(before.state);
    await ledger.observe([
      nudge("two"),
      {
        type: "slot.started",
        bead: "b",
        run: "r",
        data: { attempt: 1, process: { pid: 1, start: "s", boot: "b" } },
      },
    ]);
    expect(before.state).toEqual(kept);
  });

  test("calls made at once on one ledger are all recorded", async () => {
    const world = ledgerWorld();
    const ledger = world.ledger("a");
    await Promise.all(Array.from({ length: 8 }, (_, index) => ledger.observe([nudge(`n${index}`)])));
    expect(nudges(await world.ledger("a").observe([]))).toHaveLength(8);
  });

  test("two processes on one copy lose nothing to each other", async () => {
    const world = ledgerWorld();
    const writers = [world.ledger("a"), world.ledger("a"), world.ledger("a")];
    await Promise.all(
      writers.map(async (ledger, writer) => {
        for (let index = 0; index < 4; index += 1) {
          await ledger.observe([nudge(`w${writer}-${index}`)]);
          if (index % 3 === writer) await ledger.share("now");
        }
      }),
    );
    const expected = writers.flatMap((_, writer) =>
      Array.from({ length: 4 }, (_, index) => `w${writer}-${index}`),
    );
    expect(nudges(await world.ledger("a").refresh()).sort()).toEqual(expected.sort());
  });

  longTest("a lock left by a killed process is waited for, then broken", async () => {
    const world = ledgerWorld();
    await world.ledger("a").observe([nudge("one")]);
    const lock = join(world.gitDir("a"), `${LEDGER_REF}.lock`);
    writeFileSync(lock, "");
    utimesSync(lock, 1, 1);

    expect(nudges(await world.ledger("a").observe([nudge("two")]))).toEqual(["one", "two"]);
    expect(existsSync(lock)).toBe(false);
  });

  test("a copy that cannot be made is a clear error", async () => {
    const world = ledgerWorld();
    writeFileSync(join(world.gitDir("a"), "../../file"), "");
    const ledger = world.ledger("a", { gitDir: join(world.gitDir("a"), "../../file/ledger.git") });
    const error = await ledger.observe([nudge("one")]).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UserError);
    expect((error as Error).message).toContain("cannot be written");
  });
});

describe("sharing", () => {
  test("what one home shares another reads", async () => {
    const world = ledgerWorld();
    const [a, b] = [world.ledger("a"), world.ledger("b")];
    await a.observe([nudge("from a")]);
    await a.share("now");
    expect(nudges(await b.refresh())).toEqual(["from a"]);
  });

  test("unpushed observations go after what others pushed, with their ids", async () => {
    const world = ledgerWorld();
    const [a, b] = [world.ledger("a"), world.ledger("b")];
    await a.observe([nudge("a1")]);
    const [mine] = [...(await a.observe([nudge("a2")])).state.requests].reverse();
    await b.observe([nudge("b1")]);
    await b.share("now");
    await a.share("now");

    expect(nudges(await b.refresh())).toEqual(["b1", "a1", "a2"]);
    expect(remoteLines(world.remote).map((line) => JSON.parse(line).id)).toContain(mine?.id);
  });

  test("routine sharing waits for its time, and `now` does not", async () => {
    const world = ledgerWorld();
    const ledger = world.ledger("a");
    const shared = async (text: string, when: "due" | "now") => {
      await ledger.observe([nudge(text)]);
      await ledger.share(when);
      return remoteLines(world.remote).length;
    };
    expect(await shared("first", "due")).toBe(1);
    expect(await shared("at once", "due")).toBe(1);
    expect(await shared("urgent", "now")).toBe(3);
    world.clock.now += 29_999;
    expect(await shared("almost", "due")).toBe(3);
    world.clock.now += 1;
    expect(await shared("due", "due")).toBe(5);
  });

  test("a refresh that finds nothing new leaves the view as it is", async () => {
    const ledger = ledgerWorld().ledger("a");
    await ledger.observe([nudge("one")]);
    await ledger.share("now");
    const before = await ledger.refresh();
    expect((await ledger.refresh()).state).toBe(before.state);
  });

  test("a remote that is gone stops sharing, not recording", async () => {
    const world = ledgerWorld();
    const ledger = world.ledger("a", { remote: `${world.remote}-elsewhere` });
    expect(nudges(await ledger.observe([nudge("kept")]))).toEqual(["kept"]);
    for (const work of [() => ledger.refresh(), () => ledger.share("now")])
      expect((await troubleOf(work())).kind).toBe("unreachable");
    expect((await troubleOf(ledger.claim([lease("a")], await ledger.observe([])))).kind).toBe("unreachable");

    const back = world.ledger("a");
    await back.share("now");
    expect(nudges(await world.ledger("b").refresh())).toEqual(["kept"]);
  });

  longTest("a remote that takes no pushes is named as such, with what it said", async () => {
    const world = ledgerWorld();
    writeFileSync(join(world.remote, "hooks/pre-receive"), "#!/bin/sh\necho protected ref >&2\nexit 1\n", {
      mode: 0o755,
    });
    const ledger = world.ledger("a");
    const view = await ledger.observe([nudge("kept")]);
    expect(await troubleOf(ledger.share("now"))).toMatchObject({
      kind: "refused",
      message: expect.stringContaining("protected ref"),
    });
    expect((await troubleOf(ledger.claim([lease("a")], view))).kind).toBe("refused");
    expect(await ledger.observe([])).toEqual(view);
  });

  test("a password in the remote's address is not repeated", async () => {
    const ledger = ledgerWorld().ledger("a", { remote: "http://user:hunter2@127.0.0.1:1/x.git" });
    const { message } = await troubleOf(ledger.refresh());
    expect(message).not.toContain("hunter2");
  });
});

describe("claims", () => {
  test("a claim on an empty ledger wins and is shared at once, with our observations below it", async () => {
    const world = ledgerWorld();
    const ledger = world.ledger("a");
    const view = await ledger.observe([nudge("below")]);
    const claim = await ledger.claim([lease("a")], view);

    expect(claim.kind).toBe("won");
    expect(claim.view.state.lease?.holder).toBe("a");
    const other = await world.ledger("b").refresh();
    expect(other).toEqual(claim.view);
  });

  test("a claim on a tip that others moved is lost, leaves no trace, and shows what they did", async () => {
    const world = ledgerWorld();
    const [a, b] = [world.ledger("a"), world.ledger("b")];
    const view = await b.refresh();
    await a.claim([lease("a")], await a.refresh());
    const claim = await b.claim([lease("b")], view);

    expect(claim.kind).toBe("lost");
    expect(claim.view.state.lease?.holder).toBe("a");
    expect(remoteLines(world.remote)).toHaveLength(1);
    expect(await b.refresh()).toEqual(claim.view);
  });

  test("a lost claim keeps the observations made before it", async () => {
    const world = ledgerWorld();
    const [a, b] = [world.ledger("a"), world.ledger("b")];
    await b.refresh();
    const view = await b.observe([nudge("b1")]);
    await a.claim([lease("a")], await a.refresh());

    const { kind, view: after } = await b.claim([lease("b")], view);
    expect([kind, nudges(after), after.state.lease?.holder]).toEqual(["lost", ["b1"], "a"]);
    await b.share("now");
    expect(nudges(await a.refresh())).toEqual(["b1"]);
  });

  test("a claim on a view that this copy has outgrown is lost", async () => {
    const ledger = ledgerWorld().ledger("a");
    const view = await ledger.refresh();
    await ledger.observe([nudge("since then")]);
    expect((await ledger.claim([lease("a")], view)).kind).toBe("lost");
  });

  test.each([
    { name: "and nothing came after it", later: false },
    { name: "and others appended to it already", later: true },
  ])("a push that arrived but reported failure counts as won: $name", async ({ later }) => {
    const world = ledgerWorld();
    const after = later
      ? `commit=$(printf 'later\\n\\n{}\\n' | git -c user.name=x -c user.email=x@x commit-tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904 -p $(git rev-parse ${LEDGER_REF})) && git update-ref ${LEDGER_REF} $commit`
      : "true";
    // The server did all of it and then cut the line.
    const hook = `#!/bin/sh\nunset GIT_QUARANTINE_PATH\n${after}\nkill -9 $PPID\n`;
    writeFileSync(join(world.remote, "hooks/post-receive"), hook, { mode: 0o755 });
    const ledger = world.ledger("a");
    const claim = await ledger.claim([lease("a")], await ledger.refresh());

    expect(claim.kind).toBe("won");
    expect(claim.view.state.lease?.holder).toBe("a");
    expect(claim.view.state.quarantined).toBe(later ? 1 : 0);
    expect(remoteLines(world.remote).filter((line) => line.includes("lease.claimed"))).toHaveLength(1);
  });

  test("observations whose push arrived unreported are there once", async () => {
    const world = ledgerWorld();
    writeFileSync(join(world.remote, "hooks/post-receive"), "#!/bin/sh\nkill -9 $PPID\n", { mode: 0o755 });
    const ledger = world.ledger("a");
    await ledger.observe([nudge("one")]);
    await ledger.share("now");
    rmSync(join(world.remote, "hooks/post-receive"));
    await ledger.observe([nudge("two")]);
    await ledger.share("now");
    expect(remoteLines(world.remote)).toHaveLength(2);
  });
});

describe("what others push", () => {
  test("a repeated id changes nothing", async () => {
    const world = ledgerWorld();
    const ledger = world.ledger("a");
    await ledger.observe([nudge("once")]);
    await ledger.share("now");
    strangerPushes(world.remote, remoteLines(world.remote)[0] ?? "");
    expect(nudges(await ledger.refresh())).toEqual(["once"]);
    expect((await ledger.check()).repeats).toBe(1);
  });

  test("lines that are no events are counted and skipped, whatever they hold", async () => {
    const world = ledgerWorld();
    const ledger = world.ledger("a");
    strangerPushes(world.remote, 'Signed-off-by: someone\n{"id":1}\n{\n{"__proto__":{"slots":1}}');
    strangerPushes(
      world.remote,
      JSON.stringify({ ...stranger, type: "slot.ended", bead: "constructor", data: {} }),
    );
    const view = await ledger.refresh();
    expect(view.state).toMatchObject({ quarantined: 5, events: 0 });
    await ledger.observe([nudge("still works")]);
    await ledger.share("now");
    expect((await ledger.check()).quarantined).toHaveLength(5);
  });

  test("a bead named like a member of every object is a bead like any other", async () => {
    const ledger = ledgerWorld().ledger("a");
    const { state } = await ledger.observe([
      {
        type: "slot.started",
        bead: "constructor",
        run: "r",
        data: { attempt: 1, process: { pid: 1, start: "", boot: "" } },
      },
      { type: "slot.blocked", bead: "toString", data: { reason: "x" } },
    ]);
    expect(Object.keys(state.slots)).toEqual([]);
  });

  test("a critical event of an unknown type makes the ledger read-only and names the version", async () => {
    const world = ledgerWorld();
    const ledger = world.ledger("a");
    const line = { ...stranger, type: "slot.teleported", critical: true, needs: "version 9", data: {} };
    strangerPushes(world.remote, JSON.stringify(line));
    const view = await ledger.refresh();
    expect(view.state.readOnly).toEqual({ type: "slot.teleported", needs: "version 9" });
    for (const work of [() => ledger.observe([nudge("x")]), () => ledger.claim([lease("a")], view)])
      expect(await troubleOf(work())).toMatchObject({
        kind: "read-only",
        message: expect.stringContaining("the event needs version 9"),
        hint: "bring in version 9, or a later one",
      });
  });

  test("an unknown type that is not critical is kept, counted and ignored", async () => {
    const world = ledgerWorld();
    const ledger = world.ledger("a");
    strangerPushes(world.remote, JSON.stringify({ ...stranger, type: "slot.teleported", data: {} }));
    expect((await ledger.refresh()).state).toMatchObject({ events: 1, readOnly: null });
    expect((await ledger.check()).unknown).toEqual({ "slot.teleported": 1 });
  });
});

describe("rewinding", () => {
  test.each([
    { name: "set back", to: (first: string) => first },
    { name: "deleted", to: () => null },
    {
      name: "replaced by an unrelated chain",
      to: (_: string, remote: string) =>
        bareGitWith("x\n\n{}\n", remote, "commit-tree", bareGitWith("", remote, "mktree")),
    },
    {
      name: "replaced by a merge that has the known tip as second parent",
      to: (first: string, remote: string, tip: string) =>
        bareGitWith("x\n", remote, "commit-tree", bareGitWith("", remote, "mktree"), "-p", first, "-p", tip),
    },
  ])("a remote that was $name stops everything but recording", async ({ to }) => {
    const world = ledgerWorld();
    const ledger = world.ledger("a");
    await ledger.observe([nudge("one")]);
    await ledger.share("now");
    const first = remoteTip(world.remote) ?? "";
    await ledger.observe([nudge("two")]);
    await ledger.share("now");
    const wanted = to(first, world.remote, remoteTip(world.remote) ?? "");
    bareGit(world.remote, "update-ref", ...(wanted === null ? ["-d", LEDGER_REF] : [LEDGER_REF, wanted]));

    for (const reader of [ledger, world.ledger("a")]) {
      const error = await troubleOf(reader.refresh());
      expect(error.kind).toBe("rewound");
      expect(error.message).toMatch(/^ledger_rewound: /);
    }
    expect(nudges(await ledger.observe([nudge("three")]))).toEqual(["one", "two", "three"]);
    expect((await troubleOf(ledger.share("now"))).kind).toBe("rewound");
    expect(remoteTip(world.remote)).toBe(wanted);
  });
});

describe("reading", () => {
  test("the log gives every line its place, commit and reading, and can be asked about one bead", async () => {
    const world = ledgerWorld();
    const ledger = world.ledger("a");
    await ledger.observe([nudge("x", "b-1"), nudge("y", "b-2")]);
    await ledger.share("now");
    const commit = strangerPushes(
      world.remote,
      `junk\n${JSON.stringify({ ...stranger, type: "new.kind", bead: "b-1", data: 1 })}`,
    );
    await ledger.refresh();

    const all = await listOf(ledger.log());
    expect(all.map(({ position, reading, repeat }) => [position, reading.kind, repeat])).toEqual([
      [1, "event", false],
      [2, "event", false],
      [3, "quarantined", false],
      [4, "unknown", false],
    ]);
    expect(all[3]).toMatchObject({ chain: 1, commit, line: expect.stringContaining("new.kind") });
    const one = await listOf(ledger.log({ bead: "b-1" }));
    expect(one.map(({ position }) => position)).toEqual([1, 4]);
  });

  test("a check counts what is there and names what is odd", async () => {
    const world = ledgerWorld();
    const ledger = world.ledger("a");
    expect(await ledger.check()).toMatchObject({ tip: null, commits: 0, events: 0 });
    await ledger.observe([nudge("x"), nudge("y")]);
    await ledger.share("now");
    const blob = bareGitWith("text", world.remote, "hash-object", "-w", "--stdin");
    const tree = bareGitWith(`100644 blob ${blob}\tfile\n`, world.remote, "mktree");
    const odd = bareGitWith(
      "odd\n\nnope\n",
      world.remote,
      "commit-tree",
      tree,
      "-p",
      remoteTip(world.remote) ?? "",
    );
    bareGit(world.remote, "update-ref", LEDGER_REF, odd);
    await ledger.refresh();
    await ledger.observe([nudge("mine")]);

    expect(await ledger.check()).toMatchObject({
      commits: 3,
      events: 3,
      unshared: 1,
      quarantined: [{ commit: odd, reason: "not JSON" }],
      shape: [{ commit: odd, problem: "has files" }],
    });
  });

  longTest("repacking leaves few files and the same view", async () => {
    const world = ledgerWorld();
    const ledger = world.ledger("a");
    for (let index = 0; index < 20; index += 1) await ledger.observe([nudge(`n${index}`)]);
    await ledger.share("now");
    const before = await ledger.refresh();
    await ledger.repack();

    expect(await world.ledger("a").refresh()).toEqual(before);
    const folders = readdirSync(join(world.gitDir("a"), "objects")).filter((name) =>
      /^[0-9a-f]{2}$/.test(name),
    );
    expect(folders).toEqual([]);
  });
});

describe("the snapshot", () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant("observe" as const), count: fc.integer({ min: 1, max: 4 }) }),
    fc.constantFrom(
      { kind: "share" as const },
      { kind: "other" as const },
      { kind: "junk" as const },
      { kind: "repeat" as const },
    ),
  );
  const damage = fc.constantFrom<(path: string) => void>(
    (path) => rmSync(path, { force: true }),
    (path) => writeFileSync(path, "{"),
    (path) => writeFileSync(path, JSON.stringify({ reducer: -1 })),
    () => {},
  );

  longTest("deleting or damaging it changes no view", { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 7 }), damage, async (steps, spoil) => {
        const world = ledgerWorld();
        const [a, b] = [world.ledger("a", { snapshotEvery: 2 }), world.ledger("b")];
        let made = 0;
        const event = (): NewEvent => {
          made += 1;
          if (made % 3 === 0)
            return { type: "slot.dispatching", bead: `b-${made % 4}`, run: "r", data: dispatching };
          return nudge(`n${made}`);
        };
        for (const { kind, ...rest } of steps) {
          if (kind === "observe")
            await a.observe(Array.from({ length: "count" in rest ? rest.count : 1 }, event));
          if (kind === "share") await a.share("now");
          if (kind === "other") await b.observe([event()]).then(() => b.share("now"));
          if (kind === "junk") strangerPushes(world.remote, "junk");
          if (kind === "repeat")
            strangerPushes(
              world.remote,
              remoteTip(world.remote) ? (remoteLines(world.remote)[0] ?? "x") : "x",
            );
        }
        const view = await a.refresh();
        spoil(join(world.gitDir("a"), SNAPSHOT_FILE));
        expect(await world.ledger("a").refresh()).toEqual(view);
        if (view.tip === remoteTip(world.remote)) expect(await world.ledger("c").refresh()).toEqual(view);
      }),
      { numRuns: LONG ? 60 : 3, seed: 7 },
    );
  });

  test("it is written, and used instead of reading the chain again", async () => {
    const world = ledgerWorld();
    const ledger = world.ledger("a", { snapshotEvery: 2 });
    await ledger.observe([nudge("one"), nudge("two")]);
    await ledger.share("now");
    const path = join(world.gitDir("a"), SNAPSHOT_FILE);
    expect(statSync(path).size).toBeGreaterThan(0);
  });
});
