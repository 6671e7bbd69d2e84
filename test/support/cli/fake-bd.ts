import { execFileSync } from "node:child_process";
import { constants, openSync, readFileSync, writeFileSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { Socket } from "node:net";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished, vi } from "vitest";
import { tempFolder } from "../temp-folder.js";
import { answerAsBd, type BdManner, type FakeBead } from "./fake-bd-answers.js";

export interface FakeBd {
  readonly folder: string;
  beads(): FakeBead[];
  /** The arguments of every call. */
  calls(): string[][];
  /** The arguments of every call that writes. */
  writes(): string[][];
}

/** Leaves its arguments in a file, says so, and repeats the answer: a shell starts in a tenth of the time of a node. */
const BD = `#!/bin/sh
me=$0.$$
mkfifo "$me.code"
printf '%s\\0' "$@" >"$me.args"
echo "$$" >"$0.calls"
read -r code <"$me.code"
cat "$me.out"
cat "$me.err" >&2
exit "$code"
`;

/** A program `bd`, put first on the path, that the test answers for: whoever calls it must not block the test. */
export function fakeBd(given: readonly object[], manner: BdManner = {}): FakeBd {
  const folder = tempFolder();
  const program = join(folder, "bd");
  writeFileSync(program, BD, { mode: 0o755 });
  vi.stubEnv("PATH", `${folder}${delimiter}${process.env.PATH}`);
  // As bd keeps them: nothing of what a test holds changes with them.
  const beads = JSON.parse(JSON.stringify(given)) as FakeBead[];
  const calls: string[][] = [];
  listen(`${program}.calls`, async (pid) => {
    const call = `${program}.${pid}`;
    const argv = readFileSync(`${call}.args`, "utf8").split("\0").slice(0, -1);
    const { isKnown, code, out, err } = answerAsBd(beads, argv, manner);
    if (isKnown) calls.push(argv);
    if (code === null) return;
    writeFileSync(`${call}.out`, out);
    writeFileSync(`${call}.err`, err);
    await appendFile(`${call}.code`, `${code}\n`);
  });
  return {
    folder,
    calls: () => [...calls],
    beads: () => JSON.parse(JSON.stringify(beads)) as FakeBead[],
    writes: () => calls.filter(([verb, more]) => verb === "update" || verb === "close" || more === "add"),
  };
}

/** Each line that anybody writes to a named pipe, until the test ends. */
function listen(pipe: string, onLine: (line: string) => void): void {
  execFileSync("mkfifo", [pipe]);
  // Also open for writing: a pipe that all writers have left would be at its end.
  const socket = new Socket({ fd: openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK), readable: true });
  createInterface({ input: socket }).on("line", onLine);
  onTestFinished(() => {
    socket.destroy();
  });
}
