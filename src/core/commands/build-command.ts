import { PLACE } from "./argument.js";
import type { Command, CommandProblem, Verb } from "./command.js";
import type { Given } from "./read-arguments.js";

/** The command that the values make; a problem when two of them contradict each other. */
export function buildCommand(verb: Verb, given: Given): Command | CommandProblem {
  const value = (name: string) => given.get(name) ?? null;
  const text = (name: string) => given.get(name) ?? "";
  const dryRun = given.has("dry-run");
  const force = given.has("force");
  const bead = value("bead");
  switch (verb) {
    case "help":
      return { verb, topic: value("verb") };
    case "status":
      return { verb, bead };
    case "why":
      return { verb, bead };
    case "link":
      return { verb };
    case "unlink":
      return { verb };
    case "review":
      return { verb, full: given.has("scope"), dryRun };
    case "approve":
      return { verb, sha: value("sha"), dryRun };
    case "comment": {
      const [, path = "", line = ""] = PLACE.exec(text("at")) ?? [];
      return { verb, path, line: Number(line), text: text("text"), dryRun };
    }
    case "close":
      return { verb, reason: text("reason"), dryRun };
    case "land": {
      const [sha, method] = [value("sha"), value("method")];
      const cancel = given.has("cancel");
      const other = sha ?? method;
      if (cancel && other !== null)
        return { kind: "bad-argument", verb, found: other, needed: "--cancel alone" };
      return {
        verb,
        sha,
        method: method === "ff" || method === "squash" ? method : null,
        ...(cancel && { cancel }),
        dryRun,
      };
    }
    case "hold":
      return { verb, bead, reason: text("reason"), dryRun };
    case "unhold":
      return { verb, bead, dryRun };
    case "retry": {
      const reason = value("reason");
      const all = given.has("all");
      if (all && bead !== null)
        return { kind: "bad-argument", verb, found: bead, needed: "either a bead or --all" };
      if (!all && reason !== null)
        return { kind: "bad-argument", verb, found: "reason=", needed: "--all with it" };
      return all ? { verb, bead: null, all: { reason }, dryRun } : { verb, bead, dryRun };
    }
    case "sync":
      return { verb, dryRun };
    case "drain":
      return { verb, dryRun };
    case "nudge":
      return { verb, bead, text: text("text"), dryRun };
    case "stop": {
      const run = given.has("run");
      if (run && bead !== null)
        return { kind: "bad-argument", verb, found: bead, needed: "either a bead or --run" };
      return { verb, bead, run, force, hold: given.has("hold"), drain: given.has("drain"), dryRun };
    }
    case "resize": {
      const max = text("max");
      return { verb, max: max === "clear" ? null : Number(max), force, dryRun };
    }
  }
}
