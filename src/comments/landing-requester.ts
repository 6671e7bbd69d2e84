import { readCommands } from "../core/commands/read-commands.js";
import { includesRole } from "../core/commands/roles.js";
import { VERBS } from "../core/commands/verbs.js";
import { bindHead } from "../core/land/pull/bind-head.js";
import { type CommentJob, commentKey } from "../core/model/comment-job.js";
import type { Evidence } from "../core/run/ledger/evidence.js";
import type { LedgerEvent } from "../core/run/ledger/ledger-event.js";
import { ulid } from "../lib/ulid.js";
import type { PullRecord } from "../ports/pull-record.js";
import type { PullFacts, Pulls } from "../ports/pulls.js";
import type { Threads } from "../ports/threads.js";
import { isTheirs, readSource } from "../pulls/approvals/check-evidence.js";
import { hex } from "./signed-event.js";

export interface RequesterParts {
  readonly threads: Pick<Threads, "read" | "role">;
  readonly pulls: Pick<Pulls, "read">;
  readonly record: Pick<PullRecord, "activity">;
  /** The project's own. */
  readonly method: "ff" | "squash";
  /** SHA-256. */
  readonly digest: (text: string) => Uint8Array;
}

export interface ProvenRequester {
  readonly id: number;
  readonly login: string;
  readonly evidence: Evidence;
}

/** More commands than one comment may have. */
const MOST_PLACES = 10;

/**
 * Whoever asked for a landing by a comment, as GitHub shows it now; null where nothing there proves it. Everybody who can
 * push can write a request into the ledger, in anybody's name: it counts only as the very event that this comment makes,
 * and for a head that was there when the comment was written.
 */
export async function landingRequester(
  parts: RequesterParts,
  repository: string,
  event: LedgerEvent,
): Promise<ProvenRequester | null> {
  const { evidence } = event;
  if (event.type !== "pull.landing" || evidence === undefined) return null;
  const { pull: number, head, method } = event.data;
  const source = readSource(evidence.source);
  if (source === null) return null;
  const writing = await parts.threads.read({ ...source, thread: { repository, number, kind: "pull" } });
  if (writing === null || writing.viaApp !== null || !isTheirs(writing.author, evidence)) return null;
  if (hex(parts.digest(writing.body)) !== evidence.body_sha256) return null;
  // A comment of another thread would have the same author.
  if (!writing.url.includes(`/${number}#`)) return null;
  if (!isMadeBy(event.id, source, { createdAt: writing.createdAt, digest: parts.digest })) return null;
  // Somebody else can have put the command there.
  if (await writing.edited()) return null;
  const pull = await parts.pulls.read(number);
  if (pull === null || !(await asksFor(parts, pull, { ...writing, head, method }))) return null;
  const { login, id } = writing.author;
  return includesRole(await parts.threads.role(login), VERBS.land.needs) ? { id, login, evidence } : null;
}

/** Whether one of the comment's commands makes an event of this name. */
function isMadeBy(
  id: string,
  source: { readonly kind: CommentJob["comment"]["kind"]; readonly id: number },
  { createdAt, digest }: { readonly createdAt: string; readonly digest: RequesterParts["digest"] },
): boolean {
  const at = Date.parse(createdAt);
  return Array.from({ length: MOST_PLACES }, (_, place) => `${commentKey(source)} ${place}`).some(
    (name) => ulid(Number.isNaN(at) ? 0 : at, digest(name)) === id,
  );
}

interface Asked {
  readonly body: string;
  readonly createdAt: string;
  readonly head: string;
  readonly method: "ff" | "squash";
}

/** Whether a comment asks for the landing of this head by this method; the head was there when it was written. */
export async function asksFor(
  { record, method: usual }: Pick<RequesterParts, "record" | "method">,
  pull: PullFacts,
  { body, createdAt, head, method }: Asked,
): Promise<boolean> {
  const wishes = readCommands(body)
    .lines.flatMap((line) =>
      line.kind === "command" && line.command.verb === "land" && !line.command.dryRun && !line.command.cancel
        ? [line.command]
        : [],
    )
    .filter((wish) => (wish.method ?? usual) === method);
  if (wishes.length === 0) return false;
  const activity = wishes.some(({ sha }) => sha === null) ? await record.activity(pull) : null;
  return wishes.some(({ sha }) => bindHead({ head, sha, writtenAt: createdAt, activity }).kind === "bound");
}
