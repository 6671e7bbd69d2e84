import type { Role } from "../../../core/commands/roles.js";
import type { Octokit } from "../app-client.js";
import { askRole } from "../ask-role.js";
import type { RepositoryAt } from "../repository-at.js";
import { adviseOnIssues } from "./issue-fault.js";

/** What somebody may do "now" may be so many seconds old. */
const FRESH_MS = 60_000;

/** What people may do in the repository, asked for once a minute. */
export class IssueRoles {
  readonly #octokit: Octokit;
  readonly #at: RepositoryAt;
  readonly #now: () => number;
  readonly #known = new Map<string, { readonly role: Promise<Role>; readonly at: number }>();

  constructor(octokit: Octokit, at: RepositoryAt, now: () => number) {
    this.#octokit = octokit;
    this.#at = at;
    this.#now = now;
  }

  async of(logins: readonly string[]): Promise<Map<string, Role>> {
    const asked = logins.map(async (login) => [login, await this.role(login)] as const);
    return new Map(await Promise.all(asked));
  }

  role(login: string): Promise<Role> {
    const known = this.#known.get(login);
    if (known !== undefined && this.#now() - known.at < FRESH_MS) return known.role;
    const role = adviseOnIssues(askRole(this.#octokit, this.#at, login), this.#at, "judge");
    this.#known.set(login, { role, at: this.#now() });
    // What could not be asked is asked again.
    role.catch(() => this.#known.delete(login));
    return role;
  }
}
