import { builtInRuntime, USUAL_RUNTIME } from "./runtimes.js";

/**
 * The pool that an agent counts in: empty for Claude Code's usual account, the runtime's name for the others, and with
 * the profile's name behind it where the account is another than the usual one.
 */
export function poolOfAgent({
  runtime,
  profile,
}: {
  readonly runtime: string;
  /** Null for the usual account. */
  readonly profile: string | null;
}): string {
  if (profile !== null) return `${runtime}:${profile}`;
  return builtInRuntime(runtime)?.account.pool ?? runtime;
}

/** The pool of a runtime's usual account. */
export function usualPool(runtime: string): string {
  return poolOfAgent({ runtime, profile: null });
}

/** What people call a pool, and how they name it on a command line. */
export function poolTitle(pool: string): string {
  return pool === "" ? USUAL_RUNTIME : pool;
}

/** The pool of that title. */
export function poolOfTitle(title: string): string {
  return title === USUAL_RUNTIME ? "" : title;
}
