import { describe, expect, test } from "vitest";
import type { RequestRefusal } from "../../../../src/core/land/decide-request.js";
import {
  LAND_RESULTS,
  type LandRefusal,
  REFUSALS,
  type RefusalKind,
  ruleOf,
} from "../../../../src/core/land/refusal.js";
import { gateNote } from "../../../../src/core/replies/land/gate.js";
import { landedLine, landStepText } from "../../../../src/core/replies/land/land.js";
import { requestRefusalJson } from "../../../../src/core/replies/land/landing-json.js";
import {
  nextAfterRefusal,
  refusalDetail,
  refusalHint,
  refusalReport,
  refusedLine,
} from "../../../../src/core/replies/land/refusal-words.js";
import type { RefusedWork } from "../../../../src/core/replies/land/refused-work.js";
import { requestAdvice } from "../../../../src/core/replies/land/request-advice.js";
import { sha } from "../../../support/core/slots.js";

const signature = { sha: sha("1"), letter: "N", signer: "", fingerprint: "" } as const;
const gate = { kind: "gate-failed", command: "npm test", code: 1, output: "1 failed", places: [] } as const;
const style = { kind: "commit-style", commits: [{ sha: sha("1"), subject: "wip" }] } as const;

const work: RefusedWork = {
  bead: "b-1",
  head: sha("c"),
  repository: "/home/repo.git",
  protectedPaths: [],
  page: "docs/landing.md",
};
const FETCH = `git fetch /home/repo.git ${sha("c")}:refs/heads/agent/b-1`;
const over = (then: string, head = sha("c")) =>
  `; or take it over in your checkout: git fetch /home/repo.git ${head}:refs/heads/agent/b-1, ${then}, and land it as docs/landing.md ("By hand") tells`;
const BACK = "koryph retry b-1 sends it back to an agent with the report";
const MEND = `${BACK}${over("mend it")}`;
const RESTYLE = (how: string, head?: string) => `${BACK}${over(`write the subject anew by ${how}`, head)}`;

const OPEN = "then koryph run --resume opens its pull request; koryph land b-1 lands it without one";

const SIGN_ALL = `let an agent make them anew with koryph retry b-1: koryph signs what agents commit${over("sign all of them with a key that is allowed there by git rebase --force-rebase -S")}`;

const TAKE_OUT = `koryph retry b-1 lets an agent do it again without that${over("take it out (git rebase makes a straight line of merged commits)")}`;

interface Said {
  readonly refusal: LandRefusal;
  readonly detail: string;
  readonly hint: string;
  /** What the implementer is told; null when it is none of its business. */
  readonly report: string | null;
}

