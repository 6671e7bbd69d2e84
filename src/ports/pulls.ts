import type { NoGithub } from "../core/config/github-remote.js";

/** A pull request as GitHub shows it now. */
export interface PullFacts {
  readonly number: number;
  readonly url: string;
  readonly title: string;
  readonly body: string;
  readonly author: { readonly login: string; readonly id: number; readonly isBot: boolean };
  readonly state: "open" | "closed";
  readonly draft: boolean;
  /** The commit that brought it in, where GitHub counts it as merged; else null. */
  readonly merged: { readonly commit: string | null; readonly by: string | null } | null;
  readonly head: {
    readonly branch: string;
    readonly sha: string;
    /** Of a repository other than this one, or of one that is gone. */
    readonly fork: boolean;
    /** `owner/name` of the repository that has the branch; null when it is gone. */
    readonly repository: string | null;
  };
  readonly base: { readonly branch: string; readonly sha: string };
  readonly updatedAt: string;
}

export interface WantedPull {
  /** A branch of this very repository. */
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
}

export type OpenedPull =
  | { readonly kind: "open"; readonly pull: PullFacts }
  /** GitHub will have none of it: `why` is its own word. */
  | { readonly kind: "refused"; readonly why: string };

/** The pull requests of one repository. Every verb that changes something aims at a state, so it may be repeated. */
export interface Pulls {
  /** Null when there is no such pull request. */
  read(pull: number): Promise<PullFacts | null>;
  /** Those that are open, newest first. */
  listOpen(): Promise<readonly PullFacts[]>;
  /** The newest one that came from the branch of this very repository, open or not; null when there never was one. */
  findByBranch(branch: string): Promise<PullFacts | null>;
  /** One is open for the branch afterwards, with this title and text: the one there is, or a new one. */
  open(pull: WantedPull): Promise<OpenedPull>;
  /** Whether a branch has a commit. */
  isOn(branch: string, commit: string): Promise<boolean>;
  /** Closed without landing; what is closed already stays as it is. */
  close(pull: number): Promise<void>;
  /** The branch is gone afterwards, unless it is at another commit by now: then somebody goes on with it. */
  deleteBranch(branch: string, head: string): Promise<"gone" | "moved">;
}

/** The operator's way to the pull requests of a project, or why there is none. */
export type PullsAccess =
  | { readonly kind: "pulls"; readonly pulls: Pulls }
  | NoGithub
  | { readonly kind: "no_token"; readonly host: string };
