import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
}

const PAGE = (docs: string) => `${docs} lists what the server reads from its environment`;

/** What can be wrong with the server's settings. None of these repeats a secret, or any part of one. */
export const settingsAdvice = {
  missing: (names: readonly string[], docs: string): Advice => ({
    message: `${names.join(", ")} ${names.length === 1 ? "is" : "are"} not set`,
    hint: `\`koryph serve --setup\` makes the App and keeps what it needs; ${docs} tells where to find ${names.length === 1 ? "it" : "them"} of an App that is there, and \`koryph sandbox\` makes one to try`,
  }),
  appId: (found: string): Advice => ({
    message: `APP_ID is ${plainText(found)}, and it must be a whole number such as 123456`,
    hint: "it is the App ID on the App's settings page, not its client id, name or installation",
  }),
  bothKeys: (): Advice => ({
    message: "PRIVATE_KEY and PRIVATE_KEY_PATH are both set, and only one of them can count",
    hint: "unset the one that you do not want",
  }),
  keyFile: (path: string, problem: string): Advice => ({
    message: `PRIVATE_KEY_PATH is ${plainText(path)}, which cannot be read: ${plainText(problem)}`,
    hint: "point it at the .pem file that GitHub gave you when you made the App's private key",
  }),
  notAKey: (variable: string, length: number): Advice => ({
    message: `${variable} has ${length} characters, which are no RSA private key without a passphrase`,
    hint: "give the whole .pem file: as it is, with \\n for its line ends, or in base64",
  }),
  defaultSecret: (): Advice => ({
    message: "WEBHOOK_SECRET is `development`, which everybody who knows Probot would try first",
    hint: "make one with `openssl rand -hex 32`, and set it here and on the App's settings page",
  }),
  url: (variable: string, found: string, needed: string): Advice => ({
    message: `${variable} is ${plainText(found)}, and it must be ${needed}`,
    hint: "unencrypted http is for loopback addresses only, because tokens travel over it",
  }),
  urlPair: (missing: string, given: string): Advice => ({
    message: `${given} is set and ${missing} is not, so they may name different GitHubs`,
    hint: "set both, such as https://github.example.com/api/v3 and https://github.example.com, or neither",
  }),
  tokenKey: (bytes: number | null): Advice => ({
    message: `KORYPH_TOKEN_KEY ${bytes === null ? "is neither base64 nor hex" : `holds ${bytes} bytes`}, and 32 bytes are needed`,
    hint: "make one with `openssl rand -base64 32`, or leave it unset: then accounts cannot be linked",
  }),
  oneOf: (variable: string, found: string, choices: readonly string[], docs: string): Advice => ({
    message: `${variable} is ${plainText(found)}, and it must be one of ${choices.join(", ")}`,
    hint: PAGE(docs),
  }),
  repositories: (found: string): Advice => ({
    message: `--local-agents names ${JSON.stringify(plainText(found))}, and it takes repositories such as owner/name`,
    hint: "separate several with commas",
  }),
  agents: (file: string, problem: string): Advice => ({
    message: `${plainText(file)} cannot be used: ${plainText(problem)}`,
    hint: "it says which agents this server may start: `default_runtime` and `runtimes`, as in koryph.project.json",
  }),
  clonesMib: (found: string): Advice => ({
    message: `KORYPH_CLONES_MIB is ${plainText(found)}, and it must be a whole number of MiB`,
    hint: "leave it unset for 10240, which is 10 GiB",
  }),
  port: (found: string): Advice => ({
    message: `the port (PORT or --port) is ${plainText(found)}, and it must be a whole number from 0 to 65535`,
    hint: "leave it unset for 3000; 0 lets the system choose",
  }),
  host: (found: string): Advice => ({
    message: `the host (HOST or --host) is ${JSON.stringify(plainText(found))}, and it must be an address or a name of this machine`,
    hint: "leave it unset for 127.0.0.1; 0.0.0.0 listens on every address",
  }),
};

