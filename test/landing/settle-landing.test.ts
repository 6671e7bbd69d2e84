import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { settleLanding } from "../../src/landing/settle-landing.js";
import type { Ledger } from "../../src/ports/ledger.js";
import type { WorkSource } from "../../src/ports/work-source.js";
import { commit, git } from "../support/engine/clone-world.js";
import { LandingWorld } from "../support/landing/landing-world.js";

/** A finished bead, and what is told to tracker and ledger. */
async function finished() {
  const world = await LandingWorld.open();
  const repo = world.landing();
  const clone = await world.ready("b-1");
  commit(clone, "feat: one", { "x.txt": "1\n" });
  const made = await repo.candidate("b-1");
  if (made === null) throw new Error("no candidate");
  const told: string[] = [];
  const source = { close: async (_: string, reason: string) => void told.push(reason) };
  const ledger = { observe: async ([event]: { type: string }[]) => void told.push(event?.type ?? "") };
  const parts = {
    repo,
    source: source as unknown as WorkSource,
    ledger: ledger as unknown as Ledger,
    folders: {
      dropGates: async () => {},
      dropHomes: async (bead: string) => void told.push(`homes of ${bead} gone`),
    },
  };
  return { world, clone, made, parts, told };
}

test("what landed is closed and tidied away", async () => {
  const { world, clone, made, parts, told } = await finished();
  git(world.repo, "push", "--quiet", world.remote, `${made.head}:refs/heads/main`);
  expect(await settleLanding(parts, "b-1", { head: made.head, from: made.head })).toBe(true);
  expect(told).toEqual([`landed: ${made.head}`, "homes of b-1 gone", "land.settled"]);
  expect(existsSync(clone)).toBe(false);
});

test("what the ledger alone calls landed keeps its work, and its bead stays open", async () => {
  const { clone, made, parts, told } = await finished();
  expect(await settleLanding(parts, "b-1", { head: "1".repeat(40), from: made.head })).toBe(false);
  expect(told).toEqual(["land.settled"]);
  expect(existsSync(clone)).toBe(true);
});

test("what was taken back from the default branch keeps its work", async () => {
  const { clone, made, parts, told } = await finished();
  expect(await settleLanding(parts, "b-1", { head: made.head, from: made.head })).toBe(false);
  expect(existsSync(clone)).toBe(true);
  expect(told).not.toContain("homes of b-1 gone");
});
