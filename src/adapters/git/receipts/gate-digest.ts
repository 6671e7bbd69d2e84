import { createHash } from "node:crypto";
import { canonicalJson } from "../../../core/receipts/canonical-json.js";

/** What a gate runs, in one word: the same commands in the same order have the same. */
export function gateDigest(commands: readonly string[]): string {
  return `sha256:${createHash("sha256").update(canonicalJson(commands)).digest("hex")}`;
}