/** Warnings: the server starts all the same, and the operator should know. */
export const settingsWarnings = {
  shortSecret: (length: number, wanted: number): string =>
    `WEBHOOK_SECRET has ${length} characters; a secret of fewer than ${wanted} can be guessed from one delivery`,
  spacedSecret: (): string => "WEBHOOK_SECRET begins or ends with white space, which counts as part of it",
  noTokenKey: (): string => "KORYPH_TOKEN_KEY is not set, so nobody can link their account",
};

export const serveAdvice = {
  cannotListen: (
    host: string,
    port: number,
    { code, message }: { code?: string | undefined; message: string },
  ): Advice => {
    const where = `${plainText(host)} port ${port}`;
    switch (code) {
      case "EADDRINUSE":
        return {
          message: `another process uses ${where}`,
          hint: "choose another with --port or PORT",
        };
      case "EACCES":
        return {
          message: `this user may not use ${where}`,
          hint: "choose a port from 1024 on, and let a proxy listen on the other",
        };
      default:
        return {
          message: `koryph cannot listen on ${where}: ${plainText(message)}`,
          hint: "choose another address with --host or HOST",
        };
    }
  },
  running: (home: string, { pid, host, since }: Holder): Advice => ({
    message: `a server runs on ${home} already: pid ${pid} on ${plainText(host)} since ${plainText(since)}`,
    hint: "stop it first, or give this one a KORYPH_HOME of its own",
  }),
};

/** What `koryph serve` says when it has begun and when it ends. */
export const serveWords = {
  listening: (url: string): string => `listening on ${url}`,
  github: (serverUrl: string, apiUrl: string): string => `for GitHub at ${serverUrl} (API ${apiUrl})`,
  app: (appId: number, keptIn: string | null): string =>
    `as App ${appId}${keptIn === null ? "" : `, kept in ${plainText(keptIn)}`}`,
  smee: (url: string): string => `webhooks come through ${plainText(url)}`,
  stopping: (): string =>
    "stopping: the server finishes the jobs in hand or gives them back; a second signal ends it at once",
  stopped: (): string => "stopped",
};

/** Lines of the server's log about its jobs. */
export const logWords = {
  answered: (): string => "koryph answered a comment",
  answeredBefore: (): string => "a comment has its answer already, so koryph does nothing about it",
  notAnalysed: (): string => "a pull request could not be analysed",
  synced: (): string => "koryph took in what became of a pull request",
  beadNotShown: (): string => "koryph could not show on its issue how a bead stands",
  landingResumed: (): string => "koryph goes on with a landing that its database did not know of",
  evicted: (): string =>
    "koryph removed clones that were not used for the longest time, to keep to its quota",
  outcomeUnknown: (): string => "koryph cannot tell what became of a command: its ledger was rewound",
  takenByOther: (): string =>
    "another workflow run has taken a comment, so this one leaves it alone; the schedule looks whether it was answered",
  answeredForgotten: (): string =>
    "koryph does not know any more whether a comment was answered, and said so",
  forgotten: (at: string): string =>
    `comments from before ${at} are looked after no more: more were taken since than the ledger remembers. Where somebody has pushed events that koryph never wrote, koryph ledger purge takes them out`,
  unread: (): string => "koryph did not read a comment for commands: it is too long, or has too much markup",
  done: (): string => "a job is done",
  waits: (): string => "a job has to wait",
  failed: (): string => "a job failed, and koryph tries it again",
  givenUp: (): string => "koryph gave a job up: see koryph inbox list --dead",
  overdue: (): string => "a job takes longer than its lane allows, so koryph takes others in its place",
  putBack: (): string => "a job went back to the inbox",
  inboxFailed: (): string => "the inbox failed, and koryph asks it again",
  notForgotten: (): string => "koryph could not forget old jobs and answers",
};
