import { redactText } from "../../core/redact.js";
import { remarksBody } from "../../core/replies/review/pull-review.js";
import type { ChangedLines } from "../../core/review/pull/changed-lines.js";
import type { Digest } from "../../core/review/pull/finding-identity.js";
import { remarksMarker } from "../../core/review/pull/finding-marker.js";
import { placeFinding } from "../../core/review/pull/place-finding.js";
import type { LineRemark } from "../../core/review/pull/review-request.js";
import type { Reviews, Submitted } from "../../ports/reviews.js";

/** Where they are, or why they are nowhere. */
export type PostedRemarks =
  | Exclude<Submitted, { readonly kind: "posted" }>
  | { readonly kind: "posted"; readonly url: string };

/** Somebody's own remarks as one review: on their lines, or in its text where the change does not show the line. */
export async function postRemarks(
  reviews: Reviews,
  facts: {
    readonly pull: number;
    readonly head: string;
    /** Null where only GitHub knows which lines the change shows. */
    readonly changed: ChangedLines | null;
    readonly remarks: readonly LineRemark[];
    readonly digest: Digest;
    /** Names what they were written in, where that may be handled twice: they are posted once. */
    readonly once?: string;
  },
): Promise<PostedRemarks> {
  const { pull, head, changed, digest } = facts;
  const remarks = facts.remarks.map((remark) => ({
    ...remark,
    message: redactText(remark.message),
    at:
      changed === null
        ? { path: remark.path, line: remark.line }
        : placeFinding({ file: remark.path, line: remark.line }, changed),
  }));
  const key = digest(
    JSON.stringify([head, facts.remarks, ...(facts.once === undefined ? [] : [facts.once])]),
  );
  const there = facts.once === undefined ? null : await reviews.find(pull, remarksMarker(key));
  if (there !== null) return { kind: "posted", url: there };
  const send = (placed: readonly (typeof remarks)[number][]) =>
    reviews.submit(pull, {
      ...{ event: "comment", head },
      body: remarksBody(
        key,
        remarks.filter((remark) => !placed.includes(remark)),
      ),
      comments: placed.map(({ at, path, line, message }) => ({
        path: at?.path ?? path,
        line,
        body: message,
      })),
    });
  const sent = await send(remarks.filter(({ at }) => at !== null));
  return sent.kind === "misplaced" ? send([]) : sent;
}
