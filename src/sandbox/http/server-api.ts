import { admitCaller } from "../auth/auth.js";
import type { World } from "../world/world.js";
import { ROUTES } from "./all-routes.js";
import { checkRequest, checkResponse } from "./check-api.js";
import type { JsonObject } from "./json.js";
import { type Answer, type Call, type Caller, HttpRefusal, type Route } from "./route.js";
import { makeRouter } from "./router.js";

const find = makeRouter(ROUTES);

export interface ApiRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: JsonObject;
}

export interface FoundOperation {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** The operation that is asked for. What has none is a problem: the real GitHub may have it, and we do not know. */
export function findRoute(world: World, { method, url }: Pick<ApiRequest, "method" | "url">): FoundOperation {
  const found = find(method, url.pathname);
  if (found !== null) return found;
  world.problems.push(`${method} ${url.pathname} is not an operation the sandbox has`);
  throw new HttpRefusal(404, "Not Found");
}

/** Carries an operation out with every check that GitHub makes. Refusals are answers here. */
export async function perform(
  world: World,
  { route, params }: FoundOperation,
  { request, caller }: { readonly request: ApiRequest; readonly caller: Caller },
): Promise<Answer> {
  const { url, headers, body } = request;
  const call: Call = { world, params, query: url.searchParams, body, caller, headers };
  const answer = await asAnswer(async () => {
    const repository = params.repo === undefined ? null : world.repository(`${params.owner}/${params.repo}`);
    if (params.repo !== undefined && repository === null) throw new HttpRefusal(404, "Not Found");
    admitCaller(world, route, { caller, repository });
    const unfit = checkRequest(route.operation, { query: url.searchParams, body });
    if (unfit.length > 0) {
      world.problems.push(`a request of ${route.operation} does not fit: ${unfit.join("; ")}`);
      throw new HttpRefusal(422, `Invalid request.\n\n${unfit.join("\n")}`);
    }
    return route.answer(call);
  });
  const unfit = unfitAnswer(route, answer);
  if (unfit.length > 0)
    world.problems.push(
      `an answer of ${route.operation} (${answer.status}) does not fit: ${unfit.join("; ")}`,
    );
  return answer;
}

function unfitAnswer({ operation }: Route, { status, body, raw }: Answer): string[] {
  if (raw !== undefined) return [];
  const unfit = checkResponse(operation, status, body);
  // GitHub says why it refuses also where its description has no body for that.
  const bare = status >= 400 && unfit.length > 0 && checkResponse(operation, status, undefined).length === 0;
  return bare ? [] : unfit;
}

/** The answer, or the one that a refusal stands for. */
export async function asAnswer(act: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof HttpRefusal)) throw error;
    return refusalAnswer(error);
  }
}

export function refusalAnswer({ status, message, errors }: HttpRefusal): Answer {
  const body = {
    message,
    ...(errors.length === 0 ? {} : { errors }),
    documentation_url: "https://docs.github.com/rest",
    status: String(status),
  };
  return { status, body };
}
