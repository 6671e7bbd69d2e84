import { z } from "zod";
import { beadOfBranch } from "./pull.js";

const Head = z.object({ ref: z.string(), repo: z.object({ id: z.number() }).nullable() });

const PullDelivery = z.object({
  installation: z.object({ id: z.number() }),
  repository: z.object({ id: z.int().positive(), full_name: z.string().regex(/^[^/\s]+\/[^/\s]+$/) }),
  pull_request: z.object({ number: z.int().positive(), head: Head.nullable().catch(null) }),
});

/** A pull request on which something happened, as far as a webhook is believed: GitHub is asked for the rest. */
export interface PullJob {
  readonly repository: { readonly fullName: string; readonly id: number };
  readonly installation: number;
  readonly pull: number;
  /** The bead that its branch is named after; null for a fork's, and for any other branch. */
  readonly bead: string | null;
}

/** Null for what names no pull request of an installation. */
export function readPullJob(payload: unknown): PullJob | null {
  const read = PullDelivery.safeParse(payload);
  if (!read.success) return null;
  const { repository, installation, pull_request } = read.data;
  return {
    repository: { fullName: repository.full_name, id: repository.id },
    installation: installation.id,
    pull: pull_request.number,
    bead: beadOf(pull_request.head, repository.id),
  };
}

function beadOf(head: z.infer<typeof Head> | null, repository: number): string | null {
  return head && beadOfBranch({ branch: head.ref, fork: head.repo?.id !== repository });
}
