import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { isStranger, type Relative } from "../../../src/adapters/process/strangers.js";
import { agentSlot, isRunning } from "../../support/engine/agent-slot.js";
import { tempFolder } from "../../support/temp-folder.js";

/** util-linux has it; without it nothing here can make a terminal. */
const hasScript = existsSync("/usr/bin/script");

/** Has a person run this line of sh, and gives the pid of the process that then works in the clone. */
async function personsIn(cwd: string, command: string, env: NodeJS.ProcessEnv = {}): Promise<number> {
  const file = join(tempFolder(), "pid");
  const person = spawn("/bin/sh", ["-c", command], {
    cwd: tempFolder(),
    env: { PATH: process.env.PATH, clone: cwd, file, ...env },
    stdio: "ignore",
    detached: true,
  });
  onTestFinished(() => {
    person.kill("SIGKILL");
    if (pid > 0 && isRunning(pid)) process.kill(pid, "SIGKILL");
  });
  let pid = 0;
  await vi.waitFor(() => {
    pid = Number(existsSync(file) ? readFileSync(file, "utf8") : "");
    expect(pid).toBeGreaterThan(0);
  }, 15_000);
  return pid;
}

const IN_CLONE = 'cd "$clone" && echo $$ >"$file" && exec sleep 600';

test.each([
  { name: "a person's shell", command: `sh -c '${IN_CLONE}'; :` },
  { name: "what a person started and left", command: `setsid -f sh -c '${IN_CLONE}'`, home: true },
  ...(hasScript ? [{ name: "a person's editor", command: `script -qc '${IN_CLONE}' /dev/null; :` }] : []),
])("a sweep leaves alone $name inside the clone", async ({ command, home = false }) => {
  const { processes } = agentSlot("");
  const clone = tempFolder();
  const pid = await personsIn(clone, command, home ? { HOME: process.env.HOME } : {});
  expect(await processes.sweep("nobody", clone)).toBe(0);
  expect(await processes.sweep({ home: tempFolder(), besides: null, inside: true }, clone)).toBe(0);
  expect(isRunning(pid)).toBe(true);
});

const self: Relative = {
  session: 50,
  terminal: 0,
  isMarked: false,
  hasOurHome: false,
  isInside: true,
  isOurs: false,
};
const outside: Relative = { ...self, session: 40, isInside: false };
const engine: Relative = { ...outside, session: 30, isOurs: true };

test.each<{ name: string; line: readonly Relative[]; stranger: boolean }>([
  { name: "an orphan that nothing is known of", line: [self], stranger: false },
  { name: "one that is gone", line: [], stranger: false },
  { name: "one with a terminal", line: [{ ...self, terminal: 34816 }], stranger: true },
  { name: "one with the engine's HOME", line: [{ ...self, hasOurHome: true }], stranger: true },
  { name: "one that a living program outside started", line: [self, outside], stranger: true },
  { name: "one whose shell is inside too", line: [self, self, outside], stranger: true },
  { name: "one whose parents are all inside", line: [self, self], stranger: false },
  {
    name: "one an agent started, at a terminal",
    line: [
      { ...self, terminal: 9 },
      { ...outside, isMarked: true },
    ],
    stranger: false,
  },
  {
    name: "one an agent started through others",
    line: [self, outside, { ...outside, isMarked: true }],
    stranger: false,
  },
  { name: "one that the engine started, or took in", line: [self, engine], stranger: false },
  { name: "one of the engine's own session", line: [{ ...self, session: 30 }, engine], stranger: true },
  {
    name: "one taken in by an engine that is an agent's itself",
    line: [self, { ...engine, isMarked: true }],
    stranger: false,
  },
  {
    name: "one beside an engine that is an agent's itself",
    line: [
      { ...self, terminal: 9 },
      { ...engine, isMarked: true },
    ],
    stranger: true,
  },
])("$name: somebody else's is $stranger", ({ line, stranger }) => expect(isStranger(line)).toBe(stranger));
