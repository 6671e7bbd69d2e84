import { plainText } from "../../lib/plain-text.js";
import type { Advice } from "../../lib/user-error.js";

/** What `koryph sandbox` says. */
export const sandboxWords = {
  started: (url: string, people: readonly string[], repository: string): string[] => [
    `A GitHub of your own runs at ${url}`,
    `  repository ${repository}; people: ${people.join(", ")}`,
  ],
  next: (envFile: string, page: string): string[] => [
    "",
    "  next, in another terminal, start the App:",
    `    (set -a; . ${shellWord(envFile)}; koryph serve)`,
    `  then open ${page} and comment /koryph help`,
    "",
    "Ctrl-C ends it.",
  ],
  kept: (folder: string): string => `Everything stays in ${plainText(folder)}`,
};

export const sandboxAdvice = {
  portTaken: (port: number): Advice => ({
    message: `port ${port} is taken by another process`,
    hint: `koryph sandbox --port ${port === 65_535 ? port - 1 : port + 1}, or end what listens there`,
  }),
  portForbidden: (port: number): Advice => ({
    message: `port ${port} may not be used by this account`,
    hint: "choose one above 1023 with --port",
  }),
  badPort: (found: string): Advice => ({
    message: `--port is ${plainText(found)}, and it must be a whole number from 0 to 65535`,
    hint: "leave it out for 4567; 0 takes any that is free",
  }),
  badAppUrl: (found: string): Advice => ({
    message: `--app-url is ${plainText(found)}, and it must be an address of this machine such as http://127.0.0.1:3000`,
    hint: "it is where koryph serve listens, without a path",
  }),
  badFolder: (folder: string, problem: string): Advice => ({
    message: `${plainText(folder)} cannot be used: ${plainText(problem)}`,
    hint: "name a folder that can be written with --folder, or leave it out for a temporary one",
  }),
};

/** Settings as lines a shell can read. */
export function envFileText(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${shellWord(value)}\n`)
    .join("");
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
