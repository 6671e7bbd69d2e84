import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/sandbox/http/json.js";
import type { BypassActor } from "../../../src/sandbox/world/rules/ruleset.js";
import { type RulesLab, rulesTest } from "../../support/app/sandbox-rules.js";
import { longTest } from "../../support/long.js";

test.each<{
  type: string;
  parameters?: JsonObject;
  /** What is pushed to the default branch. */
  push: (lab: RulesLab) => Promise<string>;
  says: RegExp;
}>([
  { type: "update", push: (lab) => lab.commit({ "b.txt": "b\n" }), says: /Cannot update this protected ref/ },
  { type: "deletion", push: async () => "0".repeat(40), says: /Cannot delete this protected ref/ },
  { type: "non_fast_forward", push: (lab) => lab.rewrite(), says: /Cannot force-push to this branch/ },
  { type: "pull_request", push: (lab) => lab.commit({}), says: /must be made through a pull request/ },
  { type: "merge_queue", push: (lab) => lab.commit({}), says: /through the merge queue/ },
  { type: "required_deployments", push: (lab) => lab.commit({}), says: /deployments have not succeeded/ },
  { type: "workflows", push: (lab) => lab.commit({}), says: /Required workflows/ },
  { type: "code_scanning", push: (lab) => lab.commit({}), says: /Code scanning is waiting/ },
  { type: "required_linear_history", push: (lab) => lab.merge(), says: /must not contain merge commits/ },
  { type: "required_signatures", push: (lab) => lab.commit({}), says: /signatures.\n {2}Found 1 violation:/ },
  {
    type: "required_status_checks",
    parameters: { required_status_checks: [{ context: "ci" }] },
    push: (lab) => lab.commit({}),
    says: /Required status check "ci" is expected/,
  },
  {
    type: "required_status_checks",
    parameters: { required_status_checks: [{ context: "ci", integration_id: 77 }] },
    push: async (lab) => lab.passed(await lab.commit({}), "ci"),
    says: /Required status check "ci" is expected/,
  },
  {
    type: "required_status_checks",
    parameters: { required_status_checks: [{ context: "ci" }, { context: "lint" }] },
    push: (lab) => lab.commit({}),
    says: /2 of 2 required status checks are expected/,
  },
  {
    type: "commit_message_pattern",
    parameters: { operator: "starts_with", pattern: "fix:" },
    push: (lab) => lab.commit({}),
    says: /Commit message must start with fix:/,
  },
  {
    type: "committer_email_pattern",
    parameters: { operator: "contains", pattern: "noreply", negate: true },
    push: (lab) => lab.commit({}),
    says: /Committer email must not contain noreply/,
  },
  {
    type: "file_path_restriction",
    parameters: { restricted_file_paths: ["deploy/**"] },
    push: (lab) => lab.commit({ "deploy/a/b.yml": "x\n" }),
    says: /File path is restricted[\s\S]*deploy\/a\/b.yml/,
  },
  {
    type: "file_extension_restriction",
    parameters: { restricted_file_extensions: ["*.jar"] },
    push: (lab) => lab.commit({ "a.jar": "x\n" }),
    says: /extension is restricted/,
  },
  {
    type: "max_file_path_length",
    parameters: { max_file_path_length: 5 },
    push: (lab) => lab.commit({ "longer.txt": "x\n" }),
    says: /path is too long/,
  },
  {
    type: "max_file_size",
    parameters: { max_file_size: 1 },
    push: (lab) => lab.commit({ "a.txt": "x".repeat(1024 * 1024 + 1) }),
    says: /too large/,
  },
])("$type refuses a push, and not who is let past", async ({ type, parameters = {}, push, says }) => {
  await rulesTest(async (lab) => {
    const after = await push(lab);
    const id = lab.sandbox.addRuleset(lab.repo, { rules: [{ type, parameters }] });
    const before = await lab.main();
    expect(await lab.push("you", after)).toMatch(/^Repository rule violations found/);
    expect(await lab.push("you", after)).toMatch(says);
    expect(await lab.main()).toBe(before);
    lab.ruleset(id).bypass.push({ type: "User", id: lab.idOf("you"), mode: "always" });
    expect(await lab.push("you", after)).toBe("");
    expect(await lab.main()).not.toBe(before);
  });
});

