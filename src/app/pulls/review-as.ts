import { approveAs } from "../../adapters/github/pulls/approve-as.js";
import { tokenClient } from "../../adapters/github/token-client.js";
import type { PullVerbParts } from "../../comments/pull-verbs.js";
import { pullReplies } from "../../core/replies/land/pull/pull-replies.js";
import { type LinkedTokenParts, linkedToken } from "../link/linked-token.js";

/** Gives an approving review in the name of whoever linked their account; the App never gives one in its own. */
export function reviewAs(parts: LinkedTokenParts & { readonly apiUrl: string }): PullVerbParts["reviewAs"] {
  return async ({ repository, author, comment }, { pull, head }) => {
    const token = await linkedToken(parts, author.id);
    if (token === null) return false;
    return approveAs(await tokenClient({ apiUrl: parts.apiUrl, token }), {
      repository: repository.fullName,
      ...{ pull, head, user: author.id, body: pullReplies.reviewBody(comment.url) },
    });
  };
}
