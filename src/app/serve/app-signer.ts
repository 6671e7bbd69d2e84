import { join } from "node:path";
import { makeFolder } from "../../adapters/home/koryph-home.js";
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
  // No key lies among what the App keeps of repositories.
  const root = await makeFolder(join(folder, "repositories"));
  const from = { provider: "file", keyRef: signingKey, env: process.env } as const;
  return openSigner({ ...from, root, socketFolder: folder });
}
