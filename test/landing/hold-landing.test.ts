import { expect, test } from "vitest";
import type { CheckoutObstacle } from "../../src/core/land/checkout-obstacle.js";
import { ORDINARY } from "../../src/core/land/content/range-content.js";
import type { NewEvent } from "../../src/core/run/ledger/ledger-event.js";
import type { LedgerState } from "../../src/core/run/ledger/ledger-state.js";
import { land } from "../../src/landing/land.js";
import { recordLanding } from "../../src/landing/push-landing.js";
import type { Ledger } from "../../src/ports/ledger.js";
import { OutsideFault } from "../../src/ports/outside-fault.js";
import type { Receipts } from "../../src/ports/receipts.js";
import type { Repo } from "../../src/ports/repo.js";
import { landingOf, sha, slot, stateWith } from "../support/core/slots.js";

const landing = landingOf();
const hold = { id: "h", at: "", actor: "@alice", reason: "wait", evidence: null };

/** One good commit on the tip of the default branch; `pushed` says what was written. */
function world(
  target: Repo["target"],
  checkout: { readonly obstacle?: CheckoutObstacle; readonly waits?: boolean } = {},
) {
  const state: LedgerState = { ...stateWith(slot({ status: "landing" })), landings: [landing] };
  const pushed: string[] = [];
  const view = () => ({ tip: null, state });
  const won = async (events: readonly NewEvent[]) => {
    pushed.push(...events.map(({ type }) => type));
    return { kind: "won", view: view() };
  };
  const ledger = { refresh: async () => view(), observe: async () => view(), claim: won, claimBeside: won };
  const repo = {
    target,
    objects: "",
    fetchBase: async () => ({ branch: "main", tip: sha("a"), receipts: null }),
    has: async () => true,
    isDirty: async () => false,
    checkoutObstacle: async () => checkout.obstacle ?? null,
    isAncestor: async () => true,
    pushBase: async () => ({ kind: "pushed" }),
    range: async () => ({
      commits: [{ sha: sha("b"), subject: "feat: one" }],
      paths: ["a"],
      findings: [],
      secrets: [],
      content: ORDINARY,
      empty: false,
      tree: sha("d"),
    }),
    signatures: async () => [],
  };
  const receipts: Receipts = {
    digest: () => `sha256:${"0".repeat(64)}`,
    find: async () => null,
    write: async (_, { tip }) => ({ ref: "refs/koryph/receipts", from: tip, to: sha("e") }),
    push: async () => true,
    seen: async () => {},
  };
  const place = () => {
    state.holds["b-1"] = hold;
  };
  const gated: string[] = [];
  /** A hold is placed when the landing says that it is about to do this. */
  const run = (at: "gate" | "pushing" | null = null) =>
    land(
      {
        ledger: ledger as unknown as Ledger,
        repo: repo as unknown as Repo,
        gate: {
          recall: async () => null,
          run: async ({ head }) => {
            gated.push(head);
            return { kind: "green" };
          },
        },
        receipts,
        keepReport: async () => {},
        progress: (_, { kind }) => {
          if (kind === at) place();
        },
      },
      {
        rules: {
          commitStyle: "none",
          protectedPaths: [],
          allowSecrets: false,
          signingRequired: false,
          maxFileMb: 20,
          maxFiles: 3_000,
        },
        slot: slot({ title: "One" }),
        accepted: null,
        gate: {
          commands: [],
          folder: async () => "",
          wallSeconds: 1,
          livenessFile: "",
          leaseSeconds: 1,
        },
        waitsForCheckout: checkout.waits ?? false,
        abort: new AbortController().signal,
      },
      landing,
    );
  return { run, place, pushed, gated, ledger: ledger as unknown as Ledger };
}

test.each(["remote", "checkout"] as const)("what nobody holds lands on the %s", async (target) => {
  const { run, pushed } = world(target);
  expect(await run()).toEqual({ kind: "landed", head: landing.head, receipt: sha("e") });
  expect(pushed.at(-1)).toBe("land.landed");
});

test("a checkout that cannot take it is met before the gate: refused for a person, waited for by an engine", async () => {
  const dirty = { obstacle: { why: "the checkout has changes; commit them", ofThisWork: false } };
  const person = world("checkout", dirty);
  expect(await person.run()).toEqual({
    kind: "refused",
    refusal: { kind: "push_refused", why: "the checkout has changes; commit them" },
  });
  const engine = world("checkout", { ...dirty, waits: true });
  await expect(engine.run()).rejects.toThrow(OutsideFault);
  expect([person.gated, engine.gated, engine.pushed]).toEqual([[], [], []]);
});

test("what stands in the way of this work alone keeps no run waiting: it is refused before the gate", async () => {
  const obstacle = { why: "a file is in the way", ofThisWork: true };
  const engine = world("checkout", { obstacle, waits: true });
  expect(await engine.run()).toEqual({
    kind: "refused",
    refusal: { kind: "push_refused", why: "a file is in the way" },
  });
  expect(engine.gated).toEqual([]);
});

test("a hold is met before the gate runs", async () => {
  const { run, place, pushed, gated } = world("remote");
  place();
  expect(await run()).toEqual({ kind: "held" });
  expect({ pushed, gated }).toEqual({ pushed: [], gated: [] });
});

test.each([
  { at: "gate", target: "remote" },
  { at: "gate", target: "checkout" },
  { at: "pushing", target: "remote" },
  { at: "pushing", target: "checkout" },
] as const)("a hold that comes as late as $at keeps it from the $target", async ({ at, target }) => {
  const { run, pushed } = world(target);
  expect(await run(at)).toEqual({ kind: "held" });
  expect(pushed).toEqual([]);
});

test("what is on the branch already is recorded, held or not", async () => {
  const { ledger, place, pushed } = world("remote");
  place();
  const move = { from: landing.base, head: landing.head };
  expect(await recordLanding(ledger, landing, move, { receipt: undefined })).toEqual({
    kind: "landed",
    head: landing.head,
  });
  expect(pushed).toEqual(["land.landed"]);
});
