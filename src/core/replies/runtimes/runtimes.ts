import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";
import { PROJECT_FILE } from "../../config/project-file.js";
import type { RuntimeDescriptor } from "../../runtimes/runtime-descriptor.js";

export const runtimeAdvice = {
  install: (runtime: RuntimeDescriptor): string => `install it (npm install --global ${runtime.package})`,
  unknown: (name: string, known: readonly string[]): Advice => ({
    message: `there is no runtime ${plainText(name)}`,
    hint: `use ${known.join(" or ")}, or name a program for it under runtimes.${plainText(name)}.command in ${PROJECT_FILE}`,
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
  notExecutable: (name: string, path: string): Advice => ({
    message: `runtime ${name}: ${plainText(path)} is not executable`,
    hint: `chmod +x ${plainText(path)}, or name another program under runtimes.${name}.command in ${PROJECT_FILE}`,
  }),
  badInterpreter: (name: string, path: string, interpreter: string): Advice => ({
    message: `runtime ${name}: ${plainText(path)} has a bad interpreter: its first line asks for ${plainText(interpreter)}, which was not found`,
    hint: interpreter.endsWith("\r")
      ? "its lines end in CR LF: save it with LF alone"
      : "install that program, or mend the script's first line",
  }),
  noVersion: (name: string, program: string, problem: string): Advice => ({
    message: `runtime ${name}: ${plainText(program)} --version did not work: ${plainText(problem)}`,
    hint: "run the same command by hand, and install the program again if it fails",
  }),
  tooOld: (runtime: RuntimeDescriptor, version: string): Advice => ({
    message: `runtime ${runtime.name} is version ${version}, and koryph needs ${runtime.version.oldest} or newer`,
    hint: `upgrade it: npm install --global ${runtime.package}@latest`,
  }),
  noCredentials: ({ name, credentials: { anyOf, hint } }: RuntimeDescriptor): Advice => ({
    message: `runtime ${name} has no credentials: agents have a home of their own and do not see your log-in`,
    hint: `set one of ${anyOf.join(", ")}${hint === undefined ? "" : `; ${hint}`}`,
  }),
  noProviderKey: (name: string, model: string, variables: readonly string[]): Advice => ({
    message: `runtime ${name} has no credentials for model ${plainText(model)}`,
    hint: `set one of ${variables.join(", ")}`,
  }),
};
