import { createHash } from "node:crypto";
import { keyTypeOf } from "./agent-messages.js";

/** As `ssh-keygen -l` shows it. */
export function fingerprintOf(blob: Buffer): string {
  return `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`;
}

/** `ssh-ed25519 AAAA…`, without a comment. */
export function publicKeyOf(blob: Buffer): string {
  return `${keyTypeOf(blob)} ${blob.toString("base64")}`;
}
