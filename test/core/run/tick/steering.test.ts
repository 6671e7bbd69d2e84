import { describe, expect, test } from "vitest";
import { steeredLine } from "../../../../src/core/replies/control/steering.js";
import { requestAnswerText } from "../../../../src/core/replies/run/request-answer.js";
import { fold } from "../../../../src/core/run/ledger/fold/fold.js";
import { type NewEvent, readEvent, writeEvent } from "../../../../src/core/run/ledger/ledger-event.js";
import { emptyState, type LedgerState } from "../../../../src/core/run/ledger/ledger-state.js";
import type { Slot } from "../../../../src/core/run/ledger/slot.js";
import { decideTick } from "../../../../src/core/run/tick/tick.js";
import type { TickFacts } from "../../../../src/core/run/tick/tick-facts.js";
import { steeringNews } from "../../../../src/engine/news.js";
import { bead } from "../../../support/core/beads.js";
import { append, slot, stateWith } from "../../../support/core/slots.js";
import { tickFacts } from "../../../support/core/tick-facts.js";

function folded(...events: readonly NewEvent[]): LedgerState {
  const state = emptyState();
  for (const [index, event] of events.entries()) {
    const stamp = { id: `${index}`.padStart(26, "0"), at: "2026-01-01T00:00:00.000Z", actor: "nobody" };
    fold(state, readEvent(writeEvent({ ...stamp, ...event })));
  }
  return state;
}

const place = (reason: string, actor = "marge"): NewEvent => ({
  type: "hold.placed",
  bead: "b-1",
  actor,
  data: { reason },
});
const lift: NewEvent = { type: "hold.lifted", bead: "b-1", actor: "bob", data: {} };
const width = (max: number | null): NewEvent => ({
  type: "control.resize",
  actor: "marge",
  data: { max, force: false },
});

describe("the words that steer a run", () => {
  const lines = (state: LedgerState) =>
    state.steered.map((said) => {
      const news = steeringNews(said, state.holds);
      return news.kind === "steered" ? steeredLine(news.actor, news.word) : "";
    });

  test("are told in order, with who said them", () => {
    const drain: NewEvent = { type: "control.drain", actor: "bob\u001b[2J", data: {} };
    expect(lines(folded(width(2), width(null), place("why\nnot"), drain))).toEqual([
      "width 2, asked for by marge",
      "width as the run was started with, asked for by marge",
      "b-1  held by marge: why not",
      "draining, asked for by bob\u{FFFD}[2J",
    ]);
    expect(lines(folded(place(""), lift))).toEqual(["b-1  held by marge", "b-1  hold lifted by bob"]);
  });

  test("are those that change something, and the last twenty of them", () => {
    expect(lines(folded(lift))).toEqual([]);
    const many = Array.from({ length: 25 }, (_, index) => width(index + 1));
    const kept = lines(folded(...many));
    expect(kept).toHaveLength(20);
    expect(kept.at(-1)).toContain("width 25");
  });
});

test("a hold without a reason leaves the one there is, and one with a reason takes its place", () => {
  expect(folded(place("wait"), place("", "bob")).holds["b-1"]).toMatchObject({
    actor: "marge",
    reason: "wait",
  });
  expect(folded(place("wait"), place("legal", "bob")).holds["b-1"]).toMatchObject({
    actor: "bob",
    reason: "legal",
  });
});

describe("a request to inject", () => {
  const open = bead({ id: "b-1", labels: ["fp:b-1"] });
  /** What is noted when it is put aside; undefined while it waits. */
  function answer(slots: readonly Slot[], work: TickFacts["work"]): string | undefined {
    const state = stateWith(...slots);
    append(state, { type: "control.inject", bead: "b-1", data: {} });
    const { effects } = decideTick(tickFacts({ state, work }));
    return effects.flatMap((effect) =>
      effect.kind === "consume" ? [requestAnswerText(effect.answer)] : [],
    )[0];
  }
  const waits = { ready: [], all: [open] };

  test.each<{ name: string; slots?: Slot[]; work: TickFacts["work"]; note: string | undefined }>([
    { name: "waits for a bead that is not ready yet", work: waits, note: undefined },
    { name: "waits while nobody looks for work", work: null, note: undefined },
    { name: "is answered by the dispatch", work: { ready: [open], all: [open] }, note: "dispatched" },
    {
      name: "ends when the bead is closed",
      work: { ready: [], all: [{ ...open, status: "closed" }] },
      note: "it is closed",
    },
    {
      name: "ends when the bead is gone",
      work: { ready: [], all: [] },
      note: "the work source has it no more",
    },
    {
      name: "ends when an older run has it",
      slots: [slot({ run: "r-0" })],
      work: waits,
      note: "it is running, so a run has it already",
    },
    {
      name: "ends when a person has it",
      slots: [slot({ status: "blocked" })],
      work: waits,
      note: "it is blocked, so a run has it already",
    },
    {
      name: "waits for one that another run gave back",
      slots: [slot({ status: "conflict", run: "r-0" })],
      work: waits,
      note: undefined,
    },
    {
      name: "waits for one that landed and was opened again",
      slots: [slot({ status: "merged", settled: true })],
      work: waits,
      note: undefined,
    },
  ])("$name", ({ slots = [], work, note }) => expect(answer(slots, work)).toBe(note));
});
