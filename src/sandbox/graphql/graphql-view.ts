import { GraphQLError } from "graphql";
import { allows } from "../auth/auth.js";
import type { Caller, Need, Route } from "../http/route.js";
import type { Repository } from "../world/state.js";
import type { World } from "../world/world.js";

/** Whose eyes a query sees with. */
export interface View {
  readonly world: World;
  readonly caller: Exclude<Caller, { kind: "nobody" | "app" }>;
}

/** What resolvers hand to the executor: values, or functions that are called with a field's arguments. */
export type GraphqlObject = { readonly __typename: string } & Readonly<Record<string, unknown>>;

export type ErrorType =
  | "NOT_FOUND"
  | "FORBIDDEN"
  | "UNPROCESSABLE"
  | "MISSING_PAGINATION_BOUNDARIES"
  | "EXCESSIVE_PAGINATION"
  | "INVALID_CURSOR_ARGUMENTS";

/** An error as GitHub writes it, its kind beside the message. */
export function graphqlError(type: ErrorType, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { type } });
}

/** Throws unless the caller has one of these permissions, or the role that stands for it. */
export function need(view: View, repository: Repository, needs: Need, role?: Route["role"]): void {
  const asked = { needs, repository, ...(role === undefined ? {} : { role }) };
  if (!allows(view.world, view.caller, asked)) {
    throw graphqlError(
      "FORBIDDEN",
      view.caller.kind === "installation"
        ? "Resource not accessible by integration"
        : `${view.caller.login} does not have the correct permissions to execute this.`,
    );
  }
}
