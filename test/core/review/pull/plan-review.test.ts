import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { identifyFinding } from "../../../../src/core/review/pull/finding-identity.js";
import { findingMarker } from "../../../../src/core/review/pull/finding-marker.js";
import {
  type KnownThread,
  knownThread,
  type ReviewThread,
} from "../../../../src/core/review/pull/known-thread.js";
import { planReview, type ReviewPlan } from "../../../../src/core/review/pull/plan-review.js";
import type { Finding } from "../../../../src/core/review/verdict.js";

const digest = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);
const HEAD = "a".repeat(40);

const leak: Finding = { severity: "major", file: "src/a.ts", line: 4, summary: "The file is never closed." };
const CODE = "  const file = open(path);";
const changed = new Map([
  [
    "src/a.ts",
    new Map([
      [3, "// read it"],
      [4, CODE],
      [5, "return file;"],
    ]),
  ],
]);

/** A thread that an analysis which found `finding` on `code` began. */
function thread(
  finding: Finding,
  {
    code = CODE,
    fixed = null,
    minimized = false,
    ...state
  }: Partial<ReviewThread> & { code?: string; fixed?: string | null; minimized?: boolean } = {},
): KnownThread {
  const body = `${findingMarker({ ...identifyFinding(finding, code, digest), fixed })}\nwords`;
  const known = knownThread({
    ...{
      thread: "T1",
      path: finding.file,
      resolved: false,
      byAuthor: false,
      outdated: false,
      answered: false,
    },
    ...state,
    comment: { id: 1, body, minimized },
  });
  if (known === null) throw new Error("no mark");
  return known;
}

const inShort = ({ post, fold, silent, resolve, leave }: ReviewPlan) =>
  [
    ...post.map(({ finding, at }) => `post ${at.path}:${at.line} ${finding.severity}`),
    ...fold.map(({ finding }) => `fold ${finding.file}:${finding.line}`),
    ...silent.map(({ why }) => `silent ${why}`),
    ...resolve.map(({ thread: id }) => `resolve ${id}`),
    ...leave.map(({ why }) => `leave ${why}`),
  ].join("; ");

const plan = (
  findings: readonly Finding[],
  threads: readonly KnownThread[] = [],
  told: readonly string[] = [],
) => inShort(planReview({ findings, changed, threads, told: new Set(told) }, digest));

const elsewhere: Finding = { ...leak, line: 40 };

test.each([
  { name: "a finding on a changed line is posted there", given: [leak], want: "post src/a.ts:4 major" },
  { name: "one outside the change goes into the text", given: [elsewhere], want: "fold src/a.ts:40" },
  {
    name: "the same one twice in an answer counts once",
    given: [leak, { ...leak }],
    want: "post src/a.ts:4 major",
  },
])("$name", ({ given, want }) => expect(plan(given)).toBe(want));

test.each<{ name: string; given: readonly Finding[]; thread: KnownThread; want: string }>([
  {
    name: "a finding that stands there is not repeated",
    given: [leak],
    thread: thread(leak),
    want: "silent live",
  },
  {
    name: "nor when its line moved",
    given: [leak],
    thread: thread({ ...leak, line: 400 }),
    want: "silent live",
  },
  {
    name: "nor when case, punctuation, spacing or line numbers differ",
    given: [{ ...leak, summary: "the file is NEVER closed (line 4)" }],
    thread: thread(leak, { code: "const   file = open(path);" }),
    want: "silent live",
  },
  {
    name: "nor in other words about the same code",
    given: [{ ...leak, summary: "`file` leaks when reading throws." }],
    thread: thread(leak),
    want: "silent live",
  },
  {
    name: "nor when the code changed and the finding did not",
    given: [leak],
    thread: thread(leak, { code: "open(path)", outdated: true }),
    want: "silent live",
  },
  {
    name: "two findings on a line are two, also beside one thread",
    given: [leak, { ...leak, severity: "minor", summary: "Nobody checks the path." }],
    thread: thread(leak),
    want: "post src/a.ts:4 minor; silent live",
  },
  {
    name: "a conversation that a person resolved is a dismissal",
    given: [leak],
    thread: thread(leak, { resolved: true }),
    want: "silent dismissed",
  },
  {
    name: "but the pull request's author dismisses nothing, and is not told again either",
    given: [leak],
    thread: thread(leak, { resolved: true, byAuthor: true }),
    want: "silent live",
  },
  {
    name: "nor does a dismissal cover something that blocks and is said in other words",
    given: [{ ...leak, severity: "blocking", summary: "Anybody can read any file." }],
    thread: thread(leak, { resolved: true }),
    want: "post src/a.ts:4 blocking",
  },
  {
    name: "and so is a comment that a person hid",
    given: [leak],
    thread: thread(leak, { minimized: true }),
    want: "silent dismissed",
  },
  {
    name: "a finding that comes back after it was mended is new",
    given: [leak],
    thread: thread(leak, { resolved: true, fixed: HEAD }),
    want: "post src/a.ts:4 major",
  },
  {
    name: "a finding that is gone with its code is resolved",
    given: [],
    thread: thread(leak, { code: "const gone = 1;" }),
    want: "resolve T1",
  },
  {
    name: "and where GitHub shows its code as changed",
    given: [],
    thread: thread(leak, { outdated: true }),
    want: "resolve T1",
  },
  {
    name: "a reviewer who forgets a finding mends nothing",
    given: [],
    thread: thread(leak),
    want: "leave unchanged",
  },
  {
    name: "a conversation that people talk in is left to them",
    given: [],
    thread: thread(leak, { outdated: true, answered: true }),
    want: "leave answered",
  },
  {
    name: "a resolving that was cut short is finished",
    given: [],
    thread: thread(leak, { fixed: HEAD }),
    want: "resolve T1",
  },
  { name: "what is settled stays so", given: [], thread: thread(leak, { resolved: true }), want: "" },
])("$name", ({ given, thread: known, want }) => expect(plan(given, [known])).toBe(want));

test("a finding in the text of an earlier review is not told again, also where it now has a line", () => {
  const told = [identifyFinding(elsewhere, null, digest).words];
  expect(plan([elsewhere], [], told)).toBe("silent told");
  expect(plan([leak], [], told)).toBe("silent told");
});

test("a comment without our mark at its very beginning is none of ours", () => {
  const body = `> ${findingMarker({ ...identifyFinding(leak, CODE, digest), fixed: null })}`;
  const base = { thread: "T", path: "a", resolved: true, byAuthor: false, outdated: false, answered: false };
  expect(knownThread({ ...base, comment: { id: 1, body, minimized: false } })).toBeNull();
});
