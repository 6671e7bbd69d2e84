import { cutText } from "../../../lib/cut-text.js";
import { plainText } from "../../../lib/plain-text.js";
import { durationText } from "../../../lib/time-text.js";
import type { Advice } from "../../../lib/user-error.js";
import type { UnseenWork } from "../../land/unseen-work.js";
import { gateEnd, lastLines, type RedGate } from "./gate.js";
import { quoteFew, shortSha } from "./quote.js";
import { unseenLines } from "./unseen-work.js";

const LONGEST_COMMAND = 200;

interface GateStepFacts {
  readonly try: number;
  readonly command: string;
  readonly code: number | null;
  readonly ms: number;
}

interface RedOutput extends Omit<RedGate, "places"> {
  readonly output: string;
}

/** What `koryph gate` says. */
export const gateWords = {
  checking: (head: string, ref: string) =>
    `the gate on ${shortSha(head)} (${plainText(ref)}), in a clean checkout`,
  again: () => "that try is red; once more from a clean checkout, all commands:",
  step: ({ command, code, ms }: GateStepFacts) =>
    `  ${code === 0 ? "ok " : "red"}  ${durationText(ms).padStart(7)}  ${commandText(command)}`,
  green: (head: string) => `the gate is green on ${shortSha(head)}`,
  stopping: () => "interrupted: the gate's commands are being ended",
  checkingBase: (head: string) =>
    `trying the gate on the default branch, ${shortSha(head)}, before any agent starts`,
  redBase: (head: string, command: string) =>
    `the gate is red on the default branch itself, ${shortSha(head)}: ${commandText(command)}; no more agents start`,
  untried: () =>
    "the gate has not been tried on this default branch yet: koryph run tries it before the first agent",
  knownRed: (head: string) =>
    `the gate was red on the default branch, ${shortSha(head)}: koryph run tries it again, and starts nothing while it is red`,
  stopped: () => "the gate was stopped; nothing is known of the commit",
};

export const gateAdvice = {
  /** `base` is null where another commit than the default branch's was asked about. */
  red: (head: string, red: RedOutput, base: { readonly unseen: UnseenWork | null } | null): Advice => ({
    message: [
      `the gate is red on ${shortSha(head)}: \`${commandText(red.command)}\` ${gateEnd(red)}`,
      ...unseenLines(base?.unseen ?? null).map((line) => `  ${line}`),
    ].join("\n"),
    hint: `mend it there, or the gate in koryph.project.json${base === null ? "" : "; until then koryph run starts no agent, and koryph run --allow-red-base is for a bead that mends it"}`,
  }),
  redBase: (red: RedOutput & { readonly head: string }, unseen: UnseenWork | null): Advice => ({
    message: [
      `the gate is red on the default branch itself, at ${shortSha(red.head)}: \`${commandText(red.command)}\` ${gateEnd(red)}; no more agents start`,
      ...(red.output.trim() === "" ? [] : lastLines(red.output, 10).split("\n")).map((line) => `    ${line}`),
      ...unseenLines(unseen).map((line) => `  ${line}`),
    ].join("\n"),
    hint: "koryph gate runs it again and shows more; koryph run --allow-red-base is for work that mends the gate itself",
  }),
  unknownRef: (ref: string, branches: readonly string[]): Advice => ({
    message: `there is no commit called ${JSON.stringify(plainText(ref))} here; ${branches.length === 0 ? "no branch was found" : `branches found: ${quoteFew(branches)}`}`,
    hint: "koryph gate --at <branch, tag or commit>; without --at it takes the default branch",
  }),
};

function commandText(command: string): string {
  return cutText(plainText(command), LONGEST_COMMAND);
}

interface GateRun {
  readonly head: string;
  readonly ref: string;
  readonly steps: readonly GateStepFacts[];
  readonly answer:
    | { readonly kind: "green" | "stopped" }
    | (RedGate & { readonly kind: "red"; readonly output: string });
}

/** A promise to programs, as docs/json.md describes it. */
export function gateJson({ head, ref, steps, answer }: GateRun) {
  const { kind, ...red } = answer;
  return {
    head,
    ref,
    result: kind,
    commands: steps.map((step) => ({
      try: step.try,
      command: step.command,
      code: step.code,
      seconds: step.ms / 1000,
    })),
    ...red,
  };
}
