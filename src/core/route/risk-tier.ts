export type RiskTier = 0 | 1 | 2 | 3;

const LABEL = /^rt:([0-3])$/;

/** The highest `rt:0`..`rt:3` label, else the project's default. Other `rt:` labels say nothing. */
export function resolveRiskTier(labels: readonly string[], configured: RiskTier): RiskTier {
  const asked = labels.flatMap((label) => LABEL.exec(label)?.[1] ?? []).map(Number);
  return asked.length === 0 ? configured : (Math.max(...asked) as RiskTier);
}
