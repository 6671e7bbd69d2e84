import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";
import type { JudgedReceipt, UncoveredCommit } from "../../receipts/judge-chain.js";
import { shortSha } from "../land/quote.js";
import { findingText } from "./finding-words.js";

/** What `verify` found, for people and programs. */
export interface VerifyReport {
  readonly branch: string;
  /** Newest receipt; null when there is none. */
  readonly tip: string | null;
  /** Why the remote was not asked; null when it was. */
  readonly offline: string | null;
  readonly holds: boolean;
  readonly anchored: boolean | null;
  /** The receipt that was named with `--tip`, or null. */
  readonly anchor: string | null;
  readonly receipts: readonly JudgedReceipt[];
  readonly commits: number;
  readonly uncovered: readonly UncoveredCommit[];
}

const MOST_SHOWN = 20;
const REF = "refs/koryph/receipts";

export const verifyAdvice = {
  verifyWhat: (): Advice => ({
    message: "verify takes a commit, a range such as v1.0..main, or --all",
    hint: "`koryph verify --all` looks at everything since the first receipt",
  }),
  noCommit: (name: string): Advice => ({
    message: `${plainText(name)} names no commit here`,
    hint: "fetch it first, or name it by its hash",
  }),
  noTip: (text: string): Advice => ({
    message: `--tip takes the hash of a receipt, in full; found ${plainText(text)}`,
    hint: "`koryph verify --all` prints the newest one",
  }),
};

/** The lines for a terminal: first whether it holds, then what does not, then what it is worth. */
export function verifyText(report: VerifyReport): string[] {
  const { receipts, uncovered, offline, anchored, anchor } = report;
  const bad = receipts.filter(({ finding }) => finding !== null);
  return [
    ...(offline === null
      ? []
      : [`the remote was not asked (${plainText(offline)}), so this is about what is here`]),
    headline(report),
    ...(anchored === false
      ? [`  the chain does not have ${shortSha(anchor ?? "")}: it was rewound, or never had it`]
      : []),
    ...few(bad, receiptProblem),
    ...(uncovered.length === 0 ? [] : [`  ${count(uncovered.length, "commit")} came in by no receipt:`]),
    ...few(uncovered, (commit) => `  ${uncoveredText(commit)}`),
    ...nextSteps(report),
    ...worth(report),
  ];
}

/** Nobody can sign or write a receipt afterwards, so what is wrong with old ones stays; the range can begin after them. */
function nextSteps({ receipts, uncovered, branch, commits }: VerifyReport): string[] {
  const isUnsigned = receipts.some(({ finding }) => finding?.code === "unsigned");
  return [
    ...(isUnsigned
      ? [
          "`koryph signing init` makes a key, and `koryph signing status` tells the rest: later receipts are signed",
        ]
      : []),
    ...(commits > 1 && (isUnsigned || uncovered.length > 0)
      ? [`\`koryph verify <commit>..${plainText(branch)}\` looks only at what came after a commit`]
      : []),
  ];
}

function headline({ holds, receipts, commits, branch, tip }: VerifyReport): string {
  if (tip === null) return `does not hold: there is no receipt, ${REF} does not exist`;
  const about = `${count(commits, "commit")} of ${plainText(branch)}, ${count(receipts.length, "receipt")}`;
  return holds ? `holds: ${about}` : `does not hold: ${about}`;
}

function worth({ holds, tip, receipts, anchor }: VerifyReport): string[] {
  if (tip === null) return [];
  const recovered = receipts.filter(({ statement }) => statement?.predicate.recovered === true).length;
  const unknown = receipts.filter(({ statement }) => statement?.predicate.gate === null).length;
  return [
    ...(recovered === 0
      ? []
      : [`${count(recovered, "receipt")} of them written after a crash, from the ledger`]),
    ...(unknown === 0 ? [] : [`${count(unknown, "receipt")} of them without a word on the gate`]),
    ...(holds && anchor === null
      ? [
          `newest receipt ${tip}; whoever may write ${REF} can rewind it, so keep that hash and give it as --tip the next time`,
        ]
      : []),
  ];
}

function receiptProblem({ commit, statement, finding }: JudgedReceipt): string {
  const { bead, head } = statement?.predicate ?? { bead: null, head: "" };
  const of = bead === null ? "" : ` of ${plainText(bead.id)}, landed as ${shortSha(head)},`;
  return `  receipt ${shortSha(commit)}${of} ${finding === null ? "" : findingText(finding)}`;
}

function uncoveredText({ sha, author, email, at, subject }: UncoveredCommit): string {
  return `  ${shortSha(sha)} ${plainText(at)} ${plainText(author)} <${plainText(email)}> ${plainText(subject)}`;
}

function few<T>(items: readonly T[], say: (item: T) => string): string[] {
  const shown = items.slice(0, MOST_SHOWN).map(say);
  const rest = items.length - shown.length;
  return rest > 0 ? [...shown, `  and ${rest} more; --json lists all`] : shown;
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}

/** A promise to programs, as docs/json.md describes it. */
export function verifyJson(report: VerifyReport) {
  const { branch, tip, offline, holds, anchored, receipts, commits, uncovered } = report;
  return {
    holds,
    branch,
    tip,
    offline: offline !== null,
    anchored,
    commits,
    receipts: receipts.map(({ commit, statement, finding }) => ({
      commit,
      bead: statement?.predicate.bead.id ?? null,
      head: statement?.predicate.head ?? null,
      at: statement?.predicate.at ?? null,
      recovered: statement?.predicate.recovered ?? null,
      finding: finding && { ...finding, text: findingText(finding) },
    })),
    uncovered,
  };
}
