/** The app that workflow runs act as has the same id on every GitHub. */
export const ACTIONS_APP_ID = 15_368;

export function isActionsApp(id: number): boolean {
  return id === ACTIONS_APP_ID;
}
