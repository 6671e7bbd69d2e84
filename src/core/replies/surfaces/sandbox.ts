import { plainText } from "../../../lib/plain-text.js";
import { shellWord } from "../../../lib/shell-word.js";
import type { Advice } from "../../../lib/user-error.js";

interface Person {
  readonly login: string;
  readonly role: string;
  readonly token: string;
}

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
}

/** What `koryph sandbox` says. */
export const sandboxWords = {
  started: (url: string, people: readonly Person[], repository: string): string[] => [
    `A GitHub of your own runs at ${url}`,
    `  repository ${repository}; people: ${people.map(({ login, role }) => `${login} (${role})`).join(", ")}`,
    "  their tokens for git and the API, good for this sandbox alone:",
    ...people.map(({ login, token }) => `    ${login.padEnd(longest(people))}  ${token}`),
  ],
  temporary: (folder: string): string[] => [
    `  everything is in ${plainText(folder)} and goes when this ends, with what the App keeps there;`,
    "  --folder <folder> keeps it",
  ],
  startApp: (url: string, envFile: string, page: string): string[] => [
    "",
    "  next, in another terminal, start the App (koryph sandbox --app does both in one):",
    `    (set -a; . ${shellWord(envFile)}; koryph serve)`,
    "  or make an App of your own in its place, from a page; beside the one above, each comment gets two answers:",
    `    GITHUB_API_URL=${url} GITHUB_SERVER_URL=${url} KORYPH_HOME=$(mktemp -d) koryph serve --setup`,
    ...landIt(page, "then"),
  ],
  appRuns: (app: string, page: string): string[] => [
    "",
    `  koryph's App runs here too, at ${app}; below is what it logs`,
    ...landIt(page, "next:"),
  ],
  next: (clone: string): string[] => [
    "  to work on the repository:",
    `    git clone ${clone}`,
    "",
    "Ctrl-C ends it.",
  ],
  kept: (folder: string): string => `Everything stays in ${plainText(folder)}`,
  gone: (folder: string): string => `${plainText(folder)} is gone, with all that was in it`,
};

export const sandboxAdvice = {
  portTaken: (port: number): Advice => ({
    message: `another process uses port ${port}`,
    hint: `koryph sandbox --port ${port === 65_535 ? port - 1 : port + 1}, or end what listens there`,
  }),
  portForbidden: (port: number): Advice => ({
    message: `this account may not use port ${port}`,
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
    hint: "name a folder that you can write with --folder, or leave it out for a temporary one",
  }),
  foreignFolder: (folder: string, found: string): Advice => ({
    message: `${plainText(folder)} has other things in it, such as ${plainText(found)}, and no sandbox`,
    hint: "name a folder that is empty, or not there yet, with --folder",
  }),
  running: (folder: string, { pid, host, since }: Holder): Advice => ({
    message: `a sandbox runs on ${plainText(folder)} already: process ${pid} on ${plainText(host)}, since ${plainText(since)}`,
    hint: "use that one, end it first, or name another folder with --folder",
  }),
  badState: (path: string, problem: string): Advice => ({
    message: `${plainText(path)} is not what a sandbox wrote: ${plainText(problem)}; nothing was changed`,
    hint: "put the file right, or begin anew: with another --folder, or after removing this one",
  }),
};

function longest(people: readonly Person[]): number {
  return Math.max(...people.map(({ login }) => login.length));
}

/** The sample's pull request, from open to landed: it takes two people. */
function landIt(page: string, then: string): string[] {
  return [
    `  ${then} open ${page}, a pull request of an agent's, and comment there`,
    "    /koryph why       as anybody: what its landing lacks",
    "    /koryph approve   as marge",
    "    /koryph land      as you: it lands, and koryph signs a receipt",
  ];
}

/** Settings as lines a shell can read. */
export function envFileText(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${shellWord(value)}\n`)
    .join("");
}
