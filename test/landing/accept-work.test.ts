import { expect, test } from "vitest";
import { acceptWork } from "../../src/landing/accept-work.js";
import type { Repo } from "../../src/ports/repo.js";
import { sha } from "../support/core/slots.js";

test("a branch with more commits than are looked at is accepted with their number, and refused by name later", async () => {
  const made = { base: sha("a"), head: sha("b") };
  const repo = {
    fetchBase: async () => ({ branch: "main", tip: sha("a") }),
    candidate: async () => made,
    sign: async () => made,
    keep: async () => {},
    range: async () => ({ total: 3_000, commits: [], paths: [], findings: ["too many"], empty: false }),
  } as unknown as Repo;
  expect(await acceptWork({ bead: "b-1" }, repo)).toMatchObject({ kind: "accepted", commits: 3_000 });
});
