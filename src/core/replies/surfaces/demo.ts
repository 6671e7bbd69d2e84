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
    title: "Plan",
    says: "Each bead says which files it touches. Beads that touch the same files never run together, unless both only read them.",
  },
  sign: {
    title: "Sign",
    says: "Only signed commits may land in this shop. koryph gets a key of its own; agents get none.",
  },
  run: {
    title: "Run",
    says: "Six of the beads for real, with a scripted agent. Two want the same files, one agent dies, one breaks the gate, the review sends one back, and one touches what no agent may touch.",
  },
  crash: {
    title: "Crash, and go on",
    says: "The demo has just killed koryph (SIGKILL).",
  },
  result: { title: "Result", says: "" },
} satisfies Record<string, DemoSection>;

/** What the demo says besides the tables it shows. */
export const demoWords = {
  made: (open: number): string[] =>
    wrapText(
      `koryph demo: a small web shop with ${open} open beads and a remote, in a folder of its own that is removed at the end. It takes about ten seconds. Ctrl-C ends it at any time.`,
      DEMO_WIDTH,
    ),
  command: (args: readonly string[]): string => `${DEMO_MARGIN}$ koryph ${args.join(" ")}`,
  signed: (signer: string): string[] => [
    `${DEMO_MARGIN}made a key, allowed ${signer} in .allowed_signers, pushed that to main`,
  ],
  killed: (alive: number): string => `${demoSections.crash.says} ${survivors(alive)}`,
  proof: (commits: number, good: number, signer: string): string[] =>
    indented(
      `main on the remote: ${commits} commits by agents in one straight line, ${good === commits ? "all" : good} with a good signature of ${signer}, as git verifies it.`,
    ),
  failed: (code: number | null): string[] =>
    indented(
      `The run ended with ${code ?? "a signal"}, where this demo expects 4 (nothing was left to do). Please report it, with what koryph demo --keep leaves.`,
    ),
  commandFailed: (args: readonly string[], stderr: string): Advice => ({
    message: `koryph ${args.join(" ")} failed in the demo: ${plainText(stderr)}`,
    hint: "koryph demo --keep leaves the repository in place, to try the command there",
  }),
  next: (): string[] => [
    `${DEMO_MARGIN}next, in your own repository:  koryph init`,
    `${DEMO_MARGIN}to look around in this one:    koryph demo --keep`,
  ],
  kept: (home: string, repository: string): string[] => [
    "",
    `${DEMO_MARGIN}Everything is still there. Look at it with`,
    `${DEMO_MARGIN}  export KORYPH_HOME=${home}`,
    `${DEMO_MARGIN}  cd ${repository}`,
    `${DEMO_MARGIN}  koryph status`,
  ],
  interrupted: (): string => "\ninterrupted: the demo's processes are ended, and its folder is removed",
};

function survivors(alive: number): string {
  const rest = "A new koryph reads the ledger, finds them, and goes on where the first one was.";
  if (alive === 0) return `Its agents ended without it, and their work is in their clones. ${rest}`;
  return `${alive === 1 ? "An agent goes" : `${alive} agents go`} on without it. ${rest}`;
}

function indented(text: string): string[] {
  return wrapText(text, DEMO_WIDTH - DEMO_MARGIN.length).map((line) => `${DEMO_MARGIN}${line}`);
}

/** The heading of a section and its sentence. */
export function sectionLines(number: number, { title, says }: DemoSection): [string, ...string[]] {
  return [`${number}  ${title}`, ...(says === "" ? [] : indented(says))];
}
