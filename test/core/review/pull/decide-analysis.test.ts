import { expect, test } from "vitest";
import { rowOf } from "../../../../src/core/replies/commands/reply-row.js";
import { analysisRow } from "../../../../src/core/replies/review/analysis-replies.js";
import {
  type AnalysisFacts,
  type AnalysisOutcome,
  decideAnalysis,
} from "../../../../src/core/review/pull/decide-analysis.js";

const head = "a".repeat(40);
const facts: AnalysisFacts = { state: "open", head, by: "here", full: false, known: null };
const known = { head, verdict: "clean", findings: 0 } as const;

test.each<{ name: string; given: Partial<AnalysisFacts>; kind: string }>([
  { name: "a head that nobody has read is read", given: {}, kind: "ask" },
  { name: "one that was read is known", given: { known }, kind: "already" },
  { name: "and is read again when asked for in full", given: { known, full: true }, kind: "ask" },
  { name: "another head was read", given: { known: { ...known, head: "b".repeat(40) } }, kind: "ask" },
  {
    name: "a degraded analysis says nothing",
    given: { known: { ...known, verdict: "degraded" } },
    kind: "ask",
  },
  { name: "what is merged has nothing to analyse", given: { state: "merged", known }, kind: "ended" },
  { name: "closed goes before a missing reviewer", given: { state: "closed", by: null }, kind: "ended" },
  { name: "nobody is there to read it", given: { by: null, known }, kind: "refuse" },
])("$name", ({ given, kind }) => expect(decideAnalysis({ ...facts, ...given }).kind).toBe(kind));

const at = "2026-01-01T15:11:12.000Z";
const analysed: AnalysisOutcome = { kind: "analysed", at, ...known, url: "https://github.test/r" };

test.each<{ outcome: AnalysisOutcome; result: string; code?: string; said: string }>([
  { outcome: analysed, result: "done", said: "nothing found; [the review](https://github.test/r)" },
  {
    outcome: { ...analysed, findings: 2, verdict: "blocking" },
    result: "done",
    said: "2 findings, and the verdict blocks",
  },
  {
    outcome: { ...analysed, url: null },
    result: "done",
    said: "all of it stands on the pull request already",
  },
  {
    outcome: { ...analysed, verdict: "degraded", url: null },
    result: "done",
    said: "degraded, so there is no verdict; nothing was posted",
  },
  {
    outcome: { kind: "unanalysed", at, why: { code: "head_moved", head, now: "b".repeat(40) } },
    ...{ result: "refused", code: "head_moved", said: "nothing was posted" },
  },
  {
    outcome: { kind: "unanalysed", at, why: { code: "review_refused", detail: "403: <b>no</b>" } },
    ...{ result: "refused", code: "review_refused", said: "&#60;b&#62;no" },
  },
  {
    outcome: { kind: "unanalysed", at, why: { code: "reviewer_failed" } },
    ...{ result: "refused", code: "reviewer_failed", said: "in its log" },
  },
  {
    outcome: { kind: "unanalysed", at, why: { code: "not_open", state: "merged" } },
    ...{ result: "refused", code: "not_open", said: "is merged" },
  },
])("an outcome of $result $code: $said", ({ outcome, result, code, said }) => {
  const row = analysisRow(rowOf("review"), outcome, "15:11:12 UTC");
  expect(row).toMatchObject({ result, ...(code !== undefined && { code }) });
  expect(row.said).toContain(said);
});
