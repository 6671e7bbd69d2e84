const BASE_USD: Readonly<Record<string, number>> = { haiku: 0.4, sonnet: 3, opus: 9, fable: 15 };
/** A model nobody has priced is counted like the dearest one. */
const UNKNOWN_USD = 15;
const MARGIN = 1.5;

/** What one attempt at a bead is expected to cost, on the safe side. The text's length stands for its size. */
export function estimateCostUsd(model: string, description: string): number {
  const base = Object.hasOwn(BASE_USD, model) ? (BASE_USD[model] ?? UNKNOWN_USD) : UNKNOWN_USD;
  const size = description.length < 400 ? 0.5 : description.length < 2000 ? 1 : 2;
  return base * size * MARGIN;
}
