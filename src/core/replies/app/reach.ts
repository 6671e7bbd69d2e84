import type { Advice } from "../../../lib/user-error.js";
import type { Refused } from "../../control/refused.js";

/** What is said when GitHub and what we were told do not fit together. */
export const reachRefusal = {
  authorMismatch: (): Refused => ({
    kind: "refuse",
    code: "author_mismatch",
    said: "GitHub names another author for this comment than the webhook did, so nothing was done",
    next: "whoever runs koryph should change the webhook secret: somebody else may know it",
  }),
};

/** What keeps the App from being the App it is meant to be. */
export const reachAdvice = {
  unknownApp: (apiUrl: string, appId: number): Advice => ({
    message: `GitHub at ${apiUrl} does not know App ${appId}`,
    hint: "APP_ID is the App ID on the App's settings page; for a server of your own set GITHUB_API_URL and GITHUB_SERVER_URL too",
  }),
  wrongKey: (apiUrl: string, appId: number, variable: "PRIVATE_KEY" | "PRIVATE_KEY_PATH"): Advice => ({
    message: `GitHub at ${apiUrl} does not take the key for App ${appId}`,
    hint: `${variable === "PRIVATE_KEY" ? variable : `the file that ${variable} names`} is a private key made on the settings page of that very App, and this machine's clock has to be right`,
  }),
};

/** For the log. */
export const reachWords = {
  unsure: (appId: number): string =>
    `it is not known whether GitHub knows App ${appId}: deliveries are taken, and it is asked again`,
  notInstalled: (): string => "a comment was left alone: the App is not installed there",
  movedAway: (): string => "a comment was left alone: its repository is not there by that name any more",
};
