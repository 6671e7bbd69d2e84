import { admit } from "./auth.js";
import type { JsonObject, JsonValue } from "./json.js";
import { type Call, Refusal, repositoryOf } from "./route.js";
import { requestAction } from "./routes/checks.js";
import { commentRoutes } from "./routes/comments.js";
import { issueRoutes } from "./routes/issues.js";
import { labelRoutes } from "./routes/labels.js";
import { reviewRoutes } from "./routes/reviews.js";
import type { Review } from "./state.js";
import type { World } from "./world.js";

/**
 * What people do on GitHub's pages, each as the operation that a click there stands for, with the same rights needed.
 * `repo` is `owner/name`. What is refused is thrown.
 */
const ROUTES = [...issueRoutes, ...commentRoutes, ...labelRoutes, ...reviewRoutes];

interface Deed {
  readonly repo: string;
  readonly login: string;
  readonly operation: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
}

async function act(world: World, deed: Deed): Promise<JsonValue | undefined> {
  const route = ROUTES.find(({ operation }) => operation === deed.operation);
  if (route === undefined) throw new Error(`${deed.operation} is not something people do here`);
  const call = callOf(world, deed);
  admit(world, route, { caller: call.caller, repository: repositoryOf(call) });
  return (await route.answer(call)).body;
}

function callOf(
  world: World,
  { repo: fullName, login, params = {}, body = {} }: Omit<Deed, "operation">,
): Call {
  const [owner = "", repo = ""] = fullName.split("/");
  return {
    world,
    params: { owner, repo, ...params },
    query: new URLSearchParams(),
    body,
    caller: { kind: "user", login, app: null },
    headers: {},
  };
}

/** The number of the new issue. */
export async function openIssue(
  world: World,
  repo: string,
  login: string,
  given: { readonly title: string; readonly body?: string; readonly labels?: readonly string[] },
): Promise<number> {
  const made = await act(world, { repo, login, operation: "issues/create", body: { ...given } });
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
  const params = { issue_number: String(number) };
  return idOf(await act(world, { repo, login, operation: "issues/create-comment", params, body: { body } }));
}

export async function editComment(
  world: World,
  repo: string,
  id: number,
  login: string,
  body: string,
): Promise<void> {
  const params = { comment_id: String(id) };
  await act(world, { repo, login, operation: "issues/update-comment", params, body: { body } });
}

export async function deleteComment(world: World, repo: string, id: number, login: string): Promise<void> {
  await act(world, { repo, login, operation: "issues/delete-comment", params: { comment_id: String(id) } });
}

export async function label(
  world: World,
  repo: string,
  number: number,
  login: string,
  name: string,
): Promise<void> {
  const params = { issue_number: String(number) };
  await act(world, { repo, login, operation: "issues/add-labels", params, body: { labels: [name] } });
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
  return idOf(
    await act(world, {
      ...{ repo, login, operation: "pulls/create-review", params: { pull_number: String(number) } },
      body: { event: EVENTS[state], body, comments: comments.map((one) => ({ ...one })) },
    }),
  );
}

/** Presses a button on a check run. GitHub shows them to those who may write. */
export function clickAction(
  world: World,
  repo: string,
  checkRun: number,
  login: string,
  identifier: string,
): void {
  const call = callOf(world, { repo, login });
  const repository = repositoryOf(call);
  const { caller } = call;
  admit(world, { needs: { checks: "write" }, role: "write", method: "POST" }, { caller, repository });
  const run = repository.checkRuns.find(({ id }) => id === checkRun);
  if (run === undefined) throw new Refusal(404, "Not Found");
  requestAction(world, repository, { run, login, identifier });
}

function idOf(made: JsonValue | undefined): number {
  return (made as { id: number }).id;
}
