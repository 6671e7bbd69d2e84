import fc from "fast-check";
import { expect, test } from "vitest";
import { LAND_RESULTS } from "../../../../src/core/land/refusal.js";
import { CarriedState } from "../../../../src/core/run/ledger/carried-state.js";
import { ownSlot, shareSlots } from "../../../../src/core/run/ledger/copy-state.js";
import { SETBACKS } from "../../../../src/core/run/ledger/event-data.js";
import { fold } from "../../../../src/core/run/ledger/fold/fold.js";
import { type NewEvent, readEvent, writeEvent } from "../../../../src/core/run/ledger/ledger-event.js";
import { emptyState, type LedgerState } from "../../../../src/core/run/ledger/ledger-state.js";
import { SLOT_STATUSES, type Slot, type SlotStatus } from "../../../../src/core/run/ledger/slot.js";
import { dispatching } from "../../../support/core/ledgers.js";
import { sha } from "../../../support/core/slots.js";
import { LONG } from "../../../support/long.js";

/** Few of everything, so that events often meet. */
const bead = fc.constantFrom("a", "b");
const run = fc.constantFrom("r1", "r2", undefined);
const attempt = fc.constantFrom(1, 1, 2);
const commit = fc.constantFrom(sha("a"), sha("b"), sha("c"));
const task = fc.constantFrom("implement", "implement", "stage:docs", "review");
/** Which of the requests made so far is meant, counted from the newest; far ones never were. */
const which = fc.nat(3);

type Step = (requests: readonly string[], slot: Slot | undefined) => NewEvent;

const at =
  (
    type: "land.rebased" | "land.intended" | "land.landed" | "land.refused" | "pull.opened",
    data: object,
    back: number,
  ) =>
  (requests: readonly string[]) =>
    ({ type, data: { ...data, request: requests.at(-1 - back) ?? "never" } }) as NewEvent;

const always =
  (event: object): Step =>
  () =>
    event as NewEvent;

/** Any event that moves slots or landings, with data that can be read. */
const step: fc.Arbitrary<Step> = fc.oneof(
  fc
    .record({ attempt, task, start: fc.constantFrom("fresh", "resume") })
    .map((data) => always({ type: "slot.dispatching", data: { ...dispatching, ...data } })),
  fc
    .record({ attempt })
    .map(({ attempt: n }) =>
      always({ type: "slot.started", data: { attempt: n, process: { pid: n, start: "s", boot: "b" } } }),
    ),
  fc
    .record({ attempt, force: fc.boolean() })
    .map((data) => always({ type: "slot.stopping", data: { ...data, why: "x" } })),
  {
    weight: 3,
    arbitrary: fc.record({ attempt, commits: fc.nat(2), head: fc.option(commit) }).map((data) =>
      always({
        type: "slot.ended",
        data: {
          ...data,
          outcome: "completed",
          detail: "",
          session: null,
          usage: { cost_usd: 1, cost_known: true },
        },
      }),
    ),
  },
  fc
    .record({ counts: fc.constantFrom(...SETBACKS), task })
    .map((data) =>
      always({ type: "slot.queued", data: { ...data, reason: "", start: "resume", not_before: 0 } }),
    ),
  {
    weight: 3,
    arbitrary: attempt.map((n) => always({ type: "slot.passed", data: { attempt: n, note: "" } })),
  },
  fc
    .record({ base: commit, head: commit })
    .map((data) =>
      always({ type: "slot.accepted", data: { ...data, branch: "main", from: data.head, commits: 1 } }),
    ),
  fc
    .record({ attempt, head: commit, verdict: fc.constantFrom("clean", "blocking", "degraded") })
    .map((data) => always({ type: "slot.reviewed", data: { ...data, note: "" } })),
  commit.map((head) =>
    always({ type: "slot.finished", data: { status: "merge-pending", head, commits: 1 } }),
  ),
  fc
    .constantFrom("blocked", "conflict")
    .map((status) => always({ type: "slot.blocked", data: { reason: "", status } })),
  run.map((from) => always({ type: "slot.adopted", data: { from: from ?? "r1" } })),
  fc.constant(always({ type: "slot.dropped", data: { reason: "" } })),
  fc.constant(always({ type: "control.retry", data: {} })),
  {
    weight: 5,
    arbitrary: fc
      .record({ by: fc.constantFrom("engine", "operator"), base: commit, head: commit })
      .map((data) =>
        always({
          type: "land.requested",
          data: { ...data, branch: "main", method: "ff", allow_protected: false },
        }),
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ base: commit, head: commit })
      .map((data) => always({ type: "pull.requested", data: { ...data, branch: "main", method: "ff" } })),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({ base: commit, head: commit, back: which })
      .map(({ back, ...data }) => at("pull.opened", { ...data, pull: 7, url: "" }, back)),
  },
  fc
    .record({ base: commit, head: commit })
    .map((data) =>
      always({ type: "pull.landing", data: { ...data, pull: 7, branch: "main", method: "ff" } }),
    ),
  fc
    .constantFrom("pull.closed", "pull.reopened")
    .map((type) => always({ type, data: { pull: 7, ...(type === "pull.closed" && { reason: "" }) } })),
  commit.map((head) => always({ type: "pull.merged", data: { pull: 7, head } })),
  fc
    .record({ base: commit, head: commit, moved: fc.boolean(), back: which })
    .map(({ back, ...data }) => at("land.rebased", data, back)),
  fc
    .record({ from: commit, head: commit, back: which })
    .map(({ back, ...data }) => at("land.intended", data, back)),
  {
    weight: 3,
    arbitrary: fc
      .record({ from: commit, head: commit, back: which })
      .map(({ back, ...data }) => at("land.landed", data, back)),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({
        result: fc.constantFrom(...LAND_RESULTS.filter((result) => result !== "merged")),
        back: which,
      })
      .map(({ back, result }) => at("land.refused", { result, code: "", detail: "" }, back)),
  },
  fc.constant(always({ type: "land.settled", data: {} })),
);

