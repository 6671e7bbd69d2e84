/** The commits of a pull request, here on this machine. */
export interface BroughtPull {
  readonly head: string;
  /** Where it branched off its base branch: what it changes counts from there. */
  readonly base: string;
  /** The base branch, and what it is at now. */
  readonly branch: string;
  readonly tip: string;
}

/** The change as git tells it. */
export interface PullChange {
  readonly stat: string;
  readonly diff: string;
}

/** Code of pull requests. Nothing of it is ever run. */
export interface PullSource {
  /** As the remote has it now. Throws a `UserError` when the remote cannot be reached or has no such pull request. */
  bring(pull: number, baseBranch: string): Promise<BroughtPull>;
  change(range: Pick<BroughtPull, "head" | "base">): Promise<PullChange>;
  /** Its files in a folder of their own, with agent settings as the base branch has them. */
  checkOut(pull: number, brought: BroughtPull): Promise<string>;
  /** Folder and commits go. */
  drop(pull: number): Promise<void>;
}
