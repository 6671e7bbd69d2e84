import { describe, expect, test } from "vitest";
import { LAND_RESULTS, type LandErrorCode, type Refusal } from "../../src/core/land/refusal.js";
import {
  landedLine,
  landStepText,
  refusalDetail,
  refusalHint,
  refusedLine,
} from "../../src/core/replies/land.js";
import { refusalReport } from "../../src/core/replies/refusal-report.js";
import { sha } from "../support/slots.js";

const signature = { sha: sha("1"), letter: "N", signer: "", fingerprint: "" } as const;
const gate = { result: "gate-failed", command: "npm test", code: 1, output: "1 failed", places: [] } as const;
const style = { result: "commit-style", commits: [{ sha: sha("1"), subject: "wip" }] } as const;

interface Said {
  readonly refusal: Refusal;
  readonly detail: string;
  readonly hint: string;
  /** What the implementer is told; null when it is none of its business. */
  readonly report: string | null;
}

/** One of each: a result that is added without a row here does not compile. */
const SAID: { readonly [R in Refusal["result"]]: Said } = {
  dirty: {
    refusal: { result: "dirty" },
    detail: "the bead's clone has changes that are in no commit; commit or discard them",
    hint: "commit or discard what is in its clone, then land it again",
    report: null,
  },
  "no-changes": {
    refusal: { result: "no-changes" },
    detail: "its commits change nothing that the default branch does not have already",
    hint: "close the bead if its work is on the default branch already",
    report: null,
  },
  protected: {
    refusal: { result: "protected", paths: ["CLAUDE.md", "Makefile"] },
    detail: "it changes CLAUDE.md, Makefile, which no agent may land; a person has to look at it",
    hint: "land it yourself after a look: --allow-protected lifts .github/ and Makefile, anything else takes a commit of your own",
    report: null,
  },
  "commit-style": {
    refusal: style,
    detail:
      '111111111111 "wip" has a subject that is not a conventional one, such as "fix(parser): accept an empty list"',
    hint: "koryph retry b-1 sends it back to an agent with the report; or mend it in its clone and land it again",
    report: "style",
  },
  unsigned: {
    refusal: { result: "unsigned", commits: [signature] },
    detail: "111111111111 not signed",
    hint: "see koryph signing status and docs/signing.md",
    report: null,
  },
  conflict: {
    refusal: { result: "conflict", files: ["src/a.ts"] },
    detail: "its commits and the default branch both change src/a.ts",
    hint: "koryph retry b-1 sends it back to an agent with the report; or mend it in its clone and land it again",
    report: "conflict",
  },
  "gate-failed": {
    refusal: gate,
    detail: "npm test ended with 1",
    hint: "koryph retry b-1 sends it back to an agent with the report; or mend it in its clone and land it again",
    report: "gate",
  },
  error: {
    refusal: { result: "error", code: "base_busy", why: "it moved 4 times" },
    detail: "it moved 4 times",
    hint: "try again when fewer people push",
    report: null,
  },
};

test("every result but merged is a refusal", () => {
  expect([...Object.keys(SAID), "merged"].sort()).toEqual([...LAND_RESULTS].sort());
});

describe.each(Object.values(SAID))("$refusal.result", ({ refusal, detail, hint, report }) => {
  test("says what was found", () => expect(refusalDetail(refusal)).toBe(detail));
  test("says what to do", () => expect(refusalHint("b-1", refusal)).toBe(hint));
  test("goes back to the implementer only where an agent can mend it", () =>
    expect(refusalReport(refusal)?.kind ?? null).toBe(report));
  test("is one line on the terminal", () =>
    expect(refusedLine("b-1", refusal)).toBe(`b-1 was not landed, ${refusal.result}: ${detail}`));
});

test.each<{ code: LandErrorCode; says: string }>([
  { code: "base_busy", says: "try again" },
  { code: "push_refused", says: "then land it again" },
  { code: "squash_signed", says: "--method ff" },
  { code: "unsupported", says: "take it out" },
  { code: "no_candidate", says: "koryph retry" },
  { code: "broken", says: "koryph log" },
  { code: "interrupted", says: "land it again" },
])("the error $code has a way out", ({ code, says }) => {
  expect(refusalHint("b-1", { result: "error", code, why: "" })).toContain(says);
});

test.each<{ name: string; refusal: Refusal; detail: string }>([
  {
    name: "of many only three are named",
    refusal: { result: "protected", paths: ["a", "b", "c", "d", "e"] },
    detail: "it changes a, b, c and 2 more, which no agent may land; a person has to look at it",
  },
  {
    name: "several subjects are spoken of as several",
    refusal: { ...style, commits: [...style.commits, { sha: sha("2"), subject: "more" }] },
    detail:
      '111111111111 "wip", 222222222222 "more" have subjects that are not a conventional one, such as "fix(parser): accept an empty list"',
  },
  {
    name: "a conflict without names is one all the same",
    refusal: { result: "conflict", files: [] },
    detail: "its commits cannot be replayed on the default branch",
  },
  {
    name: "a gate that was ended has no exit code",
    refusal: { ...gate, code: null },
    detail: "npm test ran out of time",
  },
  {
    name: "each bad signature is explained",
    refusal: { result: "unsigned", commits: [signature, { ...signature, sha: sha("2"), letter: "E" }] },
    detail:
      "111111111111 not signed, 222222222222 the signature cannot be checked: koryph reads SSH signatures alone, not those of OpenPGP or X.509",
  },
])("$name", ({ refusal, detail }) => expect(refusalDetail(refusal)).toBe(detail));

test("what an agent wrote cannot drive the terminal", () => {
  const subject = "wip\u001b[2J\nroot# ";
  const line = refusedLine("b-1", { ...style, commits: [{ sha: sha("1"), subject }] });
  expect(line).not.toMatch(/[\u001b\n]/);
});

test("the implementer reads the command and its output, the subjects, or the files", () => {
  expect(refusalReport(gate)?.text).toContain("1 failed");
  expect(refusalReport(style)?.text).toContain("- wip");
  expect(refusalReport({ result: "conflict", files: ["src/a.ts"] })?.text).toContain("- src/a.ts");
});

test.each([
  {
    step: { kind: "rebased", onto: sha("b"), head: sha("c") } as const,
    says: "the default branch moved, so it was replayed on bbbbbbbbbbbb as cccccccccccc",
  },
  { step: { kind: "gate", head: sha("c") } as const, says: "running the gate on cccccccccccc" },
  { step: { kind: "pushing", head: sha("c") } as const, says: "the gate is green, landing cccccccccccc" },
])("$step.kind is told in a line", ({ step, says }) => expect(landStepText(step)).toBe(says));

test("a landing is told with the whole commit", () => {
  expect(landedLine("b-1", sha("c"))).toBe(`b-1 landed as ${sha("c")}`);
});
