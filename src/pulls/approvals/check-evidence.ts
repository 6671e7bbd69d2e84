import { readCommands } from "../../core/commands/read-commands.js";
import { includesRole } from "../../core/commands/roles.js";
import { VERBS } from "../../core/commands/verbs.js";
import { type BranchActivity, bindHead } from "../../core/land/pull/bind-head.js";
import type { EvidenceFinding, GivenApproval } from "../../core/land/pull/count-approvals.js";
import type { PullVerdict } from "../../core/land/pull/last-verdicts.js";
import type { CommentRef } from "../../core/model/thread.js";
import type { Approval } from "../../core/run/ledger/ledger-state.js";
import type { Threads, Writing } from "../../ports/threads.js";

export interface EvidenceParts {
  readonly threads: Pick<Threads, "read" | "role">;
  /** SHA-256, in hexadecimal digits. */
  readonly digest: (text: string) => string;
}

export interface EvidencePlace {
  /** `owner/name`. */
  readonly repository: string;
  readonly pull: number;
  readonly activity: readonly BranchActivity[] | null;
}

/** An approval by comment, and what its author said last in a review. */
interface CommentedApproval {
  readonly approval: Approval;
  readonly verdict: PullVerdict | undefined;
}

/**
 * An approval by comment, of the ledger, as GitHub shows it now. Everybody who can push can write into the ledger; what was said on
 * GitHub, by whom, when, and what they may do there is asked of GitHub.
 */
export async function checkApproval(
  parts: EvidenceParts,
  place: EvidencePlace,
  { approval, verdict }: CommentedApproval,
): Promise<GivenApproval> {
  const { evidence: named, head, via } = approval;
  const given = { by: { id: named.user_id, login: named.login }, head, via, url: named.url };
  const source = readSource(named.source);
  if (source === null) return { ...given, evidence: "no-approval", mayApprove: false };
  const thread = { repository: place.repository, number: place.pull, kind: "pull" } as const;
  const writing = await parts.threads.read({ ...source, thread });
  if (writing === null) return { ...given, evidence: "gone", mayApprove: false };
  const evidence = await judgeWriting(parts, place, { approval, verdict, writing });
  if (evidence !== "holds") return { ...given, evidence, mayApprove: false };
  // The account can have another name by now.
  const { id, login } = writing.author;
  return { ...given, by: { id, login }, evidence, mayApprove: await mayApprove(parts, login) };
}

/** What GitHub says now of whoever has this name now. */
export async function mayApprove(
  { threads }: Pick<EvidenceParts, "threads">,
  login: string,
): Promise<boolean> {
  return includesRole(await threads.role(login), VERBS.approve.needs);
}

async function judgeWriting(
  parts: EvidenceParts,
  place: EvidencePlace,
  { approval: { evidence, head }, verdict, writing }: CommentedApproval & { readonly writing: Writing },
): Promise<EvidenceFinding> {
  if (!isTheirs(writing.author, evidence)) return "not-theirs";
  if (verdict?.state === "changes-requested" && !isBefore(verdict.submittedAt, writing.createdAt))
    return "gone";
  if (parts.digest(writing.body) !== evidence.body_sha256) return "edited";
  // A comment of another thread would have the same author, and may approve something there.
  if (!writing.url.includes(`/${place.pull}#`)) return "no-approval";
  const approvals = readCommands(writing.body).lines.flatMap((line) =>
    line.kind === "command" && line.command.verb === "approve" && !line.command.dryRun ? [line.command] : [],
  );
  if (approvals.length === 0) return "no-approval";
  // Somebody else can have put it there, and its hash into the ledger.
  if (await writing.edited()) return "edited";
  const bound = approvals.map(({ sha }) => bindTo(head, sha, writing.createdAt, place.activity));
  return bound.includes("bound") ? "holds" : bound.includes("head_moved") ? "unproven" : "no-approval";
}

/** `comment 123`; null for what names nothing on GitHub. */
export function readSource(source: string): Pick<CommentRef, "kind" | "id"> | null {
  const [kind = "", digits = "", ...more] = source.split(" ");
  const id = Number(digits);
  if (more.length > 0 || !/^[1-9]\d{0,15}$/.test(digits) || !Number.isSafeInteger(id)) return null;
  return kind === "comment" || kind === "review" || kind === "review-comment" ? { kind, id } : null;
}

/** The head it was given for need not be the present one any more: koryph may have replayed it since. */
function bindTo(
  head: string,
  sha: string | null,
  writtenAt: string,
  activity: readonly BranchActivity[] | null,
) {
  return bindHead({ head, sha, writtenAt, activity }).kind;
}

/** GitHub's times are whole seconds: the same second is not before. */
function isBefore(one: string, other: string): boolean {
  return Math.floor(Date.parse(one) / 1000) < Math.floor(Date.parse(other) / 1000);
}

/** By the account's number: somebody who has another name by now is the same person, and their old name may be anybody's. */
export function isTheirs(by: { readonly id: number }, named: { readonly user_id: number }): boolean {
  return by.id === named.user_id;
}
