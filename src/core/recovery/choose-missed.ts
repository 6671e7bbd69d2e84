import type { CommentJob } from "../model/comment-job.js";
import { isOwed, type SweepFacts, type SweptText } from "./choose-swept.js";

/** A comment on any thread of a repository. */
export interface RecentComment extends SweptText {
  readonly thread: CommentJob["thread"];
  readonly viaApp: number | null;
}

/** Comments on any thread that a workflow run should have answered, as `chooseSwept` chooses those on pull requests. */
export function chooseMissed(
  comments: readonly RecentComment[],
  { repositoryId, ...facts }: SweepFacts & { readonly repositoryId: number },
): readonly CommentJob[] {
  return comments
    .filter((comment) => isOwed(comment, facts))
    .map(({ kind, id, url, createdAt, body, thread, author, viaApp }) => ({
      repository: { fullName: facts.repository, id: repositoryId },
      installation: facts.installation,
      ...{ thread, author, viaApp },
      comment: { kind, id, url, createdAt, body },
    }));
}
