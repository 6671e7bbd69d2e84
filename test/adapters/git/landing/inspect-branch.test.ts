import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inspectBranch } from "../../../../src/adapters/git/landing/inspect-branch.js";
import { CloneWorld, commit, git, put } from "../../../support/engine/clone-world.js";

const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 12345\n`;

test.each<{ name: string; given: (repo: string) => void; findings: readonly (string | RegExp)[] }>([
  { name: "plain commits", given: (repo) => void commit(repo, "x", { "x.txt": "x\n" }), findings: [] },
  { name: "an empty commit", given: (repo) => void commit(repo, "x", {}), findings: [] },
  { name: "a file removed", given: (repo) => void git(repo, "rm", "--quiet", "src/a.txt"), findings: [] },
  {
    name: "an LFS pointer",
    given: (repo) => void commit(repo, "x", { "big file.bin": POINTER }),
    findings: ["Git LFS pointer: big file.bin"],
  },
  {
    name: "a text that only speaks of LFS",
    given: (repo) => void commit(repo, "x", { "notes.md": `About:\n${POINTER}` }),
    findings: [],
  },
  {
    name: "a pointer's words in a file too long to be one",
    given: (repo) => void commit(repo, "x", { "big.bin": POINTER + "x".repeat(2_000) }),
    findings: [],
  },
  {
    name: "a link inside, and two that lead out",
    given: (repo) => {
      for (const [path, target] of Object.entries({ "src/in": "a.txt", "src/out": "../../x", etc: "/etc" }))
        symlinkSync(target, join(repo, path));
      commit(repo, "x", {});
    },
    findings: [
      "link that leads out of the repository: etc",
      "link that leads out of the repository: src/out",
    ],
  },
  {
    name: "a submodule that a later commit takes away again",
    given: (repo) => {
      addLink(repo, "sub");
      git(repo, "rm", "--quiet", "--cached", "sub");
      git(repo, "commit", "--quiet", "-m", "gone");
    },
    findings: ["submodule changed: sub"],
  },
  {
    name: "submodule settings alone, in whatever case",
    given: (repo) => void commit(repo, "x", { ".GitModules": "" }),
    findings: ["submodule settings changed: .GitModules"],
  },
  {
    name: "a file of that name further down",
    given: (repo) => void commit(repo, "x", { "docs/.gitmodules": "" }),
    findings: [],
  },
  {
    name: "a merge commit, and what came in through it",
    given: (repo) => {
      git(repo, "checkout", "--quiet", "-b", "side");
      commit(repo, "side", { "s.bin": POINTER });
      git(repo, "checkout", "--quiet", "-");
      commit(repo, "x", { "x.txt": "x\n" });
      git(repo, "merge", "--quiet", "--no-ff", "-m", "merge", "side");
    },
    findings: ["Git LFS pointer: s.bin", /^merge commit: [0-9a-f]{40}$/],
  },
  {
    name: "a history of its own",
    given: (repo) => {
      git(repo, "checkout", "--quiet", "--orphan", "other");
      commit(repo, "orphan", { "x.txt": "x\n" });
    },
    findings: ["the branch shares no history with the default branch"],
  },
  {
    name: "a name made to disturb a terminal",
    given: (repo) => void commit(repo, "x", { "a\n:160000\u001b[31m.bin": POINTER }),
    findings: [/^Git LFS pointer: a :160000\u{FFFD}\[31m\.bin$/u],
  },
  {
    name: "more than anybody would read",
    given: (repo) => {
      for (let index = 0; index < 8; index += 1) put(repo, { [`${index}.bin`]: POINTER });
      commit(repo, "x", {});
    },
    findings: [
      ...[0, 1, 2, 3, 4].map((index) => `Git LFS pointer: ${index}.bin`),
      'and 3 more like "Git LFS pointer: 0.bin"',
    ],
  },
])("$name", async ({ given, findings }) => {
  const { operator } = new CloneWorld();
  const base = git(operator, "rev-parse", "HEAD");
  given(operator);
  const facts = await inspectBranch(`${operator}/.git`, base, git(operator, "rev-parse", "HEAD"));
  expect(facts.findings).toEqual(
    findings.map((text) => (typeof text === "string" ? text : expect.stringMatching(text))),
  );
});

function addLink(repo: string, path: string): void {
  const sha = git(repo, "rev-parse", "HEAD");
  git(repo, "update-index", "--add", "--cacheinfo", `160000,${sha},${path}`);
  git(repo, "commit", "--quiet", "-m", "link");
}

test("commits are counted beyond the base, and none when the branch is behind it", async () => {
  const { operator } = new CloneWorld();
  const base = git(operator, "rev-parse", "HEAD");
  commit(operator, "one", { "x.txt": "1\n" });
  const tip = commit(operator, "two", { "x.txt": "2\n" });
  expect(await inspectBranch(`${operator}/.git`, base, tip)).toEqual({ commits: 2, findings: [] });
  expect(await inspectBranch(`${operator}/.git`, tip, base)).toEqual({ commits: 0, findings: [] });
});
