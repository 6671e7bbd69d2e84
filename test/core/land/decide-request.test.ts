import { expect, test } from "vitest";
import { decideRequest, type LandWish, type RequestFacts } from "../../../src/core/land/decide-request.js";

const wish: LandWish = {
  bead: "b-1",
  method: "ff",
  allowProtected: false,
  methodAsked: false,
  signingRequired: false,
};
const open = { method: "ff", allowProtected: false } as const;
const hold = { actor: "@alice", reason: "wait" };
type Facts = RequestFacts<Pick<LandWish, "method" | "allowProtected"> & { readonly kind?: string }>;
const idle: Facts = {
  slot: { status: "merge-pending", landed: null },
  hold: undefined,
  open: null,
  isIdle: true,
};
const atWork: Facts = { ...idle, slot: { status: "running", landed: null }, isIdle: false };
const landed = { status: "merged", landed: "c0ffee" };

test.each<{ name: string; wish?: Partial<LandWish>; given: Facts; step: object }>([
  { name: "what waits for a person is put into the queue", given: idle, step: { kind: "ask" } },
  {
    name: "what has landed has landed, held or not",
    given: { ...idle, slot: landed, hold, isIdle: false },
    step: { kind: "landed", head: "c0ffee" },
  },
  {
    name: "what is in the queue already is joined",
    given: { ...atWork, open },
    step: { kind: "join", landing: open },
  },
  {
    name: "the project's method does not get in the way of joining",
    wish: { method: "squash" },
    given: { ...atWork, open },
    step: { kind: "join" },
  },
  {
    name: "another method than the one in the queue is refused",
    wish: { method: "squash", methodAsked: true },
    given: { ...atWork, open },
    step: { kind: "refuse", refusal: { kind: "under_way", method: "ff", allowProtected: false } },
  },
  {
    name: "protection is not lifted from what is in the queue",
    wish: { allowProtected: true },
    given: { ...atWork, open },
    step: { kind: "refuse", refusal: { kind: "under_way" } },
  },
  {
    name: "a hold refuses, with whose it is",
    given: { ...idle, hold },
    step: { kind: "refuse", refusal: { kind: "held", actor: "@alice", reason: "wait" } },
  },
  {
    name: "a hold refuses what is in the queue, too",
    given: { ...atWork, open, hold },
    step: { kind: "refuse", refusal: { kind: "held" } },
  },
  {
    name: "a pull request lands as one",
    given: { ...idle, slot: { status: "pr-opened", landed: null, pull: { url: "u" } } },
    step: { kind: "refuse", refusal: { kind: "is_pull", url: "u" } },
  },
  {
    name: "what is about to become a pull request is not joined",
    given: { ...atWork, open: { ...open, kind: "open-pull" } },
    step: { kind: "refuse", refusal: { kind: "is_pull", url: null } },
  },
  {
    name: "an agent's work is not taken from under it",
    given: atWork,
    step: { kind: "refuse", refusal: { kind: "at_work", status: "running" } },
  },
  {
    name: "a bead that no run has taken cannot land",
    given: { ...idle, slot: undefined },
    step: { kind: "refuse", refusal: { kind: "no_slot" } },
  },
  {
    name: "signed commits are not squashed",
    wish: { method: "squash", signingRequired: true },
    given: idle,
    step: { kind: "refuse", refusal: { kind: "squash_signed" } },
  },
])("$name", ({ wish: over, given, step }) => {
  expect(decideRequest({ ...wish, ...over }, given)).toMatchObject(step);
});
