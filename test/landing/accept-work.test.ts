import { expect, test } from "vitest";
import { ORDINARY } from "../../src/core/land/content/range-content.js";
import { acceptWork } from "../../src/landing/accept-work.js";
import type { Repo } from "../../src/ports/repo.js";
import { projectWith, sha } from "../support/core/slots.js";

interface Given {
  readonly writes: string[];
  readonly paths: string[];
  /** What the base has besides. */
  readonly there?: string[];
  readonly undeclared?: "flag" | "block";
}

function accept({ writes, paths, there = [], undeclared = "flag" }: Given, total = 1) {
  const made = { base: sha("a"), head: sha("b") };
  const repo: Partial<Repo> = {
    fetchBase: async () => ({ branch: "main", tip: sha("a"), receipts: null }),
    candidate: async () => made,
    sign: async () => made,
    keep: async () => {},
    present: async (_commit, words) => words.filter((word) => there.includes(word)),
    range: async () => ({
      total,
      commits: [],
      paths,
      findings: [],
      secrets: [],
      content: ORDINARY,
      empty: false,
      tree: sha("c"),
    }),
  };
  const slot = { bead: "b-1", footprint: { reads: [], writes } };
  return acceptWork(slot, repo as Repo, projectWith({ land: { undeclared } }));
}

test("a branch with more commits than are looked at is accepted with their number, and refused by name later", async () => {
  const accepted = await accept({ writes: ["x"], paths: [] }, 3_000);
  expect(accepted).toMatchObject({ kind: "accepted", commits: 3_000, flags: [] });
});

const flagged = [{ kind: "undeclared", paths: ["src/b"], total: 1 }];

test.each<{ name: string; given: Given; found: object }>([
  {
    name: "changes inside the footprint are nothing to look at",
    given: { writes: ["src/a"], paths: ["src/a/b"], undeclared: "block" },
    found: { flags: [], outside: [] },
  },
  {
    name: "changes outside are flagged",
    given: { writes: ["src/a"], paths: ["src/a/b", "src/b"] },
    found: { flags: flagged, outside: ["src/b"] },
  },
  {
    name: "or refused, where the project says so",
    given: { writes: ["src/a"], paths: ["src/b"], undeclared: "block" },
    found: { flags: flagged, refusal: expect.objectContaining({ result: "error", code: "undeclared" }) },
  },
  {
    name: "a word that the repository has is a folder",
    given: { writes: ["docs"], paths: ["src/b"], there: ["docs"] },
    found: { flags: flagged },
  },
  {
    name: "a word that it has not is a name, and refuses nothing",
    given: { writes: ["docs"], paths: ["src/b"], undeclared: "block" },
    found: { flags: [], outside: ["src/b"] },
  },
])("$name", async ({ given, found }) => {
  const accepted = await accept(given);
  expect(accepted).toMatchObject({ kind: "accepted", ...found });
  expect("refusal" in accepted).toBe("refusal" in found);
});
