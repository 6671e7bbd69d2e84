/** A comment that held commands, for the caps on how often somebody may send them. */
export interface Use {
  /** Names the comment for good: `comment 123`. One that is handled twice counts once. */
  readonly comment: string;
  /** `owner/name`. */
  readonly repository: string;
  readonly user: string;
  readonly thread: number;
  readonly at: number;
  /** For lack of the right to. */
  readonly refused: boolean;
}

/** What has to be known of earlier conversations. A write is durable when it returns. */
export interface CommentMemory {
  /** Everything the comment asked for was done and answered. */
  handled(comment: string): Promise<boolean>;
  markHandled(comment: string, now: number): Promise<void>;
  /**
   * What was decided about the comment's command of that place, before it was carried out; null when nothing was.
   * Whoever takes it up after a crash goes by it: things look different once a command has been carried out.
   */
  decided(comment: string, place: number): Promise<string | null>;
  decide(comment: string, place: number, decision: string, now: number): Promise<void>;
  /** Null when no reply was ever begun; an id of null when one was, and whether it reached GitHub is not known. */
  replyOf(comment: string): Promise<{ readonly id: number | null } | null>;
  intendReply(comment: string, now: number): Promise<void>;
  setReply(comment: string, id: number, now: number): Promise<void>;
  use(use: Use): Promise<void>;
  /** What the user did anywhere in the repository, and what anybody did on the thread, oldest first. */
  uses(repository: string, user: string, thread: number, since: number): Promise<readonly Use[]>;
}