type Kind = NewEvent["type"];
const REQUESTS: ReadonlySet<string> = new Set(["land.requested", "pull.requested", "pull.landing"]);

/** What an engine and its operators would write next, so that stories get somewhere. */
const USUAL: Readonly<Record<SlotStatus, readonly Kind[]>> = {
  queued: ["slot.dispatching"],
  dispatching: ["slot.started", "slot.started", "slot.ended"],
  running: ["slot.ended"],
  ended: ["slot.passed", "slot.passed", "slot.queued", "slot.blocked"],
  passed: [
    "slot.accepted",
    "slot.finished",
    "slot.reviewed",
    "slot.queued",
    "land.requested",
    "pull.requested",
  ],
  landing: ["land.landed", "land.refused", "land.rebased", "land.intended", "pull.opened"],
  refused: ["land.requested", "slot.queued", "slot.blocked"],
  "pr-opened": ["pull.landing", "pull.closed", "pull.merged"],
  "merge-pending": ["land.requested"],
  merged: ["land.settled", "slot.dispatching"],
  blocked: ["control.retry", "land.requested", "pull.reopened"],
  conflict: ["control.retry", "land.requested", "slot.dispatching"],
};

/** Of several random events the first that is usual here, as the slot's own; else the first of all. */
const usualStep: fc.Arbitrary<Step> = fc
  .array(step, { minLength: 16, maxLength: 16, size: "max" })
  .map((steps) => (requests, slot) => {
    const kinds = slot === undefined ? ["slot.dispatching"] : USUAL[slot.status];
    const events = steps.map((make) => make(requests, slot));
    const event = events.find(({ type }) => kinds.includes(type)) ?? events[0];
    const data = slot && event && "attempt" in event.data ? { attempt: slot.attempt } : {};
    return { ...event, data: { ...event?.data, ...data }, run: slot?.run || "r1" } as NewEvent;
  });

const stories = fc.array(
  fc.record({
    bead,
    run,
    step: fc.oneof({ weight: 4, arbitrary: usualStep }, { weight: 1, arbitrary: step }),
  }),
  { minLength: 1, maxLength: 50, size: "max" },
);
type Story = typeof stories extends fc.Arbitrary<infer T> ? T : never;

/**
 * Folds a story line by line, as the ledger does; `look` sees the state before and after each. The slots of each state
 * are shared with the next one but for the bead's, so none may be changed any more: changing a frozen one throws.
 */
