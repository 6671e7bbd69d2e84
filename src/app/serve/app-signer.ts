import { join } from "node:path";
import { openSigner } from "../../adapters/sign/open-signer.js";
import type { Signer } from "../../ports/signer.js";
import type { Settings } from "./read-settings.js";

/** The App's own key, from its environment and never from what a repository names; null where there is none. */
export async function openAppSigner({
  signingKey,
  home,
}: Pick<Settings, "signingKey" | "home">): Promise<Signer | null> {
  if (signingKey === null) return null;
  const folder = join(home.path, "app");
  return openSigner({
    ...{ provider: "file", keyRef: signingKey, env: process.env },
    // No key lies among what the App keeps of repositories.
    ...{ root: join(folder, "repositories"), socketFolder: folder },
  });
}
