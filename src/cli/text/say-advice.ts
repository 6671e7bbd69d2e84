import { redactCode } from "../../core/redact.js";
import { plainLines } from "../../lib/plain-text.js";
import type { Advice } from "../../lib/user-error.js";
import type { Terminal } from "./terminal.js";

/** What is wrong and what to do next. Parts of it may be other people's words, or what somebody typed by mistake. */
export function sayAdvice(terminal: Terminal, { message, hint }: Advice): void {
  terminal.err(plainLines(redactCode(`koryph: ${message}\n  next: ${hint}`)));
}

/** What stops nothing, and should be known. */
export function sayWarning(terminal: Terminal, { message, hint }: Advice): void {
  terminal.err(plainLines(redactCode(`warning: ${message}\n  next: ${hint}`)));
}
