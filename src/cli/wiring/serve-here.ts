import { readSettings } from "../../app/serve/read-settings.js";
import { type RunningApp, startServing } from "../../app/serve/serve-until-stopped.js";
import type { Terminal } from "../text/terminal.js";
import { logToTerminal } from "./log-to-terminal.js";

/** The App in this very process, with these settings and none of the operator's own but how much it logs. */
export async function serveHere(
  settingsEnv: Readonly<Record<string, string>>,
  { hostname }: URL,
  terminal: Terminal,
): Promise<RunningApp> {
  const { LOG_LEVEL, LOG_FORMAT } = process.env;
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const settings = readSettings({ ...settingsEnv, LOG_LEVEL, LOG_FORMAT }, { host });
  const log = logToTerminal(settings, terminal);
  const { startApp } = await import("../../app/start-app.js");
  return startServing({ settings, log, start: startApp });
}
