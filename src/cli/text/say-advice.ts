import { plainLines } from "../../lib/plain-text.js";
import type { Advice } from "../../lib/user-error.js";
import type { Terminal } from "./terminal.js";

/** What is wrong and what to do next. Parts of it may be other people's words. */
export function sayAdvice(terminal: Terminal, { message, hint }: Advice): void {
  terminal.err(plainLines(`koryph: ${message}\n  next: ${hint}`));
}

/** What stops nothing, and should be known. */
export function sayWarning(terminal: Terminal, { message, hint }: Advice): void {
  terminal.err(plainLines(`warning: ${message}\n  next: ${hint}`));
}
