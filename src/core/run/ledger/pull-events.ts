import { z } from "zod";
import { lateObject } from "../../model/late-object.js";

const Sha = z.string().regex(/^[0-9a-f]{40,64}$/);
const PullNumber = z.int().min(1).max(2_147_483_647);
const Branch = z.string().min(1).max(1_000);

/**
 * What the ledger holds about pull requests. An older koryph ignores these events, so none of them is a variant of an
 * event that it knows: to it, work that is to become a pull request is finished and nothing more.
 */
export const PULL_EVENTS = {
  /** The engine's own request: the work gets into the landing queue, and leaves it as a pull request. */
  "pull.requested": lateObject(() => ({
    branch: Branch,
    from: Sha.optional(),
    base: Sha,
    head: Sha,
    method: z.enum(["ff", "squash"]),
  })),
  /** What is about to be put on the pull request's branch: koryph replaces nothing there but what it put there itself. */
  "pull.pushing": lateObject(() => ({ request: z.string(), head: Sha })),
  /** `request` is the one it was opened for. */
  "pull.opened": lateObject(() => ({
    request: z.string(),
    pull: PullNumber,
    url: z.string().max(2_000),
    base: Sha,
    head: Sha,
  })),
  /** Without landing; the reason is what the slot shows. */
  "pull.closed": lateObject(() => ({ pull: PullNumber, reason: z.string().default("") })),
  "pull.reopened": lateObject(() => ({ pull: PullNumber })),
  /** Its commits are on the default branch, whoever brought them there and by whichever method; `head` has them. */
  "pull.merged": lateObject(() => ({ pull: PullNumber, from: Sha.optional(), head: Sha })),

  /** A grant: whoever lands reads the evidence on GitHub again, and asks for the person's role then. */
  "pull.approved": lateObject(() => ({ pull: PullNumber, head: Sha, via: z.enum(["comment", "review"]) })),
  /** The approval of `user`, a number of GitHub's, is taken back: by themselves, or by GitHub. */
  "pull.unapproved": lateObject(() => ({
    pull: PullNumber,
    user: z.int(),
    why: z.enum(["dismissed", "changes-requested", "withdrawn"]),
  })),
  /** The verdict on exactly this head, in numbers: the findings themselves stay on the pull request. */
  "pull.analysed": lateObject(() => ({
    pull: PullNumber,
    head: Sha,
    verdict: z.enum(["clean", "blocking", "degraded"]),
    findings: z.int().min(0),
  })),
  /** A person asked for the landing of a pull request. The bead is the pull request's, or `pull-<number>`. */
  "pull.landing": lateObject(() => ({
    pull: PullNumber,
    branch: Branch,
    base: Sha,
    head: Sha,
    method: z.enum(["ff", "squash"]),
    allow_protected: z.boolean().default(false),
  })),
} as const;
