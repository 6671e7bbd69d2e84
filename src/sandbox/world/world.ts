import type { Faults } from "../http/faults.js";
import type { JsonObject } from "../http/json.js";
import type { Quota } from "../http/rate-limit.js";
import type { Delivery } from "./app-state.js";
import type { Move } from "./rules/move.js";
import type { Activity, Issue, Repository, RoleName, SandboxState, User } from "./state.js";
import type { Switches } from "./switches.js";

/** An event for the apps that listen to it. The world adds sender, repository and installation. */
export interface NewsItem {
  readonly event: string;
  readonly action: string | null;
  /** Null for what concerns no repository. */
  readonly repository: Repository | null;
  readonly sender: string;
  /** The event's own part of the payload. */
  readonly payload: JsonObject;
  /** The one app it is for, as with a check run's button; otherwise all that listen. */
  readonly onlyApp?: number;
  /** The one installation it is about. */
  readonly onlyInstallation?: number;
}

/** Who moves a ref: rules are bypassed by login, or by the app whose token is used. */
export interface Mover {
  readonly login: string;
  readonly app: number | null;
  /** Whether files below `.github/workflows` may change. */
  readonly workflows: boolean;
}

export interface WantedMove {
  /** In full: `refs/heads/main`. */
  readonly ref: string;
  /** Null: whatever it is now. All zeros: it must not exist. */
  readonly before: string | null;
  /** All zeros: it is deleted. */
  readonly after: string;
  readonly force?: boolean;
}

/** What operations work on: the state, and what they need to change it as GitHub would. */
export interface World {
  readonly state: SandboxState;
  /** What GitHub would not have taken, or would not have answered: a test fails when there is any. */
  readonly problems: string[];
  readonly faults: Faults;
  readonly switches: Switches;
  readonly quota: Quota;
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
  /** Tells somebody within the sandbox as well, at once. */
  heed(listener: (news: NewsItem) => void): void;
  /** Whether anybody would get it: spares the work of writing what nobody reads. */
  heard(event: string, repository: Repository): boolean;
  /** Queues one attempt more at what was delivered once. */
  redeliver(delivery: Delivery): void;
  /** Resolves when every queued webhook was sent and answered. */
  settled(): Promise<void>;
  /** Runs git in a repository; throws with what git said when it fails. */
  git(repository: Repository, args: readonly string[], input?: string): Promise<string>;
  /** The same, for what need not be text. */
  gitBytes(repository: Repository, args: readonly string[], input?: string): Promise<Buffer>;
  /** The commit that a branch, tag, full ref or hash names; null when there is none. */
  resolve(repository: Repository, name: string): Promise<string | null>;
  /**
   * Moves refs as a push by this login would: all or none, each only from its expected value, rules obeyed. Tells the
   * world about it, and settles the pulls. Empty when it was done, otherwise what GitHub would complain of.
   */
  moveRefs(repository: Repository, mover: Mover, moves: readonly WantedMove[]): Promise<readonly string[]>;
  /** Nobody else moves refs of this repository, or of those it shares pulls with, meanwhile. */
  inTurn<T>(repository: Repository, act: () => Promise<T>): Promise<T>;
  /** After refs have moved, in the same turn. */
  afterMoves(
    repository: Repository,
    login: string,
    moves: readonly Move[],
    kind?: Activity["kind"],
  ): Promise<void>;
  /** Looks at the branches of all open pulls: a moved head, or one that became reachable from its base, changes them. */
  settlePulls(repository: Repository, pusher: string): Promise<void>;
}