test("what the rules ask for is taken", () =>
  rulesTest(async (lab) => {
    const after = await lab.commit({ "b.txt": "b\n" }, "fix: b");
    lab.passed(after, "ci");
    lab.sandbox.addRuleset(lab.repo, {
      rules: [
        ...["deletion", "non_fast_forward", "required_linear_history", "copilot_code_review"].map((type) => ({
          type,
        })),
        { type: "required_status_checks", parameters: { required_status_checks: [{ context: "ci" }] } },
        { type: "commit_message_pattern", parameters: { operator: "regex", pattern: "^(fix|feat): " } },
        { type: "file_path_restriction", parameters: { restricted_file_paths: ["a.txt"] } },
      ],
    });
    expect(await lab.push("alice", after)).toBe("");
  }));

test.each<{
  name: string;
  who: string;
  bypass: (lab: RulesLab) => Omit<BypassActor, "mode">;
  mode: BypassActor["mode"];
  past: boolean;
}>([
  {
    ...{ name: "an app that is listed is let past", who: "app", mode: "always", past: true },
    bypass: ({ app }) => ({ type: "Integration", id: app.id }),
  },
  {
    ...{ name: "and without a word", who: "app", mode: "exempt", past: true },
    bypass: ({ app }) => ({ type: "Integration", id: app.id }),
  },
  {
    ...{ name: "for pull requests only is not for a push", who: "app", mode: "pull_request", past: false },
    bypass: ({ app }) => ({ type: "Integration", id: app.id }),
  },
  {
    ...{
      name: "an app that acts for a person is the person",
      who: "you via app",
      mode: "always",
      past: false,
    },
    bypass: ({ app }) => ({ type: "Integration", id: app.id }),
  },
  {
    ...{ name: "an app has no role", who: "app", mode: "always", past: false },
    bypass: () => ({ type: "RepositoryRole", id: 4 }),
  },
  {
    ...{ name: "an admin has every role below", who: "you", mode: "always", past: true },
    bypass: () => ({ type: "RepositoryRole", id: 4 }),
  },
  {
    ...{ name: "a writer is no admin", who: "alice", mode: "always", past: false },
    bypass: () => ({ type: "RepositoryRole", id: 5 }),
  },
])("$name", async ({ who, bypass, mode, past }) => {
  await rulesTest(async (lab) => {
    const rules = [{ type: "pull_request" }];
    lab.sandbox.addRuleset(lab.repo, { rules, bypass: [{ ...bypass(lab), mode }] });
    expect((await lab.push(who, await lab.commit({}))) === "").toBe(past);
  });
});

test("every ruleset has to let somebody past; one that only watches asks for nothing", () =>
  rulesTest(async (lab) => {
    const after = await lab.commit({});
    const bypass = [{ type: "User", id: lab.idOf("you"), mode: "always" }] as const;
    lab.sandbox.addRuleset(lab.repo, { rules: [{ type: "pull_request" }], bypass });
    const strict = lab.sandbox.addRuleset(lab.repo, { rules: [{ type: "required_signatures" }] });
    expect(await lab.push("you", after)).toMatch(/signatures/);
    expect(await lab.push("you", after)).not.toMatch(/pull request/);
    lab.ruleset(strict).enforcement = "evaluate";
    expect(await lab.push("you", after)).toBe("");
  }));

longTest("a workflow's own token cannot be let past", () =>
  rulesTest(async (lab) => {
    const bypass = [{ type: "Integration", id: 15_368, mode: "always" }] as const;
    const add = () => lab.sandbox.addRuleset(lab.repo, { rules: [{ type: "pull_request" }], bypass });
    expect(add).toThrow(/must be part of the ruleset source/);
    expect(await lab.gitPush(lab.sandbox.actionsToken(lab.repo), { "b.txt": "b\n" })).toMatch(
      / HEAD -> main\n/,
    );
    lab.sandbox.addRuleset(lab.repo, { rules: [{ type: "pull_request" }] });
    const token = lab.sandbox.actionsToken(lab.repo);
    expect(await lab.gitPush(token, { "c.txt": "c\n" })).toMatch(/GH013/);
    expect(await lab.gitPush(token, { ".github/workflows/x.yml": "on: push\n" })).toMatch(
      /\[remote rejected\] HEAD -> main \(refusing to allow a GitHub App to create or update workflow/,
    );
  }),
);
