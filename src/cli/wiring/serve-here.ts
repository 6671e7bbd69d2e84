import { openLog } from "../../app/http/server-log.js";
import { readSettings, secretsOf } from "../../app/serve/read-settings.js";
import { type RunningApp, startServing } from "../../app/serve/serve-until-stopped.js";
import type { Terminal } from "../text/terminal.js";

/** The App in this very process, with these settings and none of the operator's own but how much it logs. */
export async function serveHere(
  settingsEnv: Readonly<Record<string, string>>,
  { hostname }: URL,
  terminal: Terminal,
): Promise<RunningApp> {
  const { LOG_LEVEL, LOG_FORMAT } = process.env;
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const settings = readSettings({ ...settingsEnv, LOG_LEVEL, LOG_FORMAT }, { host });
  const log = openLog({
    level: settings.logLevel,
    format: settings.logFormat ?? (process.stderr.isTTY ? "pretty" : "json"),
    secrets: secretsOf(settings),
    write: (line) => terminal.err(line),
  });
  const { startApp } = await import("../../app/start-app.js");
  return startServing({ settings, log, start: startApp });
}
