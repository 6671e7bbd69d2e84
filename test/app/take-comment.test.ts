import { expect, test } from "vitest";
import { LedgerMemory } from "../../src/app/events/ledger-memory.js";
import { takeComment } from "../../src/app/events/take-comment.js";
import type { CommentJob } from "../../src/core/model/comment-job.js";
import { type AppRecord, emptyState } from "../../src/core/run/ledger/ledger-state.js";
import type { Ledger } from "../../src/ports/ledger.js";

const NOW = Date.parse("2026-01-01T12:00:00Z");
const job = {
  ...{ installation: 0, repository: { fullName: "o/r", id: 7 }, viaApp: null },
  ...{ thread: { number: 3, kind: "issue" }, author: { login: "maria", id: 3, type: "User" } },
  comment: { kind: "comment", id: 5, url: "", createdAt: "2026-01-01T11:00:00Z", body: "/koryph status" },
} satisfies CommentJob;
const took = {
  ...{ comment: "comment 5", thread: 3, user: "maria", run: 8, attempt: 1, again: false },
  ...{ at: "2026-01-01T11:00:30Z", takenAt: "2026-01-01T11:00:30Z" },
};
const answer = { reply: 9, counts: "yes", owed: null } as const;

interface Given {
  readonly app?: Partial<AppRecord>;
  readonly firstHand?: boolean;
  readonly shown?: boolean;
}

function stateOf(app: Partial<AppRecord>) {
  const state = emptyState();
  state.app = { ...state.app, ...app };
  return state;
}

async function takes({ app = {}, firstHand = false, shown = false }: Given) {
  const view = { tip: null, state: stateOf(app) };
  const ledger: Pick<Ledger, "refresh" | "claim"> = {
    refresh: async () => view,
    claim: async () => ({ kind: "won", view }),
  };
  const parts = { ledger, self: { run: 9, attempt: 1 }, isOver: async () => true, now: () => NOW };
  return takeComment({ ...parts, isFirstHand: () => firstHand, isShown: async () => shown }, job);
}

const later = { forgotten: "2026-01-01T11:30:00Z" };
const never = { forgotten: "9999-01-01T00:00:00Z" };
test.each<{ name: string; given: Given; so: string }>([
  { name: "a new comment is ours", given: {}, so: "ours" },
  {
    name: "one that was answered is not",
    given: { app: { comments: [{ ...took, answer }] } },
    so: "others",
  },
  {
    name: "one whose run is over is ours",
    given: { app: { comments: [{ ...took, answer: null }] } },
    so: "ours",
  },
  {
    name: "one that came after what is forgotten is ours",
    given: { app: { forgotten: "2026-01-01T10:59:59Z" } },
    so: "ours",
  },
  { name: "an older one may have been answered", given: { app: later }, so: "forgotten" },
  {
    name: "also one whose run died may have been, before that",
    given: { app: { ...later, comments: [{ ...took, answer: null }] } },
    so: "forgotten",
  },
  {
    name: "an older one that GitHub shows an answer to is not ours",
    given: { app: later, shown: true },
    so: "others",
  },
  {
    name: "one that is heard of for the first time is ours",
    given: { app: later, firstHand: true },
    so: "ours",
  },
  {
    name: "unless GitHub shows an answer to it",
    given: { app: later, firstHand: true, shown: true },
    so: "others",
  },
  {
    name: "a time that has not come says no more than the present",
    given: { app: never },
    so: "forgotten",
  },
  {
    name: "and keeps no new one from its answer",
    given: { app: never, firstHand: true },
    so: "ours",
  },
])("$name", async ({ given, so }) => {
  expect(await takes(given)).toBe(so);
});

function memoryOf(app: Partial<AppRecord>): LedgerMemory {
  const ledger = { observe: async () => ({ tip: null, state: stateOf(app) }) };
  return new LedgerMemory({ ledger, repository: "o/r", now: () => NOW });
}

test.each([
  { name: "nothing before the first run", app: {}, at: NOW },
  {
    name: "nothing before they began",
    app: { since: "2026-01-01T09:00:00Z" },
    at: Date.parse("2026-01-01T09:00:00Z"),
  },
  {
    name: "nothing that is forgotten",
    app: { since: "2026-01-01T09:00:00Z", ...later },
    at: Date.parse(later.forgotten),
  },
  {
    name: "nothing yet, where the time has not come",
    app: { since: "2026-01-01T09:00:00Z", ...never },
    at: NOW,
  },
])("runs look after $name", async ({ app, at }) => {
  expect(await memoryOf(app).bornAt()).toBe(at);
});

test("a comment from a time that has not come counts for nobody's cap", async () => {
  const uses = (at: string) =>
    memoryOf({ comments: [{ ...took, at, answer }] }).uses("", "maria", 3, NOW - 60 * 60_000);
  expect(await uses(took.at)).toHaveLength(1);
  expect(await uses("9999-01-01T00:00:00Z")).toEqual([]);
  expect(await uses("soon")).toEqual([]);
});
