import type { App, Installation } from "../world/app-state.js";
import type { Repository } from "../world/state.js";
import type { World } from "../world/world.js";
import type { JsonObject, JsonValue } from "./json.js";

/** Who a request comes from, as its credentials say. */
export type Caller =
  | { readonly kind: "nobody" }
  /** A JSON Web Token signed with the app's key. */
  | { readonly kind: "app"; readonly app: App }
  | {
      readonly kind: "installation";
      readonly app: App;
      readonly installation: Installation;
      readonly permissions: Readonly<Record<string, "read" | "write">>;
      readonly repositories: readonly string[] | null;
      /** The app's bot user. */
      readonly login: string;
    }
  /** `app` is set for a token that an app got on the user's behalf. */
  | { readonly kind: "user"; readonly login: string; readonly app: App | null };

/** What a token must be allowed to, in the words of GitHub's permissions: `{ issues: "write" }`. Several: any one of them. */
export type Need = Readonly<Record<string, "read" | "write">>;

export interface Call {
  readonly world: World;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The JSON that was sent, already checked against GitHub's description; an empty object when there was none. */
  readonly body: JsonObject;
  readonly caller: Caller;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

export interface Answer {
  readonly status: number;
  readonly body?: JsonValue;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is instead of a JSON body; its kind is the `content-type` among the headers. */
  readonly raw?: Uint8Array;
  /** Set by `paged`: the server makes the Link header of it. */
  readonly lastPage?: number;
}

/**
 * One operation of GitHub's API. The server finds it, checks who calls and what is sent, hands out faults, answers with
 * ETag and rate-limit headers, and checks what comes back; the operation itself only reads and changes the world.
 */
export interface Route {
  /** GitHub's operation id, such as `issues/create-comment`. Faults are asked for by this name. */
  readonly operation: string;
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** As in GitHub's description: `/repos/{owner}/{repo}/issues/{issue_number}/comments`. */
  readonly path: string;
  /**
   * `app`: a JSON Web Token; `anyone`: no credentials; otherwise an installation token with one of these permissions, or
   * a user's whose role on the repository is enough for that (read: `read`; write: `write`, or `triage` for issues,
   * or what `role` says).
   */
  readonly needs: "app" | "anyone" | "token" | Need;
  readonly role?: "read" | "triage" | "write" | "maintain" | "admin";
  readonly answer: (call: Call) => Answer | Promise<Answer>;
}

/** Throw it anywhere inside a route: the server answers with it, in GitHub's form. */
export class HttpRefusal extends Error {
  readonly status: number;
  readonly errors: readonly JsonObject[];

  constructor(status: number, message: string, errors: readonly JsonObject[] = []) {
    super(message);
    this.status = status;
    this.errors = errors;
  }
}

/** The repository a call is about. The server has already answered 404 when the caller may not see it. */
export function repositoryOf({ world, params }: Call): Repository {
  const found = world.repository(`${params.owner}/${params.repo}`);
  if (found === null) throw new HttpRefusal(404, "Not Found");
  return found;
}

/** The login that a change is made under; an app's own is `<slug>[bot]`. */
export function actorOf({ caller }: Pick<Call, "caller">): string {
  if (caller.kind === "installation" || caller.kind === "user") return caller.login;
  throw new HttpRefusal(401, "Requires authentication");
}

/** The id of the app whose token is used; null for a person's own. */
export function appOf({ caller }: Pick<Call, "caller">): number | null {
  return caller.kind === "installation" || caller.kind === "user" ? (caller.app?.id ?? null) : null;
}

/** The page of a list that was asked for with `page` and `per_page`. */
export function paged<T>(
  { query }: Pick<Call, "query">,
  items: readonly T[],
): { items: T[]; lastPage: number } {
  const size = Math.min(Math.max(Number(query.get("per_page") ?? 30) || 30, 1), 100);
  const page = Math.max(Number(query.get("page") ?? 1) || 1, 1);
  return {
    items: items.slice((page - 1) * size, page * size),
    lastPage: Math.max(1, Math.ceil(items.length / size)),
  };
}

/** A list as GitHub answers it: one page, and the server's Link header to the others. */
export function listAnswer(call: Pick<Call, "query">, items: readonly JsonValue[]): Answer {
  const { items: body, lastPage } = paged(call, items);
  return { status: 200, body, lastPage };
}
