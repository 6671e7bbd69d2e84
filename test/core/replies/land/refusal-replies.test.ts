import { describe, expect, test } from "vitest";
import { LAND_RESULTS, type LandErrorCode, type LandRefusal } from "../../../../src/core/land/refusal.js";
import { gateNote } from "../../../../src/core/replies/land/gate.js";
import {
  landAdvice,
  landedLine,
  landStepText,
  refusalDetail,
  refusedLine,
} from "../../../../src/core/replies/land/land.js";
import { type RefusedWork, refusalHint } from "../../../../src/core/replies/land/refusal-hint.js";
import { refusalReport } from "../../../../src/core/replies/land/refusal-report.js";
import { sha } from "../../../support/core/slots.js";

const signature = { sha: sha("1"), letter: "N", signer: "", fingerprint: "" } as const;
const gate = { result: "gate-failed", command: "npm test", code: 1, output: "1 failed", places: [] } as const;
const style = { result: "commit-style", commits: [{ sha: sha("1"), subject: "wip" }] } as const;

const work: RefusedWork = {
  bead: "b-1",
  head: sha("c"),
  clone: "/home/clones/b-1",
  repository: "/home/repo.git",
  protectedPaths: [],
  page: "docs/landing.md",
};
const FETCH = `git fetch /home/repo.git ${sha("c")}:refs/heads/agent/b-1`;
const MEND =
  "koryph retry b-1 sends it back to an agent with the report; or mend it in /home/clones/b-1, commit, and koryph land b-1";

interface Said {
  readonly refusal: LandRefusal;
  readonly detail: string;
  readonly hint: string;
  /** What the implementer is told; null when it is none of its business. */
  readonly report: string | null;
}

/** One of each: a result that is added without a row here does not compile. */
const SAID: { readonly [R in LandRefusal["result"]]: Said } = {
  dirty: {
    refusal: { result: "dirty" },
    detail: "the bead's clone has changes that are in no commit; commit or discard them",
    hint: "commit or discard what is in /home/clones/b-1, then koryph land b-1",
    report: null,
  },
  "no-changes": {
    refusal: { result: "no-changes" },
    detail: "its commits change nothing that the default branch does not have already",
    hint: 'if its work is on the default branch already, close the bead: docs/landing.md ("By hand") tells how',
    report: null,
  },
  protected: {
    refusal: { result: "protected", paths: ["CLAUDE.md", "Makefile"] },
    detail: "it changes CLAUDE.md, Makefile, which no agent may land; a person has to look at it",
    hint: `only a person can land that, by hand as docs/landing.md ("By hand") tells; to look at it first: ${FETCH}`,
    report: null,
  },
  "commit-style": {
    refusal: style,
    detail:
      '111111111111 "wip" has a subject that is not a conventional one, such as "fix(parser): accept an empty list"',
    hint: MEND,
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
    hint: MEND,
    report: "conflict",
  },
  "gate-failed": {
    refusal: gate,
    detail: "npm test ended with 1",
    hint: MEND,
    report: "gate",
  },
  error: {
    refusal: { result: "error", code: "base_busy", why: "it moved 4 times" },
    detail: "it moved 4 times",
    hint: "koryph land b-1 again when fewer people push",
    report: null,
  },
};

test("every result but merged is a refusal", () => {
  expect([...Object.keys(SAID), "merged"].sort()).toEqual([...LAND_RESULTS].sort());
});

describe.each(Object.values(SAID))("$refusal.result", ({ refusal, detail, hint, report }) => {
  test("says what was found", () => expect(refusalDetail(refusal)).toBe(detail));
  test("says what to do", () => expect(refusalHint(refusal, work)).toBe(hint));
  test("goes back to the implementer only where an agent can mend it", () =>
    expect(refusalReport(refusal)?.kind ?? null).toBe(report));
  test("is one line on the terminal", () =>
    expect(refusedLine("b-1", refusal)).toBe(`b-1 was not landed, ${refusal.result}: ${detail}`));
});

