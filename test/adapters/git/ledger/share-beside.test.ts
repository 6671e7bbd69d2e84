import { join } from "node:path";
import { expect, test } from "vitest";
import {
  bareGit,
  bareGitWith,
  ledgerWorld,
  nudge,
  nudges,
  remoteLines,
  remoteTip,
} from "../../../support/core/ledgers.js";
import { tempFolder } from "../../../support/temp-folder.js";

const WIP = "refs/koryph/wip/b-1";

/** A repository beside the ledger's with one commit that only it has. */
function elsewhere(): { readonly objects: string; readonly head: string } {
  const repo = join(tempFolder(), "repo.git");
  bareGit(tempFolder(), "init", "--quiet", "--bare", repo);
  const head = bareGitWith(`${repo}\n`, repo, "commit-tree", bareGitWith("", repo, "mktree"));
  return { objects: join(repo, "objects"), head };
}

test("what is local and a bead's commits go in one write", async () => {
  const world = ledgerWorld();
  const ledger = world.ledger("a");
  await ledger.observe([nudge("one")]);
  const { objects, head } = elsewhere();
  expect(await ledger.shareBeside({ refs: [{ ref: WIP, from: null, to: head }], objects })).toBe(true);
  expect(remoteTip(world.remote, WIP)).toBe(head);
  expect(remoteLines(world.remote)).toHaveLength(1);
});

test("commits go also where nothing is local, and after what others appended meanwhile", async () => {
  const world = ledgerWorld();
  const [ledger, other] = [world.ledger("a"), world.ledger("b")];
  const { objects, head } = elsewhere();
  expect(await ledger.shareBeside({ refs: [{ ref: WIP, from: null, to: head }], objects })).toBe(true);
  await ledger.observe([nudge("mine")]);
  await other.observe([nudge("theirs")]);
  await other.share("now");
  const next = elsewhere();
  const moves = { refs: [{ ref: `${WIP}.2`, from: null, to: next.head }], objects: next.objects };
  expect(await ledger.shareBeside(moves)).toBe(true);
  expect(nudges(await other.refresh())).toEqual(["theirs", "mine"]);
  expect(remoteTip(world.remote, `${WIP}.2`)).toBe(next.head);
});

test("a ref that is not where it was expected stays, and what is local is shared all the same", async () => {
  const world = ledgerWorld();
  const ledger = world.ledger("a");
  await ledger.observe([nudge("one")]);
  const [first, second] = [elsewhere(), elsewhere()];
  await ledger.shareBeside({ refs: [{ ref: WIP, from: null, to: first.head }], objects: first.objects });
  await ledger.observe([nudge("two")]);
  const moves = { refs: [{ ref: WIP, from: null, to: second.head }], objects: second.objects };
  expect(await ledger.shareBeside(moves)).toBe(false);
  expect(remoteTip(world.remote, WIP)).toBe(first.head);
  expect(remoteLines(world.remote)).toHaveLength(2);
});
