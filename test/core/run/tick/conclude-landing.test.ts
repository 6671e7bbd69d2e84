import { describe, expect, test } from "vitest";
import type { LandResult } from "../../../../src/core/land/refusal.js";
import { type NewEvent, writeEvent } from "../../../../src/core/run/ledger/ledger-event.js";
import type { Setbacks, Slot } from "../../../../src/core/run/ledger/slot.js";
import { concludeLanding } from "../../../../src/core/run/tick/conclude-landing.js";
import { wordEvent } from "../../../../src/engine/word-event.js";
import { acceptedSlot, candidate, projectWith } from "../../../support/core/slots.js";

const AT = "2026-01-01T00:00:00.000Z";
const REFUSED_AT = Date.parse(AT);
const NONE: Setbacks = { gate: 0, conflict: 0, style: 0, bounce: 0, error: 0 };

function refused(result: LandResult, setbacks: Partial<Setbacks> = {}, over: Partial<Slot> = {}): Slot {
  return acceptedSlot({
    status: "refused",
    refusal: { result, code: "", detail: "why" },
    setbacks: { ...NONE, ...setbacks },
    at: AT,
    ...over,
  });
}

function concluded(slot: Slot, method: "ff" | "squash", now: number, review = false) {
  return concludeLanding({ slot, config: projectWith({ merge_method: method }), options: { review }, now });
}

/** The one event that follows; a wait fails. */
function sequel(slot: Slot, now = REFUSED_AT): NewEvent {
  const decided = concluded(slot, "ff", now);
  if (decided.kind === "wait") throw new Error(`waits until ${decided.until}`);
  const event = wordEvent(decided.event);
  // Nothing is decided that could not be written down.
  writeEvent({ ...event, id: "0".repeat(26), at: AT, actor: "test" });
  return event;
}

describe("back to the implementer with the report", () => {
  test.each<{ result: LandResult; setbacks?: Partial<Setbacks>; counts: string }>([
    { result: "gate-failed", counts: "gate" },
    { result: "gate-failed", setbacks: { gate: 1 }, counts: "gate" },
    { result: "conflict", counts: "conflict" },
    { result: "conflict", setbacks: { conflict: 1 }, counts: "conflict" },
    { result: "commit-style", counts: "style" },
  ])("$result after $setbacks", ({ result, setbacks, counts }) => {
    expect(sequel(refused(result, setbacks))).toEqual({
      type: "slot.queued",
      bead: "b-1",
      run: "r-1",
      data: {
        task: "implement",
        start: "resume",
        counts,
        report: counts,
        reason: `${result}: why`,
        code: "land-refused",
        data: { result, refusal: "", detail: "why", times: null },
        not_before: REFUSED_AT,
      },
    });
  });

  test("each kind of setback has a budget of its own", () => {
    const spent = { gate: 2, conflict: 2, style: 1, bounce: 2, error: 3 };
    for (const [result, own] of [
      ["gate-failed", "gate"],
      ["conflict", "conflict"],
      ["commit-style", "style"],
    ] as const)
      expect(sequel(refused(result, { ...spent, [own]: 0 })).type).toBe("slot.queued");
  });
});

describe("a person has to look", () => {
  test.each<{ result: LandResult; setbacks: Partial<Setbacks>; status: string; reason: string }>([
    {
      result: "gate-failed",
      setbacks: { gate: 2 },
      status: "blocked",
      reason: "3 times in a row, gate-failed: why",
    },
    {
      result: "conflict",
      setbacks: { conflict: 2 },
      status: "conflict",
      reason: "3 times in a row, conflict: why",
    },
    {
      result: "commit-style",
      setbacks: { style: 1 },
      status: "blocked",
      reason: "2 times in a row, commit-style: why",
    },
    { result: "error", setbacks: { error: 3 }, status: "blocked", reason: "error: why" },
    ...(["protected", "unsigned", "dirty", "no-changes", "merged"] as const).map((result) => ({
      result,
      setbacks: {},
      status: "blocked",
      reason: `${result}: why`,
    })),
  ])("$result after $setbacks: $status", ({ result, setbacks, status, reason }) => {
    expect(sequel(refused(result, setbacks))).toMatchObject({
      type: "slot.blocked",
      data: { status, reason },
    });
  });

  test.each(["squash_signed", "unsupported", "no_candidate", "other_branch"])(
    "%s is not tried again",
    (code) => {
      const slot = refused("error", { error: 1 }, { refusal: { result: "error", code, detail: "why" } });
      expect(sequel(slot)).toMatchObject({ type: "slot.blocked", data: { reason: "error: why" } });
    },
  );

  test("a refusal nobody recorded a reason for blocks with what is known", () => {
    const slot = refused("error", {}, { refusal: null, note: "something" });
    expect(sequel(slot)).toMatchObject({ type: "slot.blocked", data: { reason: "something" } });
  });
});

