import type { ActionInputs } from "../core/config/action-inputs.js";

/** The runner hides these in its log. It goes through the log line by line, so a key is told to it line by line. */
export function maskSecrets(
  { token, ...keys }: Partial<Pick<ActionInputs, "token" | "signing-key" | "app-private-key">>,
  mask: (secret: string) => void,
): void {
  // As git sends it, too.
  const sent = token && Buffer.from(`x-access-token:${token}`).toString("base64");
  for (const secret of [token, sent, keys["signing-key"], keys["app-private-key"]])
    for (const line of (secret ?? "").split(/[\r\n]+/)) if (line.trim() !== "") mask(line.trim());
}
