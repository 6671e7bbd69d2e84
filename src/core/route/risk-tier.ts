export type RiskTier = 0 | 1 | 2 | 3;

const LABEL = /^rt:([0-3])$/;

/** The highest `rt:0`..`rt:3` label, else the project's default. Other `rt:` labels say nothing. */
export function resolveRiskTier(labels: readonly string[], configured: RiskTier): RiskTier {
  let highest = -1;
  for (const label of labels) highest = Math.max(highest, Number(LABEL.exec(label)?.[1] ?? -1));
  return highest === -1 ? configured : (highest as RiskTier);
}
