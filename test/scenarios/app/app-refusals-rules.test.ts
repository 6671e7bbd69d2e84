import { expect, vi } from "vitest";
import type { NewRuleset } from "../../../src/sandbox/world/rules/ruleset.js";
import { type AppWorld, REPOSITORY, scenariosInOneWorld } from "../../support/app/app-world.js";
import { LANDING, landed, last, opens, passes, tip } from "../../support/app/landing-stories.js";
import {
  keepTokens,
  type ReadRefusal,
  reads,
  refusesToLand,
  ruledBy,
  timePasses,
} from "../../support/app/refusal-stories.js";

vi.setConfig({ testTimeout: 120_000 });

const LONG = { long: true };
const ruled = scenariosInOneWorld(LANDING);
let count = 0;

/** A pull request on the base as it is now, which nobody has checked or approved. */
async function open(world: AppWorld) {
  count += 1;
  return opens(world, { branch: `shoes-${count}`, parent: (await tip(world)) ?? "" });
}

interface RuleStory {
  readonly name: string;
  readonly rules?: NewRuleset["rules"];
  readonly how?: Parameters<typeof ruledBy>[2];
  /** What people do before maria asks for the landing. */
  readonly before?: (world: AppWorld, pull: number) => Promise<unknown>;
  readonly after?: (world: AppWorld) => void;
  readonly refusal: ReadRefusal;
}

const STORIES: readonly RuleStory[] = [
  {
    name: "branch protection of the older kind",
    before: async (world) => world.sandbox.protectBranch(REPOSITORY, "main"),
    after: (world) => world.repository.protections.splice(0),
    refusal: {
      code: "rules_unreadable",
      found: /branch protection of the older kind, which only administrators can read/,
      need: /rules that koryph can read/,
      next: /move the branch protection into a ruleset/,
    },
  },
  {
    name: "rules that koryph cannot enforce",
    rules: [{ type: "code_scanning" }, { type: "commit_message_pattern" }],
    refusal: {
      code: "rule_unsupported",
      found: /cannot enforce code_scanning .*commit_message_pattern \(.*regular expression/,
      need: /rules that koryph can enforce/,
      next: /take the rule off this branch, or merge this pull request on GitHub/,
    },
  },
  {
    name: "a ruleset that does not let koryph past",
    rules: [{ type: "pull_request" }],
    how: { bypassed: false },
    refusal: {
      code: "missing_bypass",
      found: /process lets nobody push to the base branch, koryph included/,
      need: /koryph on the bypass list of that ruleset, with the mode Always/,
      next: /Settings → Rules → Rulesets → Bypass list, then `\/koryph land`/,
    },
  },
  {
    name: "an approval by somebody who does not own the file",
    rules: [
      {
        type: "pull_request",
        parameters: { require_code_owner_review: true, required_approving_review_count: 1 },
      },
    ],
    before: (world, pull) => world.as("walter").says(pull, "/koryph approve"),
    refusal: {
      code: "code_owner_missing",
      found: /no code owner has approved shoes-\d+\.txt \(@tina @team\/sellers\)/,
      need: /an approval of an owner of each file/,
      next: /an owner types `\/koryph approve`; name people beside teams in CODEOWNERS/,
    },
  },
  {
    name: "a conversation that nobody has resolved",
    rules: [{ type: "pull_request", parameters: { required_review_thread_resolution: true } }],
    before: (world, pull) =>
      world.as("walter").reviews(pull, {
        state: "COMMENTED",
        comments: [{ path: `shoes-${count}.txt`, line: 1, body: "why red?" }],
      }),
    refusal: {
      code: "unresolved_threads",
      found: /1 conversation is not resolved/,
      need: /all conversations resolved/,
      next: /resolve them, then `\/koryph land`/,
    },
  },
  {
    name: "no check that could be the gate",
    how: { checks: [] },
    refusal: {
      code: "no_required_checks",
      found: /land\.gate is checks, and no rule of the base branch requires a check/,
      need: /a required status check/,
      next: /require one in a ruleset of the base branch/,
    },
  },
  {
    name: "a commit that breaks a pattern",
    rules: [{ type: "commit_message_pattern", parameters: { operator: "starts_with", pattern: "fix: `x`" } }],
    refusal: {
      code: "commit_rule",
      found: /[0-9a-f]{12} breaks the rule commit_message_pattern starts_with fix: `x`/,
      need: /commits that keep the rules/,
      next: /rewrite them, push, and have the new head approved/,
    },
  },
];

for (const { name, rules = [], how, before, after, refusal } of STORIES)
  ruled(
    `${name}: refused as ${refusal.code}`,
    async (world) => {
      if (count === 0)
        await world.sandbox.commit(REPOSITORY, "main", { CODEOWNERS: "* @tina @team/sellers\n" });
      ruledBy(world, rules, how);
      const { pull, head } = await open(world);
      await passes(world, head);
      await before?.(world, pull);
      await refusesToLand(world, pull, refusal);
      after?.(world);
    },
    LONG,
  );

ruled(
  "a check that nothing reports, and one that does not end, are waited for, and then no longer",
  async (world) => {
    ruledBy(world, []);
    const [silent, slow] = [await open(world), await open(world)];
    await world.sandbox.startRun(REPOSITORY, { head: slow.head, jobs: ["test"] });
    const before = { base: await tip(world), landed: await landed(world) };
    await world.as("maria").says(silent.pull, "/koryph land");
    keepTokens(world);
    world.clock.pass(50 * 60);
    await world.settled();
    expect(last(world, silent.pull)).toContain("is in the queue");
    await timePasses(world, silent.pull, /check_missing/);
    const missing = {
      code: "check_missing",
      found: /nothing has reported test on this head/,
      need: /all required checks green on exactly this head/,
      next: /see whether its workflow runs for this pull request/,
    };
    await reads(world, silent.pull, missing, before);

    await world.as("maria").says(slow.pull, "/koryph land");
    world.clock.pass(11 * 60 * 60);
    await world.settled();
    expect(last(world, slow.pull)).toContain("is in the queue");
    await timePasses(world, slow.pull, /check_pending/);
    const pending = {
      code: "check_pending",
      found: /test \(in_progress\) on this head/,
      need: /all required checks green on exactly this head/,
      next: /\(`check_pending`\)\.$/,
    };
    await reads(world, slow.pull, pending, before);
  },
  LONG,
);
