import { describe, expect, test } from "vitest";
import type { Command } from "../../../src/core/commands/command.js";
import { reactionFor, rowOf } from "../../../src/core/control/row.js";
import { unmetConditions } from "../../../src/core/control/why.js";
import { replyText } from "../../../src/core/replies/app/reply.js";
import type { LedgerState } from "../../../src/core/run/ledger/ledger-state.js";
import { hold, NOW, plan, underWay, working } from "../../support/core/command-plan.js";
import { slot, stateWith } from "../../support/core/slots.js";

describe("what a command comes to", () => {
  const dryRun = false;
  test.each<{ name: string; command: Command; event: unknown }>([
    {
      name: "a nudge reaches the agent of the thread's bead",
      command: { verb: "nudge", bead: null, text: "use the interface", dryRun },
      event: { type: "control.nudge", bead: "gh-7", data: { text: "use the interface" } },
    },
    {
      name: "a nudge may begin with a bead that a run knows",
      command: { verb: "nudge", bead: null, text: 'gh-7 "use the interface"', dryRun },
      event: { type: "control.nudge", bead: "gh-7", data: { text: "use the interface" } },
    },
    {
      name: "a word that no run knows is part of the text",
      command: { verb: "nudge", bead: null, text: "stop using any", dryRun },
      event: { type: "control.nudge", bead: "gh-7", data: { text: "stop using any" } },
    },
    {
      name: "a secret in a nudge does not reach the ledger",
      command: { verb: "nudge", bead: null, text: `use ghp_${"a".repeat(30)}`, dryRun },
      event: { type: "control.nudge", data: { text: "use [redacted]" } },
    },
    {
      name: "a stop is of the thread's bead",
      command: { verb: "stop", bead: null, all: false, force: true, dryRun },
      event: { type: "control.stop", bead: "gh-7", data: { force: true } },
    },
    {
      name: "a stop of all names no bead",
      command: { verb: "stop", bead: null, all: true, force: false, dryRun },
      event: { type: "control.stop", data: { force: false } },
    },
    {
      name: "a width up to the project's ceiling",
      command: { verb: "resize", max: 4, force: false, dryRun },
      event: { type: "control.resize", data: { max: 4, force: false } },
    },
    {
      name: "a width that is cleared",
      command: { verb: "resize", max: null, force: false, dryRun },
      event: { type: "control.resize", data: { max: null, force: false } },
    },
    { name: "a drain", command: { verb: "drain", dryRun }, event: { type: "control.drain" } },
    {
      name: "a hold may begin with the bead, as on the command line",
      command: { verb: "hold", bead: null, reason: "gh-9 later", dryRun },
      event: { type: "hold.placed", bead: "gh-9", data: { reason: "later" } },
    },
    {
      name: "a hold of a bead without a reason",
      command: { verb: "hold", bead: null, reason: "gh-9", dryRun },
      event: { type: "hold.placed", bead: "gh-9", data: { reason: "" } },
    },
    {
      name: "a hold for a reason is of the thread's bead",
      command: { verb: "hold", bead: null, reason: "until gh-9 is done", dryRun },
      event: { type: "hold.placed", bead: "gh-7", data: { reason: "until gh-9 is done" } },
    },
    {
      name: "a hold of a bead that no run has taken",
      command: { verb: "hold", bead: "gh-9", reason: "later", dryRun },
      event: { type: "hold.placed", bead: "gh-9", data: { reason: "later" } },
    },
  ])("$name", ({ command, event }) => {
    expect(plan(command)).toMatchObject({ kind: "append", event });
  });

  test.each<{ name: string; command: Command; given?: Parameters<typeof plan>[1]; code: string }>([
    {
      name: "a thread without a bead",
      command: { verb: "retry", bead: null, dryRun },
      given: { bead: null },
      code: "no_bead",
    },
    {
      name: "a bead that no run knows",
      command: { verb: "stop", bead: "gh-8", all: false, force: false, dryRun },
      code: "unknown_bead",
    },
    {
      name: "a bead named like a member of every object",
      command: { verb: "retry", bead: "constructor", dryRun },
      code: "unknown_bead",
    },
    {
      name: "a retry of what is at work",
      command: { verb: "retry", bead: null, dryRun },
      code: "not_blocked",
    },
    {
      name: "a nudge of what is not at work",
      command: { verb: "nudge", bead: null, text: "hello", dryRun },
      given: { state: { ...stateWith(slot({ bead: "gh-7", status: "blocked" })), run: underWay } },
      code: "not_at_work",
    },
    { name: "an unhold without a hold", command: { verb: "unhold", bead: null, dryRun }, code: "not_held" },
    {
      name: "a drain without a run",
      command: { verb: "drain", dryRun },
      given: { state: stateWith() },
      code: "no_run",
    },
    {
      name: "a width above the ceiling",
      command: { verb: "resize", max: 5, force: false, dryRun },
      code: "too_wide",
    },
    {
      name: "anything that changes a ledger which only a newer koryph understands",
      command: { verb: "drain", dryRun },
      given: { state: { ...working, readOnly: { type: "x.y", needs: "9.0" } } },
      code: "read_only",
    },
    {
      name: "a nudge for an issue that nobody works on",
      command: { verb: "nudge", bead: null, text: "gh-8 hurry up", dryRun },
      code: "unknown_bead",
    },
    {
      name: "the status of a bead that no run knows",
      command: { verb: "status", bead: "gh-8" },
      code: "unknown_bead",
    },
    { name: "a landing", command: { verb: "land", sha: null, method: null, dryRun }, code: "not_available" },
  ])("$name is refused", ({ command, given, code }) => {
    const refused = plan(command, given);
    expect(refused).toMatchObject({ kind: "refuse", code });
    expect(refused).toHaveProperty("said", expect.stringMatching(/\w/));
  });

  test("what only reads is answered also by an older koryph", () => {
    const state = { ...working, readOnly: { type: "x.y", needs: "9.0" } };
    expect(plan({ verb: "status", bead: null }, { state })).toMatchObject({ kind: "answer" });
  });

  test("a title cannot leave the block that the status is shown in", () => {
    const state = stateWith(slot({ bead: "gh-7", title: "x\n```\n# not a heading\n@everyone" }));
    const answer = plan({ verb: "status", bead: null }, { state });
    expect(answer).toMatchObject({ kind: "answer" });
    const { more } = answer as { more: string };
    const fence = /^`+/.exec(more)?.[0] ?? "";
    expect(more.split("\n").filter((line) => line.startsWith(fence))).toHaveLength(2);
  });
});

describe("why a bead has not landed", () => {
  test.each<{ name: string; state: LedgerState; codes: string[] }>([
    {
      name: "nobody has taken it, and no run is under way",
      state: stateWith(),
      codes: ["not_taken", "no_run"],
    },
    { name: "an agent is at work", state: working, codes: ["at_work"] },
    {
      name: "it is blocked",
      state: { ...stateWith(slot({ bead: "gh-7", status: "blocked", note: "three deaths" })), run: underWay },
      codes: ["blocked"],
    },
    {
      name: "it is held, too",
      state: {
        ...stateWith(slot({ bead: "gh-7", status: "merge-pending" })),
        holds: { "gh-7": hold },
      },
      codes: ["held", "merge_pending"],
    },
    {
      name: "it waits for its time",
      state: {
        ...stateWith(slot({ bead: "gh-7", status: "queued", notBefore: NOW + 1000 })),
        run: underWay,
      },
      codes: ["backoff"],
    },
    {
      name: "a drain keeps it in the queue",
      state: {
        ...stateWith(slot({ bead: "gh-7", status: "queued" })),
        run: underWay,
        requests: [{ id: "d", at: "", actor: "@bob", request: { verb: "drain" } }],
      },
      codes: ["queued", "draining"],
    },
    { name: "it has", state: stateWith(slot({ bead: "gh-7", status: "merged" })), codes: [] },
  ])("$name", ({ state, codes }) => {
    expect(unmetConditions(state, "gh-7", NOW).map(({ code }) => code)).toEqual(codes);
  });

  test("the answer holds the same as JSON, and nothing in it becomes markup", () => {
    const state = { ...working, holds: { "gh-7": { ...hold, reason: "</pre>\n\n<b>@everyone</b>" } } };
    const { more } = plan({ verb: "why", bead: null }, { state }) as { more: string };
    const json = /<pre>([\s\S]*?)<\/pre>/.exec(more)?.[1] ?? "";
    const text = json.replace(/&#(\d+);/g, (_, point) => String.fromCodePoint(Number(point)));
    expect(JSON.parse(text)).toMatchObject({ bead: "gh-7", unmet: [{ code: "held" }, { code: "at_work" }] });
    expect(more).not.toMatch(/<b>|@everyone/);
  });
});

describe("a ledger that somebody wrote to make trouble", () => {
  const evil = (overrides: Parameters<typeof slot>[0]) => ({
    ...stateWith(slot({ bead: "gh-7", ...overrides })),
    run: underWay,
  });
  const said = (command: Command, state: LedgerState) =>
    plan(command, { state }) as { said: string; more: string };

  test.each([
    { name: "a model as wide as a book", state: evil({ model: "x".repeat(1_000_000) }) },
    { name: "a title of marks", state: evil({ title: "` ".repeat(200_000) }) },
    { name: "a note of words", state: evil({ note: "word ".repeat(200_000) }) },
  ])("$name does not get into the status", ({ state }) => {
    expect(said({ verb: "status", bead: null }, state).more.length).toBeLessThan(2_000);
  });

  test("thousands of beads are cut to what a comment can hold", () => {
    const many = stateWith(...Array.from({ length: 3_000 }, (_, index) => slot({ bead: `b-${index}` })));
    expect(said({ verb: "status", bead: null }, many).more).toContain("… and 2500 more");
  });

  test.each([
    "https://x)@walter/#1,https://evil.example/(",
    "https://x/\ud800",
    "javascript:alert(1)",
    "https://x/ y",
  ])("%s is no link", (url) => {
    const evidence = { url, source: "comment 1", body_sha256: "a".repeat(64), login: "x", user_id: 1 };
    const state = { ...working, holds: { "gh-7": { ...hold, evidence } } };
    const { more } = said({ verb: "why", bead: null }, state);
    expect(more.slice(0, more.indexOf("<details>"))).not.toContain("](");
    expect(more).not.toContain("@walter");
  });

  test("a time that is none is said to be none", () => {
    const state = evil({ status: "queued", notBefore: 1e300 });
    expect(said({ verb: "why", bead: null }, state).more).toContain("a time that is none");
  });
});

describe("the reply", () => {
  test("has a row for each command, and what was typed stays what was typed", () => {
    const rows = [
      { ...rowOf("/koryph drain"), result: "queued" as const, said: "done" },
      {
        ...rowOf("/koryph <b>|@x"),
        result: "wrong" as const,
        code: "unknown_verb",
        said: "no",
        next: "help",
      },
    ];
    const text = replyText({
      source: "comment 5",
      url: "https://github.com/o/r/issues/7#issuecomment-5",
      rows,
    });
    expect(text.split("\n").filter((line) => line.startsWith("| "))).toHaveLength(4);
    expect(text).not.toMatch(/<b>|@x/);
    expect(text).toContain("<!-- koryph:reply comment 5 -->");
  });

  test.each([
    { results: ["done"], reaction: "+1" },
    { results: ["done", "queued"], reaction: "rocket" },
    { results: ["queued", "wrong"], reaction: "confused" },
    { results: ["queued", "refused", "wrong"], reaction: "-1" },
    { results: ["dry-run"], reaction: "+1" },
  ] as const)("$results is answered with $reaction", ({ results, reaction }) => {
    expect(reactionFor(results.map((result) => ({ ...rowOf("x"), result })))).toBe(reaction);
  });
});
