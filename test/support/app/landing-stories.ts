import { expect, vi } from "vitest";
import { runGit } from "../../../src/adapters/git/exec/run-git.js";
import { starterProject } from "../../../src/core/config/starter-project.js";
import { LANDING_CHECK } from "../../../src/core/replies/land/pull/landing-check.js";
import { type AppWorld, type AppWorldOptions, REPOSITORY, scenario } from "./app-world.js";

const ACTIONS = 15368;

/** A project whose required checks are its gate. */
export const LANDING = {
  project: {
    ...(JSON.parse(starterProject("shop", ["true"])) as Record<string, unknown>),
    land: { gate: "checks" },
  },
};

/** The recipe of docs/landing.md: what nobody passes, and what the App passes because it checks it itself. */
export function protect(world: AppWorld): void {
  world.sandbox.addRuleset(REPOSITORY, { rules: [{ type: "non_fast_forward" }, { type: "deletion" }] });
  const check = { context: "test", integration_id: ACTIONS };
  world.sandbox.addRuleset(REPOSITORY, {
    name: "process",
    rules: [
      { type: "pull_request", parameters: { required_approving_review_count: 1 } },
      { type: "required_status_checks", parameters: { required_status_checks: [check] } },
    ],
    bypass: [{ type: "Integration", id: world.appId, mode: "always" }],
  });
}

/** A scenario in such a project unless told, on a base branch with these rules. */
export function landingScenario(
  name: string,
  story: (world: AppWorld) => Promise<void>,
  options: AppWorldOptions = {},
): void {
  const begun = (world: AppWorld) => {
    protect(world);
    return story(world);
  };
  scenario(name, begun, { ...LANDING, ...options });
}

interface OpenedPull {
  readonly pull: number;
  readonly head: string;
}

interface OpenedBranch {
  readonly branch?: string;
  readonly parent?: string;
}

/** A pull request of ann's, who may only read; a while ago. */
export async function opens(
  world: AppWorld,
  { branch = "shoes", parent }: OpenedBranch = {},
): Promise<OpenedPull> {
  world.sandbox.addUser("ann");
  const by = { author: "ann", message: `feat: ${branch}`, ...(parent !== undefined && { parent }) };
  const head = await world.sandbox.commit(REPOSITORY, branch, { [`${branch}.txt`]: "red\n" }, by);
  const opened = await world.sandbox.openPull(REPOSITORY, { author: "ann", head: branch, title: branch });
  world.clock.pass(60);
  return { pull: opened.number, head };
}

export async function passes(world: AppWorld, head: string, end = "success"): Promise<void> {
  const run = await world.sandbox.startRun(REPOSITORY, { head, jobs: ["test"] });
  await world.sandbox.completeRun(REPOSITORY, run, end);
  await world.settled();
}

/** A pull request of ann's for a branch that was pushed, green; a while ago. */
export async function opensPushed(
  world: AppWorld,
  branch: string,
  head: string,
  { draft = false }: { readonly draft?: boolean } = {},
): Promise<OpenedPull> {
  const opened = { author: "ann", head: branch, title: branch, draft };
  const { number: pull } = await world.sandbox.openPull(REPOSITORY, opened);
  world.clock.pass(60);
  await passes(world, head);
  return { pull, head };
}

/** One that is green, and approved by walter. */
export async function opensApproved(world: AppWorld, how?: OpenedBranch): Promise<OpenedPull> {
  const opened = await opens(world, how);
  await passes(world, opened.head);
  await world.as("walter").says(opened.pull, "/koryph approve");
  return opened;
}

/** One that walter has approved and maria has asked for, and whose check has yet to begin. */
export async function opensQueued(world: AppWorld): Promise<OpenedPull> {
  const opened = await opens(world);
  await world.as("walter").says(opened.pull, "/koryph approve");
  await world.as("maria").says(opened.pull, "/koryph land");
  return opened;
}

/** Maria asks for it, and is told that it has landed. */
export async function lands(world: AppWorld, pull: number, asked = "/koryph land"): Promise<void> {
  await world.as("maria").says(pull, asked);
  await told(world, pull, /has landed, at/);
}

/** Maria pushes to the base branch, a while ago; the commit. */
export async function movesBase(world: AppWorld): Promise<string> {
  const moved = await world.sandbox.commit(REPOSITORY, "main", { "hats.txt": "x\n" }, { author: "maria" });
  world.clock.pass(60);
  return moved;
}

export const tip = (world: AppWorld) => world.sandbox.world.resolve(world.repository, "refs/heads/main");
export const last = (world: AppWorld, pull: number) => world.replies(pull).at(-1) ?? "";
export const landed = async (world: AppWorld) =>
  (await world.events()).filter(({ line }) => line.includes('"type":"land.landed"')).length;

/** What koryph shows on heads of pull requests, oldest first. */
export const landingChecks = (world: AppWorld) =>
  world.repository.checkRuns.filter(({ name, app }) => name === LANDING_CHECK && app === world.appId);

/** Replies that tell of an outcome are edited once somebody looks. */
export async function told(world: AppWorld, pull: number, words: RegExp): Promise<void> {
  await vi.waitFor(() => expect(last(world, pull)).toMatch(words), { timeout: 60_000, interval: 100 });
}

/** What the newest receipt in the repository says of its landing. */
export async function newestReceipt(world: AppWorld): Promise<unknown> {
  const args = ["cat-file", "blob", "refs/koryph/receipts:statement.json"];
  const { stdout } = await runGit(world.repository.gitDir, args);
  return JSON.parse(stdout).predicate;
}
