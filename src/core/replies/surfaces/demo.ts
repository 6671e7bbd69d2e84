import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";
import { wrapText } from "../../../lib/wrap-text.js";

/** The demo is read on any terminal, so it keeps to the narrowest. */
export const DEMO_WIDTH = 79;
export const DEMO_MARGIN = "   ";

/** One part of the demo: what it is about, and a sentence on why anybody should care. */
export interface DemoSection {
  readonly title: string;
  readonly says: string;
}

export const demoSections = {
  plan: {
    title: "Plan: what would agents do now?",
    says: "The issues are the work; koryph calls one that it may take up a bead. A maintainer released nine of them with a label; what the stranger wrote, no agent ever reads. Issues that touch the same files never run together.",
  },
  run: {
    title: "Run: agents at work, side by side",
    says: "The Action starts on the shop's own runner. The agents are scripted: one dies, one breaks the tests, the review sends one back, and one touches what no agent may touch.",
  },
  crash: {
    title: "Crash, and go on",
    says: "The demo has just killed the runner's koryph (SIGKILL).",
  },
  people: {
    title: "People decide, by comment",
    says: "Nothing lands by itself here. Each pull request has a check that ran on exactly its head; now it takes two people: one approves, another one lands.",
  },
  again: {
    title: "The next run takes what is free now",
    says: "Issue 2 is closed, because its work has landed, so what waited for it can start.",
  },
  proof: {
    title: "Proof",
    says: "Each landing left a signed receipt. koryph verify asks nobody: it checks them against the repository and the keys that main allowed.",
  },
} satisfies Record<string, DemoSection>;

/** What the demo says besides the tables it shows. */
export const demoWords = {
  made: (issues: number): string[] =>
    wrapText(
      `koryph demo: a small web shop on a GitHub of its own, on this machine, with ${issues} issues, the koryph App, and a runner. It takes less than a minute, and all of it is gone at the end but the report. Ctrl-C ends it at any time.`,
      DEMO_WIDTH,
    ),
  action: (inputs: Readonly<Record<string, string>>): string => {
    const given = Object.entries(inputs).map(([name, value]) => `${name}: ${value}`);
    return `${DEMO_MARGIN}the Action, with ${given.join(", ")}`;
  },
  command: (args: readonly string[]): string => `${DEMO_MARGIN}$ koryph ${args.join(" ")}`,
  killed: (alive: number): string => `${demoSections.crash.says} ${survivors(alive)}`,
  /** What somebody wrote, and what koryph replied. */
  said: (login: string, number: number, words: string): string =>
    `${DEMO_MARGIN}${login.padEnd(6)} on #${number}: ${words}`,
  replied: (reply: string): string[] => below(`koryph: ${plainReply(reply)}`),
  remark: (remark: string): string[] => below(plainReply(remark)),
  did: (login: string, what: string): string => `${DEMO_MARGIN}${login.padEnd(6)} ${what}`,
  landedAsIs: (head: string): string[] =>
    below(
      `main is ${head.slice(0, 7)} now: the very commit that was reviewed and checked, with its signature.`,
    ),
  landedAnew: (approved: string, head: string): string[] =>
    below(
      `main had moved, so koryph replayed ${approved.slice(0, 7)} as ${head.slice(0, 7)}, signed it, and had it checked again. The approval held, because the change is the same.`,
    ),
  synced: (bead: string): string[] =>
    below(
      `koryph heard of it and put it on record: no agent takes ${bead} again until somebody says so. Nothing is left to clean up.`,
    ),
  verified: (lines: readonly string[]): string[] => [
    ...lines.slice(0, 1).map((line) => `${DEMO_MARGIN}${plainText(line)}`),
    ...(lines[0]?.startsWith("holds")
      ? indented(
          "So each commit that landed was approved by a person, checked, and signed. A landing of several commits has one receipt for all of them.",
        )
      : []),
  ],
  failed: (what: string): string[] => indented(`Something went wrong, please report it: ${plainText(what)}`),
  reported: (path: string): string[] => [`${DEMO_MARGIN}The whole story in one page:   ${plainText(path)}`],
  next: (stays: boolean): string[] => [
    `${DEMO_MARGIN}next, in your own repository:  koryph init, then docs/quickstart.md`,
    ...(stays ? [] : [`${DEMO_MARGIN}to click through this one:     koryph demo --keep`]),
  ],
  kept: (page: string, pull: number, app: string): string[] => [
    "",
    `${DEMO_MARGIN}Everything still runs. In a browser:`,
    `${DEMO_MARGIN}  the repository       ${page}`,
    `${DEMO_MARGIN}  an open pull request ${page}/${pull}`,
    `${DEMO_MARGIN}  the App's health     ${app}/healthz`,
    ...indented(
      "Comment on the pull request: /koryph approve as alice, then /koryph land as marge, and it lands.",
    ),
    `${DEMO_MARGIN}Ctrl-C ends it and removes everything but the report.`,
  ],
  interrupted: (): string => "\ninterrupted: the demo's processes are ended, and its folder is removed",
};

export const demoAdvice = {
  commandFailed: (args: readonly string[], stderr: string): Advice => ({
    message: `koryph ${args.join(" ")} failed in the demo: ${plainText(stderr)}`,
    hint: "this is a fault in koryph, please report it",
  }),
  noPull: (bead: string): Advice => ({
    message: `${bead} has no open pull request in the demo`,
    hint: "this is a fault in koryph, please report it",
  }),
  neverCame: (what: string): Advice => ({
    message: `${plainText(what)} did not come within a minute`,
    hint: "try again when the machine has less to do; if it stays so, please report it",
  }),
};

function survivors(alive: number): string {
  const rest = "A new one reads the ledger, finds them, and goes on where the first one was.";
  if (alive === 0) return `Its agents ended without it, and their work is in their clones. ${rest}`;
  return `${alive === 1 ? "An agent goes" : `${alive} agents go`} on without it. ${rest}`;
}

/** Of a reply in markdown, what a person reads on the page first. */
export function plainReply(markdown: string): string {
  const text = markdown
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/\[((?:[^[\]]|\[[^\]]*\])*)\]\([^)]*\)/g, "$1")
    .replace(/<[^>]*>/g, "")
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/[*`]/g, "");
  const [first = ""] = plainText(text.replaceAll("\u200b", "")).split("; ");
  return first.replace(/^\S+ \/koryph [\w -]+: /u, "");
}

/** Under what somebody said. */
function below(text: string): string[] {
  const margin = " ".repeat(DEMO_MARGIN.length + 7);
  return wrapText(text, DEMO_WIDTH - margin.length).map((line) => `${margin}${line}`);
}

function indented(text: string): string[] {
  return wrapText(text, DEMO_WIDTH - DEMO_MARGIN.length).map((line) => `${DEMO_MARGIN}${line}`);
}

/** The heading of a section and its sentence. */
export function sectionLines(number: number, { title, says }: DemoSection): [string, ...string[]] {
  return [`${number}  ${title}`, ...(says === "" ? [] : indented(says))];
}
