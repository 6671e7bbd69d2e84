import type { Command } from "commander";
import type { Advice } from "../../lib/user-error.js";

/** Refuses a command line that each option allows and all of them together do not: exit 2, nothing was done. */
export function refuseUsage(command: Command, { message, hint }: Advice): never {
  command.error(`error: ${message}\n  next: ${hint}`);
}
