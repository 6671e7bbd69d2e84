import { includesRole, type Role } from "../../core/commands/roles.js";
import type { JsonValue } from "../http/json.js";
import { actorOf, appOf, type Call, HttpRefusal, repositoryOf } from "../http/route.js";
import { isPull } from "./pulls/world-pulls.js";
import type { Author, PullThread, ThreadPlace } from "./thread-changes.js";

/** GitHub's cap on a body, in characters. */
const LONGEST_BODY = 65_536;

export function authorOf(call: Pick<Call, "caller">): Author {
  return { login: actorOf(call), app: appOf(call) };
}

/** The thread that the path names, whichever of GitHub's two words for its number is used. */
export function threadOf(call: Call): ThreadPlace {
  const repository = repositoryOf(call);
  const number = call.params.issue_number ?? call.params.pull_number ?? "";
  return { world: call.world, repository, issue: call.world.issue(repository, number) };
}

/** Like `threadOf`, and 404 for an issue that is no pull request. */
export function pullThreadOf(call: Call): PullThread {
  const { world, repository, issue } = threadOf(call);
  if (!isPull(issue)) throw new HttpRefusal(404, "Not Found");
  return { world, repository, issue };
}

/** Whether the caller may do what people need a role for. What an app may was settled by its permissions. */
export function hasRole(
  call: Pick<Call, "world" | "caller">,
  { repository }: ThreadPlace,
  needed: Role,
): boolean {
  const { caller, world } = call;
  if (caller.kind === "installation") return true;
  return caller.kind === "user" && includesRole(world.role(repository, caller.login), needed);
}

/** A text that somebody may write here. */
export function saidText(value: JsonValue | undefined, resource: string, field = "body"): string {
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  if (text.trim() === "") throw invalid(resource, field, "missing_field", `${field} cannot be blank`);
  return notTooLong(text, resource, field);
}

/** The same, where none is as good: then it is empty. */
export function maybeText(value: JsonValue | undefined, resource: string): string {
  return notTooLong(typeof value === "string" ? value : "", resource, "body");
}

function notTooLong(text: string, resource: string, field: string): string {
  if ([...text].length <= LONGEST_BODY) return text;
  throw invalid(resource, field, "custom", `${field} is too long (maximum is ${LONGEST_BODY} characters)`);
}

export function invalid(resource: string, field: string, code: string, message: string): HttpRefusal {
  return new HttpRefusal(422, "Validation Failed", [{ resource, field, code, message }]);
}

export function numberOf(value: JsonValue | undefined): number | null {
  return typeof value === "number" ? value : null;
}

export function textOf(value: JsonValue | undefined): string | null {
  return typeof value === "string" ? value : null;
}

/** Names, given plainly or as objects that have one. */
export function namesOf(value: JsonValue | undefined): string[] | null {
  if (!Array.isArray(value)) return null;
  return (value as readonly JsonValue[]).flatMap((entry) => {
    if (typeof entry === "string") return [entry];
    const named = typeof entry === "object" && entry !== null && "name" in entry ? entry.name : null;
    return typeof named === "string" ? [named] : [];
  });
}
