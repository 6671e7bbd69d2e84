#!/usr/bin/env node
import nodeModule from "node:module";
import { outputAdvice } from "../core/replies/surfaces/output.js";
import { type CompileCache, keepCompiled } from "./keep-compiled.js";
import { runCli } from "./run-cli.js";
import { EXIT_CODES } from "./text/exit-codes.js";
import { sayAdvice } from "./text/say-advice.js";
import { openTerminal } from "./text/terminal.js";

const LINGER_MS = 2_000;

keepCompiled(nodeModule as CompileCache, process.env);

const terminal = openTerminal(process.stdout, process.stderr, (problem) => {
  // The loss may show before or after the command has ended with a code of its own.
  process.on("exit", () => {
    process.exitCode = EXIT_CODES.failed;
  });
  sayAdvice(terminal, outputAdvice.lost(problem.message));
});

process.exitCode = await runCli(process.argv.slice(2), terminal);
// The command is over. A program it started and could not end does not keep it here; nothing is held by this timer.
setTimeout(() => process.exit(), LINGER_MS).unref();
