import { plainText } from "../../../../lib/plain-text.js";
import { shellWord } from "../../../../lib/shell-word.js";
import type { Advice } from "../../../../lib/user-error.js";
import type { KeptApp } from "../../../config/kept-app.js";
import { type ChoiceProblem, MOST_APP_NAME } from "../../../setup/app-choices.js";

/** What a form cannot be sent with. */
export function problemWords(problem: ChoiceProblem): string {
  switch (problem.field) {
    case "name":
      return problem.why === "empty"
        ? "Give it a name with letters or digits in it."
        : `The name has more than ${MOST_APP_NAME} characters, and GitHub takes no more.`;
    case "organisation":
      return "Give the name as it stands in the organisation's address: letters, digits and hyphens.";
    case "address":
      switch (problem.why) {
        case "no-address":
          return "Give the whole address, such as https://koryph.example.com: GitHub's webhooks travel encrypted.";
        case "secret":
          return "Leave out the password, and what stands after ? or #: people see this address on GitHub.";
        case "here":
          return "That address leads to this machine only for itself. Give the one that GitHub sees, or take a smee.io channel.";
      }
      break;
    case "channel":
      return "Give the channel's whole address, such as https://smee.io/AbC123: open smee.io/new for one.";
  }
}

/** Why a page is not shown. None says more than whoever asks knows already. */
export const setupTrouble = {
  otherHost: (url: string): Advice => ({
    message: "This page was asked for by another address than its own",
    hint: `open the link that koryph printed, which begins with ${url}; through a tunnel, keep the port the same`,
  }),
  linkUsed: (): Advice => ({
    message: "This link is not good, or not any more: one browser can open it once, within ten minutes",
    hint: "end `koryph serve --setup` with Ctrl-C, start it again, and open the link that it prints",
  }),
  noSession: (): Advice => ({
    message: "This browser has not opened the link, or its ten minutes are over",
    hint: "open the link that koryph printed, in the browser that goes on with it",
  }),
  otherOrigin: (): Advice => ({
    message: "That form is not one of this page's",
    hint: "open the link that koryph printed",
  }),
  nothingHere: (): Advice => ({ message: "There is nothing here", hint: "go back" }),
  wrongState: (): Advice => ({
    message:
      "This way back from GitHub is none that this set-up waits for: it was used, or somebody else made it",
    hint: "if you did not come from GitHub just now, leave it alone; else look whether the terminal says that the App is set up, and delete an App on GitHub that you do not need",
  }),
  busy: (): Advice => ({
    message: "koryph is fetching the keys at this moment",
    hint: "wait, then look at the terminal",
  }),
  codeRefused: (settings: string): Advice => ({
    message: "GitHub does not take the code that it sent: it is good once, for an hour",
    hint: `delete the App at ${settings}, then fill in the form again`,
  }),
};

/** What `koryph serve --setup` says on the terminal. */
export const appSetupWords = {
  open: (link: string, port: string): string[] => [
    "Open this page in a browser on this machine. The link is good once, within ten minutes:",
    "",
    `  ${link}`,
    "",
    `With the browser on another machine, first connect the two: ssh -L ${port}:127.0.0.1:${port} <this machine>`,
    "Ctrl-C ends the set-up.",
  ],
  recovered: (folder: string): string =>
    `An earlier set-up was cut short after GitHub had answered; its App is now in ${plainText(folder)}`,
  done: ({ app, folder, home }: SetUp): string[] => [
    `App ${app.slug} (id ${app.app_id}) is set up; its key and secret are in ${plainText(folder)}`,
    ...leftToDo(app, home).map(
      ({ says, link, command }, at) =>
        `  ${at + 1}. ${says}${link === null ? "" : `: ${link}`}${command === null ? "" : `: ${command}`}`,
    ),
  ],
  stopped: (): string =>
    "The set-up has ended, and nothing was kept. If GitHub has made the App already, delete it there.",
};

