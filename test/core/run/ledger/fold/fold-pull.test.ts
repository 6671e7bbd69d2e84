import { describe, expect, test } from "vitest";
import type { Evidence } from "../../../../../src/core/run/ledger/evidence.js";
import type { NewEvent } from "../../../../../src/core/run/ledger/ledger-event.js";
import { emptyState, type LedgerState } from "../../../../../src/core/run/ledger/ledger-state.js";
import type { Slot } from "../../../../../src/core/run/ledger/slot.js";
import { dispatching } from "../../../../support/core/ledgers.js";
import { acceptedSlot, append, candidate, sha, stateWith } from "../../../../support/core/slots.js";

const { branch, base, head } = candidate;
const url = "https://example.com/pull/7";
const of = { bead: "b-1", run: "r-1" };

/** A bead whose work is pull request 7. */
function opened(): LedgerState {
  const state = stateWith(acceptedSlot({ mergePolicy: "pr" }));
  append(state, { ...of, type: "pull.requested", data: { branch, base, head, method: "ff" } });
  const request = state.landings[0]?.id ?? "";
  append(state, {
    ...of,
    type: "pull.opened",
    data: { request, pull: 7, url, base: sha("d"), head: sha("e") },
  });
  return state;
}

const closed: NewEvent = { ...of, type: "pull.closed", data: { pull: 7, reason: "closed by @ana" } };
const reopened: NewEvent = { ...of, type: "pull.reopened", data: { pull: 7 } };
const merged: NewEvent = { ...of, type: "pull.merged", data: { pull: 7, from: sha("a"), head: sha("f") } };
const landing = (bead: string, pull: number): NewEvent => ({
  bead,
  type: "pull.landing",
  data: { pull, branch, base, head, method: "ff" },
});
const because = (code: string) => ({ result: "error", code, detail: "" }) as const;
const slotOf = ({ slots }: LedgerState) => slots["b-1"];

describe("the work of a bead", () => {
  test("leaves the queue as a pull request, in the form that was pushed", () => {
    const state = opened();
    expect(state.landings).toEqual([]);
    expect(slotOf(state)).toMatchObject({
      status: "pr-opened",
      pull: { number: 7, url },
      head: sha("e"),
      candidate: { base: sha("d"), head: sha("e") },
    });
  });

  test.each([closed, merged])(
    "keeps its place in the queue whatever is said of another bead: $type",
    (event) => {
      const state = opened();
      append(state, landing("b-1", 7), { ...event, bead: "b-2" });
      expect(state.landings.map(({ bead }) => bead)).toEqual(["b-1"]);
      expect(slotOf(state)).toMatchObject({ status: "landing" });
      append(state, event);
      expect(state.landings).toEqual([]);
    },
  );

  test.each([closed, merged])("that lands anew without the pull request goes on: $type", (event) => {
    const state = opened();
    const data = { branch, base, head, method: "ff", by: "operator", allow_protected: false } as const;
    append(state, { bead: "b-1", type: "control.retry", data: {} });
    append(state, { ...of, type: "slot.dispatching", data: { ...dispatching, attempt: 1 } });
    append(state, { ...of, type: "slot.blocked", data: { reason: "", status: "blocked" } });
    append(state, { ...of, type: "land.requested", data }, event);
    expect(state.landings).toMatchObject([{ bead: "b-1", pull: null }]);
    expect(slotOf(state)).toMatchObject({ status: "landing" });
  });

  test("remembers what koryph put on its branch, whatever agents do afterwards", () => {
    const state = stateWith(acceptedSlot({ mergePolicy: "pr" }));
    append(state, { ...of, type: "pull.requested", data: { branch, base, head, method: "ff" } });
    const request = state.landings[0]?.id ?? "";
    const pushing = (bead: string, of: string): NewEvent => ({
      ...{ bead, type: "pull.pushing", data: { request, head: of } },
    });
    append(state, pushing("b-1", sha("1")), pushing("b-1", sha("2")), pushing("b-1", sha("1")));
    append(state, pushing("b-2", sha("3")));
    expect(slotOf(state)?.branchHeads).toEqual([sha("2"), sha("1")]);
    const retry: NewEvent = { bead: "b-1", type: "control.retry", data: {} };
    const data = { ...dispatching, attempt: 1 };
    append(state, { ...of, type: "pull.opened", data: { request, pull: 7, url, base, head } }, retry);
    append(state, { ...of, type: "slot.dispatching", data });
    expect(slotOf(state)?.branchHeads).toEqual([sha("2"), sha("1"), head]);
  });

  test.each<{ name: string; given: Partial<Slot>; status: string }>([
    { name: "for want of a token goes on from where it was", given: {}, status: "passed" },
    { name: "for a secret waits for a person", given: { refusal: because("secrets") }, status: "blocked" },
    { name: "of another policy waits for a person", given: { mergePolicy: "auto" }, status: "blocked" },
    { name: "for another reason waits for a person", given: { noteCode: null }, status: "blocked" },
  ])("that is blocked $name when a run is resumed", ({ given, status }) => {
    const waits = { status: "blocked", noteCode: "land-refused", refusal: because("no_token") } as const;
    const state = stateWith(acceptedSlot({ mergePolicy: "pr", ...waits, ...given }));
    append(state, { bead: "b-1", run: "r-2", type: "slot.adopted", data: { from: "r-1" } });
    expect(slotOf(state)).toMatchObject({ status, run: "r-2" });
  });

  test("is blocked while its pull request is closed, and no longer", () => {
    const state = opened();
    append(state, closed, closed);
    expect(slotOf(state)).toMatchObject({ status: "blocked", note: "closed by @ana" });
    append(state, reopened);
    expect(slotOf(state)).toMatchObject({ status: "pr-opened", note: "" });
  });

  test("that is blocked for another reason stays blocked when a pull request is opened again", () => {
    const state = stateWith(acceptedSlot({ status: "blocked", pull: { number: 7, url }, note: "enough" }));
    append(state, reopened);
    expect(slotOf(state)).toMatchObject({ status: "blocked", note: "enough" });
  });

  test.each([
    { name: "open", before: [] },
    { name: "closed", before: [closed] },
    { name: "about to land", before: [landing("b-1", 7)] },
  ])("has landed when somebody merges the pull request that is $name", ({ before }) => {
    const state = opened();
    append(state, ...before, merged);
    expect(slotOf(state)).toMatchObject({ status: "merged", landed: sha("f"), landedFrom: sha("a") });
    expect(state.landings).toEqual([]);
  });

  test("does not land with an old pull request once an agent is at it again", () => {
    const state = opened();
    append(state, { bead: "b-1", type: "control.retry", data: {} }, merged);
    expect(slotOf(state)?.status).toBe("queued");
  });

  test("does not land as plain work while it is a pull request", () => {
    const state = opened();
    const data = { branch, base, head, method: "ff", by: "operator", allow_protected: false } as const;
    append(state, { ...of, type: "land.requested", data });
    expect(slotOf(state)?.status).toBe("pr-opened");
    expect(state.landings).toEqual([]);
  });

  test("is about to land once its own pull request is asked for, and goes back to it when refused", () => {
    const state = opened();
    append(state, landing("b-1", 8));
    expect(state.landings).toEqual([]);
    append(state, landing("b-1", 7));
    expect(state.landings).toMatchObject([{ kind: "land-pull", pull: 7, by: "operator", asked: head }]);
    expect(slotOf(state)?.status).toBe("landing");
    const request = state.landings[0]?.id ?? "";
    append(state, {
      ...of,
      type: "land.refused",
      data: { request, result: "error", code: "not_approved", detail: "" },
    });
    expect(slotOf(state)?.status).toBe("pr-opened");
  });
});

