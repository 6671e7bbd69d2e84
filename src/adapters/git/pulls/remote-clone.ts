import { clearStaleLocks } from "../exec/clear-stale-locks.js";
import { type Identity, openRepo } from "../exec/open-repo.js";
import type { PullCheckoutsFacts } from "./pull-checkouts.js";

export interface RemoteCloneFacts {
  readonly repo: string;
  readonly identity: Identity;
  readonly url: string;
  /** What git needs to reach it. */
  readonly env: () => Promise<Readonly<Record<string, string>>>;
}

/** A repository of our own that follows one on GitHub, where there is no checkout of an operator's. */
export function remoteClone({ repo, identity, url, env }: RemoteCloneFacts): PullCheckoutsFacts["clones"] {
  return {
    async fetch() {
      await openRepo(repo, identity);
      await clearStaleLocks(repo);
    },
    reach: async () => ({ url, pushUrl: url, env: await env() }),
  };
}
