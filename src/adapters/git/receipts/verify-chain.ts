import {
  type ChainAnswer,
  type JudgedReceipt,
  judgeChain,
  type UncoveredCommit,
} from "../../../core/receipts/judge-chain.js";
import { judgeReceipt } from "../../../core/receipts/judge-receipt.js";
import { readStatement } from "../../../core/receipts/read-statement.js";
import { quietOutput } from "../exec/quiet-git.js";
import { type ChainReceipt, readChain } from "./read-chain.js";
import { type ReadReceipt, ReceiptEvidence } from "./receipt-evidence.js";

export interface VerifyQuestion {
  /** One of koryph's own repositories, which has everything that is asked about. */
  readonly repo: string;
  /** Newest receipt; null when there is none. */
  readonly tip: string | null;
  readonly branch: { readonly name: string; readonly tip: string };
  /** What must have come in by receipts: everything since the first of them, one commit, or a range. */
  readonly about: "all" | { readonly commit: string } | { readonly from: string; readonly to: string };
  readonly anchor: string | null;
}

export interface VerifyAnswer extends Omit<ChainAnswer, "uncovered"> {
  readonly uncovered: readonly UncoveredCommit[];
  /** How many commits were asked about. */
  readonly commits: number;
  /** Where the history that was asked about begins; null for one commit, and without any receipt. */
  readonly since: string | null;
}

/** More keys than ed25519 take a process each. */
const AT_ONCE = 16;

/** Whether what is asked about came in by receipts that hold, by what the repository itself shows. */
export async function verifyChain(question: VerifyQuestion): Promise<VerifyAnswer> {
  const { repo, tip, branch, about, anchor } = question;
  const chain = tip === null ? [] : await readChain(repo, tip);
  const read = chain.map(readReceipt);
  const since = sinceOf(about, read, branch.name);
  const [wanted, has] = await Promise.all([
    wantedOf(question, since),
    about === "all" ? listing(repo, [branch.tip]) : [],
  ]);
  const onBranch = new Set(has);
  const asked = new Set(wanted);
  const isAsked = ({ statement }: JudgedReceipt) =>
    about === "all" || statement?.predicate.commits.some(({ sha }) => asked.has(sha)) === true;
  const judged = await judgeAll(repo, read, isAsked);
  const answer = judgeChain({
    receipts: judged,
    wanted,
    all: about === "all",
    branch: { name: branch.name, has: (sha) => onBranch.has(sha) },
    anchor,
  });
  const uncovered = await describe(repo, answer.uncovered);
  // Where there is no receipt at all, none of the branch came in by one.
  const holds = answer.holds && (about !== "all" || answer.receipts.length > 0);
  return { ...answer, holds, uncovered, commits: wanted.length, since };
}

type Read = JudgedReceipt & { readonly chain: ChainReceipt };

function readReceipt(chain: ChainReceipt): Read {
  const reading = readStatement(chain.payload === null ? null : textOf(chain.payload));
  const { commit } = chain;
  return reading.kind === "read"
    ? { commit, chain, statement: reading.statement, finding: null }
    : { commit, chain, statement: null, finding: reading.finding };
}

/** Empty for what is no text. */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return "";
  }
}

async function judgeAll(
  repo: string,
  read: readonly Read[],
  isAsked: (receipt: JudgedReceipt) => boolean,
): Promise<JudgedReceipt[]> {
  const readable = [...read.entries()].flatMap(([at, receipt]): (ReadReceipt & { readonly at: number })[] => {
    const { chain, statement } = receipt;
    return statement !== null && isAsked(receipt) ? [{ ...chain, statement, at }] : [];
  });
  const evidence = await ReceiptEvidence.read(repo, readable);
  const judged: JudgedReceipt[] = [...read];
  for (let first = 0; first < readable.length; first += AT_ONCE) {
    const some = readable.slice(first, first + AT_ONCE).map(async (receipt) => {
      const { commit, statement, at } = receipt;
      judged[at] = { commit, statement, finding: judgeReceipt(statement, await evidence.of(receipt)) };
    });
    await Promise.all(some);
  }
  return judged;
}

function sinceOf(about: VerifyQuestion["about"], read: readonly Read[], branch: string): string | null {
  if (about !== "all") return "from" in about ? about.from : null;
  const first = read.find(({ statement }) => statement?.predicate.branch === branch);
  return first?.statement?.predicate.base.before ?? null;
}

async function wantedOf(
  { repo, about, branch }: VerifyQuestion,
  since: string | null,
): Promise<readonly string[]> {
  if (about !== "all")
    return "commit" in about ? [about.commit] : listing(repo, [about.to, `^${about.from}`]);
  if (since === null) return [];
  // A base that is not there is found with its receipt.
  const known = await quietOutput(repo, ["cat-file", "--batch-check"], { input: `${since}\n` });
  return / commit /.test(known) ? listing(repo, [branch.tip, `^${since}`]) : [];
}

/** Oldest first. */
async function listing(repo: string, revisions: readonly string[]): Promise<string[]> {
  const args = ["rev-list", "--reverse", "--topo-order", "--end-of-options"];
  const out = await quietOutput(repo, [...args, ...revisions, "--"]);
  return out.split("\n").filter((line) => line !== "");
}

async function describe(repo: string, shas: readonly string[]): Promise<UncoveredCommit[]> {
  if (shas.length === 0) return [];
  const args = ["log", "--no-walk=unsorted", "--stdin", "-z", "--no-show-signature"];
  const out = await quietOutput(repo, [...args, "--format=%H%x1f%an%x1f%ae%x1f%aI%x1f%s"], {
    input: `${shas.join("\n")}\n`,
  });
  return out
    .split("\0")
    .filter((record) => record !== "")
    .map((record) => {
      const [sha = "", author = "", email = "", at = "", ...subject] = record.split("\x1f");
      return { sha, author, email, at, subject: subject.join(" ") };
    });
}
