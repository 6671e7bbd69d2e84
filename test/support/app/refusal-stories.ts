import { expect, vi } from "vitest";
import type { NewRuleset } from "../../../src/sandbox/world/rules/ruleset.js";
import { type AppWorld, REPOSITORY } from "./app-world.js";
import { landed, last, tip, told } from "./landing-stories.js";

/** What a maintainer reads in the answer to a landing that is refused. */
export interface ReadRefusal {
  readonly code: string;
  readonly found: RegExp;
  readonly need: RegExp;
  /** What to do or to type. */
  readonly next: RegExp;
}

/** Maria asks for it and reads why not; the base branch, the queue and the record of landings are as they were. */
export async function refusesToLand(
  world: AppWorld,
  pull: number,
  refusal: ReadRefusal,
  asked = "/koryph land",
): Promise<string> {
  const before = { base: await tip(world), landed: await landed(world) };
  await world.as("maria").says(pull, asked);
  return reads(world, pull, refusal, before);
}

/** The same for a landing that somebody has asked for before. */
export async function reads(
  world: AppWorld,
  pull: number,
  { code, found, need, next }: ReadRefusal,
  before: { readonly base: string | null; readonly landed: number },
): Promise<string> {
  await told(world, pull, new RegExp(`\\b${code}\\b`));
  await world.settled();
  const reply = last(world, pull);
  for (const words of [found, need, next]) expect(reply).toMatch(words);
  expect({ base: await tip(world), landed: await landed(world) }).toEqual(before);
  expect((await world.state()).landings.filter((each) => each.pull === pull)).toEqual([]);
  return reply;
}

/** The App's tokens hold for longer than an hour: Octokit goes by no clock but the machine's. */
export function keepTokens({ sandbox }: AppWorld): void {
  const { tokens } = sandbox.world.state;
  for (const [at, token] of tokens.entries()) tokens[at] = { ...token, expiresAt: null };
}

/** By GitHub's clock and the App's, until the last answer says so. */
export async function timePasses(world: AppWorld, pull: number, words: RegExp): Promise<void> {
  const later = () => {
    world.clock.pass(120);
    expect(last(world, pull)).toMatch(words);
  };
  await vi.waitFor(later, { timeout: 60_000, interval: 100 });
}

const ACTIONS = 15368;

/** Other rules than those of `protect`, all of which the App may pass unless told; the check `test` stays required. */
export function ruledBy(
  world: AppWorld,
  rules: NewRuleset["rules"],
  { bypassed = true, checks = ["test"] }: { readonly bypassed?: boolean; readonly checks?: string[] } = {},
): void {
  world.repository.rulesets.splice(0);
  const required = checks.map((context) => ({ context, integration_id: ACTIONS }));
  const process =
    required.length === 0
      ? []
      : [{ type: "required_status_checks", parameters: { required_status_checks: required } }];
  world.sandbox.addRuleset(REPOSITORY, {
    name: "process",
    rules: [...process, ...rules],
    bypass: bypassed ? [{ type: "Integration", id: world.appId, mode: "always" }] : [],
  });
}

/** Somebody closes a pull request, or points it at another base branch. */
export async function changesPull(
  world: AppWorld,
  login: string,
  pull: number,
  change: Readonly<Record<string, string>>,
): Promise<void> {
  const answer = await fetch(`${world.sandbox.url}/repos/${REPOSITORY}/pulls/${pull}`, {
    method: "PATCH",
    headers: {
      authorization: `Bearer ${world.sandbox.tokenFor(login)}`,
      "content-type": "application/json",
    },
    body: JSON.stringify(change),
  });
  expect(answer.status).toBe(200);
  await world.settled();
}
