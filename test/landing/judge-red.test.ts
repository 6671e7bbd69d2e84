import { expect, test } from "vitest";
import { type AskBase, judgeRed } from "../../src/landing/judge-red.js";
import type { GateAnswer } from "../../src/ports/gate.js";
import { sha } from "../support/core/slots.js";

const red = { kind: "red", command: "npm test", code: 1, output: "1 failed", places: [] } as const;
const stale = { ...red, command: "npm ci", output: "no such package" };

async function judged(answer: GateAnswer | null) {
  const told: string[] = [];
  const askBase: AskBase = async (head, tell) => {
    tell({ kind: "command", command: "npm test", number: 1, of: 1, since: 0 });
    told.push(head);
    return answer ?? red;
  };
  const refusal = await judgeRed(red, {
    base: sha("a"),
    askBase: answer === null ? undefined : askBase,
    tell: ({ kind }) => told.push(kind),
  });
  return { refusal, told };
}

test.each<{ name: string; base: GateAnswer | null; refusal: object | null }>([
  { name: "green: the work is to blame", base: { kind: "green" }, refusal: { ...red, kind: "gate-failed" } },
  {
    name: "red: the default branch is, in its own words",
    base: stale,
    refusal: { kind: "base_red", base: sha("a"), command: "npm ci", code: 1, output: "no such package" },
  },
  { name: "stopped: nobody is", base: { kind: "stopped" }, refusal: null },
  { name: "nobody's question: the work is to blame", base: null, refusal: { ...red, kind: "gate-failed" } },
])("the default branch's gate is $name", async ({ base, refusal }) => {
  expect((await judged(base)).refusal).toEqual(refusal);
});

test("whoever watches hears that another gate runs, and which of its commands", async () => {
  expect((await judged({ kind: "green" })).told).toEqual(["base-gate", "command", sha("a")]);
  expect((await judged(null)).told).toEqual([]);
});
