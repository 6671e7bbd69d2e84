import { describe, expect, test } from "vitest";
import type { Command } from "../../../src/core/commands/command.js";
import { unmetConditions } from "../../../src/core/control/why.js";
import type { LedgerState } from "../../../src/core/run/ledger/ledger-state.js";
import type { Slot } from "../../../src/core/run/ledger/slot.js";
import { hold, NOW, plan, underWay, working } from "../../support/core/command-plan.js";
import { slot, stateWith } from "../../support/core/slots.js";

const landed = { ...stateWith(slot({ bead: "gh-7", status: "merged", landed: "abc1234" })), run: underWay };
const drained: LedgerState["run"] = { ...underWay, ended: { reason: "drained", code: 4, at: "" } };

describe("what is said of a hold", () => {
  const place = (reason: string, given: Parameters<typeof plan>[1] = {}, bead: string | null = null) =>
    plan({ verb: "hold", bead, reason, dryRun: false }, given);
  const held = { ...working, holds: { "gh-7": { ...hold, reason: "the law may change" } } };

  test("a hold of what is held does not wipe its reason, and says whose it is", () => {
    const answer = place("", { state: held });
    expect(answer).toMatchObject({ kind: "answer", more: "" });
    expect(answer).toHaveProperty(
      "said",
      expect.stringMatching(/held already, by .*alice.*: the law may change$/),
    );
  });

  test("another reason takes the place of the first, which is told", () => {
    const answer = place("not before May", { state: held });
    expect(answer).toMatchObject({ kind: "append", event: { data: { reason: "not before May" } } });
    expect(answer).toHaveProperty(
      "said",
      expect.stringMatching(/replaces the hold by .*alice.*: the law may change/),
    );
  });

  test("a bead that no run knows of may be held, with a word of warning and the way back", () => {
    expect(place("", {}, "gh-999")).toHaveProperty(
      "said",
      expect.stringMatching(/no run knows of it.*may not exist.*\/koryph unhold gh-999/),
    );
  });

  test("the bead of the thread exists, also before a run has taken it", () => {
    const answer = place("", { state: stateWith() });
    expect(answer).toHaveProperty("said", expect.not.stringContaining("may not exist"));
  });

  test.each<{ name: string; state: LedgerState; goesOn: string | null }>([
    {
      name: "that is being started",
      state: taken("dispatching"),
      goesOn: "; the agent that is at work goes on",
    },
    { name: "that works", state: taken("running"), goesOn: "; the agent that is at work goes on" },
    {
      name: "that was perhaps started just now",
      state: taken("queued"),
      goesOn: "; an agent that has begun meanwhile goes on",
    },
    { name: "of a bead that waits for a person", state: taken("blocked"), goesOn: null },
    {
      name: "when no run is under way",
      state: stateWith(slot({ bead: "gh-7", status: "queued" })),
      goesOn: null,
    },
  ])("an agent $name", ({ state, goesOn }) => {
    const { said } = place("", { state }) as { said: string };
    expect(/; \w+ agent .*/.exec(said)?.[0] ?? null).toBe(goesOn);
  });
});

function taken(status: Slot["status"]): LedgerState {
  return { ...stateWith(slot({ bead: "gh-7", status })), run: underWay };
}

describe("a bead that has landed", () => {
  const given = { bead: null, dryRun: false };
  test.each<{ command: Command; code: string }>([
    { command: { ...given, verb: "stop", all: false, force: false }, code: "not_at_work" },
    { command: { ...given, verb: "nudge", text: "hello" }, code: "not_at_work" },
    { command: { ...given, verb: "retry" }, code: "not_blocked" },
    { command: { ...given, verb: "hold", reason: "" }, code: "landed" },
  ])("$command.verb says so, and nothing of waiting", ({ command, code }) => {
    const refused = plan(command, { state: landed });
    expect(refused).toMatchObject({ kind: "refuse", code, next: "" });
    expect(refused).toHaveProperty("said", expect.stringMatching(/gh-7<\/code> has landed as <code>abc1234/));
  });
});

describe("a bead that no run has taken", () => {
  const said = (command: Command, state: LedgerState) => (plan(command, { state }) as { said: string }).said;

  test("the status on its own thread says so before it shows the project", () => {
    const status = said({ verb: "status", bead: null }, stateWith(slot({ bead: "gh-9" })));
    expect(status).toMatch(/^no run has taken <code>gh-7<\/code> yet.*how the project stands/);
  });

  test("why of another one says that it may not exist", () => {
    expect(said({ verb: "why", bead: "gh-77" }, working)).toMatch(
      /^no run knows of <code>gh-77<\/code>, and it may not exist/,
    );
  });

  test("why of the thread's own counts what keeps it", () => {
    expect(said({ verb: "why", bead: null }, stateWith())).toMatch(/^2 things keep/);
  });

  test("after a run has ended it takes a new one, and what was taken goes on with the old", () => {
    const ways = (state: LedgerState) =>
      unmetConditions({ ...state, run: drained }, "gh-7", NOW).flatMap(({ code, next }) =>
        code === "no_run" ? [next] : [],
      );
    expect(ways(stateWith())).toEqual(["koryph run"]);
    expect(ways(stateWith(slot({ bead: "gh-7", status: "queued" })))).toEqual(["koryph run --resume"]);
  });

  test("while a run drains it takes a new one after that", () => {
    const requests: LedgerState["requests"] = [
      { id: "d", at: "", actor: "@bob", request: { verb: "drain" } },
    ];
    const state = { ...stateWith(), run: underWay, requests };
    expect(unmetConditions(state, "gh-7", NOW).at(-1)?.next).toBe("koryph run, once it has ended");
  });
});
