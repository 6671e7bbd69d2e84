import { plainText } from "../../lib/plain-text.js";
import type { Advice } from "../../lib/user-error.js";
import { PROJECT_FILE } from "./project.js";

export const runtimeAdvice = {
  unknown: (name: string, known: readonly string[]): Advice => ({
    message: `there is no runtime ${plainText(name)}`,
    hint: `use ${known.join(" or ")}, or name a program for it under runtimes.${plainText(name)}.command in ${PROJECT_FILE}`,
  }),
  later: (name: string): Advice => ({
    message: `runtime ${name} is not built yet`,
    hint: `use claude, or give a runtime of another name a program under runtimes.<name>.command in ${PROJECT_FILE}`,
  }),
  disabled: (name: string): Advice => ({
    message: `runtime ${plainText(name)} is switched off in ${PROJECT_FILE}`,
    hint: `set runtimes.${plainText(name)}.enabled to true, or use another default_runtime`,
  }),
  noCommand: (name: string): Advice => ({
    message: `runtime ${name} has no program to run`,
    hint: `set runtimes.${name}.command in ${PROJECT_FILE}, such as ["./agents/mine.sh"]`,
  }),
  notFound: (name: string, program: string, install: string): Advice => ({
    message: `runtime ${name}: the program ${plainText(program)} was not found`,
    hint: `${install}, or name another program under runtimes.${name}.command in ${PROJECT_FILE}`,
  }),
  noVersion: (name: string, program: string, problem: string): Advice => ({
    message: `runtime ${name}: ${plainText(program)} --version did not work: ${plainText(problem)}`,
    hint: "run the same command by hand, and install the program again if it fails",
  }),
  tooOld: (name: string, version: string, floor: string): Advice => ({
    message: `runtime ${name} is version ${version}, and koryph needs ${floor} or newer`,
    hint: "upgrade it: npm install --global @anthropic-ai/claude-code@latest",
  }),
  noCredentials: (name: string, variables: readonly string[]): Advice => ({
    message: `runtime ${name} has no credentials: agents have a home of their own and do not see your log-in`,
    hint: `set one of ${variables.join(", ")}; \`claude setup-token\` makes a token for a subscription`,
  }),
};