test.each<{ code: LandErrorCode; says: string }>([
  { code: "base_busy", says: "koryph land b-1 again" },
  { code: "push_refused", says: "then koryph land b-1 again" },
  { code: "squash_signed", says: "koryph land b-1 --method ff" },
  { code: "unsupported", says: "take it out of the branch in /home/clones/b-1" },
  { code: "no_candidate", says: "koryph retry b-1" },
  { code: "broken", says: "koryph log --bead b-1" },
  { code: "other_branch", says: "by hand as docs/landing.md" },
  { code: "interrupted", says: "koryph land b-1" },
])("the error $code has a way out", ({ code, says }) => {
  expect(refusalHint({ result: "error", code, why: "" }, work)).toContain(says);
});

test.each<{ name: string; paths: string[]; given?: Partial<RefusedWork>; says: string }>([
  {
    name: "what --allow-protected lifts is landed with it",
    paths: [".github/ci.yml", "Makefile"],
    says: "after a look: koryph land b-1 --allow-protected",
  },
  {
    name: "a path that the project protects itself is not lifted",
    paths: ["Makefile"],
    given: { protectedPaths: ["Makefile"] },
    says: `only a person can land that, by hand as docs/landing.md ("By hand") tells; to look at it first: ${FETCH}`,
  },
  {
    name: "one that is not lifted keeps the others",
    paths: ["Makefile", "infra/net.tf"],
    given: { protectedPaths: ["infra/"], repository: "/my home/repo.git" },
    says: `only a person can land that, by hand as docs/landing.md ("By hand") tells; to look at it first: git fetch '/my home/repo.git' ${sha("c")}:refs/heads/agent/b-1`,
  },
])("of protected paths: $name", ({ paths, given, says }) => {
  expect(refusalHint({ result: "protected", paths }, { ...work, ...given })).toBe(says);
});

test("nobody is told to mend something in a clone that is not there", () => {
  expect(refusalHint(gate, { ...work, clone: null })).toBe(
    "koryph retry b-1 sends it back to an agent with the report",
  );
});

test("whoever signed on top of an unsigned commit is told how to sign all of them", () => {
  expect(refusalHint({ result: "unsigned", commits: [signature], under: sha("2") }, work)).toBe(
    "sign all of them yourself: git -C /home/clones/b-1 rebase --force-rebase -S origin/HEAD, then koryph land b-1",
  );
});

test.each([
  { advice: landAdvice.atWork("b-1", "running"), says: "`koryph stop b-1`" },
  { advice: landAdvice.nothing("b-1", "no commit"), says: "`koryph log --bead b-1`" },
  { advice: landAdvice.notAccepted("b-1"), says: "`koryph retry b-1`" },
  {
    advice: landAdvice.underWay({ bead: "b-1", method: "ff", allowProtected: false }),
    says: "`koryph land b-1`",
  },
])("a hint names the bead: $says", ({ advice, says }) => expect(advice.hint).toContain(says));

test("only an agent that is there can be stopped", () => {
  expect(landAdvice.atWork("b-1", "passed").hint).not.toContain("koryph stop");
});

test.each<{ name: string; refusal: LandRefusal; detail: string }>([
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
    name: "a gate that was killed did not run out of time",
    refusal: { ...gate, code: null, output: `half\n${gateNote.lost()}` },
    detail: "npm test was killed",
  },
  {
    name: "a command that a signal ended is said to be",
    refusal: { ...gate, code: 137 },
    detail: "npm test ended with 137, by signal 9",
  },
  {
    name: "what is quoted holds neither secrets nor control characters",
    refusal: { ...gate, command: "curl\u001b[2J -H 'Authorization: Bearer abcdefghijklmnop1234'" },
    detail: "curl\u{FFFD}[2J -H 'Authorization: [redacted]' ended with 1",
  },
  {
    name: "a subject neither",
    refusal: { ...style, commits: [{ sha: sha("1"), subject: `wip\u0007 ghp_${"a".repeat(36)}` }] },
    detail:
      '111111111111 "wip\u{FFFD} [redacted]" has a subject that is not a conventional one, such as "fix(parser): accept an empty list"',
  },
  {
    name: "an unsigned commit under a signed one is said to be under it",
    refusal: { result: "unsigned", commits: [signature], under: sha("2") },
    detail:
      "111111111111 not signed; koryph signs nothing that lies under 222222222222, whose own signature would be lost",
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
  expect(landedLine("b-1", sha("c"), "main")).toBe(`b-1 landed on main as ${sha("c")}`);
  expect(landedLine("b-1", sha("c"), null)).toBe(`b-1 landed as ${sha("c")}`);
});
