import type { PullStanding } from "../core/control/pull-standing.js";
import type { KeptComment } from "../core/model/kept-comment.js";
import { landingCheck } from "../core/replies/land/pull/landing-check.js";
import { statusComment } from "../core/replies/land/pull/status-comment.js";
import { makeTurns } from "../lib/async/turns.js";
import type { KeptChecks } from "../ports/check-runs.js";
import type { CommentMemory } from "../ports/comment-memory.js";
import { type KeepCommentParts, keepComment } from "./keep-comment.js";

export interface ShowParts extends KeepCommentParts {
  readonly checks: KeptChecks;
  readonly memory: Pick<CommentMemory, "decide" | "decided">;
  readonly now: () => number;
}

export interface ShownPlace {
  readonly repository: number;
  /** Of the repository on GitHub. */
  readonly url: string;
}

/** What was shown of a pull request last. It saves requests: what is lost of it is looked for on GitHub. */
interface Shown {
  /** An id of null: none may be written, and nobody tries again before there is something new. */
  readonly check?: { readonly head: string; readonly id: number | null; readonly told: string };
  readonly comment?: KeptComment;
}

/** A place among decisions that no command has. */
const SHOWN_PLACE = 0;

/** A landing shows how it stands itself, and a look at the same pull request may end at the same moment. */
const inTurn = makeTurns();

/** How the pull request stands is to be seen on it afterwards. What is to be seen already costs no request. */
export async function showStanding(parts: ShowParts, at: ShownPlace, standing: PullStanding): Promise<void> {
  const key = shownKey(at.repository, standing.pull);
  await inTurn(key, () => showNow(parts, at, { standing, key }));
}

async function showNow(
  parts: ShowParts,
  at: ShownPlace,
  { standing, key }: { readonly standing: PullStanding; readonly key: string },
): Promise<void> {
  const before = await shownBefore(parts.memory, key);
  // What was over before koryph had to do with it is nothing to tell of.
  if (before === null && (standing.phase.kind === "merged" || standing.phase.kind === "closed")) return;
  const check = await showCheck(parts, at, { standing, before: before?.check });
  const told = { thread: standing.pull, body: statusComment(standing, at.url) };
  const comment = await keepComment(parts, told, before?.comment);
  if (check === before?.check && comment === before?.comment) return;
  const shown: Shown = { check, comment };
  await parts.memory.decide(key, SHOWN_PLACE, JSON.stringify(shown), parts.now());
  const { head, pull } = standing;
  await parts.memory.decide(headKey(at.repository, head), SHOWN_PLACE, `${pull}`, parts.now());
}

/** Whether something of a pull request was shown before. */
export async function isShown(
  memory: ShowParts["memory"],
  repository: number,
  pull: number,
): Promise<boolean> {
  return (await shownBefore(memory, shownKey(repository, pull))) !== null;
}

/** The pull request that was last shown with this head; null when none was. */
export async function shownWith(
  memory: ShowParts["memory"],
  repository: number,
  head: string,
): Promise<number | null> {
  const found = await memory.decided(headKey(repository, head), SHOWN_PLACE);
  return found === null ? null : Number(found);
}

async function showCheck(
  { checks, digest }: ShowParts,
  { url }: ShownPlace,
  { standing, before }: { readonly standing: PullStanding; readonly before: Shown["check"] },
): Promise<NonNullable<Shown["check"]>> {
  const check = { ...landingCheck(standing, url), detailsUrl: `${url}/pull/${standing.pull}` };
  const told = digest(JSON.stringify(check));
  if (before?.told === told) return before;
  const id = await checks.keep(check, before?.head === check.head ? before.id : null);
  return { head: check.head, id, told };
}

async function shownBefore(memory: ShowParts["memory"], key: string): Promise<Shown | null> {
  const found = await memory.decided(key, SHOWN_PLACE);
  return found === null ? null : (JSON.parse(found) as Shown);
}

function shownKey(repository: number, pull: number): string {
  return `shown ${repository} ${pull}`;
}

function headKey(repository: number, head: string): string {
  return `shown ${repository} ${head}`;
}
