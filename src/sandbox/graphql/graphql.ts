import {
  buildSchema,
  type DocumentNode,
  execute,
  GraphQLError,
  type GraphQLSchema,
  parse,
  validate,
} from "graphql";
import { sees } from "../auth/auth.js";
import type { JsonObject, JsonValue } from "../http/json.js";
import { quotaKey } from "../http/rate-limit.js";
import { type Caller, HttpRefusal } from "../http/route.js";
import { sharedFile } from "../http/shared-file.js";
import type { World } from "../world/world.js";
import { actorObject } from "./graphql-actors.js";
import { mutationRoot } from "./graphql-mutations.js";
import { findNode, nodeObject } from "./graphql-nodes.js";
import { repositoryObject } from "./graphql-repository.js";
import { graphqlError, type View } from "./graphql-view.js";

let schema: GraphQLSchema | undefined;

/** GitHub's own schema, as far as it is kept. */
function githubSchema(): GraphQLSchema {
  schema ??= buildSchema(sharedFile("github.graphql"));
  return schema;
}

export interface GraphqlRequest {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>> | null;
  readonly operationName?: string | null;
}

/** What GitHub answers, always with status 200: errors stand beside the data. */
export async function answerGraphql(
  world: World,
  caller: Caller,
  request: GraphqlRequest,
): Promise<JsonObject> {
  if (caller.kind === "nobody" || caller.kind === "app") {
    throw new HttpRefusal(401, "This endpoint requires you to be authenticated.");
  }
  const document = readDocument(request.query);
  const wrong = document instanceof GraphQLError ? [document] : validate(githubSchema(), document);
  if (document instanceof GraphQLError || wrong.length > 0) {
    world.problems.push(...wrong.map(({ message }) => `graphql: ${message}`));
    return { errors: wrong.map(renderError) };
  }
  const view: View = { world, caller };
  const { data, errors = [] } = await execute({
    schema: githubSchema(),
    document,
    rootValue: { ...queryRoot(view), ...mutationRoot(view) },
    variableValues: request.variables ?? null,
    operationName: request.operationName ?? null,
  });
  // Without data nothing was carried out: the variables did not fit, which is the caller's fault as well.
  if (data === undefined) world.problems.push(...errors.map(({ message }) => `graphql: ${message}`));
  return {
    ...(data === undefined ? {} : { data: plain(data) }),
    ...(errors.length === 0 ? {} : { errors: errors.map(renderError) }),
  };
}

function readDocument(query: string): DocumentNode | GraphQLError {
  try {
    return parse(query);
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

function queryRoot(view: View) {
  const { world, caller } = view;
  const node = (id: string) => nodeObject(view, findNode(view, id));
  return {
    id: "0",
    // Unlike everywhere else here, a bot is called as in REST.
    viewer: () => ({ ...actorObject(view, caller.login), login: caller.login }),
    node: ({ id }: { readonly id: string }) => node(id),
    // Each that is not there is an error of its own, and the others are answered.
    nodes: ({ ids }: { readonly ids: readonly string[] }) =>
      ids.map((id) => {
        try {
          return node(id);
        } catch (error) {
          if (error instanceof GraphQLError) return error;
          throw error;
        }
      }),
    repository: ({ owner, name }: { readonly owner: string; readonly name: string }) => {
      const found = world.repository(`${owner}/${name}`);
      if (found !== null && sees(world, caller, found)) return repositoryObject(view, found);
      throw graphqlError("NOT_FOUND", `Could not resolve to a Repository with the name '${owner}/${name}'.`);
    },
    rateLimit: () => {
      const { limit, remaining, used, reset } = world.quota.observe(quotaKey(caller));
      const resetAt = new Date(reset * 1000).toISOString();
      return { cost: 1, nodeCount: 0, limit, remaining, used, resetAt };
    },
  };
}

/** GitHub writes the kind of an error beside its message. */
function renderError(error: GraphQLError): JsonObject {
  const { message, locations, path, extensions, originalError } = error;
  // Anything but an answer of ours is a fault of the sandbox, and must not look like GitHub's.
  if (originalError != null && !(originalError instanceof GraphQLError)) throw originalError;
  const { type } = extensions;
  return {
    ...(typeof type === "string" ? { type } : {}),
    ...(path === undefined ? {} : { path }),
    ...(locations === undefined
      ? {}
      : { locations: locations.map(({ line, column }) => ({ line, column })) }),
    message,
  };
}

/** The executor's objects have no prototype; what is compared and written should have none of that. */
function plain(data: unknown): JsonValue {
  return JSON.parse(JSON.stringify(data)) as JsonValue;
}
