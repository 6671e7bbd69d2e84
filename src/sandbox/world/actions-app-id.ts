/** The app that workflow runs act as has the same id on every GitHub. */
export const ACTIONS_APP_ID = 15_368;

/** Whoever acts with a `GITHUB_TOKEN`. */
export const ACTIONS_BOT = "github-actions[bot]";

export function isActionsApp(id: number): boolean {
  return id === ACTIONS_APP_ID;
}
