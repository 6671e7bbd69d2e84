import { describe, expect, test } from "vitest";
import type { CommitSignature, SignatureLetter } from "../../../src/core/land/commit-signature.js";
import { ORDINARY } from "../../../src/core/land/content/range-content.js";
import { decideLanding, type LandFacts } from "../../../src/core/land/decide-landing.js";
import type { LandRules } from "../../../src/core/land/judge-branch.js";
import { sha } from "../../support/core/slots.js";

const commits = [
  { sha: sha("1"), subject: "feat: one" },
  { sha: sha("2"), subject: "fix(parser): two" },
];

const rules: LandRules = {
  method: "ff",
  commitStyle: "conventional",
  protectedPaths: [],
  allowProtected: false,
  allowSecrets: false,
  signingRequired: false,
  maxFileMb: 20,
  maxFiles: 3_000,
};

/** Two good commits on the tip of the default branch, with a green gate. */
const landable: LandFacts = {
  standing: { kind: "open" },
  arrived: null,
  here: true,
  branch: { asked: "main", found: "main" },
  rules,
  dirty: false,
  commits,
  paths: ["src/a.ts"],
  findings: [],
  secrets: [],
  content: ORDINARY,
  empty: false,
  signatures: [],
  checkoutObstacle: null,
  baseMoved: false,
  moves: 0,
  pull: null,
  gated: true,
};

function signed(letters: readonly SignatureLetter[]): CommitSignature[] {
  return letters.map((letter, at) => ({ sha: sha(`${at + 1}`), letter, signer: "ann", fingerprint: "f" }));
}

const leak = { path: "src/a.ts", kind: "GitHub token" };
const signing: Partial<LandFacts> = { rules: { ...rules, signingRequired: true } };
const squash: Partial<LandFacts> = { rules: { ...rules, method: "squash" } };

describe("the next step", () => {
  test.each<{ name: string; given: Partial<LandFacts>; step: string }>([
    { name: "what passed every check lands", given: {}, step: "land" },
    { name: "an unproven head goes through the gate", given: { gated: false }, step: "gate" },
    { name: "a moved base is caught up with, green gate or not", given: { baseMoved: true }, step: "rebase" },
    {
      name: "a third move is still followed",
      given: { baseMoved: true, moves: 2, gated: false },
      step: "rebase",
    },
    { name: "moves that were followed do no harm", given: { moves: 3 }, step: "land" },
    { name: "several commits are squashed where asked for", given: squash, step: "squash" },
    {
      name: "squashing comes before the gate",
      given: { ...squash, gated: false },
      step: "squash",
    },
    { name: "squashing comes after the rebase", given: { ...squash, baseMoved: true }, step: "rebase" },
    {
      name: "one commit needs no squashing",
      given: { ...squash, commits: commits.slice(0, 1) },
      step: "land",
    },
    { name: "good signatures land", given: { ...signing, signatures: signed(["G", "G"]) }, step: "land" },
    {
      name: "signatures nobody asked for are not looked at",
      given: { signatures: signed(["B", "N"]) },
      step: "land",
    },
    {
      name: "subjects are free where the project has no style",
      given: { rules: { ...rules, commitStyle: "none" }, commits: [{ sha: sha("1"), subject: "wip" }] },
      step: "land",
    },
    {
      name: "what looks like a secret lands when a person said that it is none",
      given: { rules: { ...rules, allowSecrets: true }, secrets: [leak] },
      step: "land",
    },
    {
      name: "a lifted path lands when a person said so",
      given: { rules: { ...rules, allowProtected: true }, paths: ["Makefile", ".github/workflows/ci.yml"] },
      step: "land",
    },
  ])("$name", ({ given, step }) => expect(decideLanding({ ...landable, ...given })).toEqual({ kind: step }));
});

