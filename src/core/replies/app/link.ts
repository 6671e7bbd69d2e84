import type { Refused } from "../commands/reply-row.js";
import { shownCode } from "../markdown.js";

/** What a person needs to enter a code. */
interface CodeFacts {
  readonly verificationUrl: string;
  readonly userCode: string;
  readonly expiresSeconds: number;
}

/** Sentences about linked accounts, in markdown. */
export const linkWords = {
  enter: ({ verificationUrl, userCode, expiresSeconds }: CodeFacts, login: string): string =>
    `open ${encodeURI(verificationUrl)} as ${shownCode(`@${login}`)} and enter ${shownCode(userCode)} within ${minutes(expiresSeconds)}; koryph keeps nothing of any other account`,
  linked: (login: string): string => `your account ${shownCode(`@${login}`)} is linked`,
  unlinked: (login: string, host: string): string =>
    `your account ${shownCode(`@${login}`)} is not linked any more; you can revoke the permission itself at ${encodeURI(`${host}/settings/apps/authorizations`)}`,
};

export const linkRefusal = {
  takenBack: (host: string): Refused =>
    refused(
      "link_taken_back",
      "the account was unlinked before the code was entered, so koryph kept nothing",
      revoke("you gave", host),
    ),
  off: (): Refused =>
    refused(
      "linking_off",
      "accounts cannot be linked on this server",
      `ask whoever runs it to set ${shownCode("KORYPH_TOKEN_KEY")}`,
    ),
  noServer: (): Refused =>
    refused(
      "needs_app_token",
      "accounts cannot be linked here: koryph answers in workflow runs, which keep no tokens of people",
      `whoever runs koryph can start ${shownCode("koryph serve")} as a GitHub App in its place`,
    ),
  noDeviceFlow: (): Refused =>
    refused(
      "no_device_flow",
      "the App's settings on GitHub do not allow the device flow",
      "ask the App's owner to switch it on there",
    ),
  notLinked: (login: string): Refused =>
    refused("not_linked", `no account of ${shownCode(`@${login}`)} is linked`, ""),
  expired: (): Refused =>
    refused("link_expired", "the code is not good any more, and no account is linked with it", again()),
  denied: (): Refused => refused("link_denied", "the permission was denied on GitHub", again()),
  otherKey: (): Refused =>
    refused(
      "link_key_changed",
      `this server got another ${shownCode("KORYPH_TOKEN_KEY")} before the account was linked`,
      again(),
    ),
  somebodyElse: (login: string, by: string, host: string): Refused =>
    refused(
      "link_mismatch",
      `${shownCode(`@${by}`)}, another account than ${shownCode(`@${login}`)}, entered the code, so koryph kept nothing`,
      `${again()}; ${revoke(`${shownCode(`@${by}`)} gave`, host)}`,
    ),
};

/** koryph cannot take back a permission that it has no token for. */
function revoke(whose: string, host: string): string {
  return `the permission that ${whose} on GitHub stays until it is revoked at ${encodeURI(`${host}/settings/apps/authorizations`)}`;
}

function again(): string {
  return `send ${shownCode("/koryph link")} again`;
}

function minutes(seconds: number): string {
  const whole = Math.max(1, Math.floor(seconds / 60));
  return whole === 1 ? "a minute" : `${whole} minutes`;
}

function refused(code: string, said: string, next: string): Refused {
  return { kind: "refuse", code, said, next };
}
