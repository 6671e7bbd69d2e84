import { openLog, type ServerLog } from "../../app/http/server-log.js";
import { type Settings, secretsOf } from "../../app/serve/read-settings.js";
import type { Terminal } from "../text/terminal.js";

/** The server's log on standard error: for people where that is a terminal, for programs elsewhere. */
export function logToTerminal(settings: Settings, terminal: Terminal): ServerLog {
  return openLog({
    level: settings.logLevel,
    format: settings.logFormat ?? (process.stderr.isTTY ? "pretty" : "json"),
    secrets: secretsOf(settings),
    write: (line) => terminal.err(line),
  });
}
