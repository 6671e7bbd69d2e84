import type { JsonObject } from "./json.js";
import type { Issue, Repository, RoleName, SandboxState, User } from "./state.js";

/** An event for the apps that listen to it. The world adds sender, repository and installation. */
export interface NewsItem {
  readonly event: string;
  readonly action: string | null;
  /** Null for what concerns no repository. */
  readonly repository: Repository | null;
  readonly sender: string;
  /** The event's own part of the payload. */
  readonly payload: JsonObject;
}

/** What operations work on: the state, and what they need to change it as GitHub would. */
export interface World {
  readonly state: SandboxState;
  /** `http://127.0.0.1:<port>`, without a slash: API, pages and git are all below it. */
  readonly url: string;
  readonly now: () => number;
  /** The present time as GitHub writes it: no fractions of a second. */
  timestamp(): string;
  newId(): number;
  /** By `owner/name`, whatever the case; null when there is none. */
  repository(fullName: string): Repository | null;
  /** Null for a login that is nobody's. */
  user(login: string): User | null;
  /** The issue or pull; throws the 404 of GitHub when there is none. */
  issue(repository: Repository, number: number | string): Issue;
  /** Roles of people on a repository, `none` included. */
  role(repository: Repository, login: string): RoleName;
  /** Queues a webhook for every app that is installed there and listens. */
  tell(news: NewsItem): void;
  /** Runs git in a repository; throws with what git said when it fails. */
  git(repository: Repository, args: readonly string[], input?: string): Promise<string>;
  /** Looks at the branches of all open pulls: a moved head, or one that became reachable from its base, changes them. */
  settlePulls(repository: Repository, pusher: string): Promise<void>;
}
