export const MERGE_POLICIES = ["manual", "auto", "pr"] as const;
export type MergePolicy = (typeof MERGE_POLICIES)[number];

/** From the one that asks people most to the one that asks them least. */
const MOST_CAREFUL_FIRST: readonly MergePolicy[] = ["manual", "pr", "auto"];

export interface PolicyChoice {
  readonly policy: MergePolicy;
  readonly rationale: string;
}

/**
 * How a bead's finished branch lands. A `merge:` label on the bead's epic beats the project file; where
 * labels disagree the more careful policy wins, and a label that names no policy means manual.
 * `epics` are the labels of the bead's parents, nearest first: the nearest one with a word on it decides.
 */
export function resolveMergePolicy(
  epics: readonly (readonly string[])[],
  configured: MergePolicy,
): PolicyChoice {
  for (const labels of epics) {
    const asked = labels.filter((label) => label.startsWith("merge:")).sort();
    if (asked.length === 0) continue;
    const unknown = asked.find((label) => !MERGE_POLICIES.some((policy) => label === `merge:${policy}`));
    if (unknown !== undefined)
      return { policy: "manual", rationale: `epic label ${unknown} names no policy` };
    const policy = MOST_CAREFUL_FIRST.find((candidate) => asked.includes(`merge:${candidate}`)) ?? "manual";
    return { policy, rationale: `epic label merge:${policy}` };
  }
  return { policy: configured, rationale: "project merge_policy" };
}