describe("somebody else's pull request", () => {
  test("has one place in the queue, under a name of its own, and is forgotten once it has landed", () => {
    const state = emptyState();
    append(state, approved(1, sha("a")), landing("b-9", 7), landing("pull-7", 7), landing("pull-7", 7));
    expect(state.landings).toMatchObject([{ bead: "pull-7", kind: "land-pull", pull: 7 }]);
    const request = state.landings[0]?.id ?? "";
    append(state, {
      bead: "pull-7",
      type: "land.landed",
      data: { request, from: base, head },
    });
    expect(state).toMatchObject({ landings: [], pulls: {}, slots: {} });
  });
});

function evidenceOf(user: number): Evidence {
  return { url, source: `comment ${user}`, body_sha256: "0".repeat(64), login: `u${user}`, user_id: user };
}
function approved(user: number, of: string): NewEvent {
  return {
    type: "pull.approved",
    data: { pull: 7, head: of, via: "comment" },
    evidence: evidenceOf(user),
  };
}

describe("approvals", () => {
  const heads = (state: LedgerState) =>
    state.pulls[7]?.approvals.map(({ evidence, head: of }) => [evidence.user_id, of]);

  test("count once for each person, the last word of theirs", () => {
    const state = emptyState();
    append(state, approved(1, sha("a")), approved(2, sha("a")), approved(1, sha("b")));
    expect(heads(state)).toEqual([
      [2, sha("a")],
      [1, sha("b")],
    ]);
  });

  test("without evidence are nobody's", () => {
    const state = emptyState();
    append(state, { type: "pull.approved", data: { pull: 7, head: sha("a"), via: "review" } });
    expect(state.pulls).toEqual({});
  });

  test("can be taken back, each by itself", () => {
    const state = emptyState();
    append(state, approved(1, sha("a")), approved(2, sha("a")), {
      type: "pull.unapproved",
      data: { pull: 7, user: 1, why: "dismissed" },
    });
    expect(heads(state)).toEqual([[2, sha("a")]]);
  });

  test("end with the pull request", () => {
    const state = emptyState();
    append(state, approved(1, sha("a")), { type: "pull.closed", data: { pull: 7 } });
    expect(state.pulls).toEqual({});
  });
});

test("an analysis is of one head", () => {
  const state = emptyState();
  append(state, {
    type: "pull.analysed",
    data: { pull: 7, head: sha("a"), verdict: "blocking", findings: 3 },
  });
  expect(state.pulls[7]?.analysis).toMatchObject({ head: sha("a"), verdict: "blocking", findings: 3 });
});
