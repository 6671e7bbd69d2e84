import { cutComment } from "../../../core/replies/app/github.js";
import { statusMarker } from "../../../core/replies/land/pull/status-comment.js";
import type { Octokit } from "../app-client.js";
import { findStatus } from "../find-status.js";
import type { RepositoryAt } from "../repository-at.js";
import { statusOf, unlessClosed, unlessGone } from "../request-error.js";
import type { IssueRoles } from "./issue-roles.js";

interface Shown {
  /** Null where none is to be had: it was deleted, or belongs to somebody whose comments we may not change. */
  readonly id: number | null;
  readonly body: string;
}

/**
 * The one comment on an issue that says how its bead stands. The App and the engine write it with different accounts, so
 * each looks for the other's: whoever comes second edits it.
 */
export class IssueStatus {
  readonly #octokit: Octokit;
  readonly #at: RepositoryAt;
  readonly #roles: IssueRoles;
  readonly #shown = new Map<number, Shown>();
  /** Issues on which one was begun: GitHub may have taken it without saying so. */
  readonly #begun = new Set<number>();

  constructor(octokit: Octokit, at: RepositoryAt, roles: IssueRoles) {
    this.#octokit = octokit;
    this.#at = at;
    this.#roles = roles;
  }

  /** The comment has this text afterwards, below its marker. Somebody who deleted it wants no other. */
  async show(issue: number, text: string, mayHaveOne: boolean): Promise<void> {
    const marker = statusMarker(issue);
    const body = cutComment(text.startsWith(marker) ? text : `${marker}\n${text}`);
    const before = this.#shown.get(issue);
    if (before?.body === body || before?.id === null) return;
    const isNew = !mayHaveOne && !this.#begun.has(issue);
    const found = before ?? (isNew ? null : await this.#find(issue));
    if (found?.body === body) this.#shown.set(issue, found);
    else await this.#write(issue, body, found?.id ?? null);
  }

  #find(thread: number): Promise<Shown | null> {
    return findStatus(this.#octokit, this.#at, { thread, roleOf: (login) => this.#roles.role(login) });
  }

  async #write(issue: number, body: string, comment: number | null): Promise<void> {
    const { createComment, updateComment } = this.#octokit.rest.issues;
    if (comment === null) {
      this.#begun.add(issue);
      const said = await unlessGone(unlessClosed(createComment({ ...this.#at, issue_number: issue, body })));
      this.#shown.set(issue, { id: said === null ? null : said.data.id, body });
      return;
    }
    const edited = await unlessForbidden(
      unlessGone(updateComment({ ...this.#at, comment_id: comment, body })),
    );
    this.#shown.set(issue, { id: edited === null ? null : comment, body });
  }
}

async function unlessForbidden<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (statusOf(error) === 403) return null;
    throw error;
  }
}
