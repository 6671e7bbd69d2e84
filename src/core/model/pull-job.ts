import { z } from "zod";

const PullDelivery = z.object({
  installation: z.object({ id: z.number() }),
  repository: z.object({ id: z.int().positive(), full_name: z.string().regex(/^[^/\s]+\/[^/\s]+$/) }),
  pull_request: z.object({ number: z.int().positive() }),
});

/** A pull request on which something happened, as far as a webhook is believed: GitHub is asked for the rest. */
export interface PullJob {
  readonly repository: { readonly fullName: string; readonly id: number };
  readonly installation: number;
  readonly pull: number;
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
  };
}
