import { expect, test } from "vitest";
import { octokitOf } from "../../support/app/sandbox-lab.js";
import { type RulesLab, rulesTest } from "../../support/app/sandbox-rules.js";

async function ask(lab: RulesLab, token: string, path: string) {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${lab.sandbox.url}/repos/${lab.repo}${path}`, { headers });
  // biome-ignore lint/suspicious/noExplicitAny: answers are read like GitHub's clients read them
  return { status: answer.status, body: (await answer.json()) as any };
}

async function asApp(lab: RulesLab) {
  const octokit = await octokitOf(lab.sandbox, lab.app, lab.installation);
  const [owner = "", repo = ""] = lab.repo.split("/");
  return { rest: octokit.rest, at: { owner, repo } };
}

/** Every type that GitHub has for branches, as GitHub's description wants its parameters. */
const TYPES = [
  ...["creation", "update", "deletion", "required_linear_history", "merge_queue", "required_deployments"],
  ...["required_signatures", "pull_request", "required_status_checks", "non_fast_forward", "workflows"],
  ...["commit_message_pattern", "commit_author_email_pattern", "committer_email_pattern"],
  ...["branch_name_pattern", "file_path_restriction", "max_file_path_length", "max_file_size"],
  ...["file_extension_restriction", "code_scanning", "copilot_code_review"],
];

test("a branch lists the rules of every ruleset that is in force on it", () =>
  rulesTest(async (lab) => {
    const first = lab.sandbox.addRuleset(lab.repo, { rules: TYPES.map((type) => ({ type })) });
    lab.sandbox.addRuleset(lab.repo, { enforcement: "evaluate", rules: [{ type: "deletion" }] });
    lab.sandbox.addRuleset(lab.repo, { include: ["~ALL"], exclude: ["main"], rules: [{ type: "creation" }] });
    const { rest, at } = await asApp(lab);
    const rules = (await rest.repos.getBranchRules({ ...at, branch: "main", per_page: 100 })).data;
    expect(rules.map(({ type }) => type)).toEqual(TYPES);
    expect(new Set(rules.map(({ ruleset_id }) => ruleset_id))).toEqual(new Set([first]));
    const others = (await rest.repos.getBranchRules({ ...at, branch: "x" })).data;
    expect(others.map(({ type }) => type)).toEqual(["creation"]);
    const { data } = await rest.repos.getBranch({ ...at, branch: "main" });
    expect(data).toMatchObject({ protected: true, protection: { enabled: false } });
  }));

test("a ruleset tells each how far it lets them past, and only admins who else is", () =>
  rulesTest(async (lab) => {
    const bypass = [
      { type: "Integration", id: lab.app.id, mode: "always" },
      { type: "User", id: lab.idOf("alice"), mode: "pull_request" },
    ] as const;
    const id = lab.sandbox.addRuleset(lab.repo, {
      name: "Landing",
      rules: [{ type: "pull_request" }],
      bypass,
    });
    const { rest, at } = await asApp(lab);
    const { data } = await rest.repos.getRepoRuleset({ ...at, ruleset_id: id });
    expect(data).toMatchObject({
      ...{ id, name: "Landing", enforcement: "active", current_user_can_bypass: "always" },
      conditions: { ref_name: { include: ["~DEFAULT_BRANCH"], exclude: [] } },
      rules: [{ type: "pull_request", parameters: { required_approving_review_count: 0 } }],
    });
    expect(data.bypass_actors).toBeUndefined();
    const seen = async (login: string) =>
      (await ask(lab, lab.sandbox.tokenFor(login), `/rulesets/${id}`)).body;
    expect((await seen("alice")).current_user_can_bypass).toBe("pull_requests_only");
    expect(await seen("you")).toMatchObject({
      current_user_can_bypass: "never",
      bypass_actors: [{ actor_type: "Integration", actor_id: lab.app.id, bypass_mode: "always" }, {}],
    });
    expect((await ask(lab, lab.sandbox.tokenFor("you"), "/rulesets/1")).status).toBe(404);
  }));

test("what protects a branch the old way is for admins to see, its checks for everybody", () =>
  rulesTest(async (lab) => {
    const reviews = { count: 2, dismissStale: true, codeOwners: false, lastPush: true };
    const checks = { strict: true, required: [{ context: "ci", app: 15_368 }] };
    lab.sandbox.protectBranch(lab.repo, "main", { reviews, checks, signatures: true });
    const path = "/branches/main/protection";
    expect((await ask(lab, lab.sandbox.tokenFor("you"), path)).body).toMatchObject({
      required_pull_request_reviews: { required_approving_review_count: 2, dismiss_stale_reviews: true },
      required_status_checks: { strict: true, checks: [{ context: "ci", app_id: 15_368 }] },
      required_signatures: { enabled: true },
      enforce_admins: { enabled: false },
    });
    expect((await ask(lab, lab.sandbox.tokenFor("alice"), path)).status).toBe(404);
    const { rest, at } = await asApp(lab);
    await expect(rest.repos.getBranchProtection({ ...at, branch: "main" })).rejects.toMatchObject({
      status: 403,
    });
    const { data } = await rest.repos.getBranch({ ...at, branch: "main" });
    expect(data.protection).toMatchObject({
      enabled: true,
      required_status_checks: { contexts: ["ci"], enforcement_level: "non_admins" },
    });
    expect((await rest.repos.getBranchRules({ ...at, branch: "main" })).data).toEqual([]);
  }));

test("a CODEOWNERS file is judged line by line", () =>
  rulesTest(async (lab) => {
    const { rest, at } = await asApp(lab);
    await expect(rest.repos.codeownersErrors(at)).rejects.toMatchObject({ status: 404 });
    const text = "# owners\n* @alice @you/core a@example.com\n/docs/ @nobody\n!x @alice\n*.js alice\n";
    await lab.sandbox.commit(lab.repo, "main", { ".github/CODEOWNERS": text, CODEOWNERS: "* @nobody\n" });
    const { errors } = (await rest.repos.codeownersErrors(at)).data;
    expect(errors.map(({ line, column, kind, path }) => [line, column, kind, path])).toEqual([
      [3, 8, "Unknown owner", ".github/CODEOWNERS"],
      [4, 1, "Invalid pattern", ".github/CODEOWNERS"],
      [5, 6, "Invalid owner", ".github/CODEOWNERS"],
    ]);
  }));
