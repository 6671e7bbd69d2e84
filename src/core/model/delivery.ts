import { z } from "zod";
import { threadKey } from "./thread.js";

/** The webhooks that lead to anything. app.yml asks GitHub for exactly these. */
export const HANDLED_EVENTS = [
  "issue_comment",
  "pull_request",
  "pull_request_review",
  "pull_request_review_comment",
  "check_run",
  "check_suite",
  "status",
  "workflow_run",
  "push",
] as const;

/** Where Probot apps are expected to listen for them. */
export const WEBHOOK_PATH = "/api/github/webhooks";

export function isHandled(event: string): boolean {
  return HANDLED_EVENTS.some((handled) => handled === event);
}

export interface DeliveryPlace {
  /** Whatever takes long goes on from there to another lane. */
  readonly lane: "intake";
  readonly key: string;
}

/** Strangers' data: what is missing or of another kind counts as absent. */
const Places = z.object({
  repository: z
    .object({ full_name: z.string().min(1) })
    .nullable()
    .catch(null),
  issue: z.object({ number: z.int() }).nullable().catch(null),
  pull_request: z.object({ number: z.int() }).nullable().catch(null),
  installation: z.object({ id: z.int() }).nullable().catch(null),
});

/** Deliveries with the same key are handled in the order they came: a thread's, else a repository's, else an installation's. */
export function placeDelivery(payload: Readonly<Record<string, unknown>>): DeliveryPlace {
  const { repository, issue, pull_request: pull, installation } = Places.parse(payload);
  const lane = "intake";
  if (repository === null) return { lane, key: `installation:${installation?.id ?? "none"}` };
  const thread = issue ?? pull;
  if (thread === null) return { lane, key: repository.full_name.toLowerCase() };
  const kind = issue === null ? "pull" : "issue";
  return { lane, key: threadKey({ repository: repository.full_name, number: thread.number, kind }) };
}

/** What GitHub calls a delivery, in one spelling; null when it is nothing that GitHub would say. */
export function readGuid(header: string): string | null {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(header) ? header.toLowerCase() : null;
}
