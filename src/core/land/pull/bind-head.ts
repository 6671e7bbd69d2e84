/** Something that happened to a branch, as GitHub's own record of the repository tells it. */
export interface BranchActivity {
  /** Where the branch was afterwards. */
  readonly after: string;
  readonly at: string;
  readonly actor: { readonly id: number; readonly login: string } | null;
}

/** Which commit a person means. */
export interface HeadFacts {
  /** The pull request's head now. */
  readonly head: string;
  /** What the person wrote: the first 12 to 40 digits; null when nothing. */
  readonly sha: string | null;
  /** When they wrote it. */
  readonly writtenAt: string;
  /** Newest first; null when nobody tells, as of a private fork. */
  readonly activity: readonly BranchActivity[] | null;
}

export type BoundHead =
  | { readonly kind: "bound"; readonly head: string }
  | { readonly kind: "sha_mismatch"; readonly asked: string }
  /** Nothing shows that the head was there when they wrote. */
  | { readonly kind: "head_moved" };

/**
 * The head that somebody's words are about. A SHA names it. Without one it is the present head, and only if it was
 * pushed before the words were written: commits' own dates say whatever their author wants.
 */
export function bindHead({ head, sha, writtenAt, activity }: HeadFacts): BoundHead {
  if (sha !== null)
    return head.startsWith(sha.toLowerCase())
      ? { kind: "bound", head }
      : { kind: "sha_mismatch", asked: sha };
  return wasThere(head, writtenAt, activity) ? { kind: "bound", head } : { kind: "head_moved" };
}

/** Whether the branch was at this commit when something was written. GitHub's times are whole seconds: equal is not before. */
export function wasThere(
  head: string,
  writtenAt: string,
  activity: readonly BranchActivity[] | null,
): boolean {
  const written = Math.floor(Date.parse(writtenAt) / 1000);
  const before = (activity ?? []).filter(({ at }) => Math.floor(Date.parse(at) / 1000) < written);
  return before[0]?.after === head;
}
