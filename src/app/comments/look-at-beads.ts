import { createHash } from "node:crypto";
import { z } from "zod";
import type { GithubThreads } from "../../adapters/github/github-threads.js";
import type { UsableProject } from "../../comments/command-parts.js";
import type { ShowBeads } from "../../comments/show-beads.js";
import type { CommentJob } from "../../core/model/comment-job.js";
import { logWords } from "../../core/replies/app/serve.js";
import type { Inbox, Job, Lane } from "../../ports/inbox.js";
import { Hopeless } from "../../ports/try-later.js";
import type { ServerLog } from "../http/server-log.js";
import type { PullPlaces } from "../pulls/pull-places.js";

/** The name under which a repository lies in the inbox whose beads are to be shown. */
export const BEADS_JOB = "koryph.beads";

const BeadsJob = z.object({
  installation: z.number(),
  repository: z.object({ fullName: z.string(), id: z.number() }),
});

/** What people do within so many seconds is looked at once, at their end. */
const WITHIN_MS = 10_000;

export interface BeadLookParts {
  readonly beads: ShowBeads;
  readonly places: PullPlaces;
  readonly inbox: Pick<Inbox, "add">;
  readonly onAdded: (lane: Lane) => void;
  readonly log: Pick<ServerLog, "warn">;
  readonly now: () => number;
}

/** A command was accepted on an issue: how its bead stands is shown there from now on. */
export async function followIssue(
  { beads, inbox, onAdded, now }: BeadLookParts,
  { installation, repository, thread }: CommentJob,
): Promise<void> {
  await beads.follow(repository.id, thread.number);
  const due = (Math.floor(now() / WITHIN_MS) + 1) * WITHIN_MS;
  const key = `${BEADS_JOB} ${repository.id}`;
  const payload = JSON.stringify({ installation, repository });
  await inbox.add({ id: `${key} ${due}`, name: BEADS_JOB, lane: "work", key, payload, notBefore: due });
  onAdded("work");
}

export async function handleBeads(parts: BeadLookParts, { payload }: Pick<Job, "payload">): Promise<void> {
  const { data: job } = BeadsJob.safeParse(JSON.parse(payload));
  if (job === undefined) throw new Hopeless("a look at beads that cannot be read");
  await parts.places.where(job, async ({ opened, threads }) => {
    if (opened.kind === "project") await lookAtBeads(parts, { repository: job.repository, threads, opened });
  });
}

/** Shows how the beads of a repository stand by what its ledger says now. */
export async function lookAtBeads(
  { beads, log }: Pick<BeadLookParts, "beads" | "log">,
  {
    repository,
    threads,
    opened,
  }: {
    readonly repository: { readonly id: number; readonly fullName: string };
    readonly threads: GithubThreads;
    readonly opened: UsableProject;
  },
): Promise<void> {
  const { state } = await opened.ledger.refresh();
  const place = {
    ...{ repository: repository.id, threads },
    digest: (text: string) => createHash("sha256").update(text).digest("hex"),
    onTrouble: (bead: string, error: unknown) =>
      log.warn({ err: error, repository: repository.fullName, bead }, logWords.beadNotShown()),
  };
  await beads.show(place, state);
}
