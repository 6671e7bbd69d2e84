/** What GitHub sometimes does, and mostly does not. A test turns it on. */
export interface Switches {
  /** A review of the head before a force-push is shown as one of the head after it. */
  reanchorReviews: boolean;
  /** Pushed commits do not show on pull requests; `Sandbox.showHeads` ends it. */
  holdHeads: boolean;
  /** Pull requests whose head has become a part of the base stay open; `Sandbox.markMerges` ends it. */
  holdMerges: boolean;
  /** How long a token of an installation's lives; GitHub's an hour. */
  tokenSeconds: number;
}

export function makeSwitches(): Switches {
  return { reanchorReviews: false, holdHeads: false, holdMerges: false, tokenSeconds: 3_600 };
}
