import { mkdirSync, readdirSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { GateMemory } from "../../../src/adapters/gate/gate-memory.js";
import { RememberingGate } from "../../../src/adapters/gate/remembering-gate.js";
import type { GateAnswer, GateRequest } from "../../../src/ports/gate.js";
import { tempFolder } from "../../support/temp-folder.js";

const GREEN: GateAnswer = { kind: "green" };
const RED: GateAnswer = {
  kind: "red",
  command: "npm test",
  code: 1,
  output: "1 failed",
  places: [{ file: "a.ts", line: 3, message: "no" }],
};
const SLOW: GateAnswer = { ...RED, code: null };
const STOPPED: GateAnswer = { kind: "stopped" };

const ASKED: GateRequest = {
  bead: "b-1",
  head: "c0ffee",
  commands: ["npm ci", "npm test"],
  accept: "green",
  folder: "gates/b-1",
  wallSeconds: 60,
  livenessFile: "alive",
  leaseSeconds: 60,
  abort: new AbortController().signal,
};

/** A gate that says these in turn, and how often it was really run. */
function gateSaying(...answers: GateAnswer[]) {
  const folder = join(tempFolder(), "gate-answers");
  let runs = 0;
  const run = async () => answers[runs++] ?? GREEN;
  const opened = (environment: NodeJS.ProcessEnv = { PATH: "/bin" }) =>
    new RememberingGate({ run }, new GateMemory(folder, environment));
  return { folder, opened, runs: () => runs };
}

test.each<{ name: string; first: GateAnswer; second: Partial<GateRequest>; runs: number }>([
  { name: "a green answer does for whoever asks", first: GREEN, second: { accept: "green" }, runs: 1 },
  { name: "a red answer keeps nobody from another try", first: RED, second: { accept: "green" }, runs: 2 },
  { name: "whoever wants it run gets it run", first: GREEN, second: { accept: "none" }, runs: 2 },
  { name: "an answer is of one commit", first: GREEN, second: { head: "decade" }, runs: 2 },
  { name: "an answer is of these very commands", first: GREEN, second: { commands: ["npm test"] }, runs: 2 },
  { name: "a command that ran out of time says nothing of the commit", first: SLOW, second: {}, runs: 2 },
  { name: "a check that was stopped has no answer", first: STOPPED, second: {}, runs: 2 },
  { name: "another bead's check of the same commit counts", first: GREEN, second: { bead: "b-2" }, runs: 1 },
])("$name", async ({ first, second, runs }) => {
  const gate = gateSaying(first, GREEN);
  expect(await gate.opened().run(ASKED)).toEqual(first);

  // As another process would, later.
  const answer = await gate.opened().run({ ...ASKED, ...second });

  expect({ runs: gate.runs(), answer }).toEqual({ runs, answer: runs === 1 ? first : GREEN });
});

test("the answer that came last is the one that counts, and one that says nothing takes it away", async () => {
  const gate = gateSaying(RED, GREEN, SLOW);
  const asked = { ...ASKED, accept: "none" } as const;
  const known: unknown[] = [];
  for (let time = 0; time < 3; time += 1) {
    await gate.opened().run(asked);
    known.push(new GateMemory(gate.folder, { PATH: "/bin" }).find(ASKED));
  }
  expect(known).toEqual([RED, GREEN, null]);
});

test("other tools on the path are asked again, another terminal is not", async () => {
  const gate = gateSaying(GREEN);
  await gate.opened({ PATH: "/bin", TERM: "xterm" }).run(ASKED);
  expect(await gate.opened({ PATH: "/bin", TERM: "dumb" }).recall(ASKED)).toEqual(GREEN);
  expect(await gate.opened({ PATH: "/opt/node24/bin:/bin" }).recall(ASKED)).toBeNull();
});

test("a damaged file is no answer, and the next one replaces it", async () => {
  const gate = gateSaying(GREEN, GREEN);
  await gate.opened().run(ASKED);
  for (const name of readdirSync(gate.folder)) writeFileSync(join(gate.folder, name), '{"kind":"gre');
  expect(await gate.opened().recall(ASKED)).toBeNull();
  await gate.opened().run(ASKED);
  expect(await gate.opened().recall(ASKED)).toEqual(GREEN);
});

test("of many answers the newest 200 are kept", async () => {
  const gate = gateSaying();
  await gate.opened().run(ASKED);
  for (const name of readdirSync(gate.folder)) utimesSync(join(gate.folder, name), 1, 1);
  for (let number = 0; number < 200; number += 1) await gate.opened().run({ ...ASKED, head: `${number}` });
  expect(readdirSync(gate.folder)).toHaveLength(200);
  expect(await gate.opened().recall(ASKED)).toBeNull();
  expect(await gate.opened().recall({ ...ASKED, head: "0" })).toEqual(GREEN);
});

test.each<{ name: string; spoil: (folder: string, answer: string) => void }>([
  { name: "a file stands in the folder's place", spoil: (folder) => writeFileSync(folder, "") },
  {
    name: "a folder stands in an answer's place",
    spoil: (folder, answer) => mkdirSync(join(folder, answer), { recursive: true }),
  },
])("where $name, nothing is remembered and the gate says what it says", async ({ spoil }) => {
  const another = gateSaying(GREEN);
  await another.opened().run(ASKED);
  const gate = gateSaying(RED, GREEN);
  spoil(gate.folder, readdirSync(another.folder)[0] ?? "");
  expect(await gate.opened().run(ASKED)).toEqual(RED);
  expect(await gate.opened().run({ ...ASKED, accept: "green" })).toEqual(GREEN);
});

test("a file that is longer than any answer is none", async () => {
  const gate = gateSaying(GREEN, RED);
  await gate.opened().run(ASKED);
  truncateSync(join(gate.folder, readdirSync(gate.folder)[0] ?? ""), 2_000_000);
  expect(await gate.opened().run(ASKED)).toEqual(RED);
});
