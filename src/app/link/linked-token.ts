import type { DeviceLogins } from "../../adapters/github/device-login.js";
import type { AppMemory } from "../../adapters/store/app-memory.js";
import { seal, unseal } from "../../adapters/store/seal.js";
import { KeptToken } from "./link-step.js";

export interface LinkedTokenParts {
  readonly logins: Pick<DeviceLogins, "refresh">;
  readonly memory: Pick<AppMemory, "account" | "saveAccount">;
  readonly clientId: () => Promise<string>;
  /** `https://github.com`. */
  readonly host: string;
  /** Null when accounts cannot be linked here. */
  readonly key: Uint8Array | null;
  readonly now: () => number;
}

/** So much of its life is left over for what is done with it. */
const SPARE_MS = 5 * 60_000;

/** What a person lets koryph act for them with; null when they have not linked their account, or have to do it again. */
export async function linkedToken(parts: LinkedTokenParts, userId: number): Promise<string | null> {
  const { memory, host, key, now, logins, clientId } = parts;
  if (key === null) return null;
  const account = await memory.account(host, userId);
  const about = `${host} ${userId}`;
  const secret = account && unseal(key, account.sealed, about);
  if (account === null || secret === null) return null;
  const kept = KeptToken.parse(JSON.parse(secret));
  if (kept.expires_at === null || kept.expires_at - SPARE_MS > now()) return kept.token;
  if (kept.refresh_token === null) return null;
  const fresh = await logins.refresh(await clientId(), kept.refresh_token);
  if (fresh === null) return null;
  const { token, expiresSeconds, refreshToken: refresh_token } = fresh;
  const expires_at = expiresSeconds === null ? null : now() + expiresSeconds * 1000;
  const renewed: KeptToken = { token, expires_at, refresh_token };
  await memory.saveAccount({ ...account, sealed: seal(key, JSON.stringify(renewed), about) });
  return token;
}
