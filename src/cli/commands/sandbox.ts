import type { Command } from "commander";
import { sandboxAdvice } from "../../core/replies/surfaces/sandbox.js";
import { UserError } from "../../lib/user-error.js";
import type { Surface } from "../program.js";

const PORT = 4567;
const APP_URL = "http://127.0.0.1:3000";
const ANY_PORT = "http://127.0.0.1:0";

interface Options {
  readonly port?: string;
  readonly folder?: string | null;
  readonly appUrl?: string;
  readonly app?: boolean;
  readonly json?: boolean;
}

export function addSandbox(command: Command, { terminal }: Surface): void {
  command
    .option("--port <n>", `listen on this port (default: ${PORT})`)
    .option("--folder <folder>", "keep everything there, and go on with what is in it")
    .option("--app", "run the App here too, so that comments get answers")
    .option("--app-url <url>", `where the App takes webhooks (default: ${APP_URL}, with --app any free port)`)
    .option("--json", "print one line of JSON: url, folder, env, people, clone")
    .action(async ({ port, folder = null, app = false, appUrl, json = false }: Options) => {
      const heard = readAppUrl(appUrl ?? (app ? ANY_PORT : APP_URL));
      const wanted = { port: readPort(port), app, appUrl: heard, folder, json };
      // A whole GitHub takes a while to load, and the help page does without it.
      const { hostSandbox } = await import("../wiring/host-sandbox.js");
      await hostSandbox(wanted, terminal);
    });
}

function readPort(text: string | undefined): number {
  const port = text === undefined ? PORT : /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port >= 0 && port <= 65_535) return port;
  throw UserError.of(sandboxAdvice.badPort(text ?? ""));
}

/** Webhooks carry nothing that anybody else should get, so they stay on this machine. */
function readAppUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === "http:" && /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(url.hostname))
    return url.origin;
  throw UserError.of(sandboxAdvice.badAppUrl(text));
}