describe("before its commits are looked at", () => {
  const arrived = { from: sha("a"), head: sha("b") };

  test.each<{ name: string; given: Partial<LandFacts>; step: object }>([
    {
      name: "what is held waits, in whatever state it is",
      given: { standing: { kind: "held" }, arrived, here: false, dirty: true },
      step: { kind: "held" },
    },
    {
      name: "what somebody else landed is over",
      given: { standing: { kind: "landed", head: sha("c") }, gated: false },
      step: { kind: "landed", head: sha("c") },
    },
    { name: "what was taken back is over", given: { standing: { kind: "gone" } }, step: { kind: "gone" } },
    {
      name: "what the branch has already is recorded, whoever pushed it",
      given: { arrived, here: false },
      step: { kind: "record", move: arrived },
    },
    { name: "commits of another machine are made again", given: { here: false }, step: { kind: "make" } },
  ])("$name", ({ given, step }) => expect(decideLanding({ ...landable, ...given })).toEqual(step));
});

describe("a refusal", () => {
  test.each<{ name: string; given: Partial<LandFacts>; refusal: object }>([
    {
      name: "of another default branch",
      given: { branch: { asked: "main", found: "trunk" } },
      refusal: { kind: "other_branch", asked: "main", found: "trunk", checkedOut: false },
    },
    {
      name: "of another branch in the checkout that is to be updated",
      given: { branch: { asked: "main", found: "main", checkedOut: "topic" } },
      refusal: { kind: "other_branch", asked: "main", found: "topic", checkedOut: true },
    },
    {
      name: "of squashing under required signing",
      given: { rules: { ...rules, method: "squash", signingRequired: true } },
      refusal: { kind: "squash_signed" },
    },
    {
      name: "of squashing under required signing, of one commit, too",
      given: {
        rules: { ...rules, method: "squash", signingRequired: true },
        commits: commits.slice(0, 1),
        signatures: signed(["G"]),
      },
      refusal: { kind: "squash_signed" },
    },
    { name: "of a dirty clone", given: { dirty: true }, refusal: { kind: "dirty" } },
    { name: "of no commits", given: { commits: [] }, refusal: { kind: "no-changes" } },
    { name: "of commits that change nothing", given: { empty: true }, refusal: { kind: "no-changes" } },
    {
      name: "of what no landing can carry",
      given: { findings: ["a submodule at x", "a merge commit"] },
      refusal: { kind: "unsupported", findings: ["a submodule at x", "a merge commit"] },
    },
    { name: "of a secret", given: { secrets: [leak] }, refusal: { kind: "secrets", found: [leak] } },
    {
      name: "of protected paths names those alone",
      given: { paths: ["src/a.ts", "CLAUDE.md", ".GitHub/x"] },
      refusal: { kind: "protected", paths: ["CLAUDE.md", ".GitHub/x"] },
    },
    {
      name: "of the project's own protected paths",
      given: { rules: { ...rules, protectedPaths: ["deploy/"] }, paths: ["deploy/x.yml"] },
      refusal: { kind: "protected", paths: ["deploy/x.yml"] },
    },
    {
      name: "of paths that nobody can lift",
      given: {
        rules: { ...rules, allowProtected: true },
        paths: ["Makefile", ".allowed_signers", "CLAUDE.md"],
      },
      refusal: { kind: "protected", paths: [".allowed_signers", "CLAUDE.md"] },
    },
    {
      name: "of subjects names the bad ones alone",
      given: { commits: [...commits, { sha: sha("3"), subject: "wip" }] },
      refusal: { kind: "commit-style", commits: [{ sha: sha("3"), subject: "wip" }] },
    },
    ...(["B", "U", "X", "Y", "R", "E", "N"] as const).map((letter) => ({
      name: `of a signature ${letter} in the middle of the range`,
      given: {
        ...signing,
        commits: [...commits, { sha: sha("3"), subject: "fix: three" }],
        signatures: signed(["G", letter, "G"]),
      },
      refusal: { kind: "unsigned", commits: [{ sha: sha("2"), letter }] },
    })),
    {
      name: "of an unsigned commit names the signed one above it",
      given: { ...signing, signatures: signed(["N", "G"]) },
      refusal: { kind: "unsigned", commits: [{ sha: sha("1"), letter: "N" }], under: sha("2") },
    },
    {
      name: "of a commit whose signature nobody looked at",
      given: { ...signing, signatures: signed(["G"]) },
      refusal: { kind: "unsigned", commits: [{ sha: sha("2"), letter: "N" }] },
    },
    {
      name: "of a base that cannot be caught",
      given: { baseMoved: true, moves: 3 },
      refusal: { kind: "base_busy", moves: 4 },
    },
  ])("$name", ({ given, refusal }) => {
    expect(decideLanding({ ...landable, ...given })).toMatchObject({ kind: "refuse", refusal });
  });
});

