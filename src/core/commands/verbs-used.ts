import type { Command, Verb } from "./command.js";

/** The verbs that whoever gives the command must be allowed to use: a stop may also hold or drain. */
export function verbsUsed(command: Command): readonly Verb[] {
  if (command.verb !== "stop") return [command.verb];
  const { hold, drain } = command;
  return ["stop", ...(hold ? (["hold"] as const) : []), ...(drain ? (["drain"] as const) : [])];
}
