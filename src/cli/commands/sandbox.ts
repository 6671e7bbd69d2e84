import { sandboxAdvice } from "../../core/replies/surfaces/sandbox.js";
import { UserError } from "../../lib/user-error.js";
import type { Surface } from "../program.js";

const PORT = 4567;
const APP_URL = "http://127.0.0.1:3000";

interface Options {
  readonly port?: string;
  readonly folder?: string | null;
  readonly appUrl: string;
  readonly json?: boolean;
}

export function addSandbox({ program, terminal }: Surface): void {
  program
    .command("sandbox")
    .description("run a GitHub of your own on this machine, to try the App without an account")
    .option("--port <n>", `listen on this port (default: ${PORT})`)
    .option("--folder <folder>", "keep everything there, and go on with what is in it")
    .option("--app-url <url>", "where the App takes webhooks", APP_URL)
    .option("--json", "print one line of JSON: url, folder, env, people, clone")
    .action(async ({ port, folder = null, appUrl, json = false }: Options) => {
      const wanted = { port: readPort(port), appUrl: readAppUrl(appUrl), folder, json };
      // A whole GitHub takes a while to load, and every help page loads this module.
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
