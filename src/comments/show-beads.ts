import { answerWhy } from "../core/control/answer-question.js";
import {
  type Followed,
  FollowedBeads,
  hasStanding,
  isDue,
  stillFollowed,
} from "../core/control/followed-beads.js";
import { beadOfIssue } from "../core/model/bead.js";
import { beadStatus } from "../core/replies/control/bead-status.js";
import type { LedgerState } from "../core/run/ledger/ledger-state.js";
import { makeTurns } from "../lib/async/turns.js";
import type { CommentMemory } from "../ports/comment-memory.js";
import { type KeepCommentParts, keepComment } from "../pulls/keep-comment.js";

export interface ShowBeadsParts {
  readonly memory: Pick<CommentMemory, "decide" | "decided">;
  readonly now: () => number;
}

/** Where the beads of one repository are shown. */
interface BeadsPlace extends KeepCommentParts {
  /** The repository's number. */
  readonly repository: number;
  /** What goes wrong with one issue is not the others'. */
  readonly onTrouble: (bead: string, error: unknown) => void;
}

/** A place among decisions that no command has. */
const FOLLOWED_PLACE = 0;

/** Keeps one comment up to date on each issue on which somebody has used koryph: how its bead stands. */
export class ShowBeads {
  readonly #parts: ShowBeadsParts;
  readonly #turn = makeTurns();

  constructor(parts: ShowBeadsParts) {
    this.#parts = parts;
  }

  /** Somebody has used koryph there: how its bead stands is shown from now on. */
  async follow(repository: number, issue: number): Promise<void> {
    const at = this.#parts.now();
    await this.#change(repository, (issues) => ({ ...issues, [issue]: { ...issues[issue], at } }));
  }

  /** How the beads stand is to be seen on their issues afterwards. What is to be seen already costs no request. */
  show(place: BeadsPlace, state: LedgerState): Promise<void> {
    const { repository } = place;
    // Two who look at once would both write the first comment.
    return this.#turn(`show ${repository}`, async () => {
      const shown: Record<string, Followed> = {};
      for (const [issue, before] of Object.entries((await this.#followed(repository)).issues)) {
        const after = await this.#shown(place, state, [Number(issue), before]);
        if (after !== before) shown[issue] = after;
      }
      await this.#change(repository, (issues) =>
        stillFollowed({ ...issues, ...shown }, state, this.#parts.now()),
      );
    });
  }

  async #shown(
    { onTrouble, ...place }: BeadsPlace,
    state: LedgerState,
    [issue, followed]: readonly [number, Followed],
  ): Promise<Followed> {
    if (!hasStanding(state, issue, followed)) return followed;
    const bead = beadOfIssue(issue);
    const at = this.#parts.now();
    const body = beadStatus(issue, answerWhy(bead, { state, now: at, own: bead }));
    try {
      const comment = await keepComment(place, { thread: issue, body }, followed.comment);
      return comment === followed.comment ? followed : { at, comment };
    } catch (error) {
      onTrouble(bead, error);
      return followed;
    }
  }

  async #followed(repository: number): Promise<FollowedBeads> {
    const found = await this.#parts.memory.decided(followedKey(repository), FOLLOWED_PLACE);
    return found === null ? { kept: 0, issues: {} } : FollowedBeads.parse(JSON.parse(found));
  }

  /** People may use koryph on another issue while GitHub is written to, and wait for nothing. */
  #change(
    repository: number,
    change: (issues: FollowedBeads["issues"]) => FollowedBeads["issues"],
  ): Promise<void> {
    const { memory, now } = this.#parts;
    return this.#turn(`change ${repository}`, async () => {
      const before = await this.#followed(repository);
      const after: FollowedBeads = { kept: now(), issues: change(before.issues) };
      if (isDue(before, after))
        await memory.decide(followedKey(repository), FOLLOWED_PLACE, JSON.stringify(after), after.kept);
    });
  }
}

function followedKey(repository: number): string {
  return `beads ${repository}`;
}
