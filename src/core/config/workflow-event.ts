import { z } from "zod";
import { isUnread, readCommands } from "../commands/read-commands.js";
import { readJson } from "./read-json.js";

/** What a workflow may be started by, and what the same news is called where a server hears of it; null for the sweep. */
export const WORKFLOW_EVENTS = {
  issue_comment: "issue_comment",
  pull_request_target: "pull_request",
  workflow_run: "workflow_run",
  schedule: null,
  workflow_dispatch: null,
} as const;

export type WorkflowEvent =
  | {
      readonly kind: "delivery";
      readonly name: string;
      readonly payload: Readonly<Record<string, unknown>>;
    }
  /** Everything is looked at: what GitHub and the ledger say now. */
  | { readonly kind: "sweep" }
  /** Nothing is asked of koryph. */
  | { readonly kind: "nothing" };

export type EventProblem =
  | { readonly kind: "unknown"; readonly name: string }
  | { readonly kind: "not-json"; readonly problem: string }
  | { readonly kind: "no-event"; readonly problem: string }
  | { readonly kind: "other-repository"; readonly found: string; readonly own: string };

const Payload = z.looseObject({
  action: z.string(),
  repository: z.looseObject({ id: z.number(), full_name: z.string() }),
});
const Comment = z.object({ action: z.string(), comment: z.object({ body: z.string() }) });

/** GitHub's event file, as far as it is believed: who wrote what is asked of GitHub again. */
export function readWorkflowEvent(
  name: string,
  text: string,
  repository: string,
): WorkflowEvent | { readonly kind: "wrong"; readonly problem: EventProblem } {
  if (!isKnown(name)) return wrong({ kind: "unknown", name });
  const json = readJson(text);
  if (json.kind === "not-json") return wrong(json);
  if (typeof json.data !== "object" || json.data === null || Array.isArray(json.data))
    return wrong({ kind: "no-event", problem: "it is no JSON object" });
  const delivered = WORKFLOW_EVENTS[name];
  if (delivered === null) return { kind: "sweep" };
  const { data: payload, error } = Payload.safeParse(json.data);
  if (payload === undefined) {
    const path = error.issues[0]?.path.join(".") ?? "";
    return wrong({ kind: "no-event", problem: `it has no ${path} as GitHub writes it` });
  }
  const found = payload.repository.full_name;
  if (found.toLowerCase() !== repository.toLowerCase())
    return wrong({ kind: "other-repository", found, own: repository });
  if (delivered === "issue_comment" && !asksForSomething(payload)) return { kind: "nothing" };
  return { kind: "delivery", name: delivered, payload };
}

function isKnown(name: string): name is keyof typeof WORKFLOW_EVENTS {
  return Object.hasOwn(WORKFLOW_EVENTS, name);
}

/** Found out before anything is asked of GitHub: most comments are people talking to each other. */
function asksForSomething(payload: unknown): boolean {
  const { data } = Comment.safeParse(payload);
  if (data?.action !== "created") return false;
  const { body } = data.comment;
  return isUnread(body) || readCommands(body).lines.length > 0;
}

function wrong(problem: EventProblem) {
  return { kind: "wrong", problem } as const;
}
