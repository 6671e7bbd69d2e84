import { expect, test } from "vitest";
import { runProblems } from "../../../../src/core/run/plan/run-problems.js";
import { RUNTIMES } from "../../../../src/core/runtimes/runtimes.js";
import { projectWith } from "../../../support/core/slots.js";

function problems(overrides: object, flags = {}) {
  return runProblems(projectWith(overrides), flags).map(
    ({ key, found, need }) => `${key}: ${found}, ${need}`,
  );
}

test.each<{ name: string; given: object; flags?: object; says: string }>([
  {
    name: "a default runtime that nobody describes",
    given: { default_runtime: "mine" },
    says: `default_runtime: "mine", one of ${RUNTIMES.map(({ name }) => name).join(", ")}, or runtimes.mine.command with its program`,
  },
  {
    name: "a default runtime that is switched off",
    given: { default_runtime: "codex", runtimes: { codex: { enabled: false } } },
    says: 'default_runtime: "codex", a runtime that runtimes.codex.enabled does not switch off',
  },
  {
    name: "the runtime command without a program",
    given: { default_runtime: "command" },
    says: 'default_runtime: "command", runtimes.command.command, the program to run',
  },
  {
    name: "an entry for the default runtime without a program",
    given: { default_runtime: "mine", runtimes: { mine: {} } },
    says: `default_runtime: "mine", one of ${RUNTIMES.map(({ name }) => name).join(", ")}, or runtimes.mine.command with its program`,
  },
  {
    name: "pull requests without a remote",
    given: { merge_policy: "pr" },
    flags: { noPulls: { kind: "no_remote" } },
    says: 'merge_policy: "pr", a remote on GitHub, as this repository has none, or manual or auto',
  },
  {
    name: "pull requests of a remote that is a folder",
    given: { merge_policy: "pr" },
    flags: { noPulls: { kind: "not_github", host: "" } },
    says: 'merge_policy: "pr", a remote on GitHub, as this one is a folder, or manual or auto',
  },
  {
    name: "pull requests of a remote that nobody knows as GitHub",
    given: { merge_policy: "pr" },
    flags: { noPulls: { kind: "not_github", host: "gitlab.com" } },
    says: 'merge_policy: "pr", a remote on GitHub, as gitlab.com is none that koryph knows as such (a GitHub Enterprise Server is named by GITHUB_SERVER_URL and GITHUB_API_URL), or manual or auto',
  },
  {
    name: "issues of a repository that is nowhere on GitHub",
    given: { work_source: "github" },
    flags: { noPulls: { kind: "no_remote" } },
    says: 'work_source: "github", a remote on GitHub, as this repository has none, or file or bd',
  },
  {
    name: "signatures without a key",
    given: { signing: { required: true } },
    says: "signing.provider: nothing, a key to sign with, because signing.required is true; `koryph signing init` makes one",
  },
  {
    name: "a stage whose persona nobody describes",
    given: { pipeline: [{ name: "docs", prompt: "Write.", persona: "poet" }] },
    says: 'pipeline[0].persona: "poet", agents/poet.md on the default branch, or a built-in persona',
  },
  {
    name: "a reviewer whom nobody describes",
    given: { review: { persona: "poet" } },
    says: 'review.persona: "poet", agents/poet.md on the default branch, or a built-in persona',
  },
])("no run starts with $name", ({ given, flags, says }) => {
  expect(problems(given, { ...flags, hasPersona: (name: string) => name !== "poet" })).toEqual([says]);
});

test.each<{ name: string; given: object; flags?: object }>([
  { name: "the defaults", given: {} },
  { name: "policy pr and a remote on GitHub", given: { merge_policy: "pr" } },
  {
    name: "a runtime of the project's own",
    given: { default_runtime: "mine", runtimes: { mine: { command: ["./a"] } } },
  },
  {
    name: "a switched-off runtime that is not the default",
    given: { runtimes: { codex: { enabled: false } } },
  },
  {
    name: "policy pr where --direct lands everything",
    given: { merge_policy: "pr" },
    flags: { direct: true, noPulls: { kind: "no_remote" } },
  },
  { name: "issues of a repository on GitHub", given: { work_source: "github" } },
  {
    name: "signatures with a key",
    given: { signing: { required: true, provider: "file", key_ref: "~/key" } },
  },
])("a run may start with $name", ({ given, flags }) => expect(problems(given, flags)).toEqual([]));

test("everything that is wrong is named at once", () => {
  const given = { default_runtime: "mine", merge_policy: "pr", work_source: "github" };
  expect(problems(given, { noPulls: { kind: "no_remote" } })).toHaveLength(3);
});
