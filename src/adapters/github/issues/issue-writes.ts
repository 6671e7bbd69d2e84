import type { Octokit } from "../app-client.js";
import type { RepositoryAt } from "../repository-at.js";
import { unlessGone } from "../request-error.js";
import { adviseOnIssues } from "./issue-fault.js";

/** What koryph changes about an issue besides its comment. Each aims at a state, so it may be repeated. */
export class IssueWrites {
  readonly #octokit: Octokit;
  readonly #at: RepositoryAt;

  constructor(octokit: Octokit, at: RepositoryAt) {
    this.#octokit = octokit;
    this.#at = at;
  }

  /** False when there is no such issue. GitHub makes a label that the repository does not have. */
  async addLabel(issue: number, label: string): Promise<boolean> {
    const asked = { ...this.#at, issue_number: issue, labels: [label] };
    return (await this.#change(this.#octokit.rest.issues.addLabels(asked))) !== null;
  }

  /** One that is not there is no error. */
  async removeLabel(issue: number, label: string): Promise<void> {
    const asked = { ...this.#at, issue_number: issue, name: label };
    await this.#change(this.#octokit.rest.issues.removeLabel(asked));
  }

  async close(issue: number): Promise<void> {
    const asked = { ...this.#at, issue_number: issue, state: "closed", state_reason: "completed" } as const;
    await this.#change(this.#octokit.rest.issues.update(asked));
  }

  #change<T>(answer: Promise<T>): Promise<T | null> {
    return adviseOnIssues(unlessGone(answer), this.#at, "change");
  }
}
