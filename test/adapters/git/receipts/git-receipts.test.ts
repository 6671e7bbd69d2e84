import { execFileSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { readChain } from "../../../../src/adapters/git/receipts/read-chain.js";
import { ReceiptWorld } from "../../../support/git/receipt-world.js";
import { tempFolder } from "../../../support/temp-folder.js";

const REF = "refs/koryph/receipts";
let top = "";
let remote = "";
let world: ReceiptWorld;

beforeEach(async () => {
  top = tempFolder();
  remote = join(top, "remote.git");
  git(top, "init", "--quiet", "--bare", remote);
  world = new ReceiptWorld(join(top, "own"));
  await world.begin();
  await world.land();
});

function git(folder: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd: folder, encoding: "utf8", stdio: "pipe" }).trim();
}

test("a receipt is a commit that git finds no fault with, and can be found again by its landing", async () => {
  const receipts = world.receipts(null, remote);
  const receipt = world.receipt ?? "";
  expect(await receipts.push({ ref: REF, from: null, to: receipt })).toBe(true);
  git(remote, "fsck", "--strict", "--no-dangling");
  expect(git(remote, "ls-tree", "--name-only", REF)).toBe("statement.json\nstatement.sig");
  const landed = { landing: "landing-3", head: world.tip };
  expect(await receipts.find(receipt, landed)).toBe(receipt);
  expect(await receipts.find(receipt, { ...landed, landing: "landing-2" })).toBeNull();
  expect(await receipts.find(null, landed)).toBeNull();
});

test("without a key it is written all the same, unsigned", async () => {
  await world.land(1, null);
  const chain = await readChain(world.repo, world.receipt ?? "");
  expect(chain.map(({ signature }) => signature === null)).toEqual([false, true]);
});

test("the ref moves only from where it was seen; repeating a push that arrived is harmless", async () => {
  const receipts = world.receipts(null, remote);
  const first = { ref: REF, from: null, to: world.receipt ?? "" };
  expect(await receipts.push(first)).toBe(true);
  expect(await receipts.push(first)).toBe(true);
  await world.land();
  expect(await receipts.push({ ref: REF, from: null, to: world.receipt ?? "" })).toBe(false);
  expect(git(remote, "rev-parse", REF)).toBe(first.to);
});

test("a remote that does not take it says why", async () => {
  writeFileSync(join(remote, "hooks", "pre-receive"), "#!/bin/sh\necho no receipts here >&2\nexit 1\n");
  chmodSync(join(remote, "hooks", "pre-receive"), 0o755);
  const move = { ref: REF, from: null, to: world.receipt ?? "" };
  await expect(world.receipts(null, remote).push(move)).rejects.toThrow("no receipts here");
});

test("receipts of another machine are fetched, and gone on from", async () => {
  git(world.repo, "push", "--quiet", remote, `${world.receipt}:${REF}`);
  const other = new ReceiptWorld(join(top, "other"));
  await other.begin();
  other.receipt = world.receipt;
  const found = other.receipts(null, remote);
  expect(await found.find(world.receipt, { landing: "landing-3", head: world.tip })).toBe(world.receipt);
  await expect(found.find("1".repeat(40), { landing: "x", head: "y" })).rejects.toThrow(
    "moved or taken away",
  );
});

test("secrets in a title do not get into a receipt", async () => {
  const receipts = world.receipts(null);
  const token = `ghp_${"a".repeat(36)}`;
  const [newest] = await readChain(world.repo, world.receipt ?? "");
  const { predicate } = JSON.parse(String(newest?.payload));
  const { project, repository, koryph, at, recovered, previous, ...facts } = predicate;
  facts.bead.title = `rotate ${token}`;
  const { to } = await receipts.write(facts, { tip: null, recovered });
  expect(git(world.repo, "show", `${to}:statement.json`)).not.toContain(token);
  expect([project, repository, koryph, previous, typeof at]).toEqual(["shop", null, "1.2.3", null, "string"]);
});
