import { readFileSync } from "node:fs";
import { answerToolHook } from "./answer-tool-hook.js";

/** More than a call has; what is longer is cut off, cannot be read and is denied. */
const CHARACTERS = 16 * 1024 * 1024;

/** By this code the program that asks takes a failed hook for a denial. */
const DENIED = 2;

try {
  process.stdout.write(answerToolHook(readFileSync(0, "utf8").slice(0, CHARACTERS), process.argv[2] ?? ""));
} catch (error) {
  process.stderr.write(`koryph's guard failed, so the call is denied: ${String(error)}\n`);
  process.exitCode = DENIED;
}
