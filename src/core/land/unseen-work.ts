/** What the operator's checkout of the default branch has and agents and the gate do not get. */
export interface UnseenWork {
  readonly branch: string;
  /** The remote that agents start from; null where they start from the operator's own repository. */
  readonly remote: string | null;
  /** How many commits the remote does not have. */
  readonly ahead: number;
  /** Files with changes that are in no commit. */
  readonly uncommitted: readonly string[];
}
