import type { PinnedAccounts } from "../../core/govern/account-pin.js";
import type { KoryphHome } from "./koryph-home.js";
import { Registry } from "./registry.js";

/** What a project pins on this machine. Throws a `UserError` where its entry cannot be read: it may pin something. */
export async function pinnedAccounts(home: KoryphHome, project: string): Promise<PinnedAccounts> {
  const entry = await new Registry(home).find(project);
  return { project, pins: entry?.accounts ?? {} };
}
