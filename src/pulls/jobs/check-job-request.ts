import type { Command, Verb } from "../../core/commands/command.js";
import { readCommands } from "../../core/commands/read-commands.js";
import { includesRole } from "../../core/commands/roles.js";
import { VERBS } from "../../core/commands/verbs.js";
import type { JobFacts } from "../../core/jobs/decide-job.js";
import type { EvidenceFinding } from "../../core/land/pull/count-approvals.js";
import type { JobKind } from "../../core/model/job-kind.js";
import type { Evidence } from "../../core/run/ledger/evidence.js";
import type { Writing } from "../../ports/threads.js";
import { type EvidenceParts, isTheirs, readSource } from "../approvals/check-evidence.js";

/** Which command asks for which job. */
const ASKED_BY = { review: "review", rebase: "land", gate: "land" } as const satisfies Record<JobKind, Verb>;

interface RequestPlace {
  /** `owner/name`. */
  readonly repository: string;
  readonly pull: number;
  readonly kind: JobKind;
}

/** A request for a job as GitHub shows it now: what was written there, by whom, and what they may ask for. */
export async function checkJobRequest(
  parts: Pick<EvidenceParts, "threads" | "digest">,
  place: RequestPlace,
  evidence: Evidence,
): Promise<NonNullable<JobFacts["request"]>> {
  const source = readSource(evidence.source);
  if (source === null) return { evidence: "no-approval", permitted: false };
  const { repository, pull: number, kind } = place;
  const writing = await parts.threads.read({ ...source, thread: { repository, number, kind: "pull" } });
  if (writing === null) return { evidence: "gone", permitted: false };
  const role = await parts.threads.role(writing.author.login);
  return {
    evidence: await judgeRequest(parts.digest, place, { evidence, writing }),
    permitted: includesRole(role, VERBS[ASKED_BY[kind]].needs),
  };
}

async function judgeRequest(
  digest: EvidenceParts["digest"],
  { pull, kind }: RequestPlace,
  { evidence, writing }: { readonly evidence: Evidence; readonly writing: Writing },
): Promise<EvidenceFinding> {
  if (!isTheirs(writing.author, evidence)) return "not-theirs";
  if (digest(writing.body) !== evidence.body_sha256) return "edited";
  // A comment of another thread would have the same author.
  if (!writing.url.includes(`/${pull}#`)) return "no-approval";
  const asks = readCommands(writing.body).lines.some(
    (line) => line.kind === "command" && isAsking(line.command, ASKED_BY[kind]),
  );
  if (!asks) return "no-approval";
  return (await writing.edited()) ? "edited" : "holds";
}

/** What is only tried out, or takes a landing back, asks for nothing. */
function isAsking(command: Command, verb: Verb): boolean {
  if (command.verb === "land" && command.cancel) return false;
  return command.verb === verb && "dryRun" in command && !command.dryRun;
}
