import { admitCaller } from "../auth/auth.js";
import type { JsonValue } from "../http/json.js";
import { HttpRefusal } from "../http/route.js";
import { requestAction } from "../routes/checks/checks.js";
import { act } from "./act.js";
import type { Review } from "./state.js";
import type { World } from "./world.js";

/*
 * What people do on GitHub's pages, each as the request that a click there stands for, with the same rights needed.
 * `repo` is `owner/name`. What is refused is thrown.
 */

/** The number of the new issue. */
export async function openIssue(
  world: World,
  repo: string,
  login: string,
  given: { readonly title: string; readonly body?: string; readonly labels?: readonly string[] },
): Promise<number> {
  const made = await act(world, login, { method: "POST", path: `/repos/${repo}/issues`, sent: { ...given } });
  return (made as { number: number }).number;
}

/** The id of the new comment. */
export async function comment(
  world: World,
  repo: string,
  number: number,
  login: string,
  body: string,
): Promise<number> {
  const path = `/repos/${repo}/issues/${number}/comments`;
  return idOf(await act(world, login, { method: "POST", path, sent: { body } }));
}

export async function editComment(
  world: World,
  repo: string,
  id: number,
  login: string,
  body: string,
): Promise<void> {
  await act(world, login, { method: "PATCH", path: `/repos/${repo}/issues/comments/${id}`, sent: { body } });
}

export async function deleteComment(world: World, repo: string, id: number, login: string): Promise<void> {
  await act(world, login, { method: "DELETE", path: `/repos/${repo}/issues/comments/${id}` });
}

export async function label(
  world: World,
  repo: string,
  number: number,
  login: string,
  name: string,
): Promise<void> {
  const path = `/repos/${repo}/issues/${number}/labels`;
  await act(world, login, { method: "POST", path, sent: { labels: [name] } });
}

const EVENTS = { APPROVED: "APPROVE", CHANGES_REQUESTED: "REQUEST_CHANGES", COMMENTED: "COMMENT" } as const;

export interface GivenReview {
  readonly state: Extract<Review["state"], keyof typeof EVENTS>;
  readonly body?: string;
  readonly comments?: readonly { readonly path: string; readonly line: number; readonly body: string }[];
}

/** The id of the new review. */
export async function review(
  world: World,
  repo: string,
  number: number,
  login: string,
  { state, body = "", comments = [] }: GivenReview,
): Promise<number> {
  const path = `/repos/${repo}/pulls/${number}/reviews`;
  const sent = { event: EVENTS[state], body, comments: comments.map((one) => ({ ...one })) };
  return idOf(await act(world, login, { method: "POST", path, sent }));
}

/** Presses a button on a check run. GitHub shows them to those who may write. */
export function clickAction(
  world: World,
  repo: string,
  checkRun: number,
  login: string,
  identifier: string,
): void {
  const repository = world.repository(repo);
  if (repository === null) throw new HttpRefusal(404, "Not Found");
  const caller = { kind: "user", login, app: null } as const;
  admitCaller(world, { needs: { checks: "write" }, role: "write", method: "POST" }, { caller, repository });
  const run = repository.checkRuns.find(({ id }) => id === checkRun);
  if (run === undefined) throw new HttpRefusal(404, "Not Found");
  requestAction(world, repository, { run, login, identifier });
}

function idOf(made: JsonValue | undefined): number {
  return (made as { id: number }).id;
}
