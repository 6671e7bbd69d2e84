import type { AppMemory } from "../../adapters/store/app-memory.js";
import type { SqlInbox } from "../../adapters/store/sql-inbox.js";
import { logWords } from "../../core/replies/app/serve.js";
import type { ServerLog } from "../http/server-log.js";
import { type Repeating, repeat } from "./repeat.js";

export interface ForgetParts {
  readonly inbox: Pick<SqlInbox, "forget">;
  readonly memory: Pick<AppMemory, "forget">;
  readonly log: Pick<ServerLog, "warn">;
  readonly now: () => number;
}

const HOUR_MS = 60 * 60 * 1000;
/** GitHub delivers again for three days, and not later. */
const JOBS_KEPT_MS = 4 * 24 * HOUR_MS;
const COMMENTS_KEPT_MS = 7 * 24 * HOUR_MS;

/** Keeps the database small, now and every hour. */
export function startForgetting({ inbox, memory, log, now }: ForgetParts): Repeating {
  return repeat(
    async () => {
      try {
        await inbox.forget(now() - JOBS_KEPT_MS);
        await memory.forget(now() - COMMENTS_KEPT_MS);
      } catch (error) {
        log.warn({ err: error }, logWords.notForgotten());
      }
    },
    { everyMs: HOUR_MS, now },
  );
}