const inItsWay = { why: "a file is in the way", ofThisWork: true };

test("of several reasons the one to fix first is reported, and the others in turn", () => {
  const fixes: readonly { readonly said: string; readonly fix: (facts: LandFacts) => LandFacts }[] = [
    { said: "held", fix: (facts) => ({ ...facts, standing: { kind: "open" } }) },
    { said: "record", fix: (facts) => ({ ...facts, arrived: null }) },
    { said: "make", fix: (facts) => ({ ...facts, here: true }) },
    {
      said: "other_branch",
      fix: (facts) => ({ ...facts, branch: { ...landable.branch, checkedOut: "topic" } }),
    },
    { said: "other_branch", fix: (facts) => ({ ...facts, branch: landable.branch }) },
    { said: "no_token", fix: (facts) => ({ ...facts, pull: { missing: null } }) },
    { said: "squash_signed", fix: (facts) => ({ ...facts, rules: { ...facts.rules, method: "ff" } }) },
    { said: "dirty", fix: (facts) => ({ ...facts, dirty: false }) },
    { said: "unsupported", fix: (facts) => ({ ...facts, findings: [] }) },
    { said: "no-changes", fix: (facts) => ({ ...facts, empty: false }) },
    { said: "secrets", fix: (facts) => ({ ...facts, secrets: [] }) },
    { said: "file_name", fix: (facts) => ({ ...facts, content: ORDINARY }) },
    { said: "protected", fix: (facts) => ({ ...facts, paths: [] }) },
    { said: "commit-style", fix: (facts) => ({ ...facts, commits }) },
    { said: "unsigned", fix: (facts) => ({ ...facts, signatures: signed(["G", "G"]) }) },
    { said: "refused-by-checkout", fix: (facts) => ({ ...facts, checkoutObstacle: inItsWay }) },
    { said: "push_refused", fix: (facts) => ({ ...facts, checkoutObstacle: null }) },
    { said: "base_busy", fix: (facts) => ({ ...facts, moves: 0 }) },
    { said: "rebase", fix: (facts) => ({ ...facts, baseMoved: false }) },
    { said: "gate", fix: (facts) => ({ ...facts, gated: true }) },
    { said: "open", fix: (facts) => ({ ...facts, pull: null }) },
    { said: "land", fix: (facts) => facts },
  ];
  let facts: LandFacts = {
    standing: { kind: "held" },
    arrived: { from: sha("a"), head: sha("b") },
    here: false,
    branch: { asked: "main", found: "trunk", checkedOut: "topic" },
    rules: { ...rules, method: "squash", signingRequired: true },
    dirty: true,
    commits: [{ sha: sha("1"), subject: "wip" }],
    paths: ["Makefile"],
    findings: ["a submodule"],
    secrets: [leak],
    content: { ...ORDINARY, added: ["aux"] },
    empty: true,
    signatures: signed(["N"]),
    checkoutObstacle: { why: "it has changes", ofThisWork: false },
    baseMoved: true,
    moves: 3,
    pull: { missing: { kind: "no_token", host: "github.com" } },
    gated: false,
  };
  const said = fixes.map(({ fix }) => {
    const step = decideLanding(facts);
    facts = fix(facts);
    if (step.kind !== "refuse") return step.kind;
    return step.refusal.kind;
  });
  expect(said).toEqual(fixes.map((each) => each.said));
});

test("a refusal of subjects tells no more of a commit than its sha and subject, though more was read", () => {
  const bad = { sha: sha("3"), subject: "wip" };
  const read = { ...bad, message: "wip\n\nall of it", author: "ann" };
  expect(decideLanding({ ...landable, commits: [read] })).toEqual({
    kind: "refuse",
    refusal: { kind: "commit-style", commits: [bad] },
  });
});
