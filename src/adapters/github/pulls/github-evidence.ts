import type { Role } from "../../../core/commands/roles.js";
import type { CommentRef } from "../../../core/model/thread.js";
import type { Threads, Writing } from "../../../ports/threads.js";
import type { Octokit } from "../app-client.js";
import { askRole } from "../ask-role.js";
import type { RepositoryAt } from "../repository-at.js";
import { readWriting } from "../writing.js";

/** What people said in one repository and may do there, with whichever token the client has. */
export class GithubEvidence implements Pick<Threads, "read" | "role"> {
  readonly #octokit: Octokit;
  readonly #at: RepositoryAt;

  /** `repository` is `owner/name`. */
  constructor(octokit: Octokit, repository: string) {
    this.#octokit = octokit;
    const [owner = "", repo = ""] = repository.split("/");
    this.#at = { owner, repo };
  }

  read(comment: CommentRef): Promise<Writing | null> {
    return readWriting(this.#octokit, this.#at, comment);
  }

  role(login: string): Promise<Role> {
    return askRole(this.#octokit, this.#at, login);
  }
}