/** One of each: a refusal that is added without a row here does not compile. */
const SAID: { readonly [K in RefusalKind]: Said } = {
  dirty: {
    refusal: { kind: "dirty" },
    detail: "the bead's clone has changes that are in no commit; commit or discard them",
    hint: "koryph retry b-1 sends it back to an agent, who finds the changes",
    report: null,
  },
  "no-changes": {
    refusal: { kind: "no-changes" },
    detail: "its commits change nothing that the default branch does not have already",
    hint: 'if its work is on the default branch already, close the bead: docs/landing.md ("By hand") tells how',
    report: null,
  },
  protected: {
    refusal: { kind: "protected", paths: ["CLAUDE.md", "Makefile"] },
    detail: "it changes CLAUDE.md, Makefile, which no agent may land; a person has to look at it",
    hint: `only a person can land that, by hand as docs/landing.md ("By hand") tells; to look at it first: ${FETCH}`,
    report: null,
  },
  file_name: {
    refusal: { kind: "file_name", paths: ['"aux.c" (a device on Windows)'] },
    detail: 'it adds names that not every machine can have: "aux.c" (a device on Windows)',
    hint: TAKE_OUT,
    report: null,
  },
  link_outside: {
    refusal: { kind: "link_outside", paths: ["a -> /etc/passwd"] },
    detail: "it has links that lead out of the repository: a -> /etc/passwd",
    hint: TAKE_OUT,
    report: null,
  },
  attribute_driver: {
    refusal: { kind: "attribute_driver", paths: [".gitattributes"] },
    detail:
      "it has git pass files through programs of other people's settings: .gitattributes; a person has to look at it",
    hint: "after a look: koryph land b-1 --allow-protected",
    report: null,
  },
  file_too_large: {
    refusal: { kind: "file_too_large", paths: ["a.bin (30 MB)"] },
    detail: "its files are larger than land.max_file_mb allows: a.bin (30 MB)",
    hint: `${TAKE_OUT}; or raise land.max_file_mb in koryph.project.json`,
    report: null,
  },
  undeclared: {
    refusal: { kind: "undeclared", paths: ["src/pay.ts"], writes: ["docs", "src/cart"] },
    detail: "it changes src/pay.ts, and its footprint declares docs, src/cart; a person has to look at it",
    hint: "koryph diff b-1 shows the work; koryph land b-1 lands it all the same",
    report: null,
  },
  secrets: {
    refusal: { kind: "secrets", found: [{ path: "src/a.ts", kind: "GitHub token" }] },
    detail: "its commits add what looks like a secret (GitHub token in src/a.ts); a person has to look at it",
    hint: `revoke it if it is real, and koryph retry b-1 lets an agent do it again without it${over("take it out of every commit by git rebase -i")}; if it is no secret: koryph land b-1 --allow-secrets`,
    report: null,
  },
  "commit-style": {
    refusal: style,
    detail:
      '111111111111 "wip" has a subject that is not a conventional one, such as "fix(parser): accept an empty list"',
    hint: RESTYLE("git rebase -i, with reword for it"),
    report: "style",
  },
  unsigned: {
    refusal: { kind: "unsigned", commits: [signature] },
    detail: "111111111111: not signed",
    hint: SIGN_ALL,
    report: null,
  },
  conflict: {
    refusal: { kind: "conflict", files: ["src/a.ts"] },
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
  base_red: {
    refusal: { kind: "base_red", base: "c".repeat(40), command: "npm test", code: 1, output: "1 failed" },
    detail:
      "the default branch itself is red at cccccccccccc: npm test ended with 1; that is not this work's fault",
    hint: "koryph gate shows what is wrong there; once the default branch is mended, koryph land b-1",
    report: null,
  },
  base_busy: {
    refusal: { kind: "base_busy", moves: 4 },
    detail: "the default branch moved 4 times during the landing",
    hint: "koryph land b-1 again when fewer people push",
    report: null,
  },
  push_refused: {
    refusal: { kind: "push_refused", why: "a hook says no" },
    detail: "a hook says no",
    hint: "see to what it says, then koryph land b-1 again",
    report: null,
  },
  squash_signed: {
    refusal: { kind: "squash_signed" },
    detail: "squashing would replace signed commits by one",
    hint: "koryph land b-1 --method ff",
    report: null,
  },
  unsupported: {
    refusal: { kind: "unsupported", findings: ["a submodule at x", "a merge commit"] },
    detail: "a submodule at x; a merge commit",
    hint: TAKE_OUT,
    report: null,
  },
  no_candidate: {
    refusal: { kind: "no_candidate" },
    detail: "its commits were made on another machine and are not to be had here",
    hint: "koryph retry b-1 lets an agent do the work",
    report: null,
  },
  broken: {
    refusal: { kind: "broken", why: "the disk is full" },
    detail: "the disk is full",
    hint: "koryph log --bead b-1 tells more",
    report: null,
  },
  other_branch: {
    refusal: { kind: "other_branch", asked: "main", found: "trunk", checkedOut: false },
    detail: "it was to land on main, and the default branch is trunk now",
    hint: 'switch back, or land it by hand as docs/landing.md ("By hand") tells',
    report: null,
  },
  interrupted: {
    refusal: { kind: "interrupted" },
    detail: "the landing was interrupted and taken back",
    hint: "koryph land b-1 when you want it landed",
    report: null,
  },
  no_remote: {
    refusal: { kind: "no_remote" },
    detail: "merge policy pr needs a remote on GitHub, and this repository has no remote",
    hint: `add the remote, ${OPEN}`,
    report: null,
  },
  not_github: {
    refusal: { kind: "not_github", host: "gitlab.com" },
    detail: "merge policy pr needs a remote on GitHub, and gitlab.com is none that koryph knows as such",
    hint: `if that is a GitHub Enterprise Server, set GITHUB_SERVER_URL and GITHUB_API_URL, ${OPEN}`,
    report: null,
  },
  no_token: {
    refusal: { kind: "no_token", host: "github.com" },
    detail: "a pull request on github.com needs a token, and there is none",
    hint: `set GITHUB_TOKEN or GH_TOKEN, or log in with gh auth login, ${OPEN}`,
    report: null,
  },
  branch_taken: {
    refusal: { kind: "branch_taken", branch: "agent/b-1", at: sha("d") },
    detail: "agent/b-1 on the remote is at dddddddddddd, which koryph did not put there; it is left alone",
    hint: `keep what is on agent/b-1 elsewhere and delete it, ${OPEN}`,
    report: null,
  },
  pull_refused: {
    refusal: { kind: "pull_refused", why: "Validation Failed" },
    detail: "GitHub opens no pull request: Validation Failed",
    hint: `see to what it says, ${OPEN}`,
    report: null,
  },
};

test("every result but merged is a refusal", () => {
  const results = Object.values(REFUSALS).map(({ result }) => result);
  expect([...new Set([...results, "merged"])].sort()).toEqual([...LAND_RESULTS].sort());
});

describe.each(Object.values(SAID))("$refusal.kind", ({ refusal, detail, hint, report }) => {
  test("says what was found", () => expect(refusalDetail(refusal)).toBe(detail));
  test("says what to do", () => expect(refusalHint(refusal, work)).toBe(hint));
  test("goes back to the implementer only where an agent can mend it", () =>
    expect(refusalReport(refusal)?.kind ?? null).toBe(report));
  test("is one line on the terminal", () =>
    expect(refusedLine("b-1", refusal)).toBe(`b-1 was not landed, ${ruleOf(refusal).result}: ${detail}`));
});

test("an error that only a newer version knows is tried again", () => {
  expect(nextAfterRefusal("b-1", { result: "error", code: "of-a-newer-version" })).toBe(
    "its last landing failed: `koryph status` says why, `koryph land b-1` tries again",
  );
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
  expect(refusalHint({ kind: "protected", paths }, { ...work, ...given })).toBe(says);
});

test("nobody is told to take over what has no commit", () => {
  expect(refusalHint(gate, { ...work, head: null })).toBe(
    "koryph retry b-1 sends it back to an agent with the report",
  );
});

test.each<{ name: string; refusal: LandRefusal; given?: Partial<RefusedWork>; says: string }>([
  {
    name: "the subject of the last commit is amended",
    refusal: style,
    given: { head: sha("1") },
    says: RESTYLE("git commit --amend", sha("1")),
  },
  {
    name: "several subjects take a rebase",
    refusal: { kind: "commit-style", commits: [...style.commits, { sha: sha("c"), subject: "more" }] },
    says: RESTYLE("git rebase -i, with reword for each of them"),
  },
  {
    name: "without a commit an agent writes the subject anew",
    refusal: style,
    given: { head: null },
    says: "koryph retry b-1 sends it back to an agent with the report",
  },
  {
    name: "whoever signed on top of an unsigned commit signs all of them",
    refusal: { kind: "unsigned", commits: [signature], under: sha("2") },
    says: SIGN_ALL,
  },
  {
    name: "a key that is not allowed may be allowed",
    refusal: { kind: "unsigned", commits: [{ ...signature, letter: "U", fingerprint: "SHA256:x" }] },
    says: `allow their key in .allowed_signers on the default branch, or ${SIGN_ALL}`,
  },
  {
    name: "without a commit an agent makes them anew",
    refusal: { kind: "unsigned", commits: [signature] },
    given: { head: null },
    says: "let an agent make them anew with koryph retry b-1: koryph signs what agents commit",
  },
  {
    name: "and so it does what cannot land",
    refusal: { kind: "unsupported", findings: ["merge commit: x"] },
    given: { head: null },
    says: "koryph retry b-1 lets an agent do it again without that",
  },
])("$name", ({ refusal, given, says }) => expect(refusalHint(refusal, { ...work, ...given })).toBe(says));

test("no list of beads sends anybody to a command that fails again, or to a page that says all is well", () => {
  for (const refused of [
    { result: "unsigned", code: "" },
    { result: "error", code: "unsupported" },
    { result: "error", code: "squash_signed" },
    { result: "error", code: "no_candidate" },
  ] as const)
    expect(nextAfterRefusal("b-1", refused)).not.toMatch(/signing status|tries again/);
});

test.each([
  { advice: requestAdvice("b-1", { kind: "at_work", status: "running" }), says: "`koryph stop b-1`" },
  { advice: requestAdvice("b-1", { kind: "no_commits" }), says: "`koryph log --bead b-1`" },
  {
    advice: requestAdvice("b-1", { kind: "no_commits" }, "/opt/landing.md"),
    says: '/opt/landing.md ("By hand")',
  },
  { advice: requestAdvice("b-1", { kind: "not_accepted" }), says: "`koryph retry b-1`" },
  {
    advice: requestAdvice("b-1", { kind: "under_way", method: "ff", allowProtected: false }),
    says: "`koryph land b-1`",
  },
])("a hint names the bead: $says", ({ advice, says }) => expect(advice.hint).toContain(says));

test.each<{ refusal: RequestRefusal; json: object }>([
  { refusal: { kind: "no_commits" }, json: { result: "no-changes" } },
  { refusal: { kind: "held", actor: "@ann", reason: "" }, json: { result: "held" } },
  { refusal: { kind: "squash_signed" }, json: { result: "error", reason_code: "squash_signed" } },
  { refusal: { kind: "no_slot" }, json: { result: "error", reason_code: "no_slot" } },
])("a request refused as $refusal.kind has its JSON", ({ refusal, json }) => {
  const { message: detail } = requestAdvice("b-1", refusal);
  expect(requestRefusalJson("b-1", refusal)).toEqual({ bead: "b-1", detail, ...json });
});

test("only an agent that is there can be stopped", () => {
  expect(requestAdvice("b-1", { kind: "at_work", status: "passed" }).hint).not.toContain("koryph stop");
});

test.each<{ name: string; refusal: LandRefusal; detail: string }>([
  {
    name: "of many only three are named",
    refusal: { kind: "protected", paths: ["a", "b", "c", "d", "e"] },
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
    refusal: { kind: "conflict", files: [] },
    detail: "its commits cannot be replayed on the default branch",
  },
  {
    name: "a checkout on another branch is told how to get back",
    refusal: { kind: "other_branch", asked: "main", found: "topic", checkedOut: true },
    detail: "it lands on main, and the checkout is on topic now: git checkout main, then land it again",
  },
  {
    name: "a gate that was ended has no exit code",
    refusal: { ...gate, code: null },
    detail: "npm test ran out of time",
  },
  {
    name: "a gate that took too long names its limit and the setting",
    refusal: { ...gate, code: null, output: `half\n${gateNote.tooSlow(90)}` },
    detail: "npm test was ended after 90 s, the limit that gate_timeout_seconds in koryph.project.json sets",
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
    refusal: { kind: "unsigned", commits: [signature], under: sha("2") },
    detail:
      "111111111111: not signed; koryph signs nothing that lies under 222222222222, whose own signature would be lost",
  },
  {
    name: "each bad signature is explained",
    refusal: { kind: "unsigned", commits: [signature, { ...signature, sha: sha("2"), letter: "E" }] },
    detail:
      "111111111111: not signed, 222222222222: the signature cannot be checked: koryph reads SSH signatures alone, not those of OpenPGP or X.509",
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
  expect(refusalReport({ kind: "conflict", files: ["src/a.ts"] })?.text).toContain("- src/a.ts");
});

test.each([
  {
    step: { kind: "rebased", onto: sha("b"), head: sha("c") } as const,
    says: "the default branch moved, so it was replayed on bbbbbbbbbbbb as cccccccccccc",
  },
  { step: { kind: "gate", head: sha("c") } as const, says: "running the gate on cccccccccccc" },
  {
    step: { kind: "base-gate", head: sha("a") } as const,
    says: "its gate is red; running it on the default branch itself, aaaaaaaaaaaa, to see whose fault that is",
  },
  { step: { kind: "pushing", head: sha("c") } as const, says: "the gate is green, landing cccccccccccc" },
])("$step.kind is told in a line", ({ step, says }) => expect(landStepText(step)).toBe(says));

test("a landing is told with the whole commit", () => {
  expect(landedLine("b-1", sha("c"), "main")).toBe(`b-1 landed on main as ${sha("c")}`);
  expect(landedLine("b-1", sha("c"), null)).toBe(`b-1 landed as ${sha("c")}`);
  expect(landedLine("b-1", sha("c"), "main", true)).toBe(`b-1 had landed already on main as ${sha("c")}`);
});
