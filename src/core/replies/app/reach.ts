import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";
import type { Refused } from "../commands/reply-row.js";

/** Refusals for a webhook that GitHub does not confirm. */
export const reachRefusal = {
  authorMismatch: (): Refused => ({
    kind: "refuse",
    code: "author_mismatch",
    said: "GitHub names another author for this comment than the webhook did, so nothing was done",
    next: "ask whoever runs koryph to change the webhook secret: somebody else may know it",
  }),
};

/** Why GitHub does not accept this server as the App. */
export const reachAdvice = {
  unknownApp: (apiUrl: string, appId: number): Advice => ({
    message: `GitHub at ${apiUrl} does not know App ${appId}`,
    hint: "APP_ID is the App ID on the App's settings page; for a server of your own set GITHUB_API_URL and GITHUB_SERVER_URL too",
  }),
  wrongKey: (apiUrl: string, appId: number, from: string): Advice => ({
    message: `GitHub at ${apiUrl} does not take the key for App ${appId}`,
    hint: `${from === "PRIVATE_KEY_PATH" ? `the file that ${from} names` : plainText(from)} has to hold a private key made on the settings page of that very App, and this machine's clock has to be right`,
  }),
};

/** For the log. */
export const reachWords = {
  unsure: (appId: number): string =>
    `GitHub has not said yet whether it knows App ${appId}: the server takes deliveries and asks again`,
  notInstalled: (): string => "a comment was left alone: the App is not installed there",
  movedAway: (): string => "a comment was left alone: its repository is not there by that name any more",
};
