import { expect, test } from "vitest";
import { type AdmissionDenial, DENIAL_REACH } from "../../../../src/core/govern/admission-denial.js";
import { denialText } from "../../../../src/core/replies/govern/denial-text.js";
import { HOSTILE_TEXTS } from "../../../support/core/hostile-texts.js";

const by = { project: "x", bead: "task-3", attempt: 1 };
const AT = new Date(2026, 0, 2, 13, 5, 9).getTime();

const SAID: readonly { readonly why: AdmissionDenial; readonly text: string }[] = [
  { why: { code: "superseded", attempt: 3 }, text: "attempt 3 at it is still at work" },
  {
    why: { code: "machine_full", ceiling: 4, by: [by, by, by, by] },
    text: "the machine bears 4 agents, and has task-3 of project x, task-3 of project x, task-3 of project x, 1 more",
  },
  {
    why: { code: "breaker_open", pool: "", askAgainAt: AT },
    text: "the account of claude met its limit again and again, so nothing is started on it until 13:05:09",
  },
  {
    why: { code: "probe_running", pool: "codex", by, askAgainAt: AT },
    text: "one agent tries whether the account of codex takes requests again: task-3 of project x",
  },
  {
    why: { code: "dispatch_spacing", pool: "", askAgainAt: AT },
    text: "agents of the account of claude start a few seconds apart",
  },
  {
    why: { code: "pool_full", pool: "", cap: 1, by: [by] },
    text: "the account of claude bears 1 agent, and has task-3 of project x",
  },
  {
    why: { code: "fair_share", pool: "", share: 2, by: [], sharing: ["p", "x"], askAgainAt: null },
    text: "the account of claude is shared by p and x, and this project has its 2 agents",
  },
  {
    why: { code: "resource_at_capacity", resource: "gpu", by },
    text: "res:gpu is held by task-3 of project x",
  },
  {
    why: { code: "resource_at_capacity", resource: "gpu", by: null },
    text: "res:gpu has no place on this machine",
  },
  {
    why: { code: "memory_candidate", candidateMb: 4096, leftMb: -3 },
    text: "it needs 4096 MiB of memory, and 0 MiB is to be had",
  },
  {
    why: { code: "memory_floor", leftMb: -584.4, floorMb: 2048, askAgainAt: null },
    text: "memory is short: 2048 MiB is to stay free, and 584 MiB of that is taken or promised",
  },
  { why: { code: "governor_unavailable", problem: "it is broken" }, text: "it is broken" },
];

test.each(SAID)("$why.code: $text", ({ why, text }) => expect(denialText(why)).toBe(text));

test("every denial has its words", () => {
  expect([...new Set(SAID.map(({ why }) => why.code))]).toEqual(Object.keys(DENIAL_REACH));
});

test("names from other projects' records do nothing to a terminal", () => {
  for (const text of HOSTILE_TEXTS) {
    const strange = { project: text, bead: text, attempt: 1 };
    const said = [
      denialText({ code: "resource_at_capacity", resource: "gpu", by: strange }),
      denialText({ code: "pool_full", pool: text, cap: 1, by: [strange] }),
      denialText({ code: "governor_unavailable", problem: text }),
    ].join("");
    expect(said).not.toMatch(/[\u0000-\u001f\u007f\u009b]/);
  }
});
