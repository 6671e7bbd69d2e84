import { expect, test } from "vitest";
import type { CheckoutObstacle } from "../../src/core/land/checkout-obstacle.js";
import { ORDINARY } from "../../src/core/land/content/range-content.js";
import { checkWork } from "../../src/landing/check-work.js";
import type { FinalAnswer } from "../../src/ports/gate.js";
import { OutsideFault } from "../../src/ports/outside-fault.js";
import type { RangeFacts, Repo } from "../../src/ports/repo.js";
import { projectWith, sha, slot } from "../support/core/slots.js";

const candidate = { branch: "main", from: sha("c"), base: sha("a"), head: sha("b") };
const commit = (subject: string) => ({
  ...{ sha: sha("b"), subject, parents: [sha("a")] },
  ...{ authorEmail: "", committerEmail: "" },
});
const range: RangeFacts = {
  total: 1,
  commits: [commit("feat: one")],
  paths: ["a"],
  findings: [],
  secrets: [],
  content: ORDINARY,
  empty: false,
  tree: sha("d"),
};
const RED = { kind: "red", command: "npm test", code: 1, output: "", places: [] } as const;

interface Given {
  readonly range?: Partial<RangeFacts>;
  readonly dirty?: boolean;
  readonly obstacle?: CheckoutObstacle;
  readonly gate?: FinalAnswer;
  /** A person's word comes before the landing. */
  readonly manual?: true;
}

/** What a look at one commit on the tip of the default branch says before its review, and whether it ran the gate. */
async function check(given: Given) {
  const gated: string[] = [];
  const repo: Partial<Repo> = {
    fetchBase: async () => ({ branch: "main", tip: candidate.base, receipts: null }),
    has: async () => true,
    isDirty: async () => given.dirty ?? false,
    range: async () => ({ ...range, ...given.range }),
    checkoutObstacle: async () => given.obstacle ?? null,
    keep: async () => {},
  };
  const checked = checkWork(slot({ candidate, mergePolicy: given.manual ? "manual" : "auto" }), {
    parts: {
      repo: repo as Repo,
      gate: {
        recall: async () => null,
        run: async ({ head }) => {
          gated.push(head);
          return given.gate ?? { kind: "green" };
        },
      },
      folders: {
        openGate: async () => "",
        dropGates: async () => {},
        writeReport: async () => {},
      },
      liveness: { file: "" },
      landTurn: async () => ({ kind: "ours", tell: () => {}, release: async () => {} }),
      report: () => {},
    },
    settings: {
      config: projectWith({ protected_paths: ["infra/"] }),
      options: { mode: "rolling", once: false, review: true, autoMerge: true, allowRedBase: true },
      leaseSeconds: 1,
    },
    abort: new AbortController().signal,
  });
  const found = await checked.catch((error: unknown) => error);
  return { found, gated: gated.length > 0 };
}

const refused = (result: string, code = "") => ({
  kind: "refused",
  refusal: expect.objectContaining({ result, code }),
});

test.each<{ name: string; given: Given; found: object; gated: boolean }>([
  { name: "sound work", given: {}, found: { kind: "sound", base: sha("a"), head: sha("b") }, gated: true },
  { name: "a red gate", given: { gate: RED }, found: refused("gate-failed"), gated: true },
  {
    name: "a bad subject",
    given: { range: { commits: [commit("stuff")] } },
    found: refused("commit-style"),
    gated: false,
  },
  {
    name: "a protected path",
    given: { range: { paths: ["infra/net.tf"] } },
    found: refused("protected"),
    gated: false,
  },
  {
    name: "a merge commit",
    given: { range: { findings: ["it contains merges"] } },
    found: refused("error", "unsupported"),
    gated: false,
  },
  { name: "changes in its clone", given: { dirty: true }, found: refused("dirty"), gated: false },
  {
    name: "a file of the checkout in its way",
    given: { obstacle: { why: "a file is in the way", ofThisWork: true } },
    found: refused("error", "push_refused"),
    gated: false,
  },
  {
    name: "changes in the checkout",
    given: { obstacle: { why: "the checkout has changes", ofThisWork: false } },
    found: expect.any(OutsideFault),
    gated: false,
  },
  {
    name: "changes in a checkout that nothing lands on by itself",
    given: { obstacle: { why: "the checkout has changes", ofThisWork: false }, manual: true },
    found: expect.objectContaining({ kind: "sound" }),
    gated: true,
  },
])("before a review is paid for, $name: the gate is asked last", async ({ given, found, gated }) => {
  expect(await check(given)).toEqual({ found, gated });
});
