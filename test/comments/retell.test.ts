import { expect, test } from "vitest";
import { REPLY_PLACE, retell } from "../../src/comments/reply-once.js";
import { type OutcomeParts, tellOutcome } from "../../src/comments/tell-outcome.js";
import type { RequestOutcome } from "../../src/core/control/request-outcome.js";
import { type CommentJob, commentKey, commentRef } from "../../src/core/model/comment-job.js";
import { rowOf } from "../../src/core/replies/commands/reply-row.js";
import { isLooking, lookingRow } from "../../src/core/replies/land/pull/look-reply.js";
import { sha } from "../support/core/slots.js";

const NOW = Date.parse("2026-01-01T12:00:00Z");
const at = "2026-01-01T11:59:00.000Z";
const LANDED: RequestOutcome = { kind: "landed", head: sha("a"), at };
const ANSWER = { kind: "said" as const, said: "nothing keeps it from landing" };

const job = {
  ...{ installation: 1, repository: { fullName: "team/shop", id: 1 } },
  ...{ thread: { number: 7, isPull: true }, author: { login: "maria", id: 3, type: "User" }, viaApp: null },
  comment: { kind: "comment", id: 5, body: "", url: "https://github.test/c", createdAt: at },
} as unknown as CommentJob;

/** A reply to `/koryph why` and `/koryph land`, neither of which is answered yet. */
function waiting({ onLedger = async () => {} }: { readonly onLedger?: () => Promise<void> } = {}) {
  const key = commentKey(commentRef(job));
  const rows = [
    lookingRow("/koryph why"),
    { ...rowOf("/koryph land"), said: "in the queue", result: "started" as const, request: "r" },
  ];
  const decisions = new Map([[`${key} ${REPLY_PLACE}`, JSON.stringify(rows)]]);
  let shown = "";
  const parts = {
    threads: {
      edit: async (_: number, body: string) => {
        shown = body;
        return "edited" as const;
      },
    },
    memory: {
      decided: async (name: string, place: number) => decisions.get(`${name} ${place}`) ?? null,
      decide: async (name: string, place: number, text: string) => {
        decisions.set(`${name} ${place}`, text);
      },
      replyOf: async () => ({ id: 9 }),
      setReply: async () => {},
    },
    ledger: { refresh: onLedger, recent: async () => [] },
    ...{ outcomeOf: async () => LANDED, since: NOW, now: () => NOW },
  } as unknown as OutcomeParts;
  return {
    shown: () => shown,
    tells: () => tellOutcome(parts, job),
    answers: () => retell(parts, job, { about: isLooking, outcome: ANSWER }),
  };
}

test("a question that is answered while an outcome is looked up stays answered", async () => {
  let answers = async () => {};
  const reply = waiting({ onLedger: () => answers() });
  answers = reply.answers;
  await reply.tells();
  expect(reply.shown()).toContain("has landed");
  expect(reply.shown()).toContain(ANSWER.said);
});

test("an outcome that was told before a question is answered is still told then", async () => {
  const reply = waiting();
  await reply.tells();
  expect(reply.shown()).toContain("has landed");
  await reply.answers();
  expect(reply.shown()).toContain("has landed");
  expect(reply.shown()).toContain(ANSWER.said);
});
