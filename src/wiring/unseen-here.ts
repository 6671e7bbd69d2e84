import { resolve } from "node:path";
import { unseenWork } from "../adapters/git/landing/operator-checkout.js";
import type { Remote } from "../adapters/git/remote/remote.js";
import type { Project } from "../adapters/project/open-project.js";
import type { UnseenWork } from "../core/land/unseen-work.js";

/** What the operator's checkout has and agents do not get; null when that is nothing. */
export function unseenHere(
  { root, config, remote }: Pick<Project, "root" | "config"> & { readonly remote: Remote },
  base: { readonly branch: string; readonly tip: string },
): Promise<UnseenWork | null> {
  const name = remote.url === resolve(root) ? null : config.ledger.remote;
  return unseenWork(root, { ...base, remote: name });
}
