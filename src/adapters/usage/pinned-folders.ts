import { type AccountPin, pinnedMark } from "../../core/govern/account-pin.js";
import { poolOfAgent } from "../../core/runtimes/pool-of-agent.js";
import { builtInRuntime } from "../../core/runtimes/runtimes.js";
import { accountDigest } from "../accounts/account-digest.js";
import type { KoryphHome } from "../home/koryph-home.js";
import { Registry } from "../home/registry.js";

/** The pool of the agents of a runtime that a project pins so; that of its usual account where it pins nothing. */
export function poolOfPin(runtime: string, pin: AccountPin | null): string {
  return poolOfAgent({ runtime, profile: pin && pinnedMark(pin, accountDigest).fingerprint });
}

export interface PinnedFolders {
  readonly folders: ReadonlyMap<string, readonly string[]>;
  /** False where an entry of the registry could not be read: its folders may be missing from any pool. */
  readonly complete: boolean;
}

/**
 * Where the accounts that this machine's projects pin have their records, by pool. Whoever works with a profile writes
 * into its folder; agents with a key write into their own homes, so such an account has no folder.
 */
export async function pinnedFolders(home: KoryphHome): Promise<PinnedFolders> {
  const found = new Map<string, readonly string[]>();
  const { entries, problems } = await new Registry(home).list();
  for (const [name, pin] of entries.flatMap(({ accounts = {} }) => Object.entries(accounts))) {
    const { account, records } = builtInRuntime(name) ?? {};
    if (records === undefined) continue;
    const pool = poolOfPin(name, pin);
    const folders =
      pin.profile === null || account?.profile === undefined
        ? []
        : records.folders({ [account.profile.variable]: pin.profile }, pin.profile);
    found.set(pool, [...new Set([...(found.get(pool) ?? []), ...folders])]);
  }
  return { folders: found, complete: problems.length === 0 };
}
