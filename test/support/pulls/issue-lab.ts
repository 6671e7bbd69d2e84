import { expect } from "vitest";
import type { Issue } from "../../../src/sandbox/world/state.js";
import { type PullLab, pullLab, REPOSITORY } from "./pull-lab.js";

export const RELEASE_LABEL = "koryph:release";

export interface IssueLab extends PullLab {
  /** What somebody does through GitHub's API; the path is below the repository. */
  ask(who: string, method: string, path: string, body?: object): Promise<{ id: number; number: number }>;
  /** Opens an issue in the name of a stranger; the next number. */
  file(issue: object): Promise<number>;
  /** Maria, who may triage, releases issues. */
  release(...numbers: readonly number[]): Promise<void>;
  issue(number: number): Issue;
  /** The bodies of an issue's comments. */
  said(number: number): string[];
}

/** A project whose beads are the issues of its repository on a loopback GitHub, and whose work lands by itself. */
export async function issueLab(
  agents: Parameters<typeof pullLab>[0],
  config: object = {},
): Promise<IssueLab> {
  const world = await pullLab(agents, {}, { work_source: "github", merge_policy: "auto", ...config });
  const { sandbox, repository, pass } = world;
  sandbox.addUser("stranger");
  const ask: IssueLab["ask"] = async (who, method, path, body) => {
    const answer = await fetch(`${sandbox.url}/repos/${REPOSITORY}${path}`, {
      method,
      headers: { authorization: `Bearer ${sandbox.tokenFor(who)}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true);
    return (await answer.json()) as { id: number; number: number };
  };
  const issue = (number: number) => sandbox.world.issue(repository(), number);
  return {
    ...{ ...world, ask, issue },
    file: async (fields) => (await ask("stranger", "POST", "/issues", fields)).number,
    release: async (...numbers) => {
      pass(60);
      for (const number of numbers)
        await ask("maria", "POST", `/issues/${number}/labels`, { labels: [RELEASE_LABEL] });
      pass(60);
    },
    said: (number) => issue(number).comments.map(({ body }) => body),
  };
}
