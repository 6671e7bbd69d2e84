import { batchAdvice } from "../../core/replies/batches/batch-words.js";
import { UserError } from "../../lib/user-error.js";
import type { BatchAccess } from "./message-batches.js";

const ANTHROPIC = "https://api.anthropic.com";

/** Without encryption only this machine itself is spoken to. */
const SAFE = /^(https:\/\/[^/?#@\s]+|http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?)(\/[^?#@\s]*)?$/;

/** Whose key pays, and where it is sent. Variables that other programs read count for nothing. */
export function batchAccess(env: NodeJS.ProcessEnv): BatchAccess {
  const key = env.KORYPH_BATCH_API_KEY?.trim();
  if (!key) throw UserError.of(batchAdvice.noKey(Boolean(env.ANTHROPIC_API_KEY)));
  const base = env.KORYPH_BATCH_BASE_URL || ANTHROPIC;
  if (!SAFE.test(base)) throw UserError.of(batchAdvice.badBase(base));
  return { baseUrl: base.replace(/\/+$/, ""), key };
}
