export interface ChangedPullFacts {
  /** `review.pulls` of the project file on the default branch. */
  readonly setting: "off" | "own" | "all";
  readonly open: boolean;
  readonly draft: boolean;
  /** Its branch is one that koryph makes for a bead. */
  readonly own: boolean;
  /** Somebody can read it. */
  readonly served: boolean;
}

/** Whether a pull request that was opened, or has a new head, is to be analysed by itself. */
export function isAnalysedByItself({ setting, open, draft, own, served }: ChangedPullFacts): boolean {
  if (!open || draft || !served) return false;
  switch (setting) {
    case "off":
      return false;
    case "own":
      return own;
    case "all":
      return true;
  }
}
