import { z } from "zod";

const Id = z.number().int().positive();

/** A review of a pull request as a webhook tells of it: what becomes of an approval in GitHub's own form. */
export interface ReviewJob {
  readonly repository: { readonly fullName: string; readonly id: number };
  readonly installation: number;
  readonly pull: number;
  readonly review: {
    readonly id: number;
    readonly state: "approved" | "changes-requested" | "dismissed";
    /** As it was when GitHub told of it; later on GitHub moves it along with the branch. */
    readonly head: string;
    readonly submittedAt: string;
    readonly body: string;
    readonly url: string;
  };
  readonly author: { readonly login: string; readonly id: number; readonly type: string };
}

const Delivered = z.object({
  action: z.enum(["submitted", "dismissed"]),
  installation: z.object({ id: z.number() }),
  repository: z.object({ id: Id, full_name: z.string().regex(/^[^/\s]+\/[^/\s]+$/) }),
  pull_request: z.object({ number: Id }),
  review: z.object({
    id: Id,
    state: z.string(),
    commit_id: z.string().regex(/^[0-9a-f]{40,64}$/),
    submitted_at: z.string(),
    body: z.string().nullish(),
    html_url: z.string(),
    user: z.object({ login: z.string().min(1), id: z.number(), type: z.string().default("User") }),
  }),
});

const STATES: Readonly<Record<string, ReviewJob["review"]["state"]>> = {
  approved: "approved",
  changes_requested: "changes-requested",
};

/** Null for a review that neither gives nor takes an approval. */
export function readReviewVerdict(payload: unknown): ReviewJob | null {
  const { data } = Delivered.safeParse(payload);
  if (data === undefined) return null;
  const { action, repository, review } = data;
  const state = action === "dismissed" ? "dismissed" : STATES[review.state.toLowerCase()];
  if (state === undefined) return null;
  return {
    repository: { fullName: repository.full_name, id: repository.id },
    installation: data.installation.id,
    pull: data.pull_request.number,
    review: {
      id: review.id,
      state,
      head: review.commit_id,
      submittedAt: review.submitted_at,
      body: review.body ?? "",
      url: review.html_url,
    },
    author: review.user,
  };
}
