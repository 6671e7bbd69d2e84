import { expect, test } from "vitest";
import { judged } from "../../support/red-team/guard-bench.js";
import { ORDINARY_COMMANDS, UNREAD_COMMANDS } from "../../support/red-team/ordinary-commands.js";

test.each(ORDINARY_COMMANDS)("allowed: %s", (command) => {
  expect({ command, ...judged(command) }).toEqual({ command, kind: "allow" });
});

test.each(UNREAD_COMMANDS)("left to the sandbox or allowed, never denied: %s", (command) => {
  const first = judged(command);
  const verdict = first.kind === "needs" ? judged(command, { [first.paths[0] ?? ""]: null }) : first;
  expect({ command, ...verdict }).not.toMatchObject({ kind: "deny" });
});
