import type { Terminal } from "../../../src/cli/text/terminal.js";
import { PLAIN } from "../../../src/lib/paint.js";

/** A terminal for a command in this process, and what it says on either stream. */
export function heardTerminal(): {
  readonly terminal: Terminal;
  readonly said: { out: string; err: string };
} {
  const said = { out: "", err: "" };
  const terminal = {
    out: (line: string) => {
      said.out += `${line}\n`;
    },
    err: (line: string) => {
      said.err += `${line}\n`;
    },
    paint: PLAIN,
  };
  return { terminal, said };
}
