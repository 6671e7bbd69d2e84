import { STATE_LABELS } from "../issues/issue-labels.js";

export interface SetupLabel {
  readonly name: string;
  /** Six hex digits, as GitHub takes them. */
  readonly color: string;
  readonly description: string;
}

/** The labels that issues as work need, whatever a project calls the one that releases them. */
export function setupLabels(releaseLabel: string): readonly SetupLabel[] {
  return [
    { name: releaseLabel, color: "0e8a16", description: "A maintainer releases this text to agents" },
    { name: STATE_LABELS.inProgress, color: "1d76db", description: "An agent of koryph's works on it" },
    { name: STATE_LABELS.blocked, color: "b60205", description: "koryph needs a person here" },
    { name: "no-dispatch", color: "5a5a5a", description: "No agent starts on it while this is set" },
    ...["b60205", "d93f0b", "fbca04", "c2e0c6", "ededed"].map((color, priority) => ({
      ...{ name: `P${priority}`, color },
      description: `Priority ${priority}${priority === 0 ? ", the most urgent" : ""}`,
    })),
  ];
}
