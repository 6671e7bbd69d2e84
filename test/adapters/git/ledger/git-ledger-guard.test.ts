import { describe, expect, test } from "vitest";
import { LedgerError } from "../../../../src/core/run/ledger/ledger-error.js";
import {
  bareGit,
  bareGitWith,
  LEDGER_REF,
  lease,
  ledgerWorld,
  nudge,
  nudges,
  remoteLines,
  remoteTip,
} from "../../../support/core/ledgers.js";

const TOKEN = "ghp_0123456789abcdefghij0123456789";
const MAIN = "refs/heads/main";

test("a secret reaches neither this copy nor the remote, whatever event it came with", async () => {
  const world = ledgerWorld();
  const ledger = world.ledger("a", { actor: `me ${TOKEN}` });
  await ledger.observe([
    nudge(`use ${TOKEN}`),
    { type: "hold.placed", bead: "b-1", data: { reason: TOKEN } },
  ]);
  const { kind, view } = await ledger.claim([nudge(`and ${TOKEN}`)], await ledger.refresh());
  expect(kind).toBe("won");
  expect(nudges(view)).toEqual(["use [redacted]", "and [redacted]"]);
  expect(remoteLines(world.remote)).toHaveLength(3);
  expect(remoteLines(world.remote).join()).not.toContain(TOKEN);
  for await (const { line } of ledger.log()) expect(line).not.toContain(TOKEN);
});

describe("a ref that holds somebody's branch", () => {
  /** A commit with a file; an empty name makes one without. */
  function commit(remote: string, file: string, parent?: string): string {
    const blob = bareGitWith("text", remote, "hash-object", "-w", "--stdin");
    const tree = bareGitWith(file === "" ? "" : `100644 blob ${blob}\t${file}\n`, remote, "mktree");
    return bareGitWith("by hand\n", remote, "commit-tree", tree, ...(parent ? ["-p", parent] : []));
  }

  test.each<[name: string, tip: (remote: string) => string]>([
    ["with files", (remote) => commit(remote, "README.md")],
    ["that began empty", (remote) => commit(remote, "README.md", commit(remote, ""))],
    ["that was emptied by an append before", (remote) => commit(remote, "", commit(remote, "README.md"))],
  ])("%s is never appended to", async (_, make) => {
    const world = ledgerWorld();
    const tip = make(world.remote);
    bareGit(world.remote, "update-ref", MAIN, tip);
    const ledger = world.ledger("a", { ref: MAIN });
    await ledger.observe([nudge("recorded here")]);
    const view = await ledger.observe([]);
    const attempts = [
      () => ledger.refresh(),
      () => ledger.share("now"),
      () => ledger.claim([lease("a")], view),
    ];
    for (const attempt of attempts) {
      const error = await attempt().then(
        () => null,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(LedgerError);
      expect(error).toMatchObject({
        message: `${MAIN} on the remote is no ledger: it holds other commits, the newest ${tip.slice(0, 10)}`,
        hint: expect.stringContaining("refs/koryph/ledger"),
      });
    }
    expect(remoteTip(world.remote, MAIN)).toBe(tip);
  });

  test("is told from a rewound ledger when the setting changes to it", async () => {
    const world = ledgerWorld();
    await world.ledger("a").observe([nudge("one")]);
    await world.ledger("a").share("now");
    bareGit(world.remote, "update-ref", MAIN, commit(world.remote, "README.md"));
    await expect(world.ledger("a", { ref: MAIN }).refresh()).rejects.toThrow("is no ledger");
  });

  test("is not what a ledger becomes when somebody adds files to it", async () => {
    const world = ledgerWorld();
    await world.ledger("a").observe([nudge("one")]);
    await world.ledger("a").share("now");
    const odd = commit(world.remote, "README.md", remoteTip(world.remote) ?? "");
    bareGit(world.remote, "update-ref", LEDGER_REF, odd);
    expect(nudges(await world.ledger("b").refresh())).toEqual(["one"]);
  });
});

describe("a ref that holds no commit", () => {
  /** Puts an object on the remote's ref, as `git push -f` of a blob does. */
  const things: readonly [kind: string, make: (remote: string) => string][] = [
    ["blob", (remote) => bareGitWith("text", remote, "hash-object", "-w", "--stdin")],
    ["tree", (remote) => bareGitWith("", remote, "mktree")],
    [
      "tag",
      (remote) => {
        const blob = bareGitWith("text", remote, "hash-object", "-w", "--stdin");
        const text = `object ${blob}\ntype blob\ntag t\ntagger a <a@b> 0 +0000\n\nt\n`;
        return bareGitWith(text, remote, "mktag");
      },
    ],
  ];

  test.each(things)("but a %s is refused at once, with its name and what to do", async (kind, make) => {
    const world = ledgerWorld();
    const ledger = world.ledger("a");
    await ledger.observe([nudge("one")]);
    await ledger.share("now");
    const before = remoteTip(world.remote);
    const found = make(world.remote);
    bareGit(world.remote, "update-ref", LEDGER_REF, found);
    const refused = {
      kind: "rewound",
      message: `${LEDGER_REF} on the remote is no ledger: it holds a ${kind}, ${found.slice(0, 10)}`,
    };
    const view = await ledger.observe([]);
    await expect(ledger.refresh()).rejects.toMatchObject(refused);
    await expect(ledger.claim([lease("a")], view)).rejects.toMatchObject(refused);
    await expect(world.ledger("new").refresh()).rejects.toMatchObject(refused);

    bareGit(world.remote, "update-ref", LEDGER_REF, before ?? "");
    expect(nudges(await ledger.refresh())).toEqual(["one"]);
  });

  test("is refused also where an archived chain should be", async () => {
    const world = ledgerWorld();
    const behind = world.ledger("behind");
    await behind.refresh();
    const ledger = world.ledger("a");
    await ledger.observe([nudge("one")]);
    await ledger.share("now");
    await behind.refresh();
    await ledger.observe([nudge("two")]);
    await ledger.share("now");
    expect((await ledger.roll(await ledger.refresh())).kind).toBe("won");
    const blob = bareGitWith("text", world.remote, "hash-object", "-w", "--stdin");
    bareGit(world.remote, "update-ref", `${LEDGER_REF}-1`, blob);
    await expect(behind.refresh()).rejects.toMatchObject({ kind: "rewound" });
  });
});
