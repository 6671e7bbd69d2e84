import { expect } from "vitest";
import type { Sandbox } from "../../../src/sandbox/sandbox.js";
import type { Issue, Repository } from "../../../src/sandbox/world/state.js";

export const RELEASE_LABEL = "koryph:release";

/** What people do with issues of a repository on a loopback GitHub. */
export interface IssueDesk {
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

interface Place {
  readonly sandbox: Sandbox;
  /** `owner/name`. */
  readonly name: string;
  repository(): Repository;
  /** So much later, for GitHub. */
  pass(seconds: number): void;
}

export function issueDesk({ sandbox, name, repository, pass }: Place): IssueDesk {
  sandbox.addUser("stranger");
  const ask: IssueDesk["ask"] = async (who, method, path, body) => {
    const answer = await fetch(`${sandbox.url}/repos/${name}${path}`, {
      method,
      headers: { authorization: `Bearer ${sandbox.tokenFor(who)}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true);
    return (await answer.json()) as { id: number; number: number };
  };
  const issue = (number: number) => sandbox.world.issue(repository(), number);
  return {
    ...{ ask, issue },
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