function tell(
  story: Story,
  look: (before: LedgerState, event: NewEvent, after: LedgerState) => void = () => {},
): LedgerState {
  let state = emptyState();
  const requests: string[] = [];
  const told: NewEvent[] = [];
  story.forEach((each, index) => {
    const id = `${index}`.padStart(26, "0");
    const slot = state.slots[each.bead];
    const event = { run: each.run, ...each.step(requests, slot), bead: each.bead } as NewEvent;
    if (REQUESTS.has(event.type)) requests.push(id);
    Object.values(state.slots).forEach(freeze);
    const after = shareSlots(state);
    ownSlot(after, each.bead);
    fold(after, readEvent(writeEvent({ ...event, id, at: "2026-01-01T00:00:00.000Z", actor: "ana" })));
    told.push(event);
    try {
      look(state, event, after);
    } catch (cause) {
      throw new Error(told.map((each) => JSON.stringify(each)).join("\n"), { cause });
    }
    state = after;
  });
  return state;
}

function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.values(Object.freeze(value)).forEach(freeze);
}

const runs = { numRuns: LONG ? 5_000 : 60 };

test("the stories below see every status, and every way out of the queue", () => {
  const seen = new Set<string>();
  const ways = new Set<string>();
  for (const story of fc.sample(stories, { numRuns: 150, seed: 4 }))
    tell(story, (before, { bead: name = "" }, after) => {
      const [was, is] = [before.slots[name]?.status, after.slots[name]?.status];
      if (is !== undefined) seen.add(is);
      if (was === "landing" && is !== "landing") ways.add(is ?? "gone");
    });
  expect([...seen].sort()).toEqual([...SLOT_STATUSES].sort());
  expect([...ways].sort()).toEqual([
    "blocked",
    "conflict",
    "merge-pending",
    "merged",
    "pr-opened",
    "refused",
  ]);
});

test("no order of events makes the reducer throw, and what it gives can be carried over a roll", () => {
  fc.assert(
    fc.property(stories, (story) => {
      const state = tell(story);
      expect(state.quarantined).toBe(0);
      expect(CarriedState.safeParse(JSON.parse(JSON.stringify(state))).success).toBe(true);
    }),
    runs,
  );
});

test("the queue holds beads that are landing, each once, and every bead that is landing is in it", () => {
  fc.assert(
    fc.property(stories, (story) => {
      tell(story, (_, __, after) => {
        const queued = after.landings.map((landing) => landing.bead).sort();
        const landing = Object.values(after.slots).filter(({ status }) => status === "landing");
        expect(queued).toEqual(landing.map((slot) => slot.bead).sort());
      });
    }),
    runs,
  );
});

test("a bead is merged at most once per dispatch, out of the queue or as a pull request", () => {
  fc.assert(
    fc.property(stories, (story) => {
      const since = new Map<string, number>();
      tell(story, (before, event, after) => {
        const name = event.bead ?? "";
        if (event.type === "slot.dispatching") since.set(name, 0);
        const [was, is] = [before.slots[name], after.slots[name]];
        if (is?.status !== "merged" || was?.status === "merged") return;
        since.set(name, (since.get(name) ?? 0) + 1);
        const isPull = was?.pull !== null && event.type === "pull.merged";
        if (!isPull) expect(was?.status).toBe("landing");
        expect(since.get(name)).toBe(1);
      });
    }),
    runs,
  );
});

test("what landed stays what landed until the bead is begun anew", () => {
  fc.assert(
    fc.property(stories, (story) => {
      tell(story, (before, event, after) => {
        const name = event.bead ?? "";
        if (before.slots[name]?.status !== "merged") return;
        if (event.type === "slot.dispatching" || event.type === "slot.dropped") return;
        expect(after.slots[name]).toMatchObject({ status: "merged", landed: before.slots[name].landed });
      });
    }),
    runs,
  );
});

test("an event about one bead leaves the others alone", () => {
  fc.assert(
    fc.property(stories, (story) => {
      tell(story, (before, event, after) => {
        const other = event.bead === "a" ? "b" : "a";
        expect(after.slots[other]).toEqual(before.slots[other]);
      });
    }),
    runs,
  );
});
