import { describe, expect, test } from "vitest";
import { answerWhy, beadToRelease } from "../../../src/core/control/answer-question.js";
import { unmetConditions } from "../../../src/core/control/unmet-conditions.js";
import type { ReleaseVerdict } from "../../../src/core/model/release.js";
import type { LedgerState } from "../../../src/core/run/ledger/ledger-state.js";
import { answer, hold, NOW, taken, underWay, verdict, waiting, working } from "../../support/core/control.js";
import { slot, stateWith } from "../../support/core/slots.js";

const paused = {
  runtime: "claude",
  model: null,
  kind: "auth",
  detail: "403",
  at: "2026-01-01T00:00:00.000Z",
  until: null,
  times: 1,
  probe: null,
} as const;

describe("status", () => {
  const status = (bead: string | null, state: LedgerState) => answer({ verb: "status", bead }, { state });
  const both = stateWith(slot({ bead: "gh-7" }), slot({ bead: "gh-9" }));

  test("shows the thread's own bead alone", () => {
    expect(status(null, both)).toMatchObject({ shown: "gh-7", state: { slots: { "gh-7": {} } } });
    expect(Object.keys((status(null, both) as { state: LedgerState }).state.slots)).toEqual(["gh-7"]);
  });

  test("shows the project where no run has taken the thread's bead, and says so", () => {
    const others = stateWith(slot({ bead: "gh-9" }));
    expect(status(null, others)).toMatchObject({ shown: null, notTaken: "gh-7", state: others });
  });

  test("of a bead that no run knows is refused", () => {
    expect(verdict(status("gh-8", both))).toBe("unknown_bead");
  });

  test("is answered also by an older koryph", () => {
    expect(verdict(status(null, { ...working, readOnly: { type: "x.y", needs: "9.0" } }))).toBe("status");
  });
});

describe("why", () => {
  const why = (bead: string | null, state: LedgerState, own: string | null = "gh-7") =>
    answer({ verb: "why", bead }, { state, own });

  test.each<{ name: string; given: ReturnType<typeof why>; shows: object }>([
    { name: "of the thread's bead", given: why(null, stateWith()), shows: { bead: "gh-7", known: true } },
    { name: "of a bead that may not exist", given: why("gh-77", working), shows: { known: false } },
    {
      name: "of one that has landed names the commit",
      given: why(null, taken("merged", { landed: "abc1234" })),
      shows: { landed: "abc1234", unmet: [] },
    },
    {
      name: "of no bead is refused",
      given: why(null, working, null),
      shows: { kind: "refuse", refusal: { code: "no_bead" } },
    },
  ])("$name", ({ given, shows }) => expect(given).toMatchObject(shows));
});

describe("why of an issue that is not released", () => {
  const release: ReleaseVerdict = {
    kind: "withheld",
    why: { code: "edited_since", label: "go", by: "eve", at: "2026-11-18T10:00:00Z" },
  };
  const facts = (state: LedgerState) => ({ state, now: NOW, own: "gh-7" });
  const asked = (state: LedgerState, verb: "why" | "status" = "why", bead: string | null = null) =>
    beadToRelease({ verb, bead }, facts(state));

  test("names that first", () => {
    const { unmet } = answerWhy("gh-7", { ...facts(stateWith()), release });
    expect(unmet.map(({ code }) => code)).toEqual(["not_released", "not_taken", "no_run"]);
    expect(unmet[0]).toMatchObject({ why: { by: "eve" } });
  });

  test("is asked for beads that no run has in hand, and only for why", () => {
    expect([asked(stateWith()), asked(stateWith(), "why", "gh-9")]).toEqual(["gh-7", "gh-9"]);
    expect([asked(working), asked(stateWith(), "status")]).toEqual([null, null]);
    expect(asked(taken("merged", { landed: "abc1234" }))).toBe("gh-7");
  });
});

describe("why a bead has not landed", () => {
  const drain = waiting({ verb: "drain" }).requests;
  test.each<{ name: string; state: LedgerState; codes: string[] }>([
    {
      name: "nobody has taken it, and no run is under way",
      state: stateWith(),
      codes: ["not_taken", "no_run"],
    },
    { name: "an agent is at work", state: working, codes: ["at_work"] },
    { name: "it is blocked", state: taken("blocked", { note: "three deaths" }), codes: ["blocked"] },
    {
      name: "it is held, too",
      state: {
        ...stateWith(slot({ bead: "gh-7", status: "merge-pending" })),
        holds: { "gh-7": hold },
      },
      codes: ["held", "merge_pending"],
    },
    {
      name: "its runtime is paused",
      state: { ...taken("queued", { runtime: "claude" }), pauses: [paused] },
      codes: ["queued", "runtime_paused"],
    },
    { name: "it waits for its time", state: taken("queued", { notBefore: NOW + 1000 }), codes: ["backoff"] },
    {
      name: "a drain keeps it in the queue",
      state: { ...taken("queued"), requests: drain },
      codes: ["queued", "draining"],
    },
    { name: "it has", state: stateWith(slot({ bead: "gh-7", status: "merged" })), codes: [] },
  ])("$name", ({ state, codes }) => {
    expect(unmetConditions(state, "gh-7", NOW).map(({ code }) => code)).toEqual(codes);
  });

  test("what a run has taken is told from what it has not, as only the first is resumed", () => {
    const ended: LedgerState["run"] = { ...underWay, ended: { reason: "drained", code: 4, at: "" } };
    const last = (state: LedgerState) => unmetConditions(state, "gh-7", NOW).at(-1);
    expect(last({ ...stateWith(), run: ended })).toMatchObject({ code: "no_run", taken: false });
    expect(last({ ...taken("queued"), run: ended })).toMatchObject({ code: "no_run", taken: true });
    expect(last({ ...stateWith(), run: underWay, requests: drain })).toMatchObject({
      code: "draining",
      taken: false,
    });
  });
});
