import type { ActionInputs, SECRET_INPUTS } from "../core/config/action-inputs.js";

type Secrets = Partial<Pick<ActionInputs, (typeof SECRET_INPUTS)[number]>>;

/** The runner hides these in its log. It goes through the log line by line, so a key is told to it line by line. */
export function maskSecrets(secrets: Secrets, mask: (secret: string) => void): void {
  const { token } = secrets;
  // As git sends it, too.
  const sent = token && Buffer.from(`x-access-token:${token}`).toString("base64");
  for (const secret of [token, sent, secrets["app-private-key"], secrets["signing-key"]])
    for (const line of (secret ?? "").split(/[\r\n]+/)) if (line.trim() !== "") mask(line.trim());
}
