import { buildProgram } from "../../../src/cli/program.js";
import { heardTerminal } from "./heard-terminal.js";

/** What a command prints as the surface wires it, in this very process; throws what the command throws. */
export async function koryphHere(...args: readonly string[]): Promise<{ out: string; err: string }> {
  const { terminal, said } = heardTerminal();
  const { program } = buildProgram(terminal, () => {});
  await program.parseAsync([...args], { from: "user" });
  return said;
}
