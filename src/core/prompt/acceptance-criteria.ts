export interface Criterion {
  /** AC1, AC2, …: what agents and reviewers call it. */
  readonly id: string;
  readonly text: string;
}

/** One criterion per line; trackers also write line breaks as the two characters `\n`. Empty when there are none. */
export function acceptanceCriteria(text: string): Criterion[] {
  return text
    .split(/\r?\n|\\n/)
    .map((line) => line.replace(/^\s*(?:(?:[-*+•]|\d+[.)])\s+)?(?:\[[ xX]\]\s+)?/, "").trim())
    .filter((line) => line !== "")
    .map((line, index) => ({ id: `AC${index + 1}`, text: line }));
}
