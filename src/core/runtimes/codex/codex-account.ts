import { z } from "zod";
import type { FoundAccount } from "../../govern/account-pin.js";
import { readAccountFile } from "../read-account-file.js";

const AuthFile = z.object({
  auth_mode: z.string().nullish(),
  OPENAI_API_KEY: z.string().nullish(),
  tokens: z.object({ id_token: z.string().max(100_000) }).nullish(),
});

const Claims = z.object({ email: z.string().min(1).max(320) });

export function codexAccountFiles(folder: string): string[] {
  return [`${folder}/auth.json`];
}

/** The account that `auth.json` names; null stands for a file that is not there. */
export function codexAccount([text]: readonly (string | null)[]): FoundAccount {
  if (text === null || text === undefined) return { mode: "missing" };
  const file = readAccountFile(AuthFile, text);
  if (file === null) return { mode: "unreadable" };
  const { auth_mode, OPENAI_API_KEY: key, tokens } = file;
  // Files from before the mode was kept: a key goes before a log-in.
  switch (auth_mode ?? (key ? "apikey" : "chatgpt")) {
    case "apikey":
      return key ? { mode: "api-key", secret: key } : { mode: "missing" };
    case "chatgpt":
      return tokens ? loginOf(tokens.id_token) : { mode: "missing" };
    default:
      return { mode: "unreadable" };
  }
}

/** The claims are the middle one of three parts. Its signature is not looked at: the file is the operator's own. */
function loginOf(token: string): FoundAccount {
  const [, claims = ""] = token.split(".");
  try {
    const bytes = Uint8Array.from(atob(claims.replace(/-/g, "+").replace(/_/g, "/")), (byte) =>
      byte.charCodeAt(0),
    );
    const read = readAccountFile(Claims, new TextDecoder().decode(bytes));
    return read === null ? { mode: "unreadable" } : { mode: "login", email: read.email };
  } catch {
    return { mode: "unreadable" };
  }
}