describe("an error is tried again", () => {
  test.each([
    { errors: 1, seconds: 10 },
    { errors: 2, seconds: 20 },
  ])("after $seconds s the time number $errors", ({ errors, seconds }) => {
    const slot = refused("error", { error: errors });
    const due = REFUSED_AT + seconds * 1000;
    expect(concluded(slot, "ff", REFUSED_AT)).toEqual({ kind: "wait", until: due });
    expect(concluded(slot, "ff", due - 1)).toEqual({ kind: "wait", until: due });
    expect(sequel(slot, due).type).toBe("land.requested");
  });

  test.each(["ff", "squash"] as const)("with the commits that were accepted, as %s", (method) => {
    const decided = concluded(refused("error", { error: 1 }), method, REFUSED_AT + 10_000);
    const { branch, from, base, head } = candidate;
    expect(decided).toEqual({
      kind: "append",
      event: {
        type: "land.requested",
        bead: "b-1",
        run: "r-1",
        data: { branch, from, base, head, method, by: "engine", allow_protected: false },
      },
    });
  });

  test("also one that only a newer version knows", () => {
    const slot = refused(
      "error",
      { error: 1 },
      { refusal: { result: "error", code: "of-a-newer-version", detail: "" } },
    );
    expect(sequel(slot, REFUSED_AT + 10_000).type).toBe("land.requested");
  });

  test.each([
    { name: "a time nobody can read", at: "yesterday" },
    { name: "a time far ahead", at: "9999-12-31T23:59:59.000Z" },
  ])("$name is not waited for", ({ at }) => {
    expect(sequel(refused("error", { error: 1 }, { at })).type).toBe("land.requested");
  });
});

test("an error found before the review blocks at once: to land would be to do without a review", () => {
  const decided = concluded(refused("error", { error: 1 }), "ff", REFUSED_AT + 60_000, true);
  expect(decided).toMatchObject({ kind: "append", event: { type: "slot.blocked" } });
});

describe("a default branch that is red itself", () => {
  const redBase = (error: number) =>
    refused("error", { error }, { refusal: { result: "error", code: "base_red", detail: "why" } });
  const late = REFUSED_AT + 60_000;

  test("the landing is asked for again, and after a few times the work waits, finished, for a person", () => {
    expect(sequel(redBase(1), late).type).toBe("land.requested");
    const last = sequel(redBase(3), late);
    expect(last).toMatchObject({ type: "slot.finished", data: { status: "merge-pending" } });
  });

  test("found before the review, it waits for a person at once: no landing makes up for a review", () => {
    const decided = concluded(redBase(0), "ff", late, true);
    expect(decided).toMatchObject({ kind: "append", event: { type: "slot.finished" } });
  });
});

test("work that is to become a pull request is asked for as one again", () => {
  const code = { refusal: { result: "error", code: "push_refused", detail: "why" } } as const;
  const slot = refused("error", { error: 1 }, { mergePolicy: "pr", ...code });
  expect(sequel(slot, REFUSED_AT + 60_000)).toMatchObject({ type: "pull.requested", data: candidate });
});

test("a missing token is a person's business at once", () => {
  const code = { refusal: { result: "error", code: "no_token", detail: "none" } } as const;
  const slot = refused("error", { error: 1 }, { mergePolicy: "pr", ...code });
  expect(sequel(slot)).toMatchObject({ type: "slot.blocked", data: { reason: "error: none" } });
});
