import { buildProgram } from "../../../src/cli/program.js";
import { heardTerminal } from "./heard-terminal.js";

/** The verbs of `koryph project` as the surface wires them, with what they print. */
export async function koryphProject(...args: string[]): Promise<{ out: string; err: string }> {
  const { terminal, said } = heardTerminal();
  const { program } = buildProgram(terminal, () => {});
  await program.parseAsync(["project", ...args], { from: "user" });
  return said;
}
