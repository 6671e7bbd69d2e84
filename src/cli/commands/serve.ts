import type { Command } from "commander";
import { docsPath } from "../../adapters/project/docs-path.js";
import type { ServeFlags } from "../../app/serve/read-settings.js";
import { appSetupAdvice } from "../../core/replies/app/setup/setup-words.js";
import type { Surface } from "../program.js";
import { refuseUsage } from "../text/refuse-usage.js";

export function addServe(command: Command, { terminal }: Surface): void {
  command
    .option("--port <n>", "listen on this port (default: PORT, or 3000)")
    .option("--host <address>", "listen on this address (default: HOST, or 127.0.0.1)")
    .option("--smee <url>", "take webhooks from this smee.io channel (default: WEBHOOK_PROXY_URL)")
    .option("--local-agents <owner/name,…>", "run reviewers for these repositories on this very machine")
    .option("--setup", "make the App on GitHub, from a page on this machine, and keep its keys")
    .addHelpText(
      "after",
      `\nThe App's id, key and secret come from the environment, else from where --setup kept them: ${docsPath("app.md")}`,
    )
    .action(async ({ setup = false, ...flags }: ServeFlags & { readonly setup?: boolean }) => {
      if (setup) {
        for (const [flag, given] of [
          ["--host", flags.host],
          ["--local-agents", flags.localAgents],
        ] as const)
          if (given !== undefined) refuseUsage(command, appSetupAdvice.otherFlag(flag));
        const { setUpApp } = await import("../../app/setup/set-up-app.js");
        return setUpApp({ env: process.env, flags, say: (line) => terminal.out(line) });
      }
      // A server takes a while to load, and the help page does without it.
      const [{ readSettings }, { logToTerminal }, { serveUntilStopped }] = await Promise.all([
        import("../../app/serve/read-settings.js"),
        import("../wiring/log-to-terminal.js"),
        import("../../app/serve/serve-until-stopped.js"),
      ]);
      const settings = readSettings(process.env, flags);
      const log = logToTerminal(settings, terminal);
      // Half a second's worth of modules, which a mistake in the settings need not wait for.
      const { startApp } = await import("../../app/start-app.js");
      await serveUntilStopped({ settings, log, start: startApp, say: (line) => terminal.out(line) });
    });
}
