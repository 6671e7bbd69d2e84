import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** So that another way of sealing can be told apart later. */
const VERSION = 1;

/**
 * Locks a secret away with AES-256-GCM. `about` is not in it but belongs to it: what was sealed for one account cannot
 * be opened as another's.
 */
export function seal(key: Uint8Array, secret: string, about: string): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(about));
  const locked = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return Buffer.concat([Buffer.from([VERSION]), nonce, cipher.getAuthTag(), locked]);
}

/** Null when it was sealed with another key, for something else, or was tampered with. */
export function unseal(key: Uint8Array, sealed: Uint8Array, about: string): string | null {
  if (sealed.length < 1 + NONCE_BYTES + TAG_BYTES || sealed[0] !== VERSION) return null;
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
  const tag = sealed.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES);
  const locked = sealed.subarray(1 + NONCE_BYTES + TAG_BYTES);
  try {
    const cipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(about)).setAuthTag(tag);
    return Buffer.concat([cipher.update(locked), cipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}
