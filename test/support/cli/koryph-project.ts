import { buildProgram } from "../../../src/cli/program.js";
import { PLAIN } from "../../../src/lib/paint.js";

/** The verbs of `koryph project` as the surface wires them, with what they print. */
export async function koryphProject(...args: string[]): Promise<{ out: string; err: string }> {
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
  const { program } = buildProgram(terminal, () => {});
  await program.parseAsync(["project", ...args], { from: "user" });
  return said;
}
