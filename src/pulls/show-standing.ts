import type { PullStanding } from "../core/control/pull-standing.js";
import { landingCheck } from "../core/replies/land/pull/landing-check.js";
import { statusComment, statusMarker } from "../core/replies/land/pull/status-comment.js";
import type { KeptChecks } from "../ports/check-runs.js";
import type { CommentMemory } from "../ports/comment-memory.js";
import type { Threads } from "../ports/threads.js";

export interface ShowParts {
  readonly checks: KeptChecks;
  readonly threads: Pick<Threads, "say" | "edit" | "findOwn">;
  readonly memory: Pick<CommentMemory, "decide" | "decided">;
  /** SHA-256, in hexadecimal digits. */
  readonly digest: (text: string) => string;
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
  /** The same for an id of null: the thread takes no comment. */
  readonly comment?: { readonly id: number | null; readonly told: string; readonly deleted: boolean };
}

/** Before there was any pull request. */
const EVER = "2000-01-01T00:00:00Z";

/** A place among decisions that no command has. */
const SHOWN_PLACE = 0;

/** How the pull request stands is to be seen on it afterwards. What is to be seen already costs no request. */
export async function showStanding(parts: ShowParts, at: ShownPlace, standing: PullStanding): Promise<void> {
  const key = shownKey(at.repository, standing.pull);
  const before = await shownBefore(parts.memory, key);
  // What was over before koryph had to do with it is nothing to tell of.
  if (before === null && (standing.phase.kind === "merged" || standing.phase.kind === "closed")) return;
  const check = await showCheck(parts, at, { standing, before: before?.check });
  const comment = await showComment(parts, at, { standing, before: before?.comment });
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

/** One comment, edited in place. Somebody who deleted it wants no other. */
async function showComment(
  { threads, digest }: ShowParts,
  { url }: ShownPlace,
  { standing, before }: { readonly standing: PullStanding; readonly before: Shown["comment"] },
): Promise<NonNullable<Shown["comment"]>> {
  const { pull } = standing;
  const body = statusComment(standing, url);
  const told = digest(body);
  if (before !== undefined && (before.told === told || before.deleted)) return before;
  const known = before?.id ?? (await threads.findOwn(pull, EVER, statusMarker(pull)));
  if (known !== null && (await threads.edit(known, body)) === "edited")
    return { id: known, told, deleted: false };
  if (known !== null && before !== undefined) return { id: known, told, deleted: true };
  return { id: await threads.say(pull, body), told, deleted: false };
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
