import { describe, expect, test } from "vitest";
import type { ControlCommand } from "../../../src/core/control/control-command.js";
import { decideControl } from "../../../src/core/control/decide-control.js";
import { decisionLine } from "../../../src/core/replies/control/terminal-reply.js";
import { append, slot, stateWith } from "../../support/core/slots.js";

const auth = { noteCode: "agent-ended", outcome: "auth", note: "auth: API Error: 403" };
const slots = [
  slot({ bead: "b-2", status: "blocked", ...auth }),
  slot({ bead: "b-1", status: "blocked", ...auth }),
  slot({ bead: "b-3", status: "conflict", noteCode: "land-refused", note: "conflict: src/a.ts" }),
  slot({ bead: "b-4", status: "blocked", note: "the agent says blocked: no Key" }),
  slot({ bead: "b-5", status: "merge-pending" }),
  slot({ bead: "b-6", status: "queued" }),
];

function decide(reason: string | null, state = stateWith(...slots)) {
  const command: ControlCommand = { verb: "retry", bead: null, all: { reason } };
  const decision = decideControl(command, {
    state,
    ceiling: 4,
    now: 0,
    asked: 0,
    own: null,
    tracked: "unasked",
  });
  if (decision.kind === "refuse") throw new Error(decision.refusal.code);
  return { decision, said: decisionLine("p", decision, true) };
}

describe("retry of all", () => {
  test.each<{ name: string; reason: string | null; beads: string[] }>([
    {
      name: "takes what is blocked or in conflict, not what is finished",
      reason: null,
      beads: ["b-1", "b-2", "b-3", "b-4"],
    },
    { name: "for a code", reason: "land-refused", beads: ["b-3"] },
    { name: "for how the last agent ended", reason: "auth", beads: ["b-1", "b-2"] },
    { name: "for a part of the reason, however it is spelled", reason: "no key", beads: ["b-4"] },
  ])("$name", ({ reason, beads }) => {
    const { decision } = decide(reason);
    const events = decision.kind === "append" ? decision.events : [];
    expect(events.map(({ type, bead }) => `${type} ${bead}`)).toEqual(
      beads.map((bead) => `control.retry ${bead}`),
    );
    const state = stateWith(...slots);
    append(state, ...events);
    for (const bead of beads) expect(state.slots[bead]).toMatchObject({ status: "queued", noteCode: null });
  });

  test("says how many and which", () => {
    expect(decide("auth").said).toBe(
      "p: 2 beads are queued for the next run, `koryph run --resume`: b-1, b-2",
    );
  });

  test.each([
    { name: "where nothing is blocked", reason: null, state: stateWith(), says: "no bead is blocked" },
    {
      name: "where nothing is blocked for that",
      reason: "billing",
      state: stateWith(...slots),
      says: "“billing”",
    },
  ])("says so $name", ({ reason, state, says }) => {
    const { decision, said } = decide(reason, state);
    expect(decision.kind).toBe("already");
    expect(said).toContain(says);
  });
});
