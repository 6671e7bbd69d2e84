import { githubIssues } from "../../../src/adapters/github/issues/github-issues.js";
import { tokenClient } from "../../../src/adapters/github/token-client.js";
import { GithubSource } from "../../../src/adapters/work/github-source.js";
import type { Issue } from "../../../src/sandbox/world/state.js";
import type { PeopleLab } from "./sandbox-people.js";

export const RELEASE = "koryph:release";
export const CLAIMANT = "koryph shop";

export interface IssueStories {
  readonly source: GithubSource;
  /** Another engine's: it remembers nothing of the first one's. */
  readonly other: () => GithubSource;
  /** The same with somebody else's token, and on another repository if told. */
  as(login: string, repository?: string): Promise<GithubSource>;
  /** So many seconds later, for koryph and for GitHub. */
  pass(seconds: number): void;
  /** Opens an issue, and has bob release it a minute later unless told; its number. */
  file(issue: object, release?: { readonly by: string | null }): Promise<number>;
  issue(number: number): Issue;
  /** Bodies of its comments. */
  said(number: number): string[];
  /** Names of the requests that koryph has made since it was last asked. */
  asked(): string[];
}

/** The issues of a fresh repository, read over HTTP with alice's token, who may write. */
export async function issueStories(lab: PeopleLab): Promise<IssueStories> {
  const clock = { ms: 1_000_000 };
  const now = () => clock.ms;
  const octokit = await tokenClient({ apiUrl: lab.sandbox.url, token: lab.tokenOf("alice") });
  const place = { octokit, repository: lab.repo, label: RELEASE, claimant: CLAIMANT, now };
  const other = () => new GithubSource(async () => githubIssues(place), now);
  const as: IssueStories["as"] = async (login, repository = lab.repo) => {
    const theirs = await tokenClient({ apiUrl: lab.sandbox.url, token: lab.tokenOf(login) });
    return new GithubSource(async () => githubIssues({ ...place, octokit: theirs, repository }), now);
  };
  const pass = (seconds: number) => {
    clock.ms += seconds * 1_000;
    lab.clock.now += seconds * 1_000;
  };
  const issue = (number: number): Issue => {
    const repository = lab.sandbox.world.repository(lab.repo);
    if (repository === null) throw new Error("the repository is gone");
    return lab.sandbox.world.issue(repository, number);
  };
  let seen = lab.sandbox.requests.length;
  return {
    ...{ source: other(), other, as, pass, issue },
    said: (number) => issue(number).comments.map(({ body }) => body),
    file: async (fields, { by } = { by: "bob" }) => {
      const { body } = await lab.ask("mallory", "POST", "/issues", { title: "Work", ...fields });
      pass(60);
      if (by !== null) await lab.ask(by, "POST", `/issues/${body.number}/labels`, { labels: [RELEASE] });
      pass(60);
      seen = lab.sandbox.requests.length;
      return body.number;
    },
    asked: () => {
      const fresh = lab.sandbox.requests.slice(seen).map(({ operation, status }) => `${operation} ${status}`);
      seen = lab.sandbox.requests.length;
      return fresh;
    },
  };
}
