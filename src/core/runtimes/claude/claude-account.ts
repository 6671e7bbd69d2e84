import { z } from "zod";
import type { FoundAccount } from "../../govern/account-pin.js";
import { readAccountFile } from "../read-account-file.js";

/** The program's default folder keeps what it knows of its account beside it, any other folder inside. */
const DEFAULT_FOLDER = /^(.*)\/\.claude$/;

const Profile = z.object({
  oauthAccount: z.object({ emailAddress: z.string().min(1).max(320) }).nullish(),
  /** A log-in that is billed by use leaves a key, and works by it. */
  primaryApiKey: z.string().nullish(),
});

/** Where a config folder's account may be named. */
export function claudeAccountFiles(folder: string): string[] {
  const [, home] = DEFAULT_FOLDER.exec(folder) ?? [];
  return [`${folder}/.claude.json`, ...(home === undefined ? [] : [`${home}/.claude.json`])];
}

/**
 * The account that these texts name; null stands for a file that is not there. Two that name different ones leave it
 * open whose credentials lie in the folder, since a log-in writes one of them only.
 */
export function claudeAccount(texts: readonly (string | null)[]): FoundAccount {
  const found: FoundAccount[] = [];
  for (const text of texts) {
    if (text === null) continue;
    const profile = readAccountFile(Profile, text);
    if (profile === null) return { mode: "unreadable" };
    const account = accountIn(profile);
    if (account !== null) found.push(account);
  }
  const [first, ...others] = found;
  if (first === undefined) return { mode: "missing" };
  return others.every((other) => isSame(first, other)) ? first : { mode: "unreadable" };
}

function isSame(one: FoundAccount, other: FoundAccount): boolean {
  if (one.mode !== "login" || other.mode !== "login") return JSON.stringify(one) === JSON.stringify(other);
  return one.email.trim().toLowerCase() === other.email.trim().toLowerCase();
}

function accountIn({ oauthAccount, primaryApiKey }: z.infer<typeof Profile>): FoundAccount | null {
  if (primaryApiKey) return { mode: "api-key", secret: primaryApiKey };
  return oauthAccount ? { mode: "login", email: oauthAccount.emailAddress } : null;
}
