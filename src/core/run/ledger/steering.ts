/** What somebody told a run as a whole, or about a bead; how a hold is worded stands with the hold. */
export type SteeringWord =
  | { kind: "drain" }
  /** Null for the width that the run was started with. */
  | { kind: "width"; max: number | null }
  | { kind: "hold"; bead: string }
  | { kind: "unhold"; bead: string };

export interface Steering {
  /** The event that said it. */
  id: string;
  actor: string;
  word: SteeringWord;
}

/** An engine looks every few seconds: nobody steers faster, and whoever can push must not make everybody carry more. */
const MOST_KEPT = 20;

/** The last words, oldest first. */
export function withSteering(
  before: readonly Steering[],
  { id, actor }: Pick<Steering, "id" | "actor">,
  word: SteeringWord,
): Steering[] {
  return [...before, { id, actor, word }].slice(-MOST_KEPT);
}
