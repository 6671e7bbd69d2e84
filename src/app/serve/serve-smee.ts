import { SmeeClient } from "smee-client";
import type { ServerLog } from "../http/server-log.js";

export interface SmeeOptions {
  readonly source: string;
  readonly target: string;
  readonly log: ServerLog;
}

/**
 * Lets webhooks of a smee.io channel come in, for machines that GitHub cannot reach. It connects by itself, now and
 * whenever the connection breaks. Returns the way to end it.
 */
export function followSmee({ source, target, log }: SmeeOptions): () => Promise<void> {
  const logger = {
    info: (message: unknown) => log.debug({ smee: String(message) }, "from smee"),
    error: (message: unknown) =>
      log.warn({ smee: String(message) }, "smee has a problem, and is tried again"),
  };
  const client = new SmeeClient({ source, target, logger });
  // It fails when the first try fails, which has been logged by then, and goes on trying.
  client.start().catch(() => {});
  return () => client.stop();
}
