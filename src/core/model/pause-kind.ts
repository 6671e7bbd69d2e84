/**
 * Ends of an agent that say nothing about its bead: the provider, the account or the installation is at fault. The
 * first two pass by themselves; the others need a person.
 */
export const PAUSE_KINDS = [
  "limited",
  "unavailable",
  "auth",
  "billing",
  "unknown-model",
  "start-failed",
] as const;
export type PauseKind = (typeof PAUSE_KINDS)[number];

/** One that only a newer koryph tells apart is waited out. */
export function asPauseKind(kind: string): PauseKind {
  return PAUSE_KINDS.find((each) => each === kind) ?? "unavailable";
}
