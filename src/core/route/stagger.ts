import { takesModel } from "./resolve-runtime.js";

/** Between two starts on one account: agents that begin in the same second meet its rate limit together. */
const BETWEEN_STARTS_SECONDS = 2;

/** The pause after a dispatch. A program of the project's own has no account that koryph knows of. */
export function staggerSeconds(
  { dispatch_stagger_seconds }: { readonly dispatch_stagger_seconds?: number | undefined },
  runtime: string,
): number {
  return dispatch_stagger_seconds ?? (takesModel(runtime) ? BETWEEN_STARTS_SECONDS : 0);
}
