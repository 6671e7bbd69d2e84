import type { CommentJob } from "../model/comment-job.js";
import { DELIVERIES_KEPT_MS } from "./choose-redeliveries.js";

export interface SweptText {
  readonly kind: "comment" | "review";
  readonly id: number;
  readonly url: string;
  readonly createdAt: string;
  readonly body: string;
  readonly edited: boolean;
  /** `type` as GitHub names it: `User`, `Bot` and others. */
  readonly author: { readonly login: string; readonly id: number; readonly type: string };
}

export interface SweptPull {
  /** The repository's id, which stays when its name changes. */
  readonly repositoryId: number;
  readonly number: number;
  /** The branch it wants to bring in. */
  readonly branch: string;
  readonly texts: readonly SweptText[];
}

export interface SweepFacts {
  readonly repository: string;
  readonly installation: number;
  readonly now: number;
  /** When this App began to remember what it has handled: of older comments it cannot know. */
  readonly bornAt: number;
}

/** Branches of the engine's own pull requests. */
const ENGINE_BRANCHES = "agent/";

/**
 * Comments that a webhook should have told of. Whether one did, and whether there is a command in it, is for the caller
 * to find out, who begins with what costs less. An edited one is left alone: nobody can tell what it said when it was
 * written.
 */
export function chooseSwept(pulls: readonly SweptPull[], facts: SweepFacts): readonly CommentJob[] {
  return pulls
    .filter(({ branch }) => branch.startsWith(ENGINE_BRANCHES))
    .flatMap((pull) =>
      pull.texts.filter((text) => isOwed(text, facts)).map((text) => commentJob(pull, text, facts)),
    );
}

/** How far back a sweep looks. GitHub writes whole seconds, so what came within the same second came after. */
export function sweepBegins({ now, bornAt }: Pick<SweepFacts, "now" | "bornAt">): number {
  return Math.floor(Math.max(bornAt, now - DELIVERIES_KEPT_MS) / 1000) * 1000;
}

export function isOwed(
  { edited, author, createdAt }: SweptText,
  facts: Pick<SweepFacts, "now" | "bornAt">,
): boolean {
  return !edited && author.type === "User" && Date.parse(createdAt) >= sweepBegins(facts);
}

function commentJob(pull: SweptPull, text: SweptText, facts: SweepFacts): CommentJob {
  const { kind, id, url, createdAt, body, author } = text;
  return {
    repository: { fullName: facts.repository, id: pull.repositoryId },
    installation: facts.installation,
    thread: { number: pull.number, kind: "pull" },
    comment: { kind, id, url, createdAt, body },
    author: { login: author.login, id: author.id, type: author.type },
    // Not asked for here, as it takes a request for each: whoever takes the job up has to.
    viaApp: null,
  };
}
