#!/usr/bin/env node
import { outputAdvice } from "../core/replies/surfaces/output.js";
import { runCli, sayAdvice } from "./run-cli.js";
import { EXIT_CODES } from "./text/exit-codes.js";
import { openTerminal } from "./text/terminal.js";

const terminal = openTerminal(process.stdout, process.stderr, (problem) => {
  // The loss may show before or after the command has ended with a code of its own.
  process.on("exit", () => {
    process.exitCode = EXIT_CODES.failed;
  });
  sayAdvice(terminal, outputAdvice.lost(problem.message));
});

process.exitCode = await runCli(process.argv.slice(2), terminal);