/** What keeps the set-up from its work. */
export const appSetupAdvice = {
  configured: (variables: readonly string[]): Advice => ({
    message: `an App is configured already: the environment sets ${variables.join(", ")}`,
    hint: "start `koryph serve`; for another App, unset them first",
  }),
  kept: (slug: string, appId: number, folder: string): Advice => ({
    message: `an App is configured already: ${plainText(slug)} (id ${appId}) in ${plainText(folder)}`,
    hint: "start `koryph serve`; for another App, give it a KORYPH_HOME of its own, or move that folder away",
  }),
  otherFlag: (flag: string): Advice => ({
    message: `${flag} does not go with --setup`,
    hint: "the set-up page is for this machine alone; --port and --smee go with it",
  }),
  over: (serverUrl: string): Advice => ({
    message: "nobody went on with the set-up for ten minutes, so it has ended, and nothing was kept",
    hint: `start it again; if GitHub has made the App already, delete it first, at ${serverUrl}/settings/apps or in the organisation's settings`,
  }),
  /** GitHub gives its keys out once, and they could not be written. */
  lost: (settings: string, problem: string): Advice => ({
    message: `GitHub made the App, and koryph could not keep its keys: ${plainText(problem)}`,
    hint: `GitHub does not say them again: at ${plainText(settings)} generate a private key and set a webhook secret, and give both to koryph serve in its environment; or delete the App there and begin again`,
  }),
  unfinished: (path: string, problem: string): Advice => ({
    message: `GitHub made the App, and koryph could not make its files of GitHub's answer: ${plainText(problem)}`,
    hint: `the answer is kept in ${plainText(path)}: put that right, then \`koryph serve --setup\` goes on from there`,
  }),
  unreachable: (problem: string): Advice => ({
    message: `GitHub made the App, and koryph could not fetch its keys yet: ${plainText(problem)}`,
    hint: "reload this page in a while: the code in its address is good for an hour",
  }),
};

interface NextStep {
  readonly says: string;
  readonly link: string | null;
  readonly command: string | null;
}

/** An App that is there now, and where its files are. */
export interface SetUp {
  readonly app: KeptApp;
  readonly folder: string;
  /** The KORYPH_HOME that was set; null where it is the usual one. */
  readonly home: string | null;
}

/** What is left to do once the App is there. */
export function leftToDo(app: KeptApp, home: string | null): readonly NextStep[] {
  const here = home === null ? "" : `KORYPH_HOME=${shellWord(plainText(home))} `;
  return [
    ...(isLoopback(app.server_url)
      ? [
          {
            says: "This GitHub is a sandbox: where it was started as koryph sandbox --app, an App of its own answers each comment too, so end it and start it again on the same folder without --app",
            link: null,
            command: "koryph sandbox --folder <its folder>",
          },
        ]
      : []),
    {
      says: "Install the App on the repositories that are koryph projects",
      link: `${app.html_url}/installations/new`,
      command: null,
    },
    {
      says: "Put it on the bypass list of the ruleset koryph-process, in the mode Always; this writes the rulesets with it, or puts it into those that it wrote (docs/action.md says which copy to name)",
      link: null,
      command: `koryph init --github --app-id ${app.app_id} --action <owner/koryph@commit>`,
    },
    {
      says: "Where landed commits are signed, set KORYPH_SIGNING_KEY_PATH to an SSH key that .allowed_signers names: with it the server signs what it rebases, and receipts",
      link: null,
      command: null,
    },
    {
      says: `Start the server, which finds the App ${home === null ? "by itself" : "in this KORYPH_HOME and in no other"}`,
      link: null,
      command: `${here}koryph serve`,
    },
    {
      says: "In a clone of a project, look whether all is well",
      link: null,
      command: `${here}koryph doctor`,
    },
    {
      says: "For people to link their accounts, tick Enable Device Flow on its settings page, and keep what this prints in KORYPH_TOKEN_KEY",
      link: null,
      command: "openssl rand -base64 32",
    },
  ];
}

function isLoopback(url: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(new URL(url).hostname);
}

interface Owned {
  readonly server_url: string;
  readonly organisation: string | null;
  /** Null for the page that lists all of the owner's Apps. */
  readonly slug: string | null;
}

/** Where the owner changes the App. */
export function settingsPage({ server_url, organisation, slug }: Owned): string {
  const whose = organisation === null ? "" : `/organizations/${organisation}`;
  return `${server_url}${whose}/settings/apps${slug === null ? "" : `/${slug}`}`;
}
