import { describe, expect, test } from "vitest";
import type { ControlCommand } from "../../../../src/core/control/control-command.js";
import type { ControlFacts } from "../../../../src/core/control/control-facts.js";
import { decisionRow } from "../../../../src/core/replies/control/comment-reply.js";
import { decisionLine, refusalAdvice } from "../../../../src/core/replies/control/terminal-reply.js";
import {
  decide,
  heldFor,
  hold,
  landed,
  STOP,
  taken,
  waiting,
  working,
} from "../../../support/core/control.js";
import { slot, stateWith } from "../../../support/core/slots.js";

interface Case {
  readonly command: ControlCommand;
  readonly given?: Partial<ControlFacts>;
  readonly said: string;
  /** On the terminal and in a comment, where there is something to do next. */
  readonly next?: readonly [terminal: string, comment: string];
}

/** Without the markup that keeps other people's words from being any. */
function unmarked(markdown: string): string {
  return markdown
    .replace(/<\/?code>/g, "")
    .replace(/&#8203;/g, "")
    .replace(/&#(\d+);/g, (_, point) => String.fromCodePoint(Number(point)));
}

const stop = (bead: string | null, more: object): ControlCommand => ({
  ...STOP,
  bead,
  run: bead === null,
  ...more,
});
const held = heldFor("the law may change");

describe("both surfaces say the same of what was done", () => {
  test.each<Case>([
    {
      command: { verb: "hold", bead: "gh-7", reason: "" },
      said: "gh-7 is held: no new attempt is started and nothing of it lands; the agent that is at work goes on",
    },
    {
      command: { verb: "hold", bead: "gh-7", reason: "not before May" },
      given: { state: { ...taken("blocked"), holds: held.holds } },
      said: "gh-7 is held: no new attempt is started and nothing of it lands; it replaces the hold by @alice: the law may change",
    },
    {
      command: { verb: "hold", bead: "gh-7", reason: "" },
      given: { state: held },
      said: "gh-7 is held already, by @alice: the law may change",
    },
    { command: { verb: "unhold", bead: "gh-7" }, given: { state: held }, said: "gh-7 is not held any more" },
    {
      command: { verb: "retry", bead: "gh-7" },
      given: { state: taken("blocked") },
      said: "gh-7 goes back to an agent",
    },
    {
      command: { verb: "nudge", bead: "gh-7", text: "use the interface" },
      said: "left for the agent of gh-7: “use the interface”",
    },
    {
      command: stop(null, { hold: true }),
      given: { state: { ...working, slots: {} } },
      said: "all agents of the run are asked to stop; what they have committed is kept; no agent is on record yet, so no bead is held",
    },
    {
      command: stop("gh-7", { drain: true, force: true }),
      said: "the agent of gh-7 is killed; what it has not committed is kept for the next attempt; nothing new is started, then the run ends",
    },
    {
      command: stop(null, {}),
      given: { state: waiting({ verb: "drain" }) },
      said: "all agents of the run are asked to stop; what they have committed is kept; nothing new is started, then the run ends",
    },
    { command: { verb: "drain" }, said: "agents at work finish, no new ones start, then the run ends" },
    {
      command: { verb: "drain" },
      given: { state: waiting({ verb: "drain" }) },
      said: "drain is asked for already, by @bob at 2026-01-01T00:00:00Z",
    },
    {
      command: { verb: "resize", max: 1, force: false },
      said: "at most 1 agent works at once in this run",
    },
    {
      command: { verb: "resize", max: null, force: false },
      said: "the width is the one the run was started with",
    },
    {
      command: { verb: "inject", bead: "gh-9" },
      said: "gh-9 is injected: the run takes it once it is ready",
    },
  ])("$command.verb: $said", ({ command, given, said }) => {
    const decision = decide(command, given);
    if (decision.kind === "refuse") throw new Error(decision.refusal.code);
    expect(decisionLine("shop", decision, true)).toBe(`shop: ${said}`);
    expect(unmarked(decisionRow("", decision).said)).toBe(said);
  });

  test.each([
    {
      bead: "gh-7",
      starts:
        "the bead is queued again unless its commits are complete, and starts after the wait that a failed attempt brings",
      way: "stop gh-7 --hold",
    },
    {
      bead: null,
      starts:
        "each bead is queued again unless its commits are complete, and starts after the wait that a failed attempt brings",
      way: "stop --run --hold",
    },
  ])("a stop of $bead tells when it starts again, and what keeps it stopped", ({ bead, starts, way }) => {
    const decision = decide(stop(bead, {}));
    if (decision.kind === "refuse") throw new Error(decision.refusal.code);
    expect(decisionLine("shop", decision, true)).toContain(`${starts} (\`koryph ${way}\` keeps`);
    expect(unmarked(decisionRow("", decision).said)).toContain(`${starts} (/koryph ${way} keeps`);
  });

  const two = { ...working, slots: { ...working.slots, "gh-8": slot({ bead: "gh-8" }) } };
  test.each([
    { bead: "gh-7", said: "gh-7 stays stopped until", way: "unhold gh-7" },
    { bead: null, said: "gh-7 and gh-8 stay stopped, each until", way: "unhold <bead>" },
  ])("a stop of $bead that holds tells what ends it", ({ bead, said, way }) => {
    const decision = decide(stop(bead, { hold: true }), { state: two });
    if (decision.kind === "refuse") throw new Error(decision.refusal.code);
    expect(decisionLine("shop", decision, true)).toContain(`; ${said} \`koryph ${way}\``);
    expect(unmarked(decisionRow("", decision).said)).toContain(`; ${said} /koryph ${way}`);
  });

  test("a bead that may not exist is held with the way back, as each surface types it", () => {
    const decision = decide({ verb: "hold", bead: "gh-999", reason: "" });
    expect(unmarked(decisionRow("", decision).said)).toMatch(
      /; no run knows of it yet, and it may not exist: \/koryph unhold gh-999 takes it back$/,
    );
  });

  test("the terminal adds that no run is under way", () => {
    const decision = decide({ verb: "retry", bead: "gh-7" }, { state: { ...taken("blocked"), run: null } });
    if (decision.kind === "refuse") throw new Error(decision.refusal.code);
    expect(decisionLine("shop", decision, false)).toBe(
      "shop: gh-7 is queued for the next run: `koryph run --resume` (no run is under way)",
    );
  });
});

describe("both surfaces refuse in the same words, and say what to do there", () => {
  const why = "/koryph why gh-7 tells what it waits for";
  test.each<Case>([
    {
      command: { verb: "drain" },
      given: { state: stateWith() },
      said: "no run is under way, so there is nothing to drain",
      next: ["`koryph run` starts one", "koryph run starts one"],
    },
    {
      command: { verb: "resize", max: 2, force: false },
      given: { state: stateWith() },
      said: "no run is under way, so there is nothing to resize",
      next: ["`koryph run --max 2` starts one so wide", "koryph run --max 2 starts one so wide"],
    },
    {
      command: { verb: "unhold", bead: "gh-7" },
      said: "gh-7 is not held",
      next: ["`koryph status` lists the beads that are", "/koryph status lists the beads that are"],
    },
    {
      command: { verb: "retry", bead: "gh-7" },
      given: { state: taken("queued") },
      said: "gh-7 is queued, so there is nothing to retry",
      next: [
        "its next attempt is started by a running engine, else by `koryph run --resume`; `koryph hold gh-7` keeps it waiting",
        why,
      ],
    },
    {
      command: stop("gh-7", {}),
      given: { state: taken("blocked") },
      said: "gh-7 is blocked, so no agent is at work on it",
      next: ["`koryph retry gh-7` lets it try again", why],
    },
    {
      command: { verb: "hold", bead: "gh-7", reason: "" },
      given: { state: landed },
      said: "gh-7 has landed as abc1234, so there is nothing to hold",
      next: ["open it again in the work source if there is more to do", ""],
    },
    {
      command: { verb: "inject", bead: "gh-9" },
      given: { state: waiting({ verb: "drain" }), tracked: "open" },
      said: "the run is draining, asked for by @bob, and takes nothing new",
      next: [
        "when it has ended, `koryph run --only gh-9` starts one for it",
        "when it has ended, koryph run --only gh-9 starts one for it",
      ],
    },
    {
      command: { verb: "inject", bead: "gh-9" },
      given: {
        state: { ...waiting({ verb: "drain" }), holds: { "gh-9": { ...hold, reason: "" } } },
        tracked: "open",
      },
      said: "the run is draining, asked for by @bob, and takes nothing new; gh-9 is held too, by @alice",
      next: [
        "when it has ended, `koryph unhold gh-9`; then `koryph run --only gh-9` starts one for it",
        "when it has ended, /koryph unhold gh-9; then koryph run --only gh-9 starts one for it",
      ],
    },
    {
      command: { verb: "resize", max: 5, force: false },
      said: "5 is above max_concurrent_slots, which is 4",
      next: ["choose a smaller width, or add `--force`", "choose a smaller width, or add --force"],
    },
  ])("$command.verb: $said", ({ command, given, said, next }) => {
    const decision = decide(command, given);
    if (decision.kind !== "refuse") throw new Error(decision.kind);
    const { message, hint } = refusalAdvice(decision.refusal);
    const row = decisionRow("", decision);
    expect(row).toMatchObject({ result: "refused", code: decision.refusal.code });
    expect([message.replaceAll("`", ""), hint]).toEqual([said, next?.[0]]);
    expect([row.said, row.next].map(unmarked)).toEqual([said, next?.[1]]);
  });
});
