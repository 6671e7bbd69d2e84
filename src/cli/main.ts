#!/usr/bin/env node
import { runCli } from "./run-cli.js";
import { openTerminal } from "./terminal.js";

// A reader that has seen enough (`koryph plan audit | head`) is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

process.exitCode = await runCli(process.argv.slice(2), openTerminal(process.stdout, process.stderr));
