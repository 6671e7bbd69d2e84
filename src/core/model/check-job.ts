import { z } from "zod";

const Sha = z.string().regex(/^[0-9a-f]{40,64}$/);
const App = z.object({ id: z.number() }).nullish().catch(null);

const CheckDelivery = z.object({
  action: z.string().optional(),
  installation: z.object({ id: z.number() }),
  repository: z.object({ id: z.int().positive(), full_name: z.string().regex(/^[^/\s]+\/[^/\s]+$/) }),
  check_run: z.object({ name: z.string(), head_sha: Sha, app: App }).optional(),
  check_suite: z.object({ app: App }).optional(),
  /** Of a commit status. */
  sha: Sha.optional(),
  state: z.string().optional(),
});

/** A check that somebody reported, as far as a webhook is believed: GitHub is asked for the rest. */
export interface CheckJob {
  readonly repository: { readonly fullName: string; readonly id: number };
  readonly installation: number;
  /** Null for what is no single check run. */
  readonly name: string | null;
  /** The app that reported it; null where that is not told. */
  readonly app: number | null;
  /** The commit whose check has come to its end; null for everything else. */
  readonly ended: string | null;
}

/** Null for what names no repository of an installation. */
export function readCheckJob(payload: unknown): CheckJob | null {
  const { data } = CheckDelivery.safeParse(payload);
  if (data === undefined) return null;
  const { action, check_run: run, check_suite: suite, repository, installation, sha, state } = data;
  const ended = action === "completed" ? run?.head_sha : state === "pending" ? undefined : sha;
  return {
    repository: { fullName: repository.full_name, id: repository.id },
    installation: installation.id,
    name: run?.name ?? null,
    app: (run ?? suite)?.app?.id ?? null,
    ended: ended ?? null,
  };
}
