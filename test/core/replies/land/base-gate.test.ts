import { expect, test } from "vitest";
import { gateAdvice, gateJson, gateWords } from "../../../../src/core/replies/land/base-gate.js";

const HEAD = "58e961e1cfa14665a164ca6caf4bfbc1b13ff051";

test("each command is shown with its result and its time", () => {
  const step = (command: string, code: number | null, ms: number) =>
    gateWords.step({ try: 1, command, code, ms });
  expect([
    step("npm ci", 0, 72_000),
    step("npm test", 1, 900),
    step("sleep 9999", null, 3_600_000),
  ]).toMatchInlineSnapshot(`
      [
        "  ok    1m 12s  npm ci",
        "  red       0s  npm test",
        "  red   1h 00m  sleep 9999",
      ]
    `);
});

test("a red gate names the commit, the command and how it ended", () => {
  const red = { command: "npm test", code: 1, output: "1 failed", places: [] };
  expect(gateAdvice.red(HEAD, red, null).message).toBe(
    "the gate is red on 58e961e1cfa1: `npm test` ended with 1",
  );
});

test("a red default branch says what koryph run does, another commit does not", () => {
  const red = { command: "npm test", code: 1, output: "", places: [] };
  const next = "mend it there, or the gate in koryph.project.json";
  expect(gateAdvice.red(HEAD, red, null).hint).toBe(next);
  expect(gateAdvice.red(HEAD, red, { unseen: null }).hint).toBe(
    `${next}; until then koryph run starts no agent, and koryph run --allow-red-base is for a bead that mends it`,
  );
});

test("a run that found the default branch red says nothing of agents that it may have had", () => {
  const { message } = gateAdvice.redBase({ head: HEAD, command: "npm test", code: 1, output: "" }, null);
  expect(message).toBe(
    "the gate is red on the default branch itself, at 58e961e1cfa1: `npm test` ended with 1; no more agents start",
  );
});

test("a name that nobody knows is answered with those that are there", () => {
  expect(gateAdvice.unknownRef("nope", ["main", "fix"]).message).toBe(
    'there is no commit called "nope" here; branches found: main, fix',
  );
});

test("programs get every command that ended, and what was red", () => {
  const steps = [{ try: 1, command: "npm test", code: 1, ms: 1_500 }];
  const answer = { kind: "red", command: "npm test", code: 1, output: "no", places: [] } as const;
  expect(gateJson({ head: HEAD, ref: "main", steps, answer })).toEqual({
    head: HEAD,
    ref: "main",
    result: "red",
    commands: [{ try: 1, command: "npm test", code: 1, seconds: 1.5 }],
    command: "npm test",
    code: 1,
    output: "no",
    places: [],
  });
});
