import { createHash } from "node:crypto";

const CHARACTERS = 16;

/**
 * The fingerprint of an account. That of a key leads nobody back to it; that of an address can be checked by whoever
 * guesses the address.
 */
export function accountDigest(name: string): string {
  return createHash("sha256").update(`koryph account\n${name}`).digest("hex").slice(0, CHARACTERS);
}
