import type { Octokit } from "../app-client.js";
import { repositoryAt } from "../repository-at.js";
import { IssueBeads } from "./issue-beads.js";
import { IssueList } from "./issue-list.js";
import { IssueRoles } from "./issue-roles.js";
import { IssueStatus } from "./issue-status.js";
import { IssueWrites } from "./issue-writes.js";

/** The issues of one repository. */
export interface GithubIssues {
  readonly list: IssueList;
  readonly beads: IssueBeads;
  readonly writes: IssueWrites;
  readonly status: IssueStatus;
}

export interface IssuesPlace {
  readonly octokit: Octokit;
  /** `owner/name`. */
  readonly repository: string;
  /** The label that releases an issue to agents. */
  readonly label: string;
  /** In whose name koryph takes its beads. */
  readonly claimant: string;
  /** A clock that is never set, in ms. */
  readonly now: () => number;
}

export function githubIssues({ octokit, repository, label, claimant, now }: IssuesPlace): GithubIssues {
  const at = repositoryAt(repository);
  const list = new IssueList(octokit, { repository, label });
  const roles = new IssueRoles(octokit, at, now);
  return {
    list,
    beads: new IssueBeads({ octokit, list, roles, repository, label, claimant }),
    writes: new IssueWrites(octokit, at),
    status: new IssueStatus(octokit, at, roles),
  };
}
